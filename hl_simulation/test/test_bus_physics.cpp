// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cmath>
#include <cstdio>
#include <hl_hardware_cm730/bus_driver.hpp>
#include <hl_hardware_cm730/emulated_port.hpp>
#include <hl_testing/isolation.hpp>

#include "hl_simulation/bus_physics.hpp"
#include "robots.hpp"

using namespace hl_simulation;
namespace hw = hl_hardware_cm730;

namespace {

hl_description::RobotConfig config_of(const std::string& robot) {
  return hl_description::RobotConfig::from_file(ament_index_cpp::get_package_share_directory("hl_description") +
                                                "/config/" + robot + "/robot.yaml");
}

/// A driver, the wire, and a robot in MuJoCo behind it; all in bus time.
struct RobotOnTheBus {
  explicit RobotOnTheBus(std::uint64_t seed = 1) : simulation(world_with(robot_spec("minibot"), seed)) {}

  hl_description::RobotConfig config = config_of("minibot");
  Simulation simulation;
  std::shared_ptr<BusPhysics> physics =
      std::make_shared<BusPhysics>(simulation, 0, config, BusPhysics::Stepping::ByBus);
  hw::Emulator emulator{emulator_config(config), physics};
  hw::EmulatedPort port{emulator};
  hw::BusDriver driver{port, specs(), params()};

  std::vector<hw::ServoSpec> specs() const {
    std::vector<hw::ServoSpec> specs;
    const auto bus = emulator_config(config);
    for (std::size_t n = 0; n < config.servos.size(); ++n) {
      hw::ServoSpec spec;
      spec.joint = config.servos[n].joint;
      spec.id = bus.servos[n].id;
      spec.model = bus.servos[n].model;
      const auto& joint = robot().spec().joints[joint_of(n)];
      spec.lower = joint.lower;
      spec.upper = joint.upper;
      specs.push_back(spec);
    }
    return specs;
  }
  hw::BusDriver::Params params() const {
    hw::BusDriver::Params params;
    params.foot_ids = emulator_config(config).foot_ids;
    return params;
  }
  const Robot& robot() const { return simulation.robot(); }
  std::size_t joint_of(std::size_t servo) const {
    return static_cast<std::size_t>(robot().spec().joint_index(config.servos[servo].joint));
  }
  std::size_t servo(const std::string& joint) const {
    for (std::size_t n = 0; n < config.servos.size(); ++n) {
      if (config.servos[n].joint == joint) return n;
    }
    throw std::logic_error(joint);
  }

  /// One cycle of a driver whose goals come from somebody who insists on the walk-ready pose.
  void insist() {
    const auto ready = robot().spec().walk_ready_positions();
    for (std::size_t n = 0; n < driver.size(); ++n) driver.command(n).position = ready[joint_of(n)];
    driver.cycle();
  }
  void run(double seconds) {
    for (const double end = emulator.now() + seconds; emulator.now() < end;) driver.cycle();
  }
  /// The bus runs, the servos hold the walk-ready pose, and nobody holds the robot any more.
  void stand() {
    for (int n = 0; n < 20 && driver.state() != hw::BusState::Running; ++n) driver.cycle();
    ASSERT_EQ(driver.state(), hw::BusState::Running);
    EXPECT_TRUE(physics->held());
    for (std::size_t n = 0; n < driver.size(); ++n) driver.command(n).torque = true;
    for (const double end = emulator.now() + 3.0; emulator.now() < end;) insist();
    ASSERT_FALSE(physics->held());
    ASSERT_FALSE(robot().fallen());
  }
  std::size_t fresh() const {
    std::size_t count = 0;
    for (std::size_t n = 0; n < driver.size(); ++n) count += driver.joint(n).fresh;
    return count;
  }
};

}  // namespace

TEST(BusPhysics, TheDriverMakesTheSimulatedRobotStandAndMove) {
  RobotOnTheBus bus;
  bus.stand();
  EXPECT_NEAR(bus.simulation.time(), bus.emulator.now(), 0.01) << "bus time is the world's time";
  EXPECT_NEAR(bus.driver.board().accel[2], 9.81, 0.6);
  double weight = 0.0;
  for (int side = 0; side < 2; ++side) {
    for (const double cell : bus.driver.foot(side).cells) weight += cell;
  }
  EXPECT_NEAR(weight, 49.0, 8.0);

  bus.driver.command(bus.servo("HeadPan")).position = 0.6;
  bus.run(1.0);
  EXPECT_NEAR(bus.driver.joint(bus.servo("HeadPan")).position, 0.6, 0.02);

  for (std::size_t n = 0; n < bus.driver.size(); ++n) bus.driver.command(n).torque = false;
  bus.run(3.0);
  EXPECT_TRUE(bus.robot().fallen());
}

TEST(BusPhysics, ARobotWithoutTorqueIsHeld) {
  RobotOnTheBus bus;
  const auto before = bus.robot().joint_positions();
  bus.emulator.advance_to(5.0);
  EXPECT_TRUE(bus.physics->held());
  const auto after = bus.robot().joint_positions();
  for (std::size_t n = 0; n < before.size(); ++n) EXPECT_NEAR(after[n], before[n], 0.1) << n;
}

// Knee bends of 20 degrees every two seconds while the arms swing, with the weight of the body on the legs.
TEST(BusPhysics, TheRobotFollowsATrajectory) {
  RobotOnTheBus bus;
  bus.stand();
  const auto ready = bus.robot().spec().walk_ready_positions();
  const double start = bus.emulator.now();
  const double duration = hl_testing::full_run() ? 60.0 : 6.0;
  double squares = 0.0, worst = 0.0;
  std::size_t samples = 0;
  while (bus.emulator.now() < start + duration) {
    const double phase = M_PI * (bus.emulator.now() - start);
    const double bend = 0.175 * (1.0 - std::cos(phase));
    for (const int side : {+1, -1}) {
      const std::string prefix = side > 0 ? "L" : "R";
      for (const auto& [joint, share] : {std::pair("HipPitch", 1.0), std::pair("Knee", -2.0),
                                         std::pair("AnklePitch", -1.0), std::pair("ShoulderPitch", 1.0)}) {
        const std::size_t n = bus.servo(prefix + joint);
        bus.driver.command(n).position = ready[bus.joint_of(n)] + side * share * bend;
      }
    }
    bus.driver.cycle();
    ASSERT_FALSE(bus.robot().fallen());
    for (std::size_t n = 0; n < bus.driver.size(); ++n) {
      const double error = bus.driver.command(n).position - bus.driver.joint(n).position;
      squares += error * error;
      worst = std::max(worst, std::abs(error));
      ++samples;
    }
  }
  const double rms = std::sqrt(squares / static_cast<double>(samples));
  std::printf("trajectory of %.0f s through the bus: tracking error rms %.4f rad, worst %.3f rad\n", duration, rms,
              worst);
  EXPECT_LT(rms, 0.04) << "servos are springs: the knee sags by 2.5 degrees under the body's weight";
  EXPECT_LT(worst, 0.15);
}

// The driver's fault script, with a standing robot behind the wire. Where the servos keep their supply they keep their
// goals, so the robot has to stand through all of it; in a brown-out somebody must hold it.
TEST(BusPhysics, TheStandingRobotSurvivesTheFaultScript) {
  struct Row {
    const char* fault;
    std::size_t fewest;  // joints read in any cycle while it lasts and the driver has settled
    double recovery;     // s
    bool held;           // by a person, meanwhile
  };
  const Row rows[] = {
      {"mute 13", 19, 1.0, false},
      {"absent 20", 19, 1.0, false},
      {"mute 200", 20, 1.0, false},
      {"overheat 9 90", 20, 0.1, false},
      {"delay 4 0.001", 20, 0.1, false},
      {"noise 0.05", 20, 0.1, false},
      {"corrupt_reply 0.0005", 0, 1.0, false},
      {"truncate 0.01", 0, 1.0, false},
      {"corrupt_request 0.0002", 0, 1.5, false},
      {"twin 6", 19, 0.1, false},
      {"stuck", 0, 2.0, false},
      {"unplug", 0, 2.0, false},
      {"voltage 5", 0, 2.5, true},
  };
  const double duration = hl_testing::full_run() ? 5.0 : 0.5;  // s that each fault lasts
  const std::uint64_t seeds = hl_testing::count(1, 5);
  std::printf(
      "| fault, for %.1f s | settled after | joints read meanwhile | back after | tilt at most |\n"
      "|---|---|---|---|---|\n",
      duration);
  for (std::uint64_t seed = 3000; seed < 3000 + seeds; ++seed) {
    RobotOnTheBus bus(seed);
    bus.stand();
    if (HasFatalFailure()) return;
    for (const Row& row : rows) {
      if (row.held) bus.simulation.robot().hold(true);
      ASSERT_EQ(bus.emulator.faults().apply(row.fault), "");
      const double start = bus.emulator.now();
      const std::size_t settled_with = std::min<std::size_t>(row.fewest, 20);
      double settled = -1.0, tilt = 0.0;
      std::size_t fewest = 20;
      while (bus.emulator.now() < start + duration) {
        bus.insist();
        if (settled < 0.0 && bus.fresh() <= settled_with) settled = bus.emulator.now() - start;
        if (bus.emulator.now() > start + 0.1) fewest = std::min(fewest, bus.fresh());
        tilt = std::max(tilt, bus.robot().tilt());
      }
      bus.emulator.faults().apply("heal");
      const double healed = bus.emulator.now();
      while (bus.emulator.now() < healed + 5.0 && (bus.fresh() < 20 || !bus.driver.board().fresh)) bus.insist();
      const double recovery = bus.emulator.now() - healed;
      for (const double end = bus.emulator.now() + 2.0; bus.emulator.now() < end;) {
        bus.insist();
        tilt = std::max(tilt, bus.robot().tilt());
      }
      if (row.held) {
        bus.simulation.robot().hold(false);
        for (const double end = bus.emulator.now() + 1.0; bus.emulator.now() < end;) bus.insist();
      }
      std::printf("| %s | %s | %zu | %.0f ms | %.1f deg |\n", row.fault,
                  settled < 0.0 ? "-" : (std::to_string(static_cast<int>(std::lround(settled * 1e3))) + " ms").c_str(),
                  fewest, recovery * 1e3, tilt * 180.0 / M_PI);
      EXPECT_GE(fewest, row.fewest) << row.fault;
      EXPECT_LE(recovery, row.recovery) << row.fault;
      EXPECT_EQ(bus.fresh(), 20u) << row.fault;
      EXPECT_EQ(bus.driver.state(), hw::BusState::Running) << row.fault;
      EXPECT_LT(tilt, 0.3) << row.fault;
      ASSERT_FALSE(bus.robot().fallen()) << row.fault;
      for (std::size_t n = 0; n < bus.driver.size(); ++n)
        EXPECT_TRUE(bus.robot().servo(bus.joint_of(n)).torque_on()) << row.fault << " " << bus.config.servos[n].joint;
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cmath>
#include <hl_hardware_cm730/bus_driver.hpp>
#include <hl_hardware_cm730/emulated_port.hpp>

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
  hl_description::RobotConfig config = config_of("minibot");
  std::shared_ptr<Simulation> simulation = std::make_shared<Simulation>(world_with(robot_spec("minibot")));
  std::shared_ptr<BusPhysics> physics = std::make_shared<BusPhysics>(simulation, 0, config);
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
      const auto& joint = simulation->robot().spec().joints[simulation->robot().spec().joint_index(spec.joint)];
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
  std::size_t servo(const std::string& joint) const {
    for (std::size_t n = 0; n < config.servos.size(); ++n) {
      if (config.servos[n].joint == joint) return n;
    }
    throw std::logic_error(joint);
  }
};

}  // namespace

TEST(BusPhysics, TheDriverMakesTheSimulatedRobotStandAndMove) {
  RobotOnTheBus bus;
  for (int n = 0; n < 20 && bus.driver.state() != hw::BusState::Running; ++n) bus.driver.cycle();
  ASSERT_EQ(bus.driver.state(), hw::BusState::Running);
  EXPECT_TRUE(bus.physics->held());
  const auto ready = bus.simulation->robot().spec().walk_ready_positions();
  for (std::size_t n = 0; n < bus.driver.size(); ++n) {
    auto& command = bus.driver.command(n);
    command.torque = true;
    command.position = ready[bus.simulation->robot().spec().joint_index(bus.config.servos[n].joint)];
  }
  const double start = bus.emulator.now();
  while (bus.emulator.now() < start + 4.0) bus.driver.cycle();
  EXPECT_FALSE(bus.physics->held());
  EXPECT_FALSE(bus.simulation->robot().fallen());
  // Bus time and simulated time run together.
  EXPECT_NEAR(bus.simulation->time(), bus.emulator.now() - start, 0.2);
  EXPECT_NEAR(bus.driver.board().accel[2], 9.81, 0.6);
  double weight = 0.0;
  for (int side = 0; side < 2; ++side) {
    for (const double cell : bus.driver.foot(side).cells) weight += cell;
  }
  EXPECT_NEAR(weight, 49.0, 8.0);

  bus.driver.command(bus.servo("HeadPan")).position = 0.6;
  while (bus.emulator.now() < start + 5.0) bus.driver.cycle();
  EXPECT_NEAR(bus.driver.joint(bus.servo("HeadPan")).position, 0.6, 0.02);

  for (std::size_t n = 0; n < bus.driver.size(); ++n) bus.driver.command(n).torque = false;
  while (bus.emulator.now() < start + 8.0) bus.driver.cycle();
  EXPECT_TRUE(bus.simulation->robot().fallen());
}

TEST(BusPhysics, ARobotWithoutTorqueIsHeldAndRests) {
  RobotOnTheBus bus;
  const auto before = bus.simulation->robot().joint_positions();
  bus.emulator.advance_to(5.0);
  EXPECT_TRUE(bus.physics->held());
  EXPECT_EQ(bus.simulation->robot().joint_positions(), before);
}

// SPDX-License-Identifier: Apache-2.0
// The walking robot above the driver of the real one and the emulated bus, in bus time: what the HCM does when devices
// fall silent in the middle of a step, with the reports that the driver makes of it.
// usage: test_bus [--seed=N] [--runs=N]
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <hl_hardware_cm730/emulated_port.hpp>
#include <hl_simulation/bus_physics.hpp>
#include <memory>
#include <random>
#include <string>

#include "full_speed.hpp"
#include "hl_match/driven_robot.hpp"
#include "hl_match/installed.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_match;  // NOLINT(google-build-using-namespace): the whole file is about it
using hl_hcm::State;
namespace hw = hl_hardware_cm730;

namespace {

unsigned first_seed = 10000;
unsigned runs_wanted = 0;  // 0: as HL_FULL says

/// One whole Minibot above the driver, whose servos are simulated behind the emulated bus.
class RobotOnTheBus {
 public:
  RobotOnTheBus() : world_(installed_match("minibot")), simulation_(empty_world()) {}

  void begin(unsigned seed) {
    simulation_.reset(seed);
    physics_ = std::make_shared<hl_simulation::BusPhysics>(simulation_, 0, config(),
                                                           hl_simulation::BusPhysics::Stepping::ByBus);
    auto emulated = hl_simulation::emulator_config(config());
    emulated.step = simulation_.timestep();
    emulator_ = std::make_unique<hw::Emulator>(emulated, physics_);
    port_ = std::make_unique<hw::EmulatedPort>(*emulator_);
    robot_ = std::make_unique<DrivenRobot>(world_.files, *port_, [this] { return port_->now(); });
  }

  double time() const { return port_->now(); }
  const hl_hcm::Hcm& hcm() const { return robot_->hcm(); }
  void walk(const hl_walking::Velocity& velocity) { robot_->walk(velocity); }
  const hl_walking::Params& walk_params() const { return world_.files->walk.walk; }
  hw::Faults& faults() { return emulator_->faults(); }
  const hl_description::RobotConfig& config() const { return world_.files->config; }
  const hl_robot_interface::Health& health() const { return robot_->health(); }
  bool held() const { return physics_->held(); }

  void run(double seconds) {
    for (const double end = time() + seconds; time() < end;) robot_->cycle();
  }
  /// Whether it has not gone down, nor been thought to, `seconds` later.
  bool stays_up(double seconds) {
    for (const double end = time() + seconds; time() < end;) {
      robot_->cycle();
      if (hcm().state() == State::Falling || simulation_.robot().tilt() > 0.8) return false;
    }
    return simulation_.robot().tilt() < 0.35;
  }

 private:
  hl_simulation::WorldSpec empty_world() const {
    auto world = hl_simulation::world_with(world_.spec);
    world.with_goals = world.with_ball = false;
    return world;
  }

  Match::Params world_;
  hl_simulation::Simulation simulation_;
  std::shared_ptr<hl_simulation::BusPhysics> physics_;
  std::unique_ptr<hw::Emulator> emulator_;
  std::unique_ptr<hw::EmulatedPort> port_;
  std::unique_ptr<DrivenRobot> robot_;
};

class Bus : public testing::Test {
 protected:
  RobotOnTheBus robot;

  /// Walks at this share of full speed in a direction that hangs on the seed, until some moment of a step.
  void walk(unsigned seed, double share) {
    std::mt19937 random(seed);
    const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
    robot.begin(seed);
    // Somebody holds it until all servos have had torque for a second.
    for (int i = 0; i < 150 && (robot.held() || robot.hcm().state() != State::Controllable); ++i) robot.run(0.1);
    ASSERT_FALSE(robot.held());
    ASSERT_EQ(robot.hcm().state(), State::Controllable) << name_of(robot.hcm().state());
    const auto v = full_speed(robot.walk_params(), seed, random);
    robot.walk({share * v.x, share * v.y, share * v.yaw});
    robot.run(uniform(2.5, 4.0));
    ASSERT_EQ(robot.hcm().state(), State::Walking);
  }

  /// Runs of `quick` or 20 seeds; how many stayed on their feet after `fault`.
  template <class Fault>
  unsigned survivors(const char* what, double share, Fault fault, unsigned& runs, unsigned quick) {
    runs = runs_wanted > 0 ? runs_wanted : static_cast<unsigned>(hl_testing::count(quick, 20));
    unsigned up = 0;
    for (unsigned seed = first_seed; seed < first_seed + runs; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      walk(seed, share);
      if (HasFatalFailure()) return up;
      fault();
      const bool stayed = robot.stays_up(4.0);
      up += stayed;
      EXPECT_EQ(robot.health().power_on, true);
      if (!stayed) std::printf("  fell: seed %u\n", seed);
    }
    std::printf("%s at %.0f %% of full speed: %u of %u on their feet\n", what, 100.0 * share, up, runs);
    return up;
  }

  void all_servos(const std::string& word, const std::string& value = "") {
    for (const auto& servo : robot.config().servos)
      ASSERT_EQ(robot.faults().apply(word + " " + std::to_string(servo.id) + " " + value), "");
  }
  void mute_board() { ASSERT_EQ(robot.faults().apply("mute " + std::to_string(robot.config().controller_id)), ""); }
};

}  // namespace

TEST_F(Bus, ASilentImuEndsTheWalkStanding) {
  for (const double share : {0.5, 1.0}) {
    unsigned runs = 0;
    const unsigned up = survivors(
        "IMU muted", share, [&] { mute_board(); }, runs, 3);
    EXPECT_EQ(up, runs);
    EXPECT_EQ(robot.hcm().state(), State::HardwareProblem) << name_of(robot.hcm().state());
    EXPECT_EQ(robot.health().level, hl_robot_interface::Health::Level::Warn) << robot.health().text;
  }
}

TEST_F(Bus, SilentJointsEndTheWalkStanding) {
  unsigned runs = 0;
  const unsigned up = survivors(
      "joints muted", 0.5, [&] { all_servos("mute"); }, runs, 3);
  EXPECT_GE(10 * up, 9 * runs);
  EXPECT_EQ(robot.hcm().state(), State::HardwareProblem) << name_of(robot.hcm().state());
  if (hl_testing::full_run() || runs_wanted > 0)
    survivors(
        "joints muted", 1.0, [&] { all_servos("mute"); }, runs, 0);
}

TEST_F(Bus, JointsThatAnswerLateEndTheWalkStanding) {
  unsigned runs = 0;
  const unsigned up = survivors(
      "joints late by 200 ms", 0.5, [&] { all_servos("delay", "0.2"); }, runs, 3);
  EXPECT_GE(10 * up, 9 * runs);
  if (hl_testing::full_run() || runs_wanted > 0)
    survivors(
        "joints late by 200 ms", 1.0, [&] { all_servos("delay", "0.2"); }, runs, 0);
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  CLI::App cli("Silent and late devices while a robot walks above the emulated bus", "test_bus");
  cli.add_option("--seed", first_seed, "of the first run");
  cli.add_option("--runs", runs_wanted, "of each; 0: a few, or with HL_FULL=1 the statistics");
  CLI11_PARSE(cli, argc, argv);
  return RUN_ALL_TESTS();
}

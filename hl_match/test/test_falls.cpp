// SPDX-License-Identifier: Apache-2.0
// A whole robot in physics: what goes wrong in the middle of a step, and falls to all sides.
// usage: test_falls [--seed=N], the first seed
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <hl_description/geometry.hpp>
#include <optional>
#include <random>
#include <string>

#include "full_speed.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/lone_robot.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_match;  // NOLINT(google-build-using-namespace): the whole file is about it
using hl_hcm::Direction;
using hl_hcm::State;

namespace {

unsigned first_seed = 6000;  // --seed=N; nothing was ever tuned with these

const Match::Params& minibot() {
  static const auto kWorld = installed_match("minibot");
  return kWorld;
}

/// A new run: the robot stands, or lies on a side, and everything starts anew.
class Falls : public testing::Test {
 protected:
  LoneRobot& begin(unsigned seed, Direction lies_on = Direction::None) {
    robot_.emplace(minibot(), seed);
    if (lies_on != Direction::None) robot_->lie_down(lies_on);
    return *robot_;
  }

  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_); }

  /// In all directions and mixtures of them, at full speed, until some moment in the middle of a step.
  LoneRobot& walk(unsigned seed) {
    random_.seed(seed);
    LoneRobot& robot = begin(seed);
    robot.get_ready();
    robot.walk(full_speed(minibot().files->walk.walk, seed, random_));
    robot.run(uniform(2.5, 4.0));
    EXPECT_EQ(robot.hcm().state(), State::Walking);
    return robot;
  }

  /// Whether the robot is still on its feet `seconds` later, without ever having been thought to fall.
  static bool stays_up(LoneRobot& robot, double seconds) {
    bool down = false;
    return robot.run(seconds, [&] { return down = robot.lies() || thought_to_fall(robot); }) && !down &&
           robot.body().tilt() < 0.35;
  }
  static bool thought_to_fall(const LoneRobot& robot) { return robot.match().timeline().count("fall") > 0; }

  /// What breaks a walk must not throw the robot down.
  template <class Fault>
  void survives(Fault fault, State ends_in) {
    const auto runs = static_cast<unsigned>(hl_testing::count(5, 20));
    std::size_t fell = 0;
    for (unsigned seed = first_seed; seed < first_seed + runs; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      LoneRobot& robot = walk(seed);
      fault(robot);
      if (!stays_up(robot, 4.0)) {
        ++fell;
        continue;
      }
      EXPECT_EQ(robot.hcm().state(), ends_in) << name_of(robot.hcm().state());
    }
    std::printf("fell: %zu of %u\n", fell, runs);
    EXPECT_EQ(fell, 0u);
  }

 private:
  std::optional<LoneRobot> robot_;
  std::mt19937 random_;
};

double farthest_goal_from_penalty_pose(const LoneRobot& robot) {
  const auto& body = minibot().files->hcm_body;
  double farthest = 0.0;
  for (std::size_t j = 0; j < body.joints.size(); ++j)
    farthest = std::max(farthest, std::abs(robot.hcm().mixer().goals()[j] - body.penalty[j]));
  return farthest;
}

double angle_between(double a, double b) {
  return std::abs(hl_description::wrap_angle(a - b));
}

double heading(Direction direction) {
  return direction == Direction::Front   ? 0.0
         : direction == Direction::Left  ? M_PI_2
         : direction == Direction::Right ? -M_PI_2
                                         : M_PI;
}

}  // namespace

TEST_F(Falls, PenalisedInTheMiddleOfAStepTheRobotStopsWithinAStepAndStands) {
  const auto& joints = minibot().files->hcm_body.joints;
  const auto runs = static_cast<unsigned>(hl_testing::count(5, 20));
  unsigned fell = 0;
  for (unsigned seed = first_seed; seed < first_seed + runs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LoneRobot& robot = walk(seed);
    robot.penalise(true);
    bool stands = stays_up(robot, minibot().files->walk.walk.step_duration);
    // One step later the legs rest, and neither foot is in the air.
    const auto after_a_step = robot.hcm().mixer().goals();
    stands = stands && stays_up(robot, 0.3);
    for (std::size_t j = 0; j < joints.size(); ++j)
      EXPECT_NEAR(robot.hcm().mixer().goals()[j], after_a_step[j], 1e-9) << joints.joints[j].name;
    stands = stands && stays_up(robot, 3.5);
    fell += !stands;
    EXPECT_EQ(robot.hcm().state(), State::Penalty);
    EXPECT_LT(farthest_goal_from_penalty_pose(robot), 1e-6);
  }
  std::printf("fell: %u of %u\n", fell, runs);
  EXPECT_EQ(fell, 0u);
}

TEST_F(Falls, AWalkThatDiesInTheMiddleOfAStepLeavesTheRobotStanding) {
  survives([](LoneRobot& robot) { robot.motion().walk_lives = false; }, State::Controllable);
}

TEST_F(Falls, LostJointStatesEndTheWalkStanding) {
  survives([](LoneRobot& robot) { robot.senses().joints_work = false; }, State::HardwareProblem);
}

TEST_F(Falls, ALostImuEndsTheWalkStanding) {
  survives([](LoneRobot& robot) { robot.senses().imu_works = false; }, State::HardwareProblem);
}

TEST_F(Falls, TheEmergencyStopIsObeyedInTheSameCycle) {
  LoneRobot& robot = walk(first_seed);
  robot.orders().emergency_stop = true;
  robot.step();
  EXPECT_EQ(robot.hcm().state(), State::Stopped);
  for (std::size_t j = 0; j < robot.body().joint_count(); ++j) EXPECT_FALSE(robot.body().servo(j).torque_on());
}

TEST_F(Falls, ToAllSidesAreSeenInTimeAndMetInTheRightPoseWithSoftJoints) {
  const auto& files = *minibot().files;
  const auto rounds = static_cast<unsigned>(hl_testing::count(1, 5));
  for (unsigned seed = first_seed; seed < first_seed + 8 * rounds; ++seed) {
    const double angle = (seed % 8) * M_PI_4;  // 0 = to the front, then to the left
    SCOPED_TRACE("seed " + std::to_string(seed) + ", pushed to " + std::to_string(angle * 180 / M_PI) + " degrees");
    std::mt19937 random(seed);
    LoneRobot& robot = begin(seed);
    robot.get_ready();
    robot.run(0.3);
    const double force = std::uniform_real_distribution<>(90, 120)(random);  // N
    robot.body().push({force * std::cos(angle), force * std::sin(angle), 0.0}, 0.1, "torso");
    ASSERT_TRUE(robot.run_until(State::Falling, 2.0));
    const double noticed = robot.time();
    const Direction direction = robot.hcm().fall_direction();
    EXPECT_LE(angle_between(heading(direction), angle), M_PI_4 + 0.01) << "thought to fall " << name_of(direction);
    // Until the body hits the ground, or lies on its hands.
    const auto falls = [&] { return robot.hcm().state() == State::Falling && !robot.lies(); };
    robot.run(2.0, [&] { return !falls(); });
    ASSERT_FALSE(falls());
    EXPECT_GT(robot.time() - noticed, 0.1);
    // Goals are those of the protective pose, and the joints give way.
    const auto& pose = files.hcm_body.protective[static_cast<std::size_t>(direction)];
    for (std::size_t j = 0; j < files.hcm_body.joints.size(); ++j) {
      if (!hl_hcm::given(pose[j])) continue;
      const auto& name = files.hcm_body.joints.joints[j].name;
      EXPECT_NEAR(robot.hcm().mixer().goals()[j], pose[j], 0.35) << name;
      const bool soft = robot.time() - noticed > files.hcm.soft_after + 0.02;
      EXPECT_LE(robot.body().servo(j).torque_limit(), soft ? 0.41 : 1.0) << name;
    }
  }
}

TEST_F(Falls, AFallenRobotGetsUpAndThatIsNoFall) {
  for (const Direction side : {Direction::Front, Direction::Back}) {
    LoneRobot& robot = begin(first_seed, side);
    ASSERT_TRUE(robot.run_until(State::GettingUp, 5.0)) << name_of(side);
    EXPECT_TRUE(robot.run_until(State::Controllable, 12.0)) << name_of(side);
    EXPECT_FALSE(thought_to_fall(robot));
  }
}

TEST_F(Falls, ADiveIsNotMetWithAProtectivePoseAndTheRobotGetsUpAfterwards) {
  for (const char* dive : {"dive_left", "dive_right"}) {
    SCOPED_TRACE(dive);
    LoneRobot& robot = begin(first_seed);
    robot.get_ready();
    ASSERT_TRUE(robot.play(dive));
    EXPECT_GT(robot.body().tilt(), 0.8);
    EXPECT_TRUE(robot.run_until(State::GettingUp, 5.0));
    EXPECT_TRUE(robot.run_until(State::Controllable, 20.0));
    EXPECT_FALSE(thought_to_fall(robot));
  }
}

TEST_F(Falls, ABlockInADeepSquatIsNone) {
  const auto runs = static_cast<unsigned>(hl_testing::count(3, 20));
  for (unsigned seed = first_seed; seed < first_seed + runs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    LoneRobot& robot = begin(seed);
    robot.get_ready();
    ASSERT_TRUE(robot.play("dive_center"));
    EXPECT_TRUE(robot.run(1.0));
    EXPECT_EQ(robot.hcm().state(), State::Controllable);
    EXPECT_FALSE(thought_to_fall(robot));
  }
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  CLI::App cli("Falls of whole robots in physics", "test_falls");
  cli.add_option("--seed", first_seed, "of the first run");
  CLI11_PARSE(cli, argc, argv);
  return RUN_ALL_TESTS();
}

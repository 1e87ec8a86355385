// SPDX-License-Identifier: Apache-2.0
// HCM, walk and animations with one robot in physics: what goes wrong in the middle of a step, and falls to all sides.
// usage: test_hcm_physics [--seed=N], the first seed
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <hl_description/geometry.hpp>
#include <random>
#include <string>

#include "hl_testing/isolation.hpp"
#include "stage.hpp"

using namespace hl_hcm;

namespace {

unsigned first_seed = 6000;  // --seed=N; nothing was ever tuned with these

Hcm::Params minibot() {
  Hcm::Params params;
  params.fall.height = 0.33;
  return params;
}

class Physics : public testing::Test {
 protected:
  Stage stage{{DESCRIPTION_SHARE, WALKING_SHARE, ANIMATION_SHARE}, Stage::Ball::None};
  std::mt19937 random;

  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(random); }

  /// In all directions and mixtures of them, at full speed, until some moment in the middle of a step.
  void walk(unsigned seed) {
    random.seed(seed);
    stage.begin(seed, minibot());
    ASSERT_TRUE(stage.run_until(State::Controllable, 5.0));
    stage.walk(full_speed(stage.walk_params(), seed, random));
    ASSERT_TRUE(stage.run(uniform(2.5, 4.0)));
    ASSERT_EQ(stage.hcm().state(), State::Walking);
  }

  /// Whether the robot is still on its feet `seconds` later, without ever having been thought to fall.
  bool stays_up(double seconds) {
    const std::size_t before = stage.hcm().transition_count();
    for (const double end = stage.time() + seconds; stage.time() < end;)
      if (!stage.step() || stage.body_on_ground() || thought_to_fall(before)) return false;
    return stage.robot().tilt() < 0.35;
  }

  /// By the HCM, after its first `before` transitions.
  bool thought_to_fall(std::size_t before = 0) {
    const auto news = std::min(stage.hcm().transition_count() - before, Hcm::history_size);
    for (std::size_t i = 0; i < news; ++i)
      if (stage.hcm().transition(i).to == State::Falling) return true;
    return false;
  }

  /// What breaks a walk must not throw the robot down.
  template <class Fault>
  void survives(Fault fault, State ends_in) {
    const auto runs = static_cast<unsigned>(hl_testing::count(5, 20));
    std::size_t fell = 0;
    for (unsigned seed = first_seed; seed < first_seed + runs; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      ASSERT_NO_FATAL_FAILURE(walk(seed));
      fault();
      if (!stays_up(4.0)) {
        ++fell;
        continue;
      }
      EXPECT_EQ(stage.hcm().state(), ends_in) << name_of(stage.hcm().state());
    }
    std::printf("fell: %zu of %u\n", fell, runs);
    EXPECT_EQ(fell, 0u);
  }

  double farthest_goal_from_penalty_pose() {
    double farthest = 0.0;
    for (std::size_t j = 0; j < stage.body().joints.size(); ++j)
      farthest = std::max(farthest, std::abs(stage.hcm().mixer().goals()[j] - stage.body().penalty[j]));
    return farthest;
  }
};

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

TEST_F(Physics, PenalisedInTheMiddleOfAStepTheRobotStopsWithinAStepAndStands) {
  const auto runs = static_cast<unsigned>(hl_testing::count(5, 20));
  unsigned fell = 0;
  for (unsigned seed = first_seed; seed < first_seed + runs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_NO_FATAL_FAILURE(walk(seed));
    stage.hcm().on_paused(true, stage.time());
    bool stands = stays_up(stage.walk_params().step_duration);
    // One step later the legs rest, and neither foot is in the air.
    const JointArray after_a_step = stage.hcm().mixer().goals();
    stands = stands && stays_up(0.3);
    for (std::size_t j = 0; j < stage.body().joints.size(); ++j)
      EXPECT_NEAR(stage.hcm().mixer().goals()[j], after_a_step[j], 1e-9) << stage.body().joints.joints[j].name;
    stands = stands && stays_up(3.5);
    fell += !stands;
    EXPECT_EQ(stage.hcm().state(), State::Penalty);
    EXPECT_LT(farthest_goal_from_penalty_pose(), 1e-6);
  }
  std::printf("fell: %u of %u\n", fell, runs);
  EXPECT_EQ(fell, 0u);
}

TEST_F(Physics, AWalkThatDiesInTheMiddleOfAStepLeavesTheRobotStanding) {
  survives([&] { stage.walk_lives = false; }, State::Controllable);
}

TEST_F(Physics, LostJointStatesEndTheWalkStanding) {
  survives([&] { stage.joints_work = false; }, State::HardwareProblem);
}

TEST_F(Physics, ALostImuEndsTheWalkStanding) {
  survives([&] { stage.imu_works = false; }, State::HardwareProblem);
}

TEST_F(Physics, TheEmergencyStopIsObeyedInTheSameCycle) {
  ASSERT_NO_FATAL_FAILURE(walk(first_seed));
  stage.hcm().emergency_stop(true, stage.time());
  stage.step();
  EXPECT_EQ(stage.hcm().state(), State::Stopped);
  for (std::size_t j = 0; j < stage.robot().joint_count(); ++j) EXPECT_FALSE(stage.robot().servo(j).torque_on());
}

TEST_F(Physics, FallsToAllSidesAreSeenInTimeAndMetInTheRightPoseWithSoftJoints) {
  const auto rounds = static_cast<unsigned>(hl_testing::count(1, 5));
  for (unsigned seed = first_seed; seed < first_seed + 8 * rounds; ++seed) {
    const double angle = (seed % 8) * M_PI_4;  // 0 = to the front, then to the left
    SCOPED_TRACE("seed " + std::to_string(seed) + ", pushed to " + std::to_string(angle * 180 / M_PI) + " degrees");
    random.seed(seed);
    stage.begin(seed, minibot());
    ASSERT_TRUE(stage.run_until(State::Controllable, 5.0));
    stage.run(0.3);
    const double force = uniform(90, 120);  // N
    stage.robot().push({force * std::cos(angle), force * std::sin(angle), 0.0}, 0.1, "torso");
    ASSERT_TRUE(stage.run_until(State::Falling, 2.0));
    const double noticed = stage.time();
    const Direction direction = stage.hcm().fall_direction();
    EXPECT_LE(angle_between(heading(direction), angle), M_PI_4 + 0.01) << "thought to fall " << name_of(direction);
    // Until the body hits the ground, or lies on its hands.
    const auto falls = [&] { return stage.hcm().state() == State::Falling && !stage.body_on_ground(); };
    for (const double end = stage.time() + 2.0; stage.time() < end && falls();) stage.step();
    ASSERT_FALSE(falls());
    EXPECT_GT(stage.time() - noticed, 0.1);
    // Goals are those of the protective pose, and the joints give way.
    const JointArray& pose = stage.body().protective[static_cast<std::size_t>(direction)];
    for (std::size_t j = 0; j < stage.body().joints.size(); ++j) {
      if (!given(pose[j])) continue;
      const auto& name = stage.body().joints.joints[j].name;
      EXPECT_NEAR(stage.hcm().mixer().goals()[j], pose[j], 0.35) << name;
      const bool soft = stage.time() - noticed > minibot().soft_after + 0.02;
      EXPECT_LE(stage.robot().servo(j).torque_limit(), soft ? 0.41 : 1.0) << name;
    }
  }
}

TEST_F(Physics, AFallenRobotGetsUpAndThatIsNoFall) {
  for (const Direction side : {Direction::Front, Direction::Back}) {
    stage.begin(first_seed, minibot(), side);
    ASSERT_TRUE(stage.run_until(State::GettingUp, 5.0)) << name_of(side);
    EXPECT_TRUE(stage.run_until(State::Controllable, 12.0)) << name_of(side);
    EXPECT_FALSE(thought_to_fall());
  }
}

TEST_F(Physics, ADiveIsNotMetWithAProtectivePoseAndTheRobotGetsUpAfterwards) {
  for (const char* dive : {"dive_left", "dive_right"}) {
    SCOPED_TRACE(dive);
    stage.begin(first_seed, minibot());
    ASSERT_TRUE(stage.run_until(State::Controllable, 5.0));
    stage.play(dive);
    while (stage.animating()) ASSERT_TRUE(stage.step());
    EXPECT_GT(stage.robot().tilt(), 0.8);
    EXPECT_TRUE(stage.run_until(State::GettingUp, 5.0));
    EXPECT_TRUE(stage.run_until(State::Controllable, 20.0));
    EXPECT_FALSE(thought_to_fall());
  }
}

TEST_F(Physics, ABlockInADeepSquatIsNoFall) {
  const auto runs = static_cast<unsigned>(hl_testing::count(3, 20));
  for (unsigned seed = first_seed; seed < first_seed + runs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    stage.begin(seed, minibot());
    ASSERT_TRUE(stage.run_until(State::Controllable, 5.0));
    stage.play("dive_center");
    while (stage.animating()) ASSERT_TRUE(stage.step());
    EXPECT_TRUE(stage.run(1.0));
    EXPECT_EQ(stage.hcm().state(), State::Controllable);
    EXPECT_FALSE(thought_to_fall());
  }
}

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind("--seed=", 0) == 0) first_seed = static_cast<unsigned>(std::atoi(argument.c_str() + 7));
  }
  return RUN_ALL_TESTS();
}

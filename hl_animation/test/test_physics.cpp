// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <hl_simulation/robot_spec.hpp>

#include "hl_animation/animation_file.hpp"
#include "hl_testing/isolation.hpp"
#include "stage.hpp"

using namespace hl_animation;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

constexpr std::uint64_t kFirstSeed = 1000;  // lower ones belong to the tuner

std::shared_ptr<const hl_simulation::RobotSpec> minibot() {
  static const auto robot =
      std::make_shared<const hl_simulation::RobotSpec>(hl_simulation::load_robot_files(MINIBOT_URDF, MINIBOT_CONFIG));
  return robot;
}

Animation shipped(const std::string& name) {
  static const auto library = AnimationLibrary::from_folder(std::string(ANIMATIONS) + "/minibot");
  return library.animations.at(name);
}

/// Runs that end as the animation declares.
std::size_t successes(const std::string& name, std::size_t runs) {
  Stage stage(minibot(), {});
  const auto animation = shipped(name);
  std::size_t good = 0;
  double duration = 0.0;
  for (std::size_t i = 0; i < runs; ++i) {
    const auto outcome = stage.play(animation, kFirstSeed + i);
    good += outcome.ended_as_declared ? 1 : 0;
    duration = outcome.duration;
  }
  std::printf("%-16s %zu of %zu, %.2f s\n", name.c_str(), good, runs, duration);
  return good;
}

}  // namespace

TEST(GetUp, FromFrontAndBackWithinFiveSeconds) {
  const std::size_t runs = hl_testing::count(4, 20);
  for (const auto* name : {"get_up_front", "get_up_back"}) {
    EXPECT_EQ(successes(name, runs), runs) << name;
    EXPECT_LE(shipped(name).duration(), 5.0) << name;
  }
}

TEST(Library, MotionsEndAsTheyDeclare) {
  const std::size_t runs = hl_testing::count(1, 10);
  for (const auto* name : {"walkready", "stand", "sit_down", "stand_up", "penalty_in", "penalty_out", "roll_left",
                           "roll_right", "dive_left", "dive_center", "greeting"}) {
    EXPECT_EQ(successes(name, runs), runs) << name;
  }
}

TEST(Kick, MovesTheBallAndStandsAfterwards) {
  Stage::Params params;
  params.with_ball = true;
  Stage stage(minibot(), params);
  const auto animation = shipped("kick_left");
  const std::size_t runs = hl_testing::count(3, 20);
  std::size_t standing = 0;
  double distance = 0.0;
  for (std::size_t i = 0; i < runs; ++i) {
    const auto outcome = stage.play(animation, kFirstSeed + i);
    standing += outcome.ended_as_declared ? 1 : 0;
    distance += outcome.ball_distance / static_cast<double>(runs);
  }
  std::printf("kick_left        stands %zu of %zu, ball %.2f m within 1.5 s\n", standing, runs, distance);
  EXPECT_GE(standing + runs / 20, runs);
  EXPECT_GT(distance, 2.3);  // m; still rolling then
}

TEST(Stage, SameSeedSameOutcome) {
  Stage stage(minibot(), {});
  const auto animation = shipped("get_up_front");
  const auto first = stage.play(animation, 7);
  stage.play(animation, 8);
  const auto again = stage.play(animation, 7);
  EXPECT_EQ(first.tilt, again.tilt);
  EXPECT_EQ(first.height, again.height);
}

TEST(Stage, MotionThatDoesNotStandIsNotedSo) {
  Stage stage(minibot(), {});
  auto animation = shipped("get_up_front");
  animation.keyframes.resize(2);
  EXPECT_FALSE(stage.play(animation, kFirstSeed).ended_as_declared);
}

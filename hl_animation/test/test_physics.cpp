// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <hl_description/robot_config.hpp>
#include <hl_simulation/robot_spec.hpp>
#include <map>

#include "fall_stage.hpp"
#include "hl_animation/animation_file.hpp"
#include "hl_testing/isolation.hpp"
#include "stage.hpp"

using namespace hl_animation;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

constexpr std::uint64_t kFirstSeed = 3000;  // lower ones were looked at while tuning

using Robot = std::shared_ptr<const hl_simulation::RobotSpec>;

Robot robot(const std::string& name) {
  static std::map<std::string, Robot> robots;
  auto& entry = robots[name];
  if (!entry) {
    const std::string folder = DESCRIPTION;
    entry = std::make_shared<const hl_simulation::RobotSpec>(hl_simulation::load_robot_files(
        folder + "/urdf/" + name + ".urdf", folder + "/config/" + name + "/robot.yaml"));
  }
  return entry;
}

Animation shipped(const std::string& name, const std::string& robot = "minibot") {
  return AnimationLibrary::from_folder(std::string(ANIMATIONS) + "/" + robot).animations.at(name);
}

/// Runs that end as the animation declares.
std::size_t successes(const std::string& name, std::size_t runs, const std::string& on = "minibot") {
  Stage stage(robot(on), {});
  const auto animation = shipped(name, on);
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
  for (const auto* name : {"sit_down", "stand_up", "roll_left", "roll_right", "dive_left", "dive_center", "greeting"}) {
    EXPECT_EQ(successes(name, runs), runs) << name;
  }
}

TEST(Library, MotionsOfTheDarwinEndAsTheyDeclare) {
  const std::size_t runs = hl_testing::count(1, 10);
  for (const auto* name : {"sit_down", "stand_up", "roll_left", "get_up_front", "get_up_back", "dive_left",
                           "dive_center", "greeting", "kick_left"}) {
    EXPECT_GE(successes(name, runs, "darwin_op") + runs / 5, runs) << name;
  }
}

TEST(Fall, ProtectivePosesLowerTheImpactOnHeadAndHip) {
  const auto config = hl_description::RobotConfig::from_file(std::string(DESCRIPTION) + "/config/minibot/robot.yaml");
  FallStage stage(robot("minibot"), {});
  const std::size_t runs = hl_testing::count(2, 20);
  for (const auto direction : kFallDirections) {
    const auto word = "fall_" + name(direction);
    const auto mean = [&](const FallStage::MakeReaction& reaction) {
      Impact sum;
      for (std::size_t i = 0; i < runs; ++i) {
        const auto impact = stage.fall(direction, reaction, kFirstSeed + i);
        EXPECT_TRUE(impact.fell) << word;
        sum.head_acceleration += impact.head_acceleration;
        sum.hip_acceleration += impact.hip_acceleration;
      }
      return sum;
    };
    const auto stiff = mean(stage.stiff());
    const auto soft = mean(stage.go(config.poses.at(word)));
    EXPECT_LT(soft.head_acceleration, 0.85 * stiff.head_acceleration) << word;
    EXPECT_LT(soft.hip_acceleration, 0.85 * stiff.hip_acceleration) << word;
  }
}

TEST(Kick, MovesTheBallAndStandsAfterwards) {
  Stage::Params params;
  params.with_ball = true;
  params.watch = 4.0;  // s, until the ball lies still
  Stage stage(robot("minibot"), params);
  const auto animation = shipped("kick_left");
  const std::size_t runs = hl_testing::count(3, 20);
  std::size_t standing = 0;
  double distance = 0.0;
  for (std::size_t i = 0; i < runs; ++i) {
    const auto outcome = stage.play(animation, kFirstSeed + i);
    standing += outcome.ended_as_declared ? 1 : 0;
    distance += outcome.ball_distance / static_cast<double>(runs);
  }
  std::printf("kick_left        stands %zu of %zu, ball %.2f m\n", standing, runs, distance);
  EXPECT_GE(standing + runs / 20, runs);
  EXPECT_GT(distance, 2.5);  // m
}

TEST(Stage, SameSeedSameOutcome) {
  Stage stage(robot("minibot"), {});
  const auto animation = shipped("get_up_front");
  const auto first = stage.play(animation, 7);
  stage.play(animation, 8);
  const auto again = stage.play(animation, 7);
  EXPECT_EQ(first.tilt, again.tilt);
  EXPECT_EQ(first.height, again.height);
}

TEST(Stage, MotionThatDoesNotStandIsNotedSo) {
  Stage stage(robot("minibot"), {});
  auto animation = shipped("get_up_front");
  animation.keyframes.resize(2);
  EXPECT_FALSE(stage.play(animation, kFirstSeed).ended_as_declared);
}

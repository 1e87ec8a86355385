// SPDX-License-Identifier: Apache-2.0
// Animations, protective poses and their tuning, with whole robots in physics.
#include <gtest/gtest.h>

#include <cstdio>
#include <hl_animation/animation_file.hpp>

#include "../src/tuned_animation.hpp"
#include "hl_match/impact.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/motions.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_match;  // NOLINT(google-build-using-namespace): the whole file is about it
using hl_animation::Animation;

namespace {

constexpr std::uint64_t kFirstSeed = 3000;  // lower ones were looked at while tuning

const Match::Params& world(const std::string& robot = "minibot") {
  static const Match::Params kMinibot = installed_match("minibot"), kDarwin = installed_match("darwin_op");
  return robot == "minibot" ? kMinibot : kDarwin;
}

const Animation& shipped(const std::string& name) {
  return world().files->animations.animations.at(name);
}

/// Runs that end as the animation declares; the time of the longest.
struct Runs {
  std::size_t good = 0;
  double longest = 0.0;  // s
};
Runs play(const std::string& name, std::size_t count, const std::string& on = "minibot") {
  Runs runs;
  for (std::size_t i = 0; i < count; ++i) {
    const MotionResult result = perform(world(on), name, kFirstSeed + i);
    runs.good += result.as_declared;
    runs.longest = std::max(runs.longest, result.time);
  }
  std::printf("%-16s %zu of %zu, %.2f s\n", name.c_str(), runs.good, count, runs.longest);
  return runs;
}

}  // namespace

TEST(Motion, GetsUpFromFrontAndBackWithinFiveSeconds) {
  const std::size_t count = hl_testing::count(3, 20);
  for (const char* name : {"get_up_front", "get_up_back"}) {
    const Runs runs = play(name, count);
    EXPECT_EQ(runs.good, count) << name;
    EXPECT_GT(runs.longest, 1.0) << name;
    EXPECT_LE(runs.longest, 5.0) << name;
  }
}

TEST(Motion, EndsAsItDeclares) {
  const std::size_t count = hl_testing::count(1, 10);
  for (const char* name :
       {"sit_down", "stand_up", "roll_left", "roll_right", "dive_left", "dive_center", "greeting", "head_scan"})
    EXPECT_EQ(play(name, count).good, count) << name;
}

TEST(Motion, OfTheDarwinEndsAsItDeclares) {
  const std::size_t count = hl_testing::count(1, 10);
  for (const char* name : {"sit_down", "stand_up", "roll_left", "get_up_front", "get_up_back", "dive_left",
                           "dive_center", "greeting", "kick_left"})
    EXPECT_GE(play(name, count, "darwin_op").good + count / 5, count) << name;
}

TEST(Motion, AKickMovesTheBallAndStandsAfterwards) {
  const std::size_t count = hl_testing::count(3, 20);
  std::size_t standing = 0;
  double distance = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    const MotionResult result = perform(world(), "kick_left", kFirstSeed + i);
    standing += result.as_declared;
    distance += result.ball / static_cast<double>(count);
  }
  std::printf("kick_left        stands %zu of %zu, ball %.2f m\n", standing, count, distance);
  EXPECT_GE(standing + count / 20, count);
  EXPECT_GT(distance, 2.5);  // m
}

TEST(Motion, SameSeedSameOutcome) {
  const MotionResult first = perform(world(), "get_up_front", 7), again = perform(world(), "get_up_front", 7);
  EXPECT_EQ(first.alignment, again.alignment);
  EXPECT_EQ(first.height, again.height);
}

TEST(Motion, ThatDoesNotStandIsNotedSo) {
  Animation half = shipped("get_up_front");
  half.keyframes.resize(2);
  EXPECT_FALSE(perform(with_animation(world(), half), half.name, kFirstSeed).as_declared);
}

TEST(Motion, ThatIsNotThereIsNamed) {
  EXPECT_THROW(perform(world(), "somersault", kFirstSeed), std::runtime_error);
}

TEST(Impact, ProtectivePosesSpareHeadAndHips) {
  const auto stiff = without_fall_reactions(world());
  const std::size_t count = hl_testing::count(2, 20);
  for (const auto side : kSides) {
    SCOPED_TRACE(name_of(side));
    Impact hard, soft;
    for (std::size_t i = 0; i < count; ++i) {
      const Impact a = push_down(stiff, side, kFirstSeed + i), b = push_down(world(), side, kFirstSeed + i);
      EXPECT_TRUE(a.fell && b.fell);
      EXPECT_FALSE(a.lead) << "it spoke before the ground";
      ASSERT_TRUE(b.lead);
      EXPECT_GT(*b.lead, 0.05);
      hard.head_acceleration += a.head_acceleration;
      hard.hip_acceleration += a.hip_acceleration;
      soft.head_acceleration += b.head_acceleration;
      soft.hip_acceleration += b.hip_acceleration;
    }
    EXPECT_LT(soft.head_acceleration, 0.85 * hard.head_acceleration);
    EXPECT_LT(soft.hip_acceleration, 0.85 * hard.hip_acceleration);
  }
}

TEST(Impact, ACandidateForAProtectivePoseReplacesTheShippedOne) {
  const auto poses = hl_animation::parse_animations(
      "{name: fall_front, fall_check: false, keyframes: [{duration: 0.5, joints: {Elbow: 30}}]}", "a test");
  ASSERT_EQ(protects(poses.front()), hl_hcm::Direction::Front);
  const auto changed = with_protective_pose(world(), hl_hcm::Direction::Front, poses.front());
  const auto& body = changed.files->hcm_body;
  const auto elbow = body.joints.find("LElbow");
  ASSERT_TRUE(elbow);
  EXPECT_NEAR(body.protective[static_cast<std::size_t>(hl_hcm::Direction::Front)][*elbow], 30.0 * M_PI / 180.0, 1e-9);
  EXPECT_FALSE(protects(shipped("dive_left")));
}

TEST(TunedValues, AreSetByKeyframeJointAndSide) {
  const Animation kick = shipped("kick_left");
  const Animation changed = with_values(kick, {{"2.duration", 0.7}, {"1.Knee", -50.0}, {"1.HeadPan", 10.0}});
  EXPECT_DOUBLE_EQ(changed.keyframes[1].duration, 0.7);
  EXPECT_NEAR(changed.keyframes[0].goals.at("LKnee"), -50.0 * M_PI / 180.0, 1e-9);
  EXPECT_NEAR(changed.keyframes[0].goals.at("RKnee"), 50.0 * M_PI / 180.0, 1e-9);
  EXPECT_NEAR(changed.keyframes[0].goals.at("HeadPan"), 10.0 * M_PI / 180.0, 1e-9);
  EXPECT_THROW(with_values(kick, {{"99.duration", 1.0}}), hl_animation::AnimationError);
}

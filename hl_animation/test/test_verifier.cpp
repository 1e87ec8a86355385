// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "hl_animation/animation_file.hpp"
#include "hl_animation/verifier.hpp"

using namespace hl_animation;  // NOLINT(google-build-using-namespace): the whole file is about it
using Kind = Finding::Kind;

namespace {

struct Body {
  explicit Body(const std::string& robot)
      : model(hl_description::RobotModel::from_file(std::string(DESCRIPTION) + "/urdf/" + robot + ".urdf")),
        config(hl_description::RobotConfig::from_file(std::string(DESCRIPTION) + "/config/" + robot + "/robot.yaml")) {}
  hl_description::RobotModel model;
  hl_description::RobotConfig config;
};

const Body& minibot() {
  static const Body robot("minibot");
  return robot;
}

/// Kinds of findings in a motion of these keyframes.
std::vector<Kind> kinds(const std::string& keyframes) {
  const auto animation = parse_animations("{name: a, keyframes: [" + keyframes + "]}", "a.yaml").front();
  const Verifier verifier(minibot().model, minibot().config, {});
  std::vector<Kind> result;
  for (const auto& finding : verifier.verify(animation, verifier.start_pose(Posture::Standing)))
    result.push_back(finding.kind);
  return result;
}

bool contains(const std::vector<Kind>& found, Kind kind) {
  return std::find(found.begin(), found.end(), kind) != found.end();
}

}  // namespace

TEST(Verifier, HarmlessMotionPasses) {
  EXPECT_TRUE(
      kinds("{duration: 1, support: both, joints: {HeadPan: 30, LElbow: -60}}, {duration: 1, joints: {HeadPan: 0}}")
          .empty());
}

TEST(Verifier, EverySeededDefectIsCaught) {
  EXPECT_TRUE(contains(kinds("{duration: 2, joints: {Knee: -150}}"), Kind::PositionLimit));
  EXPECT_TRUE(contains(kinds("{duration: 0.1, joints: {HeadPan: 80}}"), Kind::VelocityLimit));
  EXPECT_TRUE(contains(kinds("{duration: 0.06, joints: {HeadPan: 30}}"), Kind::AccelerationLimit));
  EXPECT_TRUE(contains(kinds("{duration: 0.12, joints: {LHipRoll: -40}}"), Kind::TorqueLimit));
  EXPECT_TRUE(contains(kinds("{duration: 2, joints: {HipRoll: 20}}"), Kind::SelfCollision));
  EXPECT_TRUE(contains(kinds("{duration: 2, support: both, joints: {AnklePitch: -50}}"), Kind::Balance));
  EXPECT_TRUE(contains(kinds("{duration: 2, support: left, joints: {HeadPan: 5}}"), Kind::Balance))
      << "the centre of mass is between the feet, not over the left one";
}

TEST(Verifier, LooksBetweenTheKeyframes) {
  // Both keyframes are within the speed of the servo on average, the curve between them is not.
  const auto& limits = minibot().model.limits(minibot().model.joint("HeadPan"));
  const double degrees = 60.0;
  const double duration = degrees * M_PI / 180.0 / limits.velocity * 1.2;
  EXPECT_TRUE(
      contains(kinds("{duration: " + std::to_string(duration) + ", joints: {HeadPan: 60}}"), Kind::VelocityLimit));
}

TEST(Verifier, FindingNamesJointTimeAndLimit) {
  const auto animation = parse_animations("{name: a, keyframes: [{duration: 2, joints: {LKnee: -150}}]}", "a").front();
  const Verifier verifier(minibot().model, minibot().config, {});
  const auto findings = verifier.verify(animation, verifier.start_pose(Posture::Standing));
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [](const Finding& finding) { return finding.kind == Kind::PositionLimit; });
  ASSERT_NE(found, findings.end());
  EXPECT_EQ(found->what, "LKnee");
  EXPECT_EQ(found->keyframe, 1);
  EXPECT_GT(found->time, 1.0);
  EXPECT_NEAR(found->value, -150 * M_PI / 180.0, 1e-3) << "the worst value, at the end";
}

/// What a library must have, whatever the robot.
const std::vector<std::string> kLibrary{"sit_down",    "stand_up",       "get_up_front",    "get_up_back", "roll_left",
                                        "roll_right",  "kick_left",      "kick_right",      "dive_left",   "dive_right",
                                        "dive_center", "kick_soft_left", "kick_soft_right", "head_scan",   "greeting"};

class Library : public testing::TestWithParam<const char*> {};

TEST_P(Library, IsCompleteAndEveryAnimationPasses) {
  const Body robot(GetParam());
  const auto library = AnimationLibrary::from_folder(std::string(ANIMATIONS) + "/" + GetParam());
  for (const auto& error : library.errors) ADD_FAILURE() << error;
  for (const auto& name : kLibrary) EXPECT_EQ(library.animations.count(name), 1U) << name;
  const Verifier verifier(robot.model, robot.config, {});
  for (const auto& [name, animation] : library.animations) {
    for (const auto& finding : verifier.verify(animation, verifier.start_pose(animation.start))) {
      ADD_FAILURE() << name << ": " << hl_animation::name(finding.kind) << " " << finding.what
                    << " on the way to keyframe " << finding.keyframe << ": " << finding.value << " against "
                    << finding.limit << " " << finding.unit;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BothRobots, Library, testing::Values("minibot", "darwin_op"));

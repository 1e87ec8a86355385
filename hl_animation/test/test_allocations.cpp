// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hl_animation/animation_file.hpp"
#include "hl_testing/allocations.hpp"
#include "hl_testing/documentation.hpp"
#include "messages.hpp"
#include "parameters.hpp"

namespace hl_animation {
namespace {

Animation wave() {
  return parse_animations(
             "{name: a wave with a name that is long, keyframes: [{duration: 0.5, joints: {LShoulderPitch: -30, "
             "LElbow: 20}}, {duration: 0.5, torque: 0.5, joints: {LShoulderPitch: 0, LElbow: 0}}]}",
             "f")
      .front();
}

const std::map<std::string, double> kPresent{{"LShoulderPitch", 0.1}, {"LElbow", 0.0}};
const PerformanceMessages::StallTorque kStallTorque = [](const std::string&) { return 2.5; };

TEST(Ticks, OfTheAnimationNodeAllocateNothingWhileItPlays) {
  Performance performance(wave(), false, {});
  PerformanceMessages messages;
  messages.begin(performance);
  const Performance::Inputs inputs{hl_soccer::BodyState::Controllable, &kPresent, Player::Tilt{}};
  auto outputs = performance.step(inputs, 0.0);
  messages.fill(performance, outputs, kStallTorque);
  int ticks = 0, limited = 0;
  const std::size_t before = hl_testing::allocations::count;
  for (double now = 0.01; now < 0.95; now += 0.01, ++ticks) {
    outputs = performance.step(inputs, now);
    limited += messages.fill(performance, outputs, kStallTorque).position.points[0].effort.empty() ? 0 : 1;
  }
  EXPECT_EQ(hl_testing::allocations::count, before);
  EXPECT_GT(ticks, 90);
  EXPECT_GT(limited, 10) << "the torque of the second keyframe";
}

TEST(Ticks, OfTheAnimationNodeAllocateNothingWhileItAsks) {
  Performance performance(wave(), false, {});
  PerformanceMessages messages;
  messages.begin(performance);
  const Performance::Inputs inputs{hl_soccer::BodyState::Walking, &kPresent, {}};
  int asked = 0;
  const std::size_t before = hl_testing::allocations::count;
  for (double now = 0.0; now < 1.0; now += 0.01) {
    const auto outputs = performance.step(inputs, now);
    if (outputs.ask && messages.fill(performance, outputs, kStallTorque).request) ++asked;
  }
  EXPECT_EQ(hl_testing::allocations::count, before);
  EXPECT_GT(asked, 3);
}

TEST(Ticks, OfTheRecorderAllocateNothing) {
  Player player(wave(), kPresent, {});
  trajectory_msgs::msg::JointTrajectory goals;
  prepare(player, goals);
  const std::size_t before = hl_testing::allocations::count;
  for (int i = 0; i < 95; ++i) {
    player.update(0.01);
    fill(player, goals);
  }
  EXPECT_EQ(hl_testing::allocations::count, before);
  EXPECT_EQ(goals.points[0].positions, player.positions());
}

TEST(Ticks, TheCounterCounts) {
  const std::size_t before = hl_testing::allocations::count;
  const std::vector<double> room(100);
  EXPECT_EQ(hl_testing::allocations::count, before + 1) << room.size();
}

TEST(Readme, TellsTheParametersOfBothNodes) {
  EXPECT_EQ(animation_parameters().check({}), std::nullopt);
  EXPECT_EQ(recorder_parameters().check({}), std::nullopt);
  EXPECT_EQ(hl_testing::documentation_problem(README, "animation parameters", animation_parameters().markdown()), "");
  EXPECT_EQ(hl_testing::documentation_problem(README, "recorder parameters", recorder_parameters().markdown()), "");
}

}  // namespace
}  // namespace hl_animation

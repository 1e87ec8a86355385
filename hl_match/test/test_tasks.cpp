// SPDX-License-Identifier: Apache-2.0
// The shipped RTDL tasks that `evaluate tasks` does not judge, from their text files, by a whole robot in physics.
#include <gmock/gmock.h>

#include <array>

#include "../src/play_trial.hpp"
#include "hl_match/installed.hpp"

using namespace hl_match;  // NOLINT(google-build-using-namespace): the whole file is about it
using hl_behavior::rtdl::Interpreter;
using testing::Contains;
using testing::HasSubstr;

namespace {

using Eigen::Vector2d;

/// One robot and a ball, ready to get a task.
PlayTrial ready(const hl_description::Pose2& robot, const Vector2d& ball, std::uint64_t seed = 1) {
  PlayTrial trial(installed_match(), {{1, 0}, {0, 0}, {true, true}, seed});
  trial.place(0, robot);
  trial.place_ball(ball);
  trial.stand();
  trial.tell_pose(0);
  return trial;
}

void run(PlayTrial& trial, double seconds, const std::function<void()>& look = {}) {
  trial.match().run(seconds, [&] {
    if (look) look();
    return !trial.tasks(0).active();
  });
}

std::string text_of(const std::vector<std::string>& events) {
  std::string text;
  for (const std::string& event : events) text += event + "\n";
  return text;
}

}  // namespace

TEST(Tasks, TheSelfTestUsesEverySlotAndEndsWell) {
  PlayTrial trial = ready({-1.0, 0.5, 0.3}, {0.5, 0.5});
  trial.begin_task(0, {"", "self_test", {}, 120.0});
  run(trial, 130.0);
  const auto events = trial.tasks(0).take_events();
  EXPECT_EQ(trial.tasks(0).state(), Interpreter::State::Succeeded) << text_of(events);
  EXPECT_THAT(events, Contains(HasSubstr("all well")));
  EXPECT_EQ(trial.match().timeline().count("fall"), 0U);
}

TEST(Tasks, ThePatrolPassesItsWayPointsAndWatchesTheBall) {
  PlayTrial trial = ready({0.5, -1.0, 0.0}, {0.3, 0.2});
  trial.begin_task(0, {"", "patrol", {"60"}, 120.0});
  const std::array<Vector2d, 4> corners{Vector2d(1, 1), Vector2d(-1, 1), Vector2d(-1, -1), Vector2d(1, -1)};
  std::array<double, 4> nearest{};
  nearest.fill(10.0);
  std::size_t looks = 0, seen = 0;
  run(trial, 130.0, [&] {
    const Vector2d place = trial.match().true_pose(0).position();
    for (std::size_t i = 0; i < corners.size(); ++i) nearest[i] = std::min(nearest[i], (place - corners[i]).norm());
    ++looks;
    seen += trial.match().time() - trial.mind(0).model().ball.last_seen < 3.0 ? 1 : 0;
  });
  EXPECT_EQ(trial.tasks(0).state(), Interpreter::State::Succeeded) << text_of(trial.tasks(0).take_events());
  for (std::size_t i = 0; i < corners.size(); ++i) EXPECT_LT(nearest[i], 0.4) << "way point " << i;
  EXPECT_GT(seen, looks * 3 / 4);
  EXPECT_EQ(trial.match().timeline().count("fall"), 0U);
}

TEST(Tasks, TheGoalkeeperDrillClearsWhatLiesAndSavesWhatComes) {
  PlayTrial trial = ready({-4.2, 0.0, 0.0}, {-3.8, 0.1});
  trial.begin_task(0, {"", "goalkeeper_drill", {"70"}, 140.0});
  trial.match().run(45.0, [&] { return trial.ball().x() > -2.8; });
  EXPECT_GT(trial.ball().x(), -2.8) << text_of(trial.tasks(0).take_events());
  trial.match().run(12.0);  // back to its line
  trial.place_ball({-1.5, 0.0}, {-1.6, 0.2});
  run(trial, 100.0);
  const auto events = trial.tasks(0).take_events();
  EXPECT_EQ(trial.tasks(0).state(), Interpreter::State::Succeeded) << text_of(events);
  EXPECT_THAT(text_of(events), testing::AnyOf(HasSubstr("dive("), HasSubstr("block()")));
}

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <hl_description/geometry.hpp>

#include "hl_match/installed.hpp"

using namespace hl_match;  // NOLINT(google-build-using-namespace): the whole file is about it
using hl_soccer::BodyState;

namespace {

Match::Params params_for(int left, int right, std::uint64_t seed = 1) {
  static const auto kWorld = installed_match();
  Match::Params params = kWorld;
  params.players = {left, right};
  params.seed = seed;
  return params;
}

hl_game_controller::Referee::Params short_game(int players) {
  hl_game_controller::Referee::Params referee;
  referee.rules.players_per_team = players;
  referee.rules.half_time = 8.0;
  referee.rules.break_time = 2.0;
  referee.rules.initial_time = 1.0;
  referee.rules.ready_time = 3.0;
  referee.rules.set_time = 2.0;
  return referee;
}

/// Everything that moves and everything that was said, as numbers.
std::vector<double> fingerprint(Match& match) {
  auto numbers = match.simulation().positions();
  for (const auto& event : match.timeline().events()) numbers.push_back(event.time);
  for (const int team : {0, 1}) numbers.push_back(match.radio().sent(team));
  return numbers;
}

std::vector<double> walk_about(const Match::Params& params) {
  Match match(params);
  match.run(4.0, [&] {
    for (std::size_t i = 0; i < match.size(); ++i)
      match.orders(i).orders.velocity = hl_walking::Velocity{0.15, 0.03 * static_cast<double>(i), 0.1};
    return false;
  });
  return fingerprint(match);
}

}  // namespace

TEST(Match, SameSeedSameBitsOnAnyNumberOfThreads) {
  auto params = params_for(1, 1, 7);
  params.referee = short_game(1);
  const auto first = walk_about(params);
  EXPECT_EQ(walk_about(params), first);
  params.threads = 2;
  EXPECT_EQ(walk_about(params), first);
  params.seed = 8;
  EXPECT_NE(walk_about(params), first);
}

TEST(Match, TheRefereeRunsAGameWithTwoHalvesAndSidesChange) {
  auto params = params_for(1, 1);
  params.referee = short_game(1);
  params.timestep = 0.0025;
  Match match(params);
  const double start_x = match.simulation().robot(0).pose().translation().x();
  EXPECT_LT(start_x, 0.0);
  ASSERT_TRUE(match.run(3.0));
  EXPECT_TRUE(match.player(0).game().referee_connected);
  EXPECT_EQ(match.player(0).game().own_player, 1);
  ASSERT_TRUE(match.run(10.0, [&] { return match.player(0).game().phase == hl_soccer::GamePhase::Playing; }));
  EXPECT_EQ(match.player(1).game().kick_off, hl_soccer::KickOff::Rival);
  ASSERT_TRUE(match.run(90.0, [&] { return !match.player(0).game().first_half; }));
  EXPECT_GT(match.simulation().robot(0).pose().translation().x(), 0.0) << "the left team plays on the right now";
  EXPECT_LT(match.true_pose(0).x, 0.0) << "and stays in its own half by its own map";
  ASSERT_TRUE(match.run(90.0));
  EXPECT_TRUE(match.over());
  EXPECT_EQ(match.timeline().count("result"), 1U);
  EXPECT_EQ(match.timeline().count(Severity::Failure), 0U);
  EXPECT_GT(match.radio().answers(0), 10U);
}

TEST(Match, APenalisedRobotIsCarriedOffAndComesBack) {
  auto params = params_for(1, 1);
  params.referee = short_game(1);
  Match match(params);
  ASSERT_TRUE(match.run(12.0, [&] { return match.player(0).game().phase == hl_soccer::GamePhase::Playing; }));
  ASSERT_TRUE(match.place(0, {-1.0, 0.0, 0.0}));
  ASSERT_TRUE(match.referee()->command("penalise 1 1").obeyed) << match.referee()->command("help").text;
  ASSERT_TRUE(match.run(4.0));
  EXPECT_TRUE(match.player(0).paused());
  EXPECT_GT(std::abs(match.true_pose(0).y), 2.5) << "beside the field";
  ASSERT_TRUE(match.run(15.0, [&] { return !match.player(0).paused(); }));
  EXPECT_FALSE(match.player(0).paused());
  EXPECT_EQ(match.timeline().count(Severity::Failure), 0U);
}

TEST(Match, TeamMatesHearEachOtherAndOpponentsDoNot) {
  auto params = params_for(2, 1);
  params.radio.loss = 0.0;
  Match match(params);
  ASSERT_TRUE(match.run(2.0));
  ASSERT_EQ(match.player(0).team_mates().size(), 1U);
  EXPECT_EQ(match.player(0).team_mates()[0].number, 2);
  EXPECT_TRUE(match.player(2).team_mates().empty());
}

TEST(Match, ARobotThatFallsGetsUpAndTheTimelineSaysSo) {
  Match match(params_for(1, 0));
  ASSERT_TRUE(match.run(4.0, [&] { return match.outputs(0).motion->body == BodyState::Controllable; }));
  match.simulation().robot(0).push({0.0, 60.0, 0.0}, 0.25);
  ASSERT_TRUE(match.run(20.0, [&] { return match.timeline().count("stands_again") > 0; }));
  EXPECT_EQ(match.timeline().count("fall", 1), 1U);
  EXPECT_EQ(match.timeline().count("stands_again", 1), 1U);
  EXPECT_EQ(match.timeline().count(Severity::Failure), 0U);
}

TEST(Match, BadParametersAreNamed) {
  auto params = params_for(0, 0);
  EXPECT_THROW(Match{params}, std::runtime_error);
  params = params_for(1, 1);
  params.radio.loss = 2.0;
  EXPECT_NE(params.validate().value_or("").find("loss"), std::string::npos);
  params = params_for(1, 1);
  params.vision_rate = 0.0;
  EXPECT_NE(params.validate().value_or("").find("vision_rate"), std::string::npos);
}

TEST(Invariants, AJumpIsNoticedOncePerSecond) {
  /// A list may be extended by anybody.
  class Never : public Invariant {
   public:
    Never() : Invariant("never", Severity::Warning) {}
    void check(Match& match) override { fail(match, 0, "always"); }
  };
  Match match(params_for(1, 0));
  match.invariants().push_back(std::make_unique<Never>());
  ASSERT_TRUE(match.run(2.5));
  EXPECT_EQ(match.timeline().count("never"), 3U);
  EXPECT_EQ(match.timeline().count(Severity::Warning), 3U);
}

TEST(Radio, LosesAndDelaysAsToldAndCountsTheBudget) {
  Radio::Params params;
  params.loss = 0.3;
  params.delay = 0.1;
  params.jitter = 0.05;
  params.budget = 1000;
  Radio radio(params, {0, 0, 1}, 5);
  std::size_t heard = 0;
  for (int i = 0; i < 2000; ++i) {
    const double now = i;
    radio.send(0, {hl_player::Packet::Channel::Team, {1, 2, 3}, 0}, now);
    EXPECT_TRUE(radio.receive(1, now + 0.099).empty()) << "too early";
    heard += radio.receive(1, now + 0.151).size();
    EXPECT_TRUE(radio.receive(0, now + 0.5).empty()) << "nobody hears itself";
  }
  EXPECT_NEAR(static_cast<double>(heard) / 2000.0, 0.7, 0.04);
  EXPECT_EQ(radio.sent(0), 2000);
  EXPECT_EQ(radio.left(0), -1000);
  EXPECT_EQ(radio.left(1), 1000);
}

TEST(Percepts, TheCircleIsFoundFromAnArc) {
  const double r = 0.725;
  const Eigen::Vector2d centre(1.5, -0.3);
  const auto on = [&](double angle) {
    return Eigen::Vector2d(centre + r * Eigen::Vector2d(std::cos(angle), std::sin(angle)));
  };
  for (const double span : {0.8, 2.0, 4.0}) {
    const auto found = circle_centre(on(2.0), on(2.0 + 0.5 * span), on(2.0 + span), r);
    ASSERT_TRUE(found);
    EXPECT_NEAR((*found - centre).norm(), 0.0, 1e-3) << span;
  }
  EXPECT_FALSE(circle_centre({0, 0}, {0, 0}, {0, 0}, r));
}

TEST(Percepts, AreInTheWordsOfTheCores) {
  hl_simulation::Percepts seen;
  seen.stamp = 3.0;
  seen.ball = hl_simulation::Percepts::Spot{{1.0, 0.2, 0.07}, 0.9};
  seen.robots.push_back({{{2.0, 0.0, 0.0}, 0.8}, 1, true, 0.25});
  seen.robots.push_back({{{2.5, 0.0, 0.0}, 0.5}, 2, false, 0.25});
  seen.heading = hl_simulation::Percepts::Heading{3.0, 0.9};
  const auto told = soccer_percepts(seen, {{false, 1}, {true, 4}}, M_PI, {}, 0.5, 0.01);
  EXPECT_EQ(told.stamp, 3.0);
  ASSERT_TRUE(told.ball);
  EXPECT_EQ(told.ball->position, Eigen::Vector2d(1.0, 0.2));
  EXPECT_GT(told.ball->covariance(0, 0), told.ball->covariance(1, 1)) << "worse along the line of sight";
  ASSERT_EQ(told.obstacles.size(), 2U);
  EXPECT_EQ(told.obstacles[0].kind, hl_soccer::ObstacleKind::RobotBlue);
  EXPECT_EQ(told.obstacles[0].number, 4);
  EXPECT_EQ(told.obstacles[1].kind, hl_soccer::ObstacleKind::RobotUndefined);
  ASSERT_TRUE(told.heading);
  EXPECT_NEAR(told.heading->yaw, hl_description::wrap_angle(3.0 + M_PI), 1e-9);
}

TEST(TimelineJson, SurvivesAnyText) {
  EXPECT_EQ(json_line({1.5, Severity::Warning, "word", 1, 2, "he said \"no\"\n"}),
            "{\"time\": 1.50, \"severity\": \"warning\", \"kind\": \"word\", \"team\": 1, \"player\": 2, \"text\": "
            "\"he said \\\"no\\\"\\u000a\"}");
}

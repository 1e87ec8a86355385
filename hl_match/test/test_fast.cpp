// SPDX-License-Identifier: Apache-2.0
// Games without joints: the same cores, quicker bodies.
#include <gtest/gtest.h>

#include <fstream>

#include "../src/motion_trials.hpp"
#include "hl_match/fast_world.hpp"
#include "hl_match/game.hpp"
#include "hl_match/game_results.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/minds.hpp"

using namespace hl_match;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

Match::Params fast_world() {
  static const auto kParams = [] {
    auto params = installed_match();
    params.fast = FastParams::from_file(std::string(CONFIG) + "/fast_minibot.yaml");
    return params;
  }();
  return kParams;
}

std::string written(const std::string& text) {
  const std::string path = testing::TempDir() + "fast_values.yaml";
  std::ofstream(path) << text;
  return path;
}

template <class Read>
std::string error_of(Read read) {
  try {
    read();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

TEST(FastParams, AreReadAsTheyWereWrittenAndBadOnesAreNamed) {
  FastParams params;
  params.kick.distance = 2.75;
  params.fall.left = 9.5;
  const auto again = FastParams::from_file(written(params.yaml("# head\n")));
  EXPECT_EQ(again.kick.distance, 2.75);
  EXPECT_EQ(again.fall.left, 9.5);
  const auto error = [](const std::string& text) { return error_of([&] { FastParams::from_file(written(text)); }); };
  EXPECT_NE(error("kick.distanz: 3").find("kick.distanz: there is no such parameter"), std::string::npos);
  EXPECT_NE(error("kick.distance: 300").find("must lie in"), std::string::npos);
  EXPECT_NE(error("kick.distance: far").find("fast_values.yaml"), std::string::npos);
}

TEST(FastMotion, WalksAndStopsInTheTimeItWasGiven) {
  const auto world = fast_world();
  const auto sample = walk_sample(world, {0.3, 0.0, 0.0}, 6.0, 1);
  EXPECT_NEAR(sample.way, 0.3 * world.fast->walk.forward * (6.0 - world.fast->walk.lag), 0.03);
  EXPECT_NEAR(sample.stop_time, world.fast->walk.stop_time, 0.05);
  EXPECT_FALSE(sample.fell);
}

TEST(MotionTrials, ABallThatIsWalkedAgainstIsPushedInPhysicsAndWithoutJoints) {
  EXPECT_GT(push_sample(installed_match(), 1), 0.5);
  EXPECT_GT(push_sample(fast_world(), 1), 0.5);
}

TEST(FastMotion, AKickMovesTheBallAsFarAsFitted) {
  const auto world = fast_world();
  double sum = 0.0;
  constexpr int kKicks = 20;
  for (int i = 0; i < kKicks; ++i) {
    const auto sample = kick_sample(world, 1.0, 100 + static_cast<std::uint64_t>(i));
    ASSERT_TRUE(sample.kicked);
    EXPECT_NEAR(sample.contact, world.fast->kick.contact, 0.05);
    EXPECT_NEAR(sample.time, world.fast->kick.time, 0.05);
    sum += sample.distance / kKicks;
  }
  EXPECT_NEAR(sum / world.fast->kick.distance, 1.0, 0.25);
}

TEST(FastMotion, WhoFallsStandsAgainAndIsSeenLying) {
  const auto world = fast_world();
  for (const auto& [direction, name] :
       {std::pair{0.0, "front"}, {M_PI, "back"}, {M_PI_2, "left"}, {-M_PI_2, "right"}}) {
    const auto sample = fall_sample(world, direction, 3);
    EXPECT_EQ(sample.direction, name);
    EXPECT_GT(sample.time, 1.0);
  }
}

TEST(FastWorld, RobotsThatMeetTouchAndPushEachOther) {
  // Robots that come a little aside of each other pass; of some pairs most meet.
  auto world = fast_world();
  const auto meet = [&](double rate) {
    world.fast->fall.contact_rate = rate;
    ContactSample sum;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const auto sample = contact_sample(world, seed);
      sum.contact += sample.contact;
      sum.falls += sample.falls;
    }
    return sum;
  };
  EXPECT_GT(meet(0.0).contact, 0.6);
  EXPECT_EQ(meet(0.0).falls, 0);
  EXPECT_GT(meet(5.0).falls, 0);
}

TEST(FastWorld, ABallRollsIntoTheNetAndStaysThere) {
  auto params = fast_world();
  params.players = {1, 0};
  Match match(params);
  match.world().place_ball({4.0, 0.3, 0.0}, {2.5, 0.0, 0.0});
  match.run(4.0);
  const auto ball = match.world().ball_position();
  EXPECT_GT(ball.x(), 0.5 * params.field.length);
  EXPECT_LT(ball.x(), 0.5 * params.field.length + params.field.goal_depth);
  match.world().place_ball({4.0, 0.5 * (params.field.goal_width + params.field.post_diameter), 0.0}, {2.5, 0.0, 0.0});
  match.run(4.0);
  EXPECT_LT(match.world().ball_position().x(), 0.5 * params.field.length) << "it meets the post";
}

TEST(FastGame, OneHalfOfFourAgainstFourKeepsTheInvariants) {
  GameOptions options;
  options.teams = 4;
  options.half_time = 120.0;
  options.until = 45.0 + 5.0 + 120.0;
  const auto game = play_game(fast_world(), options, 5);
  EXPECT_TRUE(game.finished);
  for (const Event& event : game.broken) ADD_FAILURE() << event.time << " s: " << event.kind << ": " << event.text;
  EXPECT_GT(game.kicks[0] + game.kicks[1], 0U);
}

TEST(FastGame, GivesTheSameBitsOnAnyNumberOfThreads) {
  GameOptions options;
  options.until = 70.0;
  const auto log = [&](int threads) {
    options.player_threads = threads;
    std::string text;
    for (const Event& event : play_game(fast_world(), options, 6).timeline) text += json_line(event) + "\n";
    return text;
  };
  const std::string first = log(1);
  EXPECT_EQ(log(1), first);
  EXPECT_EQ(log(2), first);
  EXPECT_NE(first.find("\"kick\""), std::string::npos) << "something happened";
}

TEST(GameResults, AGameThatWasPlayedIsFoundAgainAmongItsKindOnly) {
  GameResult game;
  game.seed = 40007;
  game.score = {2, 1};
  game.shots = {5, 4};
  game.possession = {61.5, 38.5};
  game.failures = 1;
  game.simulated = 1320.0;
  game.cpu = 30.5;
  game.finished = true;
  const std::string path = written("");
  GameResults(path, "--teams 4").add(game);
  GameResults(path, "--teams 2").add(game);
  const GameResults again(path, "--teams 4");
  ASSERT_NE(again.find(40007), nullptr);
  EXPECT_EQ(again.find(40007)->score, game.score);
  EXPECT_EQ(again.find(40007)->shots, game.shots);
  EXPECT_EQ(again.find(40007)->possession, game.possession);
  EXPECT_EQ(again.find(40007)->failures, 1U);
  EXPECT_EQ(again.find(40007)->simulated, 1320.0);
  EXPECT_TRUE(again.find(40007)->finished);
  EXPECT_EQ(again.find(40008), nullptr);
  EXPECT_EQ(GameResults(path, "--teams 3").find(40007), nullptr);
  EXPECT_EQ(GameResults("", "--teams 4").find(40007), nullptr) << "without a file nothing is kept";
  const std::string bad = written("{\"kind\": \"a\", \"seed\": 1}\n");
  EXPECT_NE(error_of([&] { GameResults(bad, "a"); }).find("score"), std::string::npos);
}

TEST(Tactics, AreChosenByNameOrFile) {
  const auto world = fast_world();
  EXPECT_NO_THROW(minds_of(world, {"chaser", "static"}));
  EXPECT_NO_THROW(minds_of(world, {"ours", written("defender_ratio: 0.4\n")}));
  const auto error = [&](const std::string& tactic) { return error_of([&] { minds_of(world, {"ours", tactic}); }); };
  EXPECT_NE(error("offside").find("there is no tactic 'offside'"), std::string::npos);
  EXPECT_NE(error(written("defender_ration: 0.4\n")).find("defender_ration: there is no such parameter"),
            std::string::npos);
  EXPECT_NE(error(written("walk_speed: 40\n")).find("walk_speed"), std::string::npos);
}

TEST(Tactics, EveryChaserGoesToTheBallAndStaticOnesKeepTheirPosts) {
  auto params = fast_world();
  params.players = {4, 4};
  params.mind = minds_of(params, {"chaser", "static"});
  hl_game_controller::Referee::Params referee;
  referee.rules.players_per_team = 4;
  referee.rules.ready_time = 20.0;
  params.referee = referee;
  Match match(params);
  match.run(50.0);
  int chasers = 0, strikers = 0;
  for (std::size_t i = 0; i < match.size(); ++i) {
    const auto* decided = match.player(i).decided();
    ASSERT_NE(decided, nullptr);
    (match.team(i) == 0 ? chasers : strikers) += decided->role == hl_soccer::Role::Striker;
  }
  EXPECT_GE(chasers, 3);
  EXPECT_LE(strikers, 2);
}

/// A match in which a robot lies for ever breaks the invariant that says so.
TEST(Invariants, ARobotThatStaysDownIsAFailure) {
  auto params = fast_world();
  params.players = {1, 0};
  params.fast->fall.front = 60.0;
  params.fast->fall.spread = 0.3;
  Match match(params);
  match.run(2.0);
  auto& body = dynamic_cast<FastWorld&>(match.world()).fast_body(0);
  for (int i = 0; i < 20 && match.timeline().count("falls_end_standing") == 0; ++i) {
    body.tips = body.pose.yaw;
    match.run(75.0, [&] {
      return match.timeline().count("falls_end_standing") > 0 ||
             match.timeline().count("stands_again") > static_cast<std::size_t>(i);
    });
  }
  EXPECT_GT(match.timeline().count("falls_end_standing"), 0U);
}

}  // namespace

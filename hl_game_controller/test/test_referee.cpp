// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "hl_description/robot_model.hpp"
#include "hl_game_controller/field_view.hpp"
#include "hl_game_controller/referee.hpp"

using namespace hl_game_controller;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

constexpr double kTick = 0.1;  // s

/// A referee, and a field on which the test moves ball and robots.
struct Match {
  explicit Match(const Referee::Params& params = {}) : referee(params) {}

  void run(double duration) {
    for (const double end = now + duration; now < end - 1e-9; now += kTick) {
      const auto outputs = referee.step({&view}, now);
      for (const auto& action : outputs.actions) {
        if (action.kind == FieldAction::Kind::PlaceBall) view.ball = action.position;
        actions.push_back(action);
      }
      for (const auto& event : outputs.events) events.push_back(event);
    }
  }

  void run_until(State state) {
    for (int i = 0; i < 10'000 && referee.state() != state; ++i) run(kTick);
    ASSERT_EQ(referee.state(), state);
  }

  /// Plays up to the moment when the ball is in play after the first kick-off.
  void kick_off() {
    referee.command("start");
    run_until(State::Playing);
    view.ball = {0.2, 0.0};
    run(0.5);
    add_robot(1, 2, {0.9, 0.0});
    view.last_touch = view.robots.size() - 1;
    view.ball = {1.0, 0.0};  // touched outside the circle: a goal would count from now on
    run(0.5);
  }

  std::size_t add_robot(std::uint8_t team, std::uint8_t player, Point position) {
    SeenRobot robot;
    robot.team = team;
    robot.player = player;
    robot.position = position;
    view.robots.push_back(robot);
    return view.robots.size() - 1;
  }

  std::size_t count(const std::string& kind) const {
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [&](const GameEvent& event) { return event.kind == kind; }));
  }

  Referee referee;
  FieldView view;
  double now = 0.0;
  std::vector<GameEvent> events;
  std::vector<FieldAction> actions;
};

Referee::Params quick_game() {
  Referee::Params params;
  params.rules.half_time = 60.0;
  params.rules.break_time = 10.0;
  return params;
}

}  // namespace

/// The simulator builds its field from the same file.
TEST(Rules, TheFieldIsThatOfTheDescription) {
  EXPECT_DOUBLE_EQ(Rules::preset("kid_2025", FIELD_FILE)->field.goal_height, 1.2);
  EXPECT_DOUBLE_EQ(Rules::preset("kid_2019", FIELD_FILE)->field.goal_height, 1.8);
  EXPECT_DOUBLE_EQ(Rules::preset("kid_2019", FIELD_FILE)->field.penalty_area_length, 0.0) << "there was none then";
  EXPECT_DOUBLE_EQ(Rules::preset("adult_2025", FIELD_FILE)->field.length, 14.0);
  EXPECT_THROW(Rules::preset("kid_2025", "/nowhere/field.yaml"), hl_description::ModelError);
}

TEST(Rules, TheTurfEndsBehindItsBorder) {
  const auto rules = Referee::Params().rules;
  const double x = rules.field.length / 2 + rules.field.border, y = rules.field.width / 2 + rules.field.border;
  for (const double side : {-1.0, 1.0}) {
    EXPECT_FALSE(outside_turf(rules, {side * (x - 0.01), side * (y - 0.01)}));
    EXPECT_TRUE(outside_turf(rules, {side * (x + 0.01), 0.0}));
    EXPECT_TRUE(outside_turf(rules, {0.0, side * (y + 0.01)}));
  }
}

TEST(Referee, KickOffFollowsTheClock) {
  Match match;
  EXPECT_EQ(match.referee.state(), State::Initial);
  match.run(100.0);
  EXPECT_EQ(match.referee.state(), State::Initial) << "nothing starts by itself";
  ASSERT_TRUE(match.referee.command("start").obeyed);
  EXPECT_EQ(match.referee.state(), State::Ready);
  match.run(44.5);
  EXPECT_EQ(match.referee.packet().secondary_time, 1);
  match.run(1.0);
  EXPECT_EQ(match.referee.state(), State::Set);
  ASSERT_FALSE(match.actions.empty());
  EXPECT_EQ(match.actions.back().kind, FieldAction::Kind::PlaceBall);
  match.run_until(State::Playing);
  EXPECT_EQ(match.referee.packet().seconds_remaining, 600) << "the clock starts with the first kick-off";
  EXPECT_EQ(match.referee.packet().kick_off_team, 1);
}

TEST(Referee, BeforeTheSecondHalfRobotsStandInInitialOnTheirNewSide) {
  Match match(quick_game());
  match.referee.command("start");
  match.run_until(State::Finished);
  EXPECT_EQ(match.referee.packet().teams[0].number, 1);
  match.run_until(State::Initial);
  EXPECT_FALSE(match.referee.packet().first_half);
  EXPECT_EQ(match.referee.packet().teams[0].number, 2) << "sides have changed";
  match.run(4.0);
  EXPECT_EQ(match.referee.state(), State::Initial);
  match.run(1.5);
  EXPECT_EQ(match.referee.state(), State::Ready) << "by itself";
}

TEST(Referee, GoalCountsAndTheOthersKickOff) {
  Match match;
  match.kick_off();
  match.view.ball = {4.7, 0.3};
  match.run(0.2);
  EXPECT_EQ(match.referee.score(0), 1);
  EXPECT_EQ(match.referee.state(), State::Ready);
  EXPECT_EQ(match.referee.packet().kick_off_team, 2);
}

TEST(Referee, GoalDirectlyFromTheKickOffDoesNotCount) {
  Match match;
  match.referee.command("start");
  match.run_until(State::Playing);
  match.add_robot(1, 2, {-0.2, 0.0});
  match.view.last_touch = 0;
  match.view.ball = {0.5, 0.0};
  match.run(0.3);
  match.view.ball = {4.7, 0.3};
  match.run(0.3);
  EXPECT_EQ(match.referee.score(0), 0);
  EXPECT_EQ(match.referee.packet().set_play, SetPlay::GoalKick);
  EXPECT_EQ(match.referee.packet().set_play_team, 2);
}

TEST(Referee, BallOverTheTouchLineIsAThrowInForTheOthersInThreePhases) {
  Match match;
  match.kick_off();
  match.view.ball = {1.0, 3.2};
  match.run(0.2);
  auto packet = match.referee.packet();
  EXPECT_EQ(packet.set_play, SetPlay::ThrowIn);
  EXPECT_EQ(packet.set_play_team, 2);
  EXPECT_EQ(packet.set_play_phase, SetPlayPhase::Called);
  EXPECT_NEAR(match.view.ball.y, 3.0, 1e-9) << "the ball is placed on the line";
  match.run(5.5);
  EXPECT_EQ(match.referee.packet().set_play_phase, SetPlayPhase::Prepare);
  match.run(30.5);
  EXPECT_EQ(match.referee.packet().set_play_phase, SetPlayPhase::Execute);
  match.view.ball = {1.0, 2.8};
  match.run(0.2);
  EXPECT_EQ(match.referee.packet().set_play, SetPlay::None) << "the ball moved, it is in play";
}

TEST(Referee, BallOverTheGoalLineIsCornerOrGoalKick) {
  Match attack;
  attack.kick_off();
  attack.view.ball = {4.7, 2.0};
  attack.run(0.2);
  EXPECT_EQ(attack.referee.packet().set_play, SetPlay::GoalKick);
  EXPECT_EQ(attack.referee.packet().set_play_team, 2);
  EXPECT_NEAR(attack.view.ball.x, 0.0, 1e-9);

  Match defence;
  defence.kick_off();
  defence.view.last_touch = defence.add_robot(2, 1, {4.0, 1.0});
  defence.view.ball = {4.7, 2.0};
  defence.run(0.2);
  EXPECT_EQ(defence.referee.packet().set_play, SetPlay::CornerKick);
  EXPECT_EQ(defence.referee.packet().set_play_team, 1);
  EXPECT_NEAR(defence.view.ball.y, 3.0, 1e-9);
}

TEST(Referee, OpponentsTooNearASetPlayAreRemovedOnceTheKickerIsReady) {
  Match match;
  match.kick_off();
  match.view.ball = {1.0, 3.2};
  match.run(0.2);
  match.add_robot(2, 3, {1.0, 3.3});
  match.add_robot(1, 4, {1.3, 2.8});
  match.run(25.0);
  const auto packet = match.referee.packet();
  EXPECT_NE(packet.team(1)->players[3].penalty, Penalty::None);
  EXPECT_EQ(packet.team(2)->players[2].penalty, Penalty::None);
  EXPECT_EQ(packet.set_play_phase, SetPlayPhase::Execute);
}

TEST(Referee, RobotDownForTwentySecondsIsRemovedAndReturnsAfterTen) {
  Match match;
  match.kick_off();
  const auto robot = match.add_robot(2, 3, {2.0, 1.0});
  match.view.robots[robot].upright = false;
  match.run(19.5);
  EXPECT_EQ(match.referee.packet().team(2)->players[2].penalty, Penalty::None);
  match.run(1.0);
  EXPECT_EQ(match.referee.packet().team(2)->players[2].penalty, Penalty::PickupOrIncapable);
  EXPECT_EQ(match.actions.back().kind, FieldAction::Kind::PlaceRobot);
  EXPECT_GT(match.actions.back().position.x, 0.0) << "on the own half";
  EXPECT_GT(std::abs(match.actions.back().position.y), 3.0) << "beside the field";
  match.view.robots[robot].upright = true;
  match.run(10.5);
  EXPECT_EQ(match.referee.packet().team(2)->players[2].penalty, Penalty::None);
  EXPECT_EQ(match.count("release"), 1U);
}

TEST(Referee, PusherIsTheOneThatMovesTowardsTheOther) {
  Match match;
  match.kick_off();
  const auto pusher = match.add_robot(1, 3, {-2.0, 1.0});
  const auto victim = match.add_robot(2, 4, {-1.8, 1.0});
  match.view.robots[pusher].velocity = {0.2, 0.0};
  match.view.robots[pusher].touching = {victim};
  match.run(1.5);
  EXPECT_EQ(match.referee.packet().team(1)->players[2].penalty, Penalty::PhysicalContact);
  EXPECT_EQ(match.referee.packet().team(2)->players[3].penalty, Penalty::None);
}

TEST(Referee, PushingAtTheBallGivesAFreeKickAndInTheOwnAreaAPenaltyKick) {
  for (const auto& [ball, expected] :
       {std::pair{Point{0.5, 0.0}, SetPlay::DirectFreeKick}, std::pair{Point{-3.5, 0.0}, SetPlay::PenaltyKick}}) {
    Match match;
    match.kick_off();
    match.view.ball = ball;
    const auto pusher = match.add_robot(1, 3, {ball.x, 0.2});
    const auto victim = match.add_robot(2, 4, {ball.x, -0.1});
    match.view.robots[pusher].velocity = {0.0, -0.2};
    match.view.robots[pusher].touching = {victim};
    match.run(1.5);
    EXPECT_EQ(match.referee.packet().set_play, expected) << name(expected);
    EXPECT_EQ(match.referee.packet().set_play_team, 2);
  }
}

TEST(Referee, StuckBallIsDropped) {
  Match match;
  match.kick_off();
  match.run(121.0);
  EXPECT_EQ(match.referee.state(), State::Ready);
  EXPECT_EQ(match.referee.packet().kick_off_team, kDroppedBall);
}

TEST(Referee, TeamsChangeSidesAtHalfTimeAndTheGameEnds) {
  Match match(quick_game());
  match.kick_off();
  match.run_until(State::Finished);
  EXPECT_FALSE(match.referee.over());
  EXPECT_EQ(match.referee.packet().teams[0].number, 1);
  match.run_until(State::Ready);
  EXPECT_EQ(match.referee.packet().teams[0].number, 2);
  EXPECT_FALSE(match.referee.packet().first_half);
  EXPECT_EQ(match.referee.packet().kick_off_team, 2);
  match.run_until(State::Playing);
  const auto goal = match.referee.command("goal right");
  ASSERT_TRUE(goal.obeyed);
  EXPECT_EQ(goal.text.find(" for "), std::string::npos) << "no set play: " << goal.text;
  EXPECT_EQ(match.referee.score(1), 1) << "the right goal is the first team's now";
  match.run_until(State::Playing);
  match.run_until(State::Finished);
  EXPECT_TRUE(match.referee.over());
  EXPECT_EQ(match.count("result"), 1U);
}

TEST(Referee, KnockOutDrawGoesThroughExtraTimeToAShootOutWithAResult) {
  auto params = quick_game();
  params.rules.knock_out = true;
  params.rules.extra_half_time = 30.0;
  Match match(params);
  match.referee.command("start");
  std::set<std::pair<GamePhase, bool>> halves;  // with whether it is a first one
  for (int i = 0; i < 100'000 && !match.referee.over(); ++i) {
    const auto packet = match.referee.packet();
    if (packet.state == State::Playing) halves.insert({packet.phase, packet.first_half});
    const bool shot = packet.phase == GamePhase::PenaltyShootOut && packet.state == State::Playing;
    if (shot && packet.teams[0].number == 1) match.view.ball = {4.8, 0.0};  // team 1 scores
    if (shot && packet.teams[0].number == 2) match.view.ball = {4.8, 2.0};  // team 2 misses
    match.run(kTick);
  }
  ASSERT_TRUE(match.referee.over());
  EXPECT_GT(match.referee.score(0), match.referee.score(1));
  for (const auto phase : {GamePhase::Normal, GamePhase::Overtime})
    for (const bool first : {true, false})
      EXPECT_EQ(halves.count({phase, first}), 1U) << static_cast<int>(phase) << " " << first;
  const auto packet = match.referee.packet();
  EXPECT_EQ(packet.phase, GamePhase::PenaltyShootOut);
  EXPECT_EQ(packet.team(1)->single_shots & 1U, 1U);
}

TEST(Referee, WordsOfAPerson) {
  Match match;
  EXPECT_FALSE(match.referee.command("").obeyed);
  EXPECT_FALSE(match.referee.command("dance").obeyed);
  EXPECT_TRUE(match.referee.command("help").obeyed);
  EXPECT_TRUE(match.referee.command("START").obeyed);
  EXPECT_TRUE(match.referee.command("play").obeyed);
  EXPECT_TRUE(match.referee.command("penalise 3").obeyed);
  EXPECT_EQ(match.referee.packet().team(1)->players[2].penalty, Penalty::Manual);
  EXPECT_FALSE(match.referee.command("penalise 3").obeyed) << "already off";
  EXPECT_FALSE(match.referee.command("penalise 9").obeyed) << "not in the team";
  EXPECT_FALSE(match.referee.command("penalise 77 3").obeyed) << "no such team";
  for (const std::string word : {"release", "unpenalise", "unpenalize"}) {
    EXPECT_TRUE(match.referee.command(word + " 1 3").obeyed) << word;
    EXPECT_FALSE(match.referee.command(word + " 1 3").obeyed) << word << ": already free";
    EXPECT_TRUE(match.referee.command("penalise 1 3").obeyed);
  }
  EXPECT_TRUE(match.referee.command("release 1 3").obeyed);
  EXPECT_TRUE(match.referee.command("goal left").obeyed);
  EXPECT_EQ(match.referee.score(1), 1) << "the left goal is the first team's";
  EXPECT_FALSE(match.referee.command("corner 1").obeyed) << "not in READY";
  EXPECT_TRUE(match.referee.command("play").obeyed);
  const auto corner = match.referee.command("corner 1");
  EXPECT_TRUE(corner.obeyed);
  EXPECT_NE(corner.text.find("corner kick for"), std::string::npos) << corner.text;
  EXPECT_EQ(match.referee.packet().set_play, SetPlay::CornerKick);
  EXPECT_TRUE(match.referee.command("timeout").obeyed);
  EXPECT_EQ(match.referee.packet().phase, GamePhase::Timeout);
}

TEST(Referee, ArbitraryWordsNeverCrash) {
  std::mt19937 random(11);
  const std::vector<std::string> pieces{"penalise", "release", "goal", "corner", "-1",  "999999999999",
                                        "left",     "\x01",    "2",    "start",  "play"};
  Match match;
  for (int i = 0; i < 5'000; ++i) {
    std::string line;
    for (unsigned k = 0; k < random() % 4; ++k) line += pieces[random() % pieces.size()] + " ";
    match.referee.command(line);
    match.run(kTick);
  }
}

TEST(Referee, SameSeedSameGame) {
  const auto play = [] {
    auto params = quick_game();
    params.seed = 42;
    Match match(params);
    match.referee.command("start");
    std::mt19937 random(9);
    std::normal_distribution<double> step(0.0, 0.3);
    for (int i = 0; i < 2'000; ++i) {
      match.view.ball.x += step(random);
      match.view.ball.y += step(random);
      match.run(kTick);
    }
    std::string log;
    for (const auto& event : match.events) log += event.kind + event.text + "\n";
    return log;
  };
  EXPECT_EQ(play(), play());
}

TEST(Referee, BadParametersAreNamed) {
  Referee::Params params;
  params.teams[1].number = params.teams[0].number;
  EXPECT_NE(params.validate()->find("both teams"), std::string::npos);
  params = {};
  params.rules.half_time = -1.0;
  EXPECT_NE(params.validate()->find("half_time"), std::string::npos);
  EXPECT_FALSE(Rules::preset("kid_1999", FIELD_FILE));
  for (const auto& name : Rules::preset_names()) EXPECT_FALSE(Rules::preset(name, FIELD_FILE)->validate());
}

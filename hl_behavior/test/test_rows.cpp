// SPDX-License-Identifier: Apache-2.0
// Every row of the tactics' table: which situation leads to it, and that what is done there is legal.
#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

#include "hl_behavior/tactics.hpp"
#include "world.hpp"

using namespace hl_behavior;
using namespace hl_behavior::test;
using hl_soccer::GamePhase;
using hl_soccer::KickOff;
using hl_soccer::SetPlay;
using hl_soccer::SetPlayPhase;

namespace {

struct Scenario {
  Knowledge k;
  TacticsParams params;
  Memory memory;
};

KickOff kick_off_of(Whose whose) {
  return whose == Whose::Own ? KickOff::Own : whose == Whose::Rival ? KickOff::Rival : KickOff::DroppedBall;
}

Vector2d ball_for(const Row& row) {
  switch (row.scene) {
    case Scene::Ready:
    case Scene::Set:
    case Scene::KickOff:
      return {0, 0};
    case Scene::ShootOut:
    case Scene::ShootOutSet:
      return {row.role == Role::Goalie ? -3.0 : 3.0, 0};
    case Scene::BallOut:
      return {1.0, 3.5};
    default:
      break;
  }
  if (row.kind == SetPlayKind::CornerKick) return {4.45, 2.95};
  if (row.kind == SetPlayKind::PenaltyKick) return {row.whose == Whose::Own ? 3.0 : -3.0, 0};
  return {1.0, 1.0};
}

/// The situation that the row names.
Scenario scenario_of(const Row& row) {
  Scenario s;
  const double now = 100.0;
  const Role role = row.role == Role::Other ? Role::Striker : row.role;
  const Pose2 pose = role == Role::Goalie ? Pose2{-4, 0.6, 0} : Pose2{-1.5, 0.5, 0};
  s.k = knowledge(pose, ball_for(row), now);
  if (row.name != std::string("no role") && row.name != std::string("ready: no role"))
    s.params.role = role;
  else
    s.params.role = Role::Idling;
  s.k.mates = {mate(3, Role::Defender, {-3.0, -1.0, 0}, 9.0, now)};
  auto& game = s.k.game;
  const Whose whose = row.whose == Whose::Any ? Whose::Rival : row.whose;
  game.kick_off = kick_off_of(whose);
  game.own_set_play = whose == Whose::Own;
  s.memory.in_play = true;
  s.memory.phase = GamePhase::Playing;
  const auto set_play = [&](SetPlayPhase phase) {
    game.set_play = row.kind == SetPlayKind::CornerKick    ? SetPlay::CornerKick
                    : row.kind == SetPlayKind::PenaltyKick ? SetPlay::PenaltyKick
                                                           : SetPlay::DirectFreeKick;
    game.set_play_phase = phase;
    game.kick_off = KickOff::None;
    s.memory.in_play = false;
    s.memory.set_play = game.set_play;
    s.memory.row_since = now;
  };
  switch (row.scene) {
    case Scene::Penalised:
      game.penalized = true;
      break;
    case Scene::NoReferee:
      game.referee_connected = false;
      s.params.without_referee = WithoutReferee::Stop;
      break;
    case Scene::Stopped:
      game.stopped = true;
      break;
    case Scene::Timeout:
      game.phase = GamePhase::Initial;
      game.set_play = SetPlay::Timeout;
      break;
    case Scene::Initial:
      game.phase = GamePhase::Initial;
      break;
    case Scene::HalfTime:
      game.phase = GamePhase::Finished;
      break;
    case Scene::Finished:
      game.phase = GamePhase::Finished;
      game.first_half = false;
      break;
    case Scene::NotAllowed:
      game.allowed_to_move = false;
      break;
    case Scene::Ready:
      game.phase = GamePhase::Ready;
      break;
    case Scene::Set:
      game.phase = GamePhase::Set;
      game.allowed_to_move = false;
      break;
    case Scene::KickOff:
      s.memory.in_play = false;
      s.memory.row_since = now;
      break;
    case Scene::Called:
      set_play(SetPlayPhase::Called);
      game.allowed_to_move = false;
      break;
    case Scene::Prepare:
      set_play(SetPlayPhase::Prepare);
      break;
    case Scene::Execute:
      set_play(SetPlayPhase::Execute);
      break;
    case Scene::ShootOutSet:
      game.phase = GamePhase::Set;
      game.set_play = SetPlay::PenaltyShoot;
      game.allowed_to_move = false;
      break;
    case Scene::ShootOut:
      game.set_play = SetPlay::PenaltyShoot;
      s.memory.set_play = game.set_play;
      break;
    case Scene::PoseUnknown:
      s.k.personal.pose.confidence = 0.0;
      break;
    case Scene::BallUnknown:
      s.k.personal.ball.confidence = 0.0;
      s.memory.search_since = now - 2.0;
      break;
    case Scene::BallOut:
    case Scene::Play:
      break;
  }
  if (row.scene == Scene::ShootOut && row.role == Role::Other) s.params.role = Role::Supporter;
  if (row.scene == Scene::Execute || row.scene == Scene::Prepare)
    if (row.role == Role::Other) s.params.role = Role::Supporter;
  return s;
}

std::optional<Vector2d> target_of(const Decision& d) {
  if (!d.move) return std::nullopt;
  if (const auto* go = std::get_if<GoToPose>(&*d.move)) return go->pose.position();
  return std::nullopt;
}

class EveryRow : public testing::TestWithParam<int> {};

TEST_P(EveryRow, IsReachedAndLegal) {
  const Row& row = rows()[static_cast<std::size_t>(GetParam())];
  Scenario s = scenario_of(row);
  const TacticsParams& p = s.params;
  const Decision d = decide(assess(s.k, s.params, 100.0), s.params, s.memory);
  ASSERT_STREQ(d.row, row.name);
  EXPECT_TRUE(d.head) << "the head always has something to do";
  EXPECT_GE(d.reasons.size(), 3u);
  const auto target = target_of(d);
  const Vector2d ball = ball_for(row);
  if (target) {
    EXPECT_LE(std::abs(target->x()), 0.5 * p.field.length + 0.01);
    EXPECT_LE(std::abs(target->y()), 0.5 * p.field.width + 0.01);
  }
  switch (row.plan) {
    case Plan::Stand:
    case Plan::WatchBall:
    case Plan::Locate:
      EXPECT_FALSE(d.move);
      EXPECT_FALSE(d.kick);
      break;
    case Plan::WalkIn:
      ASSERT_TRUE(target);
      EXPECT_LT(target->x(), -0.2) << "own half";
      if (row.whose != Whose::Own) {
        EXPECT_GE(target->norm(), p.rule_distance + 0.1) << "outside the circle";
      }
      break;
    case Plan::TakeKick:
    case Plan::Strike: {
      ASSERT_TRUE(d.move);
      ASSERT_TRUE(std::holds_alternative<ApproachBall>(*d.move));
      const auto& approach = std::get<ApproachBall>(*d.move);
      EXPECT_LT((approach.ball - ball).norm(), 0.01);
      EXPECT_EQ(d.action, Action::GoingToBall);
      break;
    }
    case Plan::PrepareKick:
      ASSERT_TRUE(target);
      EXPECT_FALSE(d.kick);
      EXPECT_GT((*target - ball).norm(), 0.25) << "does not touch the ball";
      EXPECT_LT((*target - ball).norm(), 0.6);
      break;
    case Plan::Receive:
      ASSERT_TRUE(target);
      EXPECT_GT((*target - ball).norm(), 0.7);
      if (row.scene == Scene::KickOff) {
        EXPECT_LT(target->x(), 0.0);
      }
      break;
    case Plan::Cover:
    case Plan::Defend:
      ASSERT_TRUE(target);
      EXPECT_LE(target->x(), p.defender_front + p.swarm_limit);
      EXPECT_LT(target->x(), ball.x());
      EXPECT_GE((*target - ball).norm(), p.rule_distance);
      break;
    case Plan::KeepOff:
      ASSERT_TRUE(target);
      EXPECT_GE((*target - ball).norm(), p.rule_distance + 0.1);
      EXPECT_LT(target->x(), ball.x() + 0.2);
      break;
    case Plan::BehindMark: {
      ASSERT_TRUE(target);
      EXPECT_GE((*target - ball).norm(), p.rule_distance);
      const double ahead = row.whose == Whose::Own ? 1.0 : -1.0;
      EXPECT_LT(ahead * target->x(), ahead * ball.x()) << "behind the ball";
      break;
    }
    case Plan::GuardGoal:
    case Plan::KeepGoal:
      ASSERT_TRUE(target);
      EXPECT_LT(target->x(), -0.5 * p.field.length + p.field.goal_area_length);
      EXPECT_LT(std::abs(target->y()), 0.5 * p.field.goal_width);
      break;
    case Plan::GoalLine:
    case Plan::PenaltySave:
      ASSERT_TRUE(target);
      EXPECT_NEAR(target->x(), -0.5 * p.field.length, 0.1);
      EXPECT_LT(std::abs(target->y()), 0.5 * p.field.goal_width);
      break;
    case Plan::FindPose:
      EXPECT_FALSE(d.move) << "looks around first";
      break;
    case Plan::Search:
      ASSERT_TRUE(d.move);
      EXPECT_TRUE(std::holds_alternative<Walk>(*d.move)) << "turns on the spot first";
      break;
    case Plan::Support:
      ASSERT_TRUE(target);
      EXPECT_GT((*target - ball).norm(), 0.7) << "nobody crowds the ball";
      break;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EveryRow, testing::Range(0, static_cast<int>(rows().size())),
                         [](const testing::TestParamInfo<int>& info) {
                           std::string name = rows()[static_cast<std::size_t>(info.param)].name;
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

TEST(Rows, NamesAreDistinct) {
  std::set<std::string> names;
  for (const Row& row : rows()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

TEST(Rows, EveryWordOfTheRefereeLeadsToALegalRow) {
  std::set<std::string> reached;
  for (int phase = 0; phase <= 4; ++phase)
    for (const int play : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 255})
      for (int sub = 0; sub <= 3; ++sub)
        for (int kick_off = 0; kick_off <= 3; ++kick_off)
          for (const bool own : {false, true})
            for (const bool allowed : {false, true})
              for (int role = 0; role <= 5; ++role) {
                Scenario s;
                s.k = knowledge({-2, 0, 0}, {1, 0}, 100.0);
                s.k.mates = {mate(3, Role::Defender, {-3, 1, 0}, 9.0, 100.0)};
                s.params.role = static_cast<Role>(role);
                auto& game = s.k.game;
                game.phase = static_cast<GamePhase>(phase);
                game.set_play = static_cast<SetPlay>(play);
                game.set_play_phase = static_cast<SetPlayPhase>(sub);
                game.kick_off = static_cast<KickOff>(kick_off);
                game.own_set_play = own;
                game.allowed_to_move = allowed;
                s.memory.phase = GamePhase::Set;
                const Decision d = decide(assess(s.k, s.params, 100.0), s.params, s.memory);
                reached.insert(d.row);
                const bool may_move = allowed && (game.phase == GamePhase::Ready || game.phase == GamePhase::Playing) &&
                                      game.set_play != SetPlay::Timeout;
                if (!may_move) {
                  EXPECT_FALSE(d.move) << d.row;
                  EXPECT_FALSE(d.kick) << d.row;
                }
              }
  EXPECT_GT(reached.size(), 45u);
}

TEST(Rows, TheReadmeHoldsTheTable) {
  std::ifstream file(std::string(PACKAGE_DIR) + "/README.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_THAT(text.str(), testing::HasSubstr(rows_markdown())) << "run: ros2 run hl_behavior document";
}

TEST(InPlay, TheirKickOffIsFreeOnceTheBallMovesOrAfterTenSeconds) {
  TacticsParams params;
  params.role = Role::Striker;
  const auto at = [&](double now, const Vector2d& ball, GamePhase phase, Memory& memory) {
    auto k = knowledge({-1.2, 0, 0}, ball, now);
    k.game.phase = phase;
    k.game.kick_off = KickOff::Rival;
    k.game.allowed_to_move = phase == GamePhase::Playing;
    return std::string(decide(assess(k, params, now), params, memory).row);
  };
  Memory memory;
  EXPECT_EQ(at(1.0, {0, 0}, GamePhase::Set, memory), "set");
  EXPECT_EQ(at(2.0, {0, 0}, GamePhase::Playing, memory), "their kick-off: striker");
  EXPECT_EQ(at(5.0, {0.05, 0}, GamePhase::Playing, memory), "their kick-off: striker");
  Memory moved = memory;
  EXPECT_EQ(at(5.2, {-0.3, 0}, GamePhase::Playing, moved), "play: striker");
  EXPECT_EQ(at(13.0, {0.05, 0}, GamePhase::Playing, memory), "play: striker");
}

TEST(InPlay, ARobotSwitchedOnInTheMiddleOfTheGamePlays) {
  TacticsParams params;
  params.role = Role::Striker;
  Memory memory;
  auto k = knowledge({-1, 0, 0}, {1, 0}, 50.0);
  k.game.kick_off = KickOff::Rival;
  EXPECT_STREQ(decide(assess(k, params, 50.0), params, memory).row, "play: striker");
}

TEST(Referee, LostForLongIsAsConfigured) {
  auto k = knowledge({-1, 0, 0}, {1, 0}, 50.0);
  k.game.referee_connected = false;
  k.game.allowed_to_move = false;
  TacticsParams params;
  params.role = Role::Striker;
  Memory memory;
  params.without_referee = WithoutReferee::Play;
  EXPECT_STREQ(decide(assess(k, params, 50.0), params, memory).row, "play: striker");
  params.without_referee = WithoutReferee::Stop;
  EXPECT_STREQ(decide(assess(k, params, 50.0), params, memory).row, "no referee");
  params.without_referee = WithoutReferee::KeepLast;
  EXPECT_STREQ(decide(assess(k, params, 50.0), params, memory).row, "not allowed to move");
}

TEST(WalkIn, TwoSupportersDoNotCrossWays) {
  TacticsParams params;
  params.role = Role::Supporter;
  const auto target_y = [&](double own_y, double mate_y) {
    auto k = knowledge({-3, own_y, 0}, {0, 0}, 10.0);
    k.game.phase = GamePhase::Ready;
    k.game.kick_off = KickOff::Own;
    k.mates = {mate(3, Role::Supporter, {-3, mate_y, 0}, 9.0, 10.0)};
    Memory memory;
    return target_of(decide(assess(k, params, 10.0), params, memory))->y();
  };
  EXPECT_GT(target_y(2.0, 1.0), 0.5);
  EXPECT_LT(target_y(1.0, 2.0), -0.5);
}

TEST(Tactics, TheSameSituationGivesTheSameDecision) {
  TacticsParams params;
  auto k = knowledge({-1, 0.3, 0.2}, {1, 0.5}, 50.0);
  add_rival(k, {2, 0});
  Memory a, b;
  const Decision first = decide(assess(k, params, 50.0), params, a);
  const Decision second = decide(assess(k, params, 50.0), params, b);
  EXPECT_EQ(describe(*first.move), describe(*second.move));
  EXPECT_EQ(first.reasons.size(), second.reasons.size());
}

TEST(Tactics, GarbageInTheModelNeverMovesTheRobotToNowhere) {
  std::mt19937 random(4);
  const double bad[] = {std::nan(""), INFINITY, -INFINITY, 1e300, -1e300, 0.0, 1.0};
  const auto pick = [&] { return bad[std::uniform_int_distribution<int>(0, 6)(random)]; };
  TacticsParams params;
  for (int i = 0; i < 5000; ++i) {
    auto k = knowledge({-1, 0, 0}, {1, 0}, 50.0);
    Memory memory;
    if (i % 2 == 0) k.personal.ball.position = {pick(), pick()};
    if (i % 3 == 0) k.personal.ball.velocity = {pick(), pick()};
    if (i % 5 == 0) k.personal.pose.pose = {pick(), pick(), pick()};
    if (i % 7 == 0) k.personal.stamp = pick();
    k.mates.push_back(mate(3, static_cast<Role>(i % 6), {pick(), pick(), pick()}, pick(), pick()));
    add_rival(k, {pick(), pick()});
    const Decision d = decide(assess(k, params, 50.0), params, memory);
    if (d.move) {
      EXPECT_FALSE(bad_value(*d.move)) << i;
    }
    if (d.kick) {
      EXPECT_FALSE(bad_value(*d.kick)) << i;
    }
    if (const auto target = target_of(d)) {
      EXPECT_LT(target->norm(), 10.0) << i;
    }
  }
}

TEST(KickOffKick, GoesPastTheOpponentAtTheCircleWhomNobodySees) {
  TacticsParams params;
  params.role = Role::Striker;
  Memory memory;
  auto k = knowledge({-0.35, 0, 0}, {0, 0}, 50.0);
  k.game.kick_off = KickOff::Own;
  memory.phase = GamePhase::Set;
  const Decision d = decide(assess(k, params, 50.0), params, memory);
  EXPECT_STREQ(d.row, "own kick-off: striker");
  ASSERT_TRUE(d.move);
  ASSERT_TRUE(std::holds_alternative<ApproachBall>(*d.move));
  const double direction = std::abs(std::get<ApproachBall>(*d.move).direction);
  EXPECT_GT(direction, 0.35) << "into who stands 1 m ahead";
  EXPECT_LT(direction, 1.6) << "not back";
}

TEST(Play, EverybodyGoesToABallThatIsFoughtForAndKeepsItsPlaceOtherwise) {
  for (const Role role : {Role::Supporter, Role::Defender}) {
    for (const double distance : {1.0, 2.5}) {  // m from the ball to an opponent
      TacticsParams params;
      params.role = role;
      Memory memory;
      auto k = knowledge({-1, 0.3, 0.0}, {1, 0.5}, 50.0);
      add_rival(k, {1.0 + distance, 0.5});
      const Decision d = decide(assess(k, params, 50.0), params, memory);
      ASSERT_TRUE(d.move);
      EXPECT_EQ(std::holds_alternative<ApproachBall>(*d.move), distance < 1.5) << distance;
      EXPECT_EQ(d.role, role) << "two who go to the ball are no two strikers";
    }
  }
}

TEST(PoseUnknown, StandsFirstThenWalksASmallCircle) {
  TacticsParams params;
  Memory memory;
  auto k = knowledge({-1, 0, 0}, {1, 0}, 50.0);
  k.personal.pose.confidence = 0.0;
  EXPECT_FALSE(decide(assess(k, params, 50.0), params, memory).move);
  k.personal.stamp = k.personal.ball.last_seen = 59.0;
  const Decision d = decide(assess(k, params, 59.0), params, memory);
  ASSERT_TRUE(d.move);
  EXPECT_TRUE(std::holds_alternative<Walk>(*d.move));
}

TEST(Search, BeginsWithATurnHoweverLongTheBallWasUnknownBefore) {
  TacticsParams params;
  Memory memory;
  auto k = knowledge({-2, 0, 0}, {1, 0}, 50.0);
  k.personal.ball.confidence = 0.0;
  k.game.phase = GamePhase::Set;
  k.game.allowed_to_move = false;
  for (double now = 50.0; now < 80.0; now += 1.0) {
    k.personal.stamp = now;
    EXPECT_FALSE(decide(assess(k, params, now), params, memory).move);
  }
  k.game.phase = GamePhase::Playing;
  k.game.allowed_to_move = true;
  const auto move_at = [&](double now) {
    k.personal.stamp = now;
    return decide(assess(k, params, now), params, memory).move;
  };
  memory.in_play = true;
  memory.phase = GamePhase::Playing;
  move_at(80.0);
  const auto move = move_at(82.0);
  ASSERT_TRUE(move);
  ASSERT_TRUE(std::holds_alternative<Walk>(*move)) << "goes to its sector without having looked around";
  EXPECT_NE(std::get<Walk>(*move).velocity.yaw, 0.0);
}

TEST(Search, TheTeamDividesTheField) {
  TacticsParams params;
  const auto sector = [&](double x, double mate_x) {
    auto k = knowledge({x, 0, 0}, {1, 0}, 50.0);
    k.personal.ball.confidence = 0.0;
    k.mates = {mate(3, Role::Supporter, {mate_x, 0, 0}, 1e3, 50.0)};
    Memory memory;
    memory.search_since = 30.0;
    memory.in_play = true;
    memory.phase = GamePhase::Playing;
    return target_of(decide(assess(k, params, 50.0), params, memory))->x();
  };
  EXPECT_LT(sector(-2.0, 1.0), -1.0);
  EXPECT_GT(sector(2.0, -1.0), 1.0);
}

TEST(Look, WhoDoesNotSeeTheBallLooksWhereItIsSaidToBeAndSearchesInTurns) {
  // A striker that was told of the ball at its feet never saw it and never kicked.
  TacticsParams params;
  const auto head_at = [&](double now, bool told) {
    auto k = knowledge({-0.2, 0, 0}, {0, 0}, now);
    if (told) k.team = k.personal, k.team->ball.source = 4;
    if (told) k.personal.ball.confidence = 0.0;
    k.mates = {mate(4, Role::Supporter, {-2, 0, 0}, 8.0, now)};
    Memory memory;
    memory.in_play = true;
    memory.phase = GamePhase::Playing;
    return decide(assess(k, params, now), params, memory).head.value();
  };
  ASSERT_TRUE(std::holds_alternative<LookAt>(head_at(41.0, true)));
  EXPECT_LT(std::get<LookAt>(head_at(41.0, true)).point.norm(), 0.01);
  EXPECT_TRUE(std::holds_alternative<LookMode>(head_at(43.0, true))) << "the mate may be wrong";
  EXPECT_TRUE(std::holds_alternative<LookMode>(head_at(41.0, false))) << "it sees the ball itself";
}

TEST(Params, BadValuesAreNamed) {
  TacticsParams params;
  EXPECT_FALSE(params.validate());
  params.walk_speed = std::nan("");
  EXPECT_THAT(params.validate().value_or(""), testing::HasSubstr("walk_speed"));
  Behavior::Params all;
  all.executor.no_return = 3.0;
  EXPECT_THAT(all.validate().value_or(""), testing::HasSubstr("no_return"));
  EXPECT_ANY_THROW(Behavior{all});
}

}  // namespace

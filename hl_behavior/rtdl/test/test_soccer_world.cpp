// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hl_behavior/rtdl/soccer.hpp"

using namespace hl_behavior::rtdl;

namespace {

/// Robot at (1, 0) facing left (+y), ball 2 m ahead of it, at (1, 2).
Situation situation() {
  Situation s;
  s.model.pose.pose = {1.0, 0.0, M_PI_2};
  s.model.pose.confidence = 1.0;
  s.model.ball.position = {2.0, 0.0};
  s.model.ball.velocity = {-0.5, 0.0};
  s.model.ball.last_seen = 9.0;
  s.model.ball.confidence = 1.0;
  s.game.own_player = 2;
  s.game.phase = hl_soccer::GamePhase::Playing;
  s.game.referee_connected = true;
  s.game.seconds_remaining = 100.0;
  s.game.own_score = 2;
  s.game.rival_score = 1;
  s.game.kick_off = hl_soccer::KickOff::Own;
  s.game.allowed_to_move = true;
  s.role = hl_soccer::Role::Striker;
  hl_soccer::TeamMate mate;
  mate.number = 3;
  mate.stamp = 8.0;
  mate.action = hl_soccer::Action::Waiting;
  mate.role = hl_soccer::Role::Goalie;
  mate.activity = hl_soccer::Activity::Active;
  mate.pose = hl_soccer::Pose2{-4.0, 0.0, 0.0};
  s.mates.push_back(mate);
  return s;
}

Datum thing(const char* name) {
  return Datum::thing(name);
}

class Asked {
 public:
  explicit Asked(Situation s) : situation_(std::move(s)), world_(hl_description::Field{}) {
    world_.look(situation_, 10.0);
  }

  World::Answer ask(const char* name, std::vector<Datum> arguments = {}) const {
    const auto& predicates = soccer_catalogue()->predicates;
    const Predicate* found = soccer_catalogue()->predicate(name);
    EXPECT_NE(found, nullptr) << name;
    return world_.ask(static_cast<int>(found - predicates.data()), {arguments.data(), arguments.size()});
  }
  bool holds(const char* name, std::vector<Datum> arguments = {}) const {
    const auto answer = ask(name, std::move(arguments));
    EXPECT_EQ(answer.value.kind, Datum::Kind::Truth) << name << ": " << answer.unknown_because;
    return answer.value.number != 0.0;
  }
  double value(const char* name, std::vector<Datum> arguments = {}) const {
    const auto answer = ask(name, std::move(arguments));
    EXPECT_EQ(answer.value.kind, Datum::Kind::Number) << name << ": " << answer.unknown_because;
    return answer.value.number;
  }
  bool unknown(const char* name, std::vector<Datum> arguments = {}) const {
    const auto answer = ask(name, std::move(arguments));
    return answer.value.kind == Datum::Kind::Nothing && !answer.unknown_because.empty();
  }
  SoccerWorld& world() { return world_; }

 private:
  Situation situation_;
  SoccerWorld world_;
};

}  // namespace

TEST(SoccerCatalogue, IsRightAndHasWhatADrillNeeds) {
  const auto catalogue = soccer_catalogue();
  EXPECT_EQ(catalogue->validate(), std::nullopt);
  EXPECT_GE(catalogue->predicates.size(), 15u);
  for (const char* name : {"go_to_pose",       "go_keep_heading", "go_looking_at", "follow",  "approach_ball",
                           "turn_around_ball", "go_straight",     "weave",         "step",    "stop",
                           "head_mode",        "look_at",         "scan",          "kick_to", "pass_to",
                           "dribble",          "clear",           "dive",          "block",   "disarm"}) {
    EXPECT_NE(catalogue->capability(name), nullptr) << name;
  }
  for (const char* mode : {"BALL_MODE", "POST_MODE", "BALL_GOAL_TRACKING", "FIELD_FEATURES", "NON_FIELD_FEATURES",
                           "LOOKDOWN", "LOOKFORWARD", "DONT_MOVE", "LOOK_UP"}) {
    EXPECT_NE(catalogue->entity(mode), nullptr) << mode;
  }
  for (const Capability& c : catalogue->capabilities) EXPECT_LE(c.parameters.size(), 8u) << c.name;
}

TEST(SoccerWorld, AnswersAboutTheBall) {
  const Asked world(situation());
  EXPECT_TRUE(world.holds("ballKnown"));
  EXPECT_DOUBLE_EQ(world.value("ballAge"), 1.0);
  EXPECT_DOUBLE_EQ(world.value("ballDistance"), 2.0);
  EXPECT_DOUBLE_EQ(world.value("ballSpeed"), 0.5);
  EXPECT_TRUE(world.holds("ballComing"));
  EXPECT_TRUE(world.holds("near", {thing("Ball"), Datum::of(2.1)}));
  EXPECT_FALSE(world.holds("near", {thing("Ball"), Datum::of(1.9)}));
  EXPECT_TRUE(world.holds("facing", {thing("Ball")}));
  EXPECT_NEAR(world.value("bearing", {thing("Ball")}), 0.0, 1e-9);
  EXPECT_TRUE(world.holds("inArea", {thing("Ball"), thing("OpponentHalf")}));
  EXPECT_FALSE(world.holds("inArea", {thing("Ball"), thing("OwnHalf")}));
  EXPECT_TRUE(world.holds("nearestToBall"));
}

TEST(SoccerWorld, AnswersAboutPlaces) {
  Asked world(situation());
  EXPECT_NEAR(world.value("distance", {thing("OwnGoal"), thing("OpponentGoal")}), 9.0, 1e-9);
  EXPECT_NEAR(world.value("distance", {thing("Me"), thing("CentreSpot")}), 1.0, 1e-9);
  EXPECT_NEAR(world.value("bearing", {thing("OpponentGoal")}), -M_PI_2, 1e-9);
  EXPECT_NEAR(world.value("bearing", {thing("OwnGoal")}), M_PI_2, 1e-9);
  EXPECT_TRUE(world.holds("inArea", {thing("OwnPenaltyMark"), thing("OwnPenaltyArea")}));
  EXPECT_FALSE(world.holds("inArea", {thing("OwnPenaltyMark"), thing("OwnGoalArea")}));
  EXPECT_TRUE(world.holds("inArea", {thing("CentreSpot"), thing("CentreCircle")}));
  world.world().set_waypoint(7, {{1.0, 1.0}, std::nullopt});
  EXPECT_NEAR(world.value("distance", {Datum::thing("w", 7), thing("Me")}), 1.0, 1e-9);
  EXPECT_TRUE(world.unknown("near", {Datum::thing("w", 8), Datum::of(1.0)}));
}

TEST(SoccerWorld, RobotsStandInTheWay) {
  Situation s = situation();
  hl_soccer::RobotBelief robot;
  robot.position = {1.0, 0.2};
  robot.confidence = 1.0;
  robot.team = hl_soccer::Team::Rival;
  s.model.robots.push_back(robot);
  const Asked world(s);
  EXPECT_FALSE(world.holds("wayFree", {thing("Ball")}));
  EXPECT_TRUE(world.holds("wayFree", {thing("Ball"), Datum::of(0.1)}));
  EXPECT_TRUE(world.holds("opponentNear", {thing("Ball"), Datum::of(1.1)}));
  EXPECT_FALSE(world.holds("opponentNear", {thing("Ball"), Datum::of(0.9)}));
  EXPECT_NEAR(world.value("distance", {thing("NearestOpponent"), thing("Me")}), std::hypot(1.0, 0.2), 1e-9);
}

TEST(SoccerWorld, AnswersAboutGameAndTeam) {
  Asked world(situation());
  EXPECT_TRUE(world.holds("role", {thing("striker")}));
  EXPECT_FALSE(world.holds("role", {thing("goalie")}));
  EXPECT_TRUE(world.holds("state", {thing("PLAYING")}));
  EXPECT_TRUE(world.holds("setPlay", {thing("NORMAL")}));
  EXPECT_FALSE(world.holds("ourSetPlay"));
  EXPECT_TRUE(world.holds("ourKickOff"));
  EXPECT_DOUBLE_EQ(world.value("secondsLeft"), 100.0);
  EXPECT_DOUBLE_EQ(world.value("goalDifference"), 1.0);
  EXPECT_TRUE(world.holds("mayMove"));
  EXPECT_FALSE(world.holds("penalized"));
  EXPECT_TRUE(world.holds("localized"));
  EXPECT_TRUE(world.holds("body", {thing("CONTROLLABLE")}));
  EXPECT_DOUBLE_EQ(world.value("mates"), 1.0);
  EXPECT_TRUE(world.holds("mateKnown", {thing("Player3")}));
  EXPECT_TRUE(world.holds("mateKnown", {thing("Player2")}));  // myself
  EXPECT_TRUE(world.holds("mateAction", {thing("Player3"), thing("WAITING")}));
  EXPECT_TRUE(world.holds("mateRole", {thing("NearestMate"), thing("goalie")}));
  EXPECT_TRUE(world.unknown("mateAction", {thing("Player4"), thing("WAITING")}));
  EXPECT_TRUE(world.holds("slotFree", {thing("MOVE")}));
  world.world().set_busy(0, true);
  EXPECT_FALSE(world.holds("slotFree", {thing("MOVE")}));
}

TEST(SoccerWorld, WhatIsNotKnownIsSaidSo) {
  const Asked world{Situation{}};
  EXPECT_FALSE(world.holds("ballKnown"));
  EXPECT_FALSE(world.holds("localized"));
  EXPECT_TRUE(world.unknown("ballDistance"));
  EXPECT_TRUE(world.unknown("near", {thing("OwnGoal"), Datum::of(1.0)}));
  EXPECT_TRUE(world.unknown("distance", {thing("Ball"), thing("OwnGoal")}));
  EXPECT_TRUE(world.unknown("secondsLeft"));
  EXPECT_TRUE(world.unknown("nearestToBall"));
  EXPECT_FALSE(world.unknown("distance", {thing("OwnGoal"), thing("OpponentGoal")}));
}

/// No predicate may crash or answer with something else than its type, whatever is asked.
TEST(SoccerWorld, EveryPredicateAnswersWithItsType) {
  const auto catalogue = soccer_catalogue();
  for (const Situation& s : {situation(), Situation{}}) {
    const Asked world(s);
    for (const Predicate& predicate : catalogue->predicates) {
      std::vector<std::vector<Datum>> cases{{}};
      for (const Parameter& parameter : predicate.parameters) {
        std::vector<std::vector<Datum>> longer;
        for (const auto& start : cases) {
          const auto with = [&](const Datum& d) {
            longer.push_back(start);
            longer.back().push_back(d);
          };
          if (parameter.type == "number") {
            with(Datum::of(0.5));
            with(Datum::of(-1e300));
          }
          for (const NamedEntity& entity : catalogue->entities) {
            if (catalogue->derives(entity.type, parameter.type)) with(Datum::thing(entity.name));
          }
        }
        cases = longer;
      }
      ASSERT_FALSE(cases.empty()) << predicate.name;
      for (const auto& arguments : cases) {
        const auto answer = world.ask(predicate.name.c_str(), arguments);
        if (answer.value.kind == Datum::Kind::Nothing) {
          EXPECT_FALSE(answer.unknown_because.empty()) << predicate.name;
        } else {
          EXPECT_EQ(answer.value.kind, predicate.type == "truth" ? Datum::Kind::Truth : Datum::Kind::Number);
        }
      }
    }
  }
}

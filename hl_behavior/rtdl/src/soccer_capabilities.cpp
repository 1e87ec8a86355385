// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/rtdl/soccer.hpp"
#include "soccer_predicates.hpp"

namespace hl_behavior::rtdl {
namespace {

Parameter in(std::string name, std::string type) {
  return {std::move(name), std::move(type), false, true};
}

Parameter maybe(std::string name, std::string type) {
  return {std::move(name), std::move(type), false, false};
}

Parameter sets(std::string name, std::string type) {
  return {std::move(name), std::move(type), true, true};
}

constexpr bool kCanFail = true, kNeverFails = false;

/// Metres, radians, seconds. Durations are what a way of 2 m or one kick takes; limits are well beyond.
std::vector<Capability> capabilities() {
  const auto itself = Ending::ByItself;
  const auto lasting = Ending::Lasting;
  const auto timed = Ending::AfterSeconds;
  return {
      {"go_to_pose",
       "move",
       {in("place", "Place"), maybe("heading", "number")},
       kCanFail,
       10.0,
       itself,
       120.0,
       "go there, facing the way point's heading or the one given"},
      {"go_keep_heading", "move", {in("place", "Place")}, kCanFail, 12.0, itself, 120.0, "go there without turning"},
      {"go_looking_at",
       "move",
       {in("place", "Place"), in("target", "Place")},
       kCanFail,
       12.0,
       itself,
       120.0,
       "go there, facing the target"},
      {"follow",
       "move",
       {in("target", "Place"), maybe("distance", "number"), maybe("seconds", "number")},
       kCanFail,
       10.0,
       timed,
       0.0,
       "stay at a distance (0.5 m) from something that moves"},
      {"approach_ball",
       "move",
       {maybe("aim", "Place")},
       kCanFail,
       10.0,
       itself,
       60.0,
       "to the ball, ready to kick it towards the aim (the opponent's goal)"},
      {"turn_around_ball", "move", {in("angle", "number")}, kCanFail, 6.0, itself, 30.0, "circle the ball, facing it"},
      {"go_straight", "move", {in("distance", "number")}, kCanFail, 8.0, itself, 60.0, "ahead, or back if negative"},
      {"weave",
       "move",
       {in("distance", "number"), in("amplitude", "number"), maybe("wavelength", "number")},
       kCanFail,
       20.0,
       itself,
       120.0,
       "ahead on a sine course"},
      {"step",
       "move",
       {in("dx", "number"), in("dy", "number"), in("dtheta", "number"), in("n", "int")},
       kCanFail,
       3.0,
       itself,
       30.0,
       "n steps of this size"},
      {"stop", "move", {}, kNeverFails, 1.0, itself, 10.0, "stand"},
      {"head_mode", "head", {in("mode", "HeadMode")}, kNeverFails, 0.0, lasting, 0.0, "what the head does from now on"},
      {"look_at",
       "head",
       {in("target", "Place"), maybe("seconds", "number")},
       kCanFail,
       1.0,
       timed,
       0.0,
       "look there for a while (1 s)"},
      {"scan", "head", {maybe("pattern", "Pattern")}, kNeverFails, 4.0, itself, 20.0, "look around once"},
      {"kick_to",
       "kick",
       {in("target", "Place"), maybe("speed", "number")},
       kCanFail,
       4.0,
       itself,
       20.0,
       "kick the ball there, m/s when it leaves the foot"},
      {"pass_to",
       "kick",
       {in("player", "Player")},
       kCanFail,
       4.0,
       itself,
       20.0,
       "kick the ball so that it stops there"},
      {"dribble", "kick", {in("target", "Place")}, kCanFail, 15.0, itself, 60.0, "walk with the ball, in small kicks"},
      {"clear", "kick", {}, kCanFail, 4.0, itself, 20.0, "kick the ball away from the own goal"},
      {"dive", "kick", {in("side", "Side")}, kCanFail, 4.0, itself, 20.0, "throw oneself to left, right, or middle"},
      {"block", "kick", {}, kCanFail, 3.0, itself, 20.0, "make oneself wide"},
      {"disarm", "kick", {}, kNeverFails, 0.1, itself, 5.0, "give up a kick that has not begun"},
      {"wait", "", {in("seconds", "number")}, kNeverFails, 1.0, timed, 0.0, "do nothing for a while"},
      {"say", "", {in("words", "text")}, kNeverFails, 0.0, itself, 0.0, "speak"},
      {"announce", "", {in("action", "Action")}, kNeverFails, 0.0, itself, 0.0, "tell the team mates what I am doing"},
      {"set_current_position", "", {sets("place", "Waypoint")}, kCanFail, 0.0, itself, 0.0, "remember where I am"},
      {"set_waypoint",
       "",
       {sets("place", "Waypoint"), in("x", "number"), in("y", "number"), maybe("heading", "number")},
       kNeverFails,
       0.0,
       itself,
       0.0,
       "a place on the field: x towards the opponent's goal, y left"},
      {"remember",
       "",
       {sets("place", "Waypoint"), in("thing", "Place")},
       kCanFail,
       0.0,
       itself,
       0.0,
       "where that is now"},
  };
}

Catalogue make() {
  Catalogue c;
  c.types = {{"Place", "entity"},    {"Ball", "Place"},   {"Goal", "Place"},     {"FieldPoint", "Place"},
             {"Waypoint", "Place"},  {"Player", "Place"}, {"Opponent", "Place"}, {"Area", "entity"},
             {"Role", "entity"},     {"State", "entity"}, {"SetPlay", "entity"}, {"Body", "entity"},
             {"HeadMode", "entity"}, {"Side", "entity"},  {"Pattern", "entity"}, {"Action", "entity"},
             {"Slot", "entity"}};
  c.capabilities = capabilities();
  c.predicates = soccer_predicates();
  const auto words = [&](const char* type, std::initializer_list<const char*> names) {
    for (const char* name : names) c.entities.push_back({name, type});
  };
  words("Ball", {"Ball"});
  words("Goal", {"OwnGoal", "OpponentGoal"});
  words("FieldPoint", {"CentreSpot", "OwnPenaltyMark", "OpponentPenaltyMark", "OwnLeftCorner", "OwnRightCorner",
                       "OpponentLeftCorner", "OpponentRightCorner", "HalfwayLeft", "HalfwayRight", "OwnGoalLeftPost",
                       "OwnGoalRightPost", "OpponentGoalLeftPost", "OpponentGoalRightPost"});
  words("Player", {"Me", "Player1", "Player2", "Player3", "Player4", "Player5", "Player6", "NearestMate"});
  words("Opponent", {"NearestOpponent"});
  words("Area", {"Field", "OwnHalf", "OpponentHalf", "OwnPenaltyArea", "OpponentPenaltyArea", "OwnGoalArea",
                 "OpponentGoalArea", "CentreCircle"});
  words("Role", {"idling", "other", "striker", "supporter", "defender", "goalie"});
  words("State", {"INITIAL", "READY", "SET", "PLAYING", "FINISHED"});
  words("SetPlay", {"NORMAL", "PENALTY_SHOOT", "OVERTIME", "TIMEOUT", "DIRECT_FREE_KICK", "INDIRECT_FREE_KICK",
                    "PENALTY_KICK", "CORNER_KICK", "GOAL_KICK", "THROW_IN"});
  words("Body", {"CONTROLLABLE", "WALKING", "FALLING", "FALLEN", "GETTING_UP", "KICKING", "PICKED_UP"});
  words("HeadMode", {"BALL_MODE", "POST_MODE", "BALL_GOAL_TRACKING", "FIELD_FEATURES", "NON_FIELD_FEATURES", "LOOKDOWN",
                     "LOOKFORWARD", "DONT_MOVE", "LOOK_UP"});
  words("Side", {"left", "right", "middle"});
  words("Pattern", {"around", "horizon", "near_feet"});
  words("Action", {"UNDEFINED", "POSITIONING", "GOING_TO_BALL", "TRYING_TO_SCORE", "WAITING"});
  words("Slot", {"MOVE", "HEAD", "KICK"});
  return c;
}

}  // namespace

std::shared_ptr<const Catalogue> soccer_catalogue() {
  static const auto kCatalogue = std::make_shared<const Catalogue>(make());
  return kCatalogue;
}

}  // namespace hl_behavior::rtdl

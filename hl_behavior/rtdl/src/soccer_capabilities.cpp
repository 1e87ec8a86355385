// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/capabilities.hpp"
#include "hl_behavior/rtdl/soccer.hpp"
#include "soccer_predicates.hpp"

namespace hl_behavior::rtdl {
namespace {

static_assert(static_cast<int>(Ending::ByItself) == static_cast<int>(SkillEnding::ByItself) &&
                  static_cast<int>(Ending::Lasting) == static_cast<int>(SkillEnding::Lasting) &&
                  static_cast<int>(Ending::AfterSeconds) == static_cast<int>(SkillEnding::AfterSeconds),
              "the language and the skills number the endings alike");

/// What the language knows of a skill.
Capability from_skill(const hl_behavior::Capability& skill) {
  Capability c;
  c.name = skill.name;
  c.slot = name_of(skill.slot);
  for (const SkillParameter& p : skill.parameters) c.parameters.push_back({p.name, p.type, false, p.required});
  c.can_fail = skill.can_fail;
  c.typical_duration = skill.typical_duration;
  c.ending = static_cast<Ending>(skill.ending);
  c.time_limit = skill.time_limit;
  c.meaning = skill.meaning;
  return c;
}

Parameter in(std::string name, std::string type) {
  return {std::move(name), std::move(type), false, true};
}

Parameter maybe(std::string name, std::string type) {
  return {std::move(name), std::move(type), false, false};
}

Parameter sets(std::string name, std::string type) {
  return {std::move(name), std::move(type), true, true};
}

/// What the runner does itself, without a slot of the robot.
std::vector<Capability> of_the_runner() {
  constexpr bool kCanFail = true, kNeverFails = false;
  const auto itself = Ending::ByItself;
  return {
      {"wait", "", {in("seconds", "number")}, kNeverFails, 1.0, Ending::AfterSeconds, 0.0, "do nothing for a while"},
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

std::vector<Capability> capabilities() {
  std::vector<Capability> all;
  for (const auto& skill : hl_behavior::capabilities()) all.push_back(from_skill(skill));
  for (auto& capability : of_the_runner()) all.push_back(std::move(capability));
  return all;
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

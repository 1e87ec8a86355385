// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "hl_behavior/rtdl/soccer.hpp"
#include "soccer_predicates.hpp"

namespace hl_behavior::rtdl {
namespace {

using Answer = World::Answer;

Answer yes(bool truth) {
  return {Datum::truth(truth), {}};
}

Answer number(double value) {
  return {Datum::of(value), {}};
}

Answer unknown(std::string_view reason) {
  return {{}, reason};
}

constexpr std::string_view kNoBall = "the ball is not known";
constexpr std::string_view kNoPlace = "the place is not known";
constexpr std::string_view kNoPose = "the own position is not known";
constexpr std::string_view kNoMate = "nothing was heard of that player";

bool ball_known(const SoccerWorld& w) {
  return w.situation().model.ball.confidence > 0.0;
}

/// Index of a word in the order of an enumeration; -1 if it is none of them.
template <std::size_t N>
int index_of(std::string_view word, const std::array<std::string_view, N>& words) {
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? -1 : static_cast<int>(found - words.begin());
}

constexpr std::array<std::string_view, 6> kRoles{"idling", "other", "striker", "supporter", "defender", "goalie"};
constexpr std::array<std::string_view, 5> kStates{"INITIAL", "READY", "SET", "PLAYING", "FINISHED"};
constexpr std::array<std::string_view, 10> kSetPlays{
    "NORMAL",       "PENALTY_SHOOT", "OVERTIME",  "TIMEOUT", "DIRECT_FREE_KICK", "INDIRECT_FREE_KICK",
    "PENALTY_KICK", "CORNER_KICK",   "GOAL_KICK", "THROW_IN"};
constexpr std::array<std::string_view, 5> kActions{"UNDEFINED", "POSITIONING", "GOING_TO_BALL", "TRYING_TO_SCORE",
                                                   "WAITING"};
constexpr std::array<std::string_view, 16> kBodies{
    "CONTROLLABLE", "FALLING", "FALLEN", "GETTING_UP", "",          "",       "", "", "", "",
    "WALKING",      "",        "",       "",           "PICKED_UP", "KICKING"};
constexpr std::array<std::string_view, kSlots> kSlotWords{"MOVE", "HEAD", "KICK"};

bool inside(const Eigen::Vector2d& p, std::string_view area, const hl_description::Field& field) {
  const double half = 0.5 * field.length;
  const auto box = [&](double length, double width) {  // at the opponent's goal line
    return p.x() <= half && p.x() >= half - length && std::abs(p.y()) <= 0.5 * width;
  };
  const auto own_box = [&](double length, double width) {
    return -p.x() <= half && -p.x() >= half - length && std::abs(p.y()) <= 0.5 * width;
  };
  const bool on_field = std::abs(p.x()) <= half && std::abs(p.y()) <= 0.5 * field.width;
  if (area == "Field") return on_field;
  if (area == "OwnHalf") return on_field && p.x() <= 0.0;
  if (area == "OpponentHalf") return on_field && p.x() >= 0.0;
  if (area == "OwnPenaltyArea") return own_box(field.penalty_area_length, field.penalty_area_width);
  if (area == "OpponentPenaltyArea") return box(field.penalty_area_length, field.penalty_area_width);
  if (area == "OwnGoalArea") return own_box(field.goal_area_length, field.goal_area_width);
  if (area == "OpponentGoalArea") return box(field.goal_area_length, field.goal_area_width);
  return p.norm() <= field.circle_radius();  // CentreCircle
}

/// No robot nearer than `clearance` to the straight line from here to there.
bool way_free(const SoccerWorld& w, const Eigen::Vector2d& there, double clearance) {
  const double length = there.norm();
  if (length < 1e-6) return true;
  const Eigen::Vector2d along = there / length;
  for (const auto& robot : w.situation().model.robots) {
    if (robot.confidence <= 0.0) continue;
    const double ahead = std::clamp(robot.position.dot(along), 0.0, length);
    if ((robot.position - ahead * along).norm() < clearance) return false;
  }
  return true;
}

struct Row {
  Predicate predicate;
  Answer (*answer)(const SoccerWorld& w, Arguments a);
};

Parameter in(const char* name, const char* type) {
  return {name, type, false, true};
}

Parameter maybe(const char* name, const char* type) {
  return {name, type, false, false};
}

/// One row per predicate: what it is called and what it answers.
const std::vector<Row>& rows() {
  static const std::vector<Row> kRows{
      {{"ballKnown", {}, "truth", "the ball was seen or told of"},
       [](const SoccerWorld& w, Arguments) { return yes(ball_known(w)); }},
      {{"ballAge", {}, "number", "s since the ball was last seen"},
       [](const SoccerWorld& w, Arguments) {
         return ball_known(w) ? number(w.now() - w.situation().model.ball.last_seen) : unknown(kNoBall);
       }},
      {{"ballDistance", {}, "number", "m from me to the ball"},
       [](const SoccerWorld& w, Arguments) {
         return ball_known(w) ? number(w.situation().model.ball.position.norm()) : unknown(kNoBall);
       }},
      {{"ballSpeed", {}, "number", "m/s"},
       [](const SoccerWorld& w, Arguments) {
         return ball_known(w) ? number(w.situation().model.ball.velocity.norm()) : unknown(kNoBall);
       }},
      {{"ballComing", {}, "truth", "the ball rolls towards me and will pass within 1 m"},
       [](const SoccerWorld& w, Arguments) {
         if (!ball_known(w)) return unknown(kNoBall);
         const auto& ball = w.situation().model.ball;
         const double speed = ball.velocity.norm();
         if (speed < 0.1) return yes(false);
         const Eigen::Vector2d along = ball.velocity / speed;
         const double until = -ball.position.dot(along);  // m to the point of its way nearest to me
         return yes(until > 0.0 && (ball.position + until * along).norm() < 1.0);
       }},
      {{"near", {in("place", "Place"), in("distance", "number")}, "truth", "I am not farther from it than that (m)"},
       [](const SoccerWorld& w, Arguments a) {
         const auto there = w.relative(a[0]);
         return there ? yes(there->norm() <= a[1].number) : unknown(kNoPlace);
       }},
      {{"distance", {in("a", "Place"), in("b", "Place")}, "number", "m between two places"},
       [](const SoccerWorld& w, Arguments a) {
         const auto one = w.place(a[0]);
         const auto two = w.place(a[1]);
         return one && two ? number((*one - *two).norm()) : unknown(kNoPlace);
       }},
      {{"bearing", {in("place", "Place")}, "number", "rad to the left of where I face"},
       [](const SoccerWorld& w, Arguments a) {
         const auto there = w.relative(a[0]);
         return there ? number(std::atan2(there->y(), there->x())) : unknown(kNoPlace);
       }},
      {{"facing",
        {in("place", "Place"), maybe("tolerance", "number")},
        "truth",
        "I face it, within a tolerance (0.3 rad)"},
       [](const SoccerWorld& w, Arguments a) {
         const auto there = w.relative(a[0]);
         if (!there) return unknown(kNoPlace);
         return yes(std::abs(std::atan2(there->y(), there->x())) <= (a.size > 1 ? a[1].number : 0.3));
       }},
      {{"inArea", {in("place", "Place"), in("area", "Area")}, "truth", "it is in that part of the field"},
       [](const SoccerWorld& w, Arguments a) {
         const auto there = w.place(a[0]);
         return there ? yes(inside(*there, a[1].text, w.field())) : unknown(kNoPlace);
       }},
      {{"wayFree",
        {in("place", "Place"), maybe("clearance", "number")},
        "truth",
        "no robot within a clearance (0.4 m) of the straight way there"},
       [](const SoccerWorld& w, Arguments a) {
         const auto there = w.relative(a[0]);
         return there ? yes(way_free(w, *there, a.size > 1 ? a[1].number : 0.4)) : unknown(kNoPlace);
       }},
      {{"opponentNear",
        {in("place", "Place"), in("distance", "number")},
        "truth",
        "an opponent is within that of it (m)"},
       [](const SoccerWorld& w, Arguments a) {
         const auto there = w.relative(a[0]);
         if (!there) return unknown(kNoPlace);
         const auto& robots = w.situation().model.robots;
         return yes(std::any_of(robots.begin(), robots.end(), [&](const hl_soccer::RobotBelief& r) {
           return r.team != hl_soccer::Team::Own && r.confidence > 0.0 && (r.position - *there).norm() <= a[1].number;
         }));
       }},
      {{"localized", {}, "truth", "I know where I am"},
       [](const SoccerWorld& w, Arguments) { return yes(w.situation().model.pose.known()); }},
      {{"role", {in("role", "Role")}, "truth", "my role in the team"},
       [](const SoccerWorld& w, Arguments a) {
         return yes(index_of(a[0].text, kRoles) == static_cast<int>(w.situation().role));
       }},
      {{"state", {in("state", "State")}, "truth", "what the referee says"},
       [](const SoccerWorld& w, Arguments a) {
         return yes(index_of(a[0].text, kStates) == static_cast<int>(w.situation().game.phase));
       }},
      {{"setPlay", {in("kind", "SetPlay")}, "truth", "kind of the set play; NORMAL = none"},
       [](const SoccerWorld& w, Arguments a) {
         return yes(index_of(a[0].text, kSetPlays) == static_cast<int>(w.situation().game.set_play));
       }},
      {{"ourSetPlay", {}, "truth", "the set play is ours"},
       [](const SoccerWorld& w, Arguments) { return yes(w.situation().game.own_set_play); }},
      {{"ourKickOff", {}, "truth", "the kick-off is ours"},
       [](const SoccerWorld& w, Arguments) { return yes(w.situation().game.kick_off == hl_soccer::KickOff::Own); }},
      {{"secondsLeft", {}, "number", "s of the half"},
       [](const SoccerWorld& w, Arguments) {
         const auto& game = w.situation().game;
         return game.referee_connected ? number(game.seconds_remaining) : unknown("the referee is not heard");
       }},
      {{"goalDifference", {}, "number", "our goals less theirs"},
       [](const SoccerWorld& w, Arguments) {
         return number(w.situation().game.own_score - w.situation().game.rival_score);
       }},
      {{"mayMove", {}, "truth", "the referee lets me move"},
       [](const SoccerWorld& w, Arguments) { return yes(w.situation().game.allowed_to_move); }},
      {{"penalized", {}, "truth", "I must not play"},
       [](const SoccerWorld& w, Arguments) { return yes(w.situation().game.penalized); }},
      {{"body", {in("state", "Body")}, "truth", "what the body does"},
       [](const SoccerWorld& w, Arguments a) {
         return yes(index_of(a[0].text, kBodies) == static_cast<int>(w.situation().body));
       }},
      {{"slotFree", {in("slot", "Slot")}, "truth", "this task uses the slot for nothing now"},
       [](const SoccerWorld& w, Arguments a) {
         const int slot = index_of(a[0].text, kSlotWords);
         return slot < 0 ? unknown("there is no such slot") : yes(!w.busy(static_cast<std::size_t>(slot)));
       }},
      {{"mates", {}, "number", "active team mates heard of lately"},
       [](const SoccerWorld& w, Arguments) {
         const auto& mates = w.situation().mates;
         return number(static_cast<double>(std::count_if(mates.begin(), mates.end(), [&](const auto& m) {
           return m.activity == hl_soccer::Activity::Active && w.now() - m.stamp <= 5.0;
         })));
       }},
      {{"mateKnown", {in("player", "Player")}, "truth", "heard of lately, with a position"},
       [](const SoccerWorld& w, Arguments a) {
         const auto* mate = w.mate(a[0]);
         return yes(w.is_me(a[0]) ? w.situation().model.pose.known() : mate != nullptr && mate->pose.has_value());
       }},
      {{"mateAction", {in("player", "Player"), in("action", "Action")}, "truth", "what that player says it is doing"},
       [](const SoccerWorld& w, Arguments a) {
         const auto* mate = w.mate(a[0]);
         if (mate == nullptr) return unknown(kNoMate);
         return yes(index_of(a[1].text, kActions) == static_cast<int>(mate->action));
       }},
      {{"mateRole", {in("player", "Player"), in("role", "Role")}, "truth", "the role that player says it has"},
       [](const SoccerWorld& w, Arguments a) {
         const auto* mate = w.mate(a[0]);
         if (mate == nullptr) return unknown(kNoMate);
         return yes(index_of(a[1].text, kRoles) == static_cast<int>(mate->role));
       }},
      {{"nearestToBall", {}, "truth", "no team mate with a known position is nearer to the ball"},
       [](const SoccerWorld& w, Arguments) {
         const auto ball = w.place(Datum::thing("Ball"));
         const auto me = w.place(Datum::thing("Me"));
         if (!ball) return unknown(kNoBall);
         if (!me) return unknown(kNoPose);
         const auto& mates = w.situation().mates;
         return yes(std::none_of(mates.begin(), mates.end(), [&](const auto& m) {
           return m.activity == hl_soccer::Activity::Active && m.pose && w.now() - m.stamp <= 5.0 &&
                  (m.pose->position() - *ball).norm() < (*me - *ball).norm();
         }));
       }},
  };
  return kRows;
}

}  // namespace

std::vector<Predicate> soccer_predicates() {
  std::vector<Predicate> predicates;
  for (const Row& row : rows()) predicates.push_back(row.predicate);
  return predicates;
}

World::Answer SoccerWorld::ask(int predicate, Arguments arguments) const {
  if (predicate < 0 || predicate >= static_cast<int>(rows().size())) return unknown("there is no such predicate");
  return rows()[static_cast<std::size_t>(predicate)].answer(*this, arguments);
}

}  // namespace hl_behavior::rtdl

// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/tactics.hpp"

#include <cmath>

#include "hl_behavior/roles.hpp"
#include "plans.hpp"

namespace hl_behavior {
namespace {

using hl_soccer::GamePhase;
using hl_soccer::SetPlay;
using hl_soccer::SetPlayPhase;

constexpr double kInPlayAfter = 10.0;  // s, rule: then it is in play whether it moved or not

/// Keeps the clocks: what is lost since when, and whether the ball is in play after a restart.
void remember(const Situation& s, const TacticsParams& params, Memory& memory) {
  if (s.pose_known)
    memory.pose_lost_since = -1.0;
  else if (memory.pose_lost_since < 0.0)
    memory.pose_lost_since = s.now;
  if (s.ball.known) {
    if (std::abs(s.ball.relative.y()) > 0.05) memory.last_ball_side = s.ball.relative.y() > 0.0 ? 1.0 : -1.0;
    if (s.pose_known) memory.last_ball = s.ball.position;
  }

  const auto& game = *s.game;
  const bool new_moment = game.phase != memory.phase || game.set_play != memory.set_play;
  const bool restart = game.phase == GamePhase::Set ||
                       (game.set_play_phase == SetPlayPhase::Called || game.set_play_phase == SetPlayPhase::Prepare);
  if (new_moment) {
    // A robot that was switched on in the middle of the game has not seen the SET before.
    const bool ends_set_play =
        memory.phase == GamePhase::Playing && game.phase == GamePhase::Playing && game.set_play == SetPlay::None;
    const bool begins = memory.phase == GamePhase::Set || memory.phase == GamePhase::Ready ||
                        game.set_play != SetPlay::None || game.secondary_seconds_remaining > 0.0;
    memory.in_play = game.phase == GamePhase::Playing && (ends_set_play || !begins);
    memory.row_since = s.now;
    memory.placed_ball.reset();
    memory.phase = game.phase;
    memory.set_play = game.set_play;
  }
  if (restart) {
    memory.row_since = s.now;  // the clock of "in play" runs from the whistle on
    memory.in_play = false;
    memory.placed_ball.reset();
  }
  if (memory.in_play || game.phase != GamePhase::Playing || restart) return;
  if (s.ball.known && s.pose_known && !memory.placed_ball) memory.placed_ball = s.ball.position;
  const bool moved = memory.placed_ball && s.ball.known && s.pose_known &&
                     (s.ball.position - *memory.placed_ball).norm() > params.in_play_distance;
  memory.in_play = moved || s.now - memory.row_since > kInPlayAfter;
}

bool moves(Plan plan) {
  return plan != Plan::Stand && plan != Plan::WatchBall && plan != Plan::Locate;
}

/// What the robot does not know decides over what the referee says, once it may move.
Scene by_knowledge(const Moment& moment, const Row& row, const Situation& s, const TacticsParams& params) {
  if (!moves(row.plan)) return moment.scene;
  if (!s.pose_known) return Scene::PoseUnknown;
  const bool needs_ball = row.plan == Plan::TakeKick || row.plan == Plan::Strike || row.plan == Plan::Support ||
                          row.plan == Plan::Defend || row.plan == Plan::KeepGoal;
  if (needs_ball && !s.ball.known) return Scene::BallUnknown;
  const double x = 0.5 * params.field.length + params.out_margin, y = 0.5 * params.field.width + params.out_margin;
  if (moment.scene == Scene::Play && s.ball.known &&
      (std::abs(s.ball.position.x()) > x || std::abs(s.ball.position.y()) > y))
    return Scene::BallOut;
  return moment.scene;
}

void carry_out(Context& c) {
  switch (c.row.plan) {
    case Plan::Stand:
      look(c, HeadMode::LookForward);
      c.d.action = Action::Waiting;
      return;
    case Plan::WatchBall:
      look(c, HeadMode::Ball);
      c.d.action = Action::Waiting;
      return;
    case Plan::Locate:
      look(c, HeadMode::FieldFeatures);
      c.d.action = Action::Waiting;
      return;
    case Plan::WalkIn:
      return walk_in(c);
    case Plan::TakeKick:
    case Plan::Strike:
      return strike(c, false);
    case Plan::PrepareKick:
      return prepare_kick(c);
    case Plan::Receive:
      return receive(c);
    case Plan::Cover:
      return cover(c);
    case Plan::KeepOff:
      return keep_off(c);
    case Plan::BehindMark:
      return behind_mark(c);
    case Plan::GuardGoal:
      return guard_goal(c);
    case Plan::GoalLine:
      return goal_line(c, false);
    case Plan::PenaltySave:
      return goal_line(c, true);
    case Plan::FindPose:
      return find_pose(c);
    case Plan::Search:
      return search(c);
    case Plan::Support:
      return support(c);
    case Plan::Defend:
      return defend(c);
    case Plan::KeepGoal:
      return keep_goal(c);
  }
}

const char* saying(Role role) {
  switch (role) {
    case Role::Striker:
      return "striker";
    case Role::Supporter:
      return "supporter";
    case Role::Defender:
      return "defender";
    case Role::Goalie:
      return "goalie";
    default:
      return nullptr;
  }
}

}  // namespace

Decision decide(const Situation& s, const TacticsParams& params, Memory& memory) {
  Decision d;
  const Role before = memory.role;
  remember(s, params, memory);
  d.role = choose_role(s, params, memory, d.reasons);
  Moment moment = referee_moment(s, params, memory);
  const Row* row = &find_row(moment.scene, moment.kind, moment.whose, d.role);
  moment.scene = by_knowledge(moment, *row, s, params);
  row = &find_row(moment.scene, moment.kind, moment.whose, d.role);
  const int index = static_cast<int>(row - rows().data());
  if (index != memory.row) {
    memory.row = index;
    memory.target.reset();
    memory.kick_direction.reset();
    memory.kicking = false;
  }
  // A ball that was unknown while nobody might move is searched from the beginning.
  if (row->plan != Plan::Search)
    memory.search_since = -1.0;
  else if (memory.search_since < 0.0)
    memory.search_since = s.now;
  d.row = row->name;
  d.reasons.add("referee", name_of(moment.scene));
  if (moment.whose != Whose::Nobody) d.reasons.add("whose", name_of(moment.whose));
  d.reasons.add("pose", s.pose_known ? "known" : "unknown");
  if (s.ball.known)
    d.reasons.add("ball age", s.ball.age, "s");
  else
    d.reasons.add("ball", "unknown");
  d.reasons.add("mates", static_cast<double>(s.mate_count), "");

  Context context{s, params, memory, *row, moment, d};
  carry_out(context);

  if (s.ball.known && !s.penalized) d.time_to_ball = s.time_to_ball;
  if (d.role != before && s.now - memory.said_at > 2.0) {
    d.say = saying(d.role);
    if (d.say != nullptr) memory.said_at = s.now;
  }
  return d;
}

std::optional<std::string> TacticsParams::validate() const {
  const struct {
    const char* name;
    double value, low, high;
  } ranges[] = {
      {"walk_speed", walk_speed, 0.02, 2.0},
      {"turn_speed", turn_speed, 0.05, 10.0},
      {"get_up_time", get_up_time, 0.0, 60.0},
      {"kick_distance", kick_distance, 0.2, 20.0},
      {"kick_distance_spread", kick_distance_spread, 0.0, 0.7},
      {"kick_direction_spread", kick_direction_spread, 0.0, 1.0},
      {"kick_time", kick_time, 0.0, 20.0},
      {"dribble_distance", dribble_distance, 0.1, 5.0},
      {"dribble_direction_spread", dribble_direction_spread, 0.0, 1.5},
      {"aim_tolerance", aim_tolerance, 0.01, 1.0},
      {"ball_deceleration", ball_deceleration, 0.01, 5.0},
      {"ball_memory", ball_memory, 0.1, 60.0},
      {"told_ball_memory", told_ball_memory, 0.0, 60.0},
      {"rival_memory", rival_memory, 0.0, 60.0},
      {"mate_memory", mate_memory, 0.1, 60.0},
      {"model_memory", model_memory, 0.05, 10.0},
      {"pose_sigma", pose_sigma, 0.01, 10.0},
      {"heading_sigma", heading_sigma, 0.01, 3.2},
      {"role_hysteresis", role_hysteresis, 0.0, 10.0},
      {"conflict_time", conflict_time, 0.1, 10.0},
      {"deaf_time", deaf_time, 0.1, 10.0},
      {"yield_time", yield_time, 0.0, 20.0},
      {"vacancy_time", vacancy_time, 0.1, 10.0},
      {"rule_distance", rule_distance, 0.1, 3.0},
      {"rule_margin", rule_margin, 0.0, 2.0},
      {"goalie_out", goalie_out, 0.05, 2.0},
      {"dive_horizon", dive_horizon, 0.1, 5.0},
      {"dive_beside", dive_beside, 0.05, 1.0},
      {"dive_reach", dive_reach, 0.1, 2.0},
      {"search_turn", search_turn, 0.0, 3.0},
  };
  for (const auto& range : ranges)
    if (!(range.value >= range.low && range.value <= range.high))
      return std::string(range.name) + " = " + std::to_string(range.value) + " is not within " +
             std::to_string(range.low) + ".." + std::to_string(range.high);
  if (!(spacing > 0.0 && spacing < soft_spacing)) return std::string("spacing must be positive and below soft_spacing");
  if (number < 1 || number > 20) return "number = " + std::to_string(number) + " is not within 1..20";
  if (goalie_number < 0 || goalie_number > 20)
    return "goalie_number = " + std::to_string(goalie_number) + " is not within 0..20";
  if (!(kick_near < kick_far) || !(kick_inside < kick_outside)) return std::string("the kick's window is empty");
  return std::nullopt;
}

}  // namespace hl_behavior

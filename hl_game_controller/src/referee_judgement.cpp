// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "hl_game_controller/referee.hpp"

namespace hl_game_controller {
namespace {

constexpr double kTouchDistance = 0.3;   // m from ball to robot centre: near enough to have touched it
constexpr double kKickerDistance = 0.5;  // m: the kicker stands ready at the ball
constexpr double kPushingSpeed = 0.03;   // m/s towards the other robot; slower is standing

bool in_own_penalty_area(const Rules& rules, Side own_side, const Point& spot) {
  const double sign = static_cast<double>(static_cast<std::int8_t>(own_side));
  return sign * spot.x > rules.field.length / 2 - rules.field.penalty_area_length &&
         std::abs(spot.y) < rules.field.penalty_area_width / 2;
}

/// Speed of `robot` towards `other`.
double approach(const SeenRobot& robot, const SeenRobot& other) {
  const double gap = std::max(distance(robot.position, other.position), 1e-6);
  return (robot.velocity.x * (other.position.x - robot.position.x) +
          robot.velocity.y * (other.position.y - robot.position.y)) /
         gap;
}

}  // namespace

void Referee::judge(const FieldView& view) {
  ball_ = view.ball;
  if (state_ != State::Playing) return;
  watch_ball_in_play(view);
  if (set_play_ != SetPlay::None) watch_set_play(view);
  if (half_ != Half::ShootOut) {
    watch_robots(view);
    watch_pushing(view);
  }
  if (state_ != State::Playing || set_play_ != SetPlay::None) return;
  watch_lines(view);
  const bool goes_on = state_ == State::Playing && set_play_ == SetPlay::None && half_ != Half::ShootOut;
  if (goes_on) watch_stuck_ball(view);
}

void Referee::watch_ball_in_play(const FieldView& view) {
  const bool moved = distance(view.ball, ball_reference_) > params_.rules.ball_moved;
  if (!ball_in_play_ && set_play_ == SetPlay::None && moved) {
    ball_in_play_ = true;
    timer_left_.reset();
  }
  if (!direct_from_kick_off_ || !view.last_touch) return;
  if (!kick_off_kicker_) kick_off_kicker_ = view.last_touch;
  const bool second_player = kick_off_kicker_ != view.last_touch;
  const bool touched_outside_circle = distance(view.ball, Point{}) > params_.rules.field.circle_diameter / 2 &&
                                      std::any_of(view.robots.begin(), view.robots.end(), [&](const SeenRobot& robot) {
                                        return distance(robot.position, view.ball) < kTouchDistance;
                                      });
  if (second_player || touched_outside_circle) direct_from_kick_off_ = false;
}

std::size_t Referee::team_that_touched_last(const FieldView& view) {
  if (view.last_touch && *view.last_touch < view.robots.size()) {
    if (const auto team = team_index(view.robots[*view.last_touch].team)) return *team;
  }
  return random_() % 2;  // nobody saw it
}

void Referee::watch_lines(const FieldView& view) {
  const auto out = ball_out(params_.rules, view);
  if (!out) return;
  if (half_ == Half::ShootOut) {
    end_trial(out->kind == BallOut::Kind::Goal && out->side == Side::Right);
    return;
  }
  const std::size_t defender = team_on(out->side);
  if (out->kind == BallOut::Kind::Goal && !direct_from_kick_off_) {
    count_goal(1 - defender);
    return;
  }
  const std::size_t last = team_that_touched_last(view);
  if (out->kind == BallOut::Kind::TouchLine) {
    call_set_play(SetPlay::ThrowIn, 1 - last, out->crossed);
    return;
  }
  const double touch_line = std::copysign(params_.rules.field.width / 2, out->crossed.y);
  const bool corner = out->kind == BallOut::Kind::GoalLine && last == defender;
  if (corner) {
    call_set_play(SetPlay::CornerKick, 1 - defender, {out->crossed.x, touch_line});
  } else {
    call_set_play(SetPlay::GoalKick, defender, {0.0, touch_line});  // from the halfway line, on the side it went out
  }
}

void Referee::watch_robots(const FieldView& view) {
  const auto& rules = params_.rules;
  for (const auto& robot : view.robots) {
    const auto team = team_index(robot.team);
    if (!team || robot.player < 1 || robot.player > kMaxPlayers) continue;
    if (players_[*team][robot.player - 1U].penalty != Penalty::None) continue;
    auto& watch = watches_[{robot.team, robot.player}];
    if (watch.fallen.update(!robot.upright, *now_) > rules.fallen_limit) {
      penalise(*team, robot.player, Penalty::PickupOrIncapable);
    } else if (watch.outside.update(outside_turf(rules, robot.position), *now_) > rules.outside_limit) {
      penalise(*team, robot.player, Penalty::LeavingTheField);
    }
  }
}

void Referee::watch_pushing(const FieldView& view) {
  for (std::size_t i = 0; i < view.robots.size(); ++i) {
    for (std::size_t k = i + 1; k < view.robots.size(); ++k) {
      const auto& a = view.robots[i];
      const auto& b = view.robots[k];
      const auto team_a = team_index(a.team);
      const auto team_b = team_index(b.team);
      if (!team_a || !team_b || team_a == team_b) continue;
      const bool touching = std::find(a.touching.begin(), a.touching.end(), k) != a.touching.end() ||
                            std::find(b.touching.begin(), b.touching.end(), i) != b.touching.end();
      if (contacts_[{i, k}].update(touching, *now_) <= params_.rules.pushing_limit) continue;
      contacts_[{i, k}].reset();
      const bool a_is_guilty = approach(a, b) >= approach(b, a);
      const auto& guilty = a_is_guilty ? a : b;
      const auto& victim = a_is_guilty ? b : a;
      if (approach(guilty, victim) < kPushingSpeed) continue;  // they stand against each other
      judge_foul(a_is_guilty ? *team_a : *team_b, guilty, view);
      return;
    }
  }
}

void Referee::judge_foul(std::size_t guilty_team, const SeenRobot& guilty, const FieldView& view) {
  const auto& rules = params_.rules;
  note("foul", "pushing", guilty_team, guilty.player);
  const bool near_ball = distance(guilty.position, view.ball) < rules.pushing_free_kick;
  if (!ball_in_play_ || !near_ball) {
    penalise(guilty_team, guilty.player, Penalty::PhysicalContact);
    return;
  }
  const Side own_side = side_of(guilty_team);
  if (in_own_penalty_area(rules, own_side, view.ball)) {
    const double sign = static_cast<double>(static_cast<std::int8_t>(own_side));
    call_set_play(SetPlay::PenaltyKick, 1 - guilty_team,
                  {sign * (rules.field.length / 2 - rules.field.penalty_mark), 0.0});
  } else {
    call_set_play(SetPlay::DirectFreeKick, 1 - guilty_team, view.ball);
  }
}

void Referee::watch_stuck_ball(const FieldView& view) {
  const bool moved = distance(view.ball, ball_reference_) > params_.rules.ball_moved;
  if (moved) ball_reference_ = view.ball;
  if (stuck_.update(ball_in_play_ && !moved, *now_) > params_.rules.stuck_limit) {
    note("set_play",
         "dropped ball: nothing moved for " + std::to_string(std::lround(params_.rules.stuck_limit)) + " s");
    start_ready(std::nullopt);
  }
}

void Referee::watch_set_play(const FieldView& view) {
  const auto& rules = params_.rules;
  const auto nearest = [&](std::size_t team) {
    double best = 1e9;
    for (const auto& robot : view.robots) {
      if (team_index(robot.team) == team && robot.upright) best = std::min(best, distance(robot.position, view.ball));
    }
    return best;
  };
  if (set_play_phase_ == SetPlayPhase::Prepare) {
    const bool guaranteed_over = timer_left_.value_or(0.0) < rules.prepare_time - rules.prepare_guaranteed;
    if (!guaranteed_over || nearest(set_play_team_) > kKickerDistance) return;
    for (const auto& robot : view.robots) {
      const bool opponent = team_index(robot.team) == 1 - set_play_team_;
      if (opponent && distance(robot.position, view.ball) < rules.opponent_distance) {
        penalise(1 - set_play_team_, robot.player, Penalty::IllegalPositioning);
      }
    }
    set_play_phase_ = SetPlayPhase::Execute;
    timer_left_ = rules.execute_time;
  } else if (set_play_phase_ == SetPlayPhase::Execute) {
    if (distance(view.ball, ball_reference_) > rules.ball_moved) end_set_play();
  }
}

}  // namespace hl_game_controller

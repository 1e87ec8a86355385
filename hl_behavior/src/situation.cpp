// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/situation.hpp"

#include <algorithm>
#include <cmath>

namespace hl_behavior {
namespace {

using hl_soccer::BodyState;

bool lies(BodyState body) {
  return body == BodyState::Falling || body == BodyState::Fallen || body == BodyState::GettingUp;
}

bool penalized(const hl_soccer::GameState& game, int number) {
  return std::any_of(game.own_players.begin(), game.own_players.end(),
                     [number](const auto& player) { return player.number == number && player.penalized; });
}

bool usable(const hl_soccer::Model& model, const TacticsParams& params, double now) {
  return std::isfinite(model.stamp) && now - model.stamp <= params.model_memory && model.stamp - now < 0.5;
}

void assess_pose(const hl_soccer::Model& model, const TacticsParams& params, Situation& out) {
  const auto& belief = model.pose;
  const Eigen::Matrix3d& c = belief.covariance;
  const double position_variance = 0.5 * (c(0, 0) + c(1, 1));
  out.pose_known = belief.known() && belief.pose.finite() &&
                   position_variance <= params.pose_sigma * params.pose_sigma &&
                   c(2, 2) <= params.heading_sigma * params.heading_sigma;
  if (out.pose_known) out.pose = belief.pose;
}

void assess_ball(const hl_soccer::Model& model, const TacticsParams& params, double now, Situation& out) {
  const auto& belief = model.ball;
  auto& ball = out.ball;
  if (!(belief.confidence > 0.0) || !belief.position.allFinite()) return;
  ball.own_eyes = belief.source == 0;
  ball.age = now - belief.last_seen;
  const double memory = ball.own_eyes ? params.ball_memory : params.told_ball_memory;
  if (!(ball.age <= memory)) return;
  ball.known = true;
  const Vector2d velocity = belief.velocity.allFinite() ? belief.velocity : Vector2d(Vector2d::Zero());
  ball.relative_velocity = velocity.norm() < 5.0 ? velocity : Vector2d(Vector2d::Zero());
  const double ahead = std::clamp(now - model.stamp, 0.0, params.model_memory);
  ball.relative = rolled(belief.position, ball.relative_velocity, ahead, params.ball_deceleration);
  if (!out.pose_known) return;
  ball.position = out.pose * ball.relative;
  ball.velocity = out.pose.rotation() * ball.relative_velocity;
}

void assess_mates(const Knowledge& knowledge, const TacticsParams& params, double now, Situation& out) {
  const Vector2d goal(0.5 * params.field.length, 0.0);
  for (const auto& told : knowledge.mates) {
    if (out.mate_count == out.mates.size()) break;
    const double age = now - told.stamp;
    if (told.number == out.number || told.number <= 0 || !(age <= params.mate_memory) ||
        told.activity == hl_soccer::Activity::Penalized || penalized(knowledge.game, told.number))
      continue;
    auto& mate = out.mates[out.mate_count];
    mate = Situation::Mate();
    mate.number = told.number;
    mate.age = std::max(age, 0.0);
    mate.role = told.role;
    mate.action = told.action;
    if (told.pose && told.pose->finite() && told.pose_confidence > 0.0) mate.pose = told.pose;
    if (told.time_to_ball && std::isfinite(*told.time_to_ball) && *told.time_to_ball >= 0.0)
      mate.time_to_ball = told.time_to_ball;
    else if (mate.pose && out.ball.known && out.pose_known)
      mate.time_to_ball = time_to_ball(*mate.pose, out.ball.position, goal, params);
    ++out.mate_count;
  }
  std::sort(out.mates.begin(), out.mates.begin() + static_cast<std::ptrdiff_t>(out.mate_count),
            [](const auto& a, const auto& b) { return a.number < b.number; });
}

void assess_rivals(const hl_soccer::Model& model, const TacticsParams& params, double now, Situation& out) {
  if (!out.pose_known) return;
  for (const auto& robot : model.robots) {
    if (out.rival_count == out.rivals.size()) break;
    if (robot.team == hl_soccer::Team::Own || !robot.position.allFinite() ||
        !(now - robot.last_seen <= params.rival_memory))
      continue;
    const Vector2d place = out.pose * robot.position;
    // A robot of unknown colour where a team mate says to be is the team mate.
    const bool mate = robot.team == hl_soccer::Team::Unknown &&
                      std::any_of(out.mates.begin(), out.mates.begin() + static_cast<std::ptrdiff_t>(out.mate_count),
                                  [&](const auto& m) { return m.pose && (m.pose->position() - place).norm() < 0.6; });
    if (!mate) out.rivals[out.rival_count++] = place;
  }
}

}  // namespace

Vector2d rolled(const Vector2d& position, const Vector2d& velocity, double time, double deceleration) {
  const double speed = velocity.norm();
  if (speed < 1e-6 || time <= 0.0) return position;
  const double t = std::min(time, speed / deceleration);
  return position + velocity / speed * (speed * t - 0.5 * deceleration * t * t);
}

double time_to_ball(const Pose2& pose, const Vector2d& ball, const Vector2d& goal, const TacticsParams& params) {
  const Vector2d way = ball - pose.position();
  const double distance = way.norm();
  const double walk = std::max(distance - 0.2, 0.0) / params.walk_speed;
  const double bearing = distance > 0.2 ? std::atan2(way.y(), way.x()) : pose.yaw;
  const double turn = std::abs(hl_description::wrap_angle(bearing - pose.yaw)) / params.turn_speed;
  // Whoever comes from the wrong side must walk around the ball.
  const Vector2d aim = goal - ball;
  const double around = std::abs(hl_description::wrap_angle(std::atan2(aim.y(), aim.x()) - bearing));
  return walk + turn + 0.45 * around / params.walk_speed;
}

Situation assess(const Knowledge& knowledge, const TacticsParams& params, double now) {
  Situation out;
  out.now = now;
  out.game = &knowledge.game;
  out.number = knowledge.game.own_player > 0 ? knowledge.game.own_player : params.number;
  out.upright = !lies(knowledge.body);
  out.penalized =
      knowledge.game.penalized || knowledge.body == BodyState::Penalty || knowledge.body == BodyState::PenaltyAnimation;
  const bool team = knowledge.team && usable(*knowledge.team, params, now);
  const hl_soccer::Model& model = team ? *knowledge.team : knowledge.personal;
  out.model_stamp = model.stamp;
  if (usable(model, params, now)) {
    assess_pose(model, params, out);
    assess_ball(model, params, now, out);
  }
  assess_mates(knowledge, params, now, out);
  if (usable(model, params, now)) assess_rivals(model, params, now, out);

  const Vector2d goal(0.5 * params.field.length, 0.0);
  const auto& game = knowledge.game;
  const bool to_centre = game.set_play != hl_soccer::SetPlay::PenaltyKick &&
                         (game.phase == hl_soccer::GamePhase::Ready || game.phase == hl_soccer::GamePhase::Set);
  if (to_centre && out.pose_known) {  // the ball will lie on the centre mark, wherever it is now
    out.time_to_ball = time_to_ball(out.pose, Vector2d::Zero(), goal, params);
  } else if (out.ball.known) {
    // Without a pose the goal is taken to be ahead: the best guess of a robot that faces its attack.
    out.time_to_ball = out.pose_known ? time_to_ball(out.pose, out.ball.position, goal, params)
                                      : time_to_ball(Pose2(), out.ball.relative, {10.0, 0.0}, params) + 2.0;
    if (!out.upright) out.time_to_ball += params.get_up_time;
  }
  return out;
}

}  // namespace hl_behavior

// SPDX-License-Identifier: Apache-2.0
#include "hl_path_planning/world.hpp"

#include <algorithm>

#include "hl_path_planning/route.hpp"

namespace hl_path_planning {
namespace {

using hl_soccer::GamePhase;
using hl_soccer::GameState;
using hl_soccer::KickOff;
using hl_soccer::SetPlay;
using hl_soccer::SetPlayPhase;
using Kind = Obstacle::Kind;

constexpr double kBallAtMark = 0.3;  // m, a ball this near to the centre mark was not yet kicked off

void add_goals(const hl_description::Field& field, const Params& params, double clearance, World& world) {
  const double half = field.goal_width / 2.0 + field.post_diameter / 2.0;  // to the middle of a post
  int id = kFirstGoalId;
  for (const double end : {-1.0, 1.0}) {
    const double line = end * field.length / 2.0, back = line + end * field.goal_depth;
    const double net = params.robot_radius + clearance, post = net + field.post_diameter / 2.0;
    for (const double side : {-1.0, 1.0}) {
      const Vector2d foot(line, side * half);
      world.obstacles.push_back({foot, foot, post, Kind::Post, id--});
      world.obstacles.push_back({foot, Vector2d(back, side * half), net, Kind::Net, id--});
    }
    world.obstacles.push_back({Vector2d(back, -half), Vector2d(back, half), net, Kind::Net, id--});
  }
}

void add_disc(World& world, const Vector2d& centre, double radius, Kind kind, int id) {
  world.obstacles.push_back({centre, centre, radius, kind, id});
}

bool is_kick_off_of_others(const GameState& game, const hl_soccer::Model& model, const Vector2d& ball) {
  const bool theirs = game.kick_off == KickOff::Rival, dropped = game.kick_off == KickOff::DroppedBall;
  if (game.phase == GamePhase::Ready || game.phase == GamePhase::Set) return theirs || dropped;
  if (game.phase != GamePhase::Playing || !theirs || game.set_play != SetPlay::None) return false;
  return game.secondary_seconds_remaining > 0.0 && (model.ball.confidence <= 0.0 || ball.norm() < kBallAtMark);
}

bool is_kick_from_spot(SetPlay play) {
  return play == SetPlay::DirectFreeKick || play == SetPlay::IndirectFreeKick || play == SetPlay::PenaltyKick ||
         play == SetPlay::CornerKick || play == SetPlay::GoalKick || play == SetPlay::ThrowIn;
}

/// Where the rules forbid to stand now.
void add_forbidden(const hl_description::Field& field, const hl_soccer::Model& model, const Vector2d& ball,
                   const GameState& game, const Params& params, const WorldOptions& options, World& world) {
  if (!game.referee_connected) return;
  const bool ball_known = model.ball.confidence > 0.0 && plausible(ball);
  const double keep_off = params.set_play_distance + params.set_play_margin;
  if (is_kick_off_of_others(game, model, ball)) {
    add_disc(world, Vector2d::Zero(), field.circle_diameter / 2.0 + params.set_play_margin, Kind::SetPlay, kSetPlayId);
  }
  if (game.phase == GamePhase::Ready) world.box.high.x() = -params.robot_radius;  // own half
  if (game.phase != GamePhase::Playing || !is_kick_from_spot(game.set_play)) return;
  const bool penalty_kick = game.set_play == SetPlay::PenaltyKick;
  const double mark = field.length / 2.0 - field.penalty_mark;
  const Vector2d spot = ball_known ? ball : Vector2d(penalty_kick ? (game.own_set_play ? mark : -mark) : 0.0, 0.0);
  if (!game.own_set_play && !(penalty_kick && game.goalkeeper) && (ball_known || penalty_kick)) {
    add_disc(world, spot, keep_off, Kind::SetPlay, kSetPlayId);
  }
  if (game.own_set_play && game.set_play_phase != SetPlayPhase::Execute && ball_known && !options.takes_ball) {
    add_disc(world, spot, params.ball_clearance, Kind::Ball, kBallId);
  }
  if (penalty_kick && game.own_set_play && !options.takes_ball) world.box.high.x() = mark - keep_off;
  if (penalty_kick && !game.own_set_play && !game.goalkeeper) world.box.low.x() = -mark + keep_off;
}

}  // namespace

double Obstacle::distance(const Vector2d& point) const {
  return point_segment_distance(point, a, b) - radius;
}

std::string name_of(const Obstacle& obstacle) {
  switch (obstacle.kind) {
    case Kind::Robot:
      return "robot " + std::to_string(obstacle.id);
    case Kind::Ball:
      return "ball";
    case Kind::Post:
      return "goal post";
    case Kind::Net:
      return "goal net";
    case Kind::SetPlay:
      return "area forbidden in this set play";
    case Kind::Blocked:
      return "something that is not seen";
  }
  return "";
}

void build_world(const hl_description::Field& field, const hl_soccer::Model& model, const Pose2& plan_from_model,
                 const GameState& game, const Params& params, const WorldOptions& options, double now, World& world) {
  world.obstacles.clear();
  world.robots.clear();
  world.box = Box();
  const double slack = 1.0 - 0.67 * options.tightness;
  if (options.field_known) {
    world.box.high = Vector2d(field.length / 2.0 + params.outside, field.width / 2.0 + params.outside);
    world.box.low = -world.box.high;
    add_goals(field, params, params.wall_clearance * slack, world);
  }
  const double age = std::clamp(now - model.stamp, 0.0, params.model_age);
  const Eigen::Rotation2Dd turn = plan_from_model.rotation();
  for (const hl_soccer::RobotBelief& seen : model.robots) {
    if (!plausible(seen.position) || !plausible_speed(seen.velocity) || !(now - seen.last_seen < params.robot_memory))
      continue;
    const double spread = std::sqrt(std::max(0.0, seen.covariance.trace() / 2.0));
    const double unsure = std::isfinite(spread) ? std::min(params.uncertainty * spread, params.most_uncertainty)
                                                : params.most_uncertainty;
    const Vector2d velocity = turn * seen.velocity;
    const Vector2d position = plan_from_model * seen.position + velocity * age;
    world.robots.push_back({seen.id, position, velocity, params.robot_radius + unsure});
    const double radius = 2.0 * params.robot_radius + (params.clearance + unsure) * slack;
    const Vector2d ahead = velocity.norm() > 0.1 ? Vector2d(position + velocity * params.prediction * slack) : position;
    world.obstacles.push_back({position, ahead, radius, Kind::Robot, seen.id});
  }
  const Vector2d ball = plan_from_model * model.ball.position;
  if (options.ball_is_obstacle) add_disc(world, options.ball, options.ball_radius, Kind::Ball, kBallId);
  if (options.field_known) add_forbidden(field, model, ball, game, params, options, world);
}

}  // namespace hl_path_planning

// SPDX-License-Identifier: Apache-2.0
// The planner's way to a pose: plan, follow, judge.
#include <algorithm>
#include <cstdio>

#include "hl_path_planning/planner.hpp"

namespace hl_path_planning {
namespace {

constexpr double kGhostLife = 6.0;          // s that an unseen obstacle is remembered
constexpr double kGhostRadius = 0.25;       // m
constexpr double kGhostAhead = 0.35;        // m
constexpr double kModelPoseAge = 0.05;      // s, the model's own pose belongs to it if it is not older
constexpr double kTakenPatience = 2.0;      // s beside a taken goal, then that is as near as it gets
constexpr double kAdjustHysteresis = 0.15;  // m by which another free place must be nearer to the goal
constexpr double kNearNoWay = 0.15;         // m, near enough to a place where there is nothing to do but wait
constexpr double kBallEdge = 0.01;          // m, the robot is outside the disc round the ball by this
constexpr double kLeastBallDisc = 0.75;     // of that disc's radius; nearer the feet may touch the ball
constexpr double kTakenBy = 0.02;           // m, a goal moved by more than this is taken
constexpr double kFeetTogether = 0.8;       // s of standing until the body sways no more

/// Obstacles that reach over `point` only with their clearance draw back to it, but not below what `tight` says.
void draw_back(World& world, const World& tight, const Vector2d& point) {
  if (obstacle_at(tight, point) >= 0) return;
  for (std::size_t i = 0; i < world.obstacles.size(); ++i) {
    const double inside = -world.obstacles[i].distance(point);
    if (inside <= 0.0 || i >= tight.obstacles.size()) continue;
    Obstacle& o = world.obstacles[i];
    const double least = tight.obstacles[i].radius;
    if (tight.obstacles[i].distance(point) >= 0.0 && !o.is_disc()) o.b = tight.obstacles[i].b;
    const double still = -o.distance(point);
    if (still > 0.0) o.radius = std::max(least, o.radius - still - 1e-3);
  }
}

}  // namespace

void Planner::plan(const Inputs& inputs, const Target& target, double now) {
  planned_at_ = now;
  outputs_.planned = true;
  if (!plan_with(inputs, target, 0.0, now)) plan_with(inputs, target, 1.0, now);
  remember_sides();
  outputs_.path = way_.points;
}

bool Planner::plan_with(const Inputs& inputs, const Target& target, double tightness, double now) {
  const Goal& goal = *goal_;
  WorldOptions options;
  options.field_known = field_known_;
  options.takes_ball = goal.kind == GoalKind::KickPose || goal.kind == GoalKind::Orbit;
  const hl_soccer::PoseBelief& model_pose = inputs.model.pose;
  const bool own = field_known_ && model_pose.known() && model_pose.pose.finite() &&
                   std::abs(model_pose.stamp - inputs.model.stamp) < kModelPoseAge;
  const Pose2 base = own ? model_pose.pose : here_;
  if (target.ball) {
    options.ball_is_obstacle = true;
    options.ball = target.ball->centre;
    // A step that swayed into the disc does not turn the robot round to leave it again: it goes on along its own edge.
    const double distance = (ahead_.position() - target.ball->centre).norm();
    options.ball_radius = std::clamp(distance - kBallEdge, kLeastBallDisc * target.ball->radius, target.ball->radius);
  } else if (goal.avoid_ball && inputs.model.ball.confidence > 0.0 && plausible(inputs.model.ball.position)) {
    options.ball_is_obstacle = true;
    options.ball = base * inputs.model.ball.position;
    options.ball_radius = params_.ball_clearance;
  }
  build_world(field_, inputs.model, base, inputs.game, params_, options, now, world_);
  World tight;
  options.tightness = 1.0;
  build_world(field_, inputs.model, base, inputs.game, params_, options, now, tight);
  if (tightness > 0.0) world_ = tight;
  if (ghost_ && now < ghost_->until) {
    for (World* world : {&world_, &tight})
      world->obstacles.push_back({ghost_->place, ghost_->place, kGhostRadius, Obstacle::Kind::Blocked, kBlockedId});
  }

  const Vector2d start = ahead_.position();
  Vector2d wanted = target.pose.position();
  draw_back(world_, tight, start);
  draw_back(world_, tight, wanted);

  // The goal, or the nearest free place; one that was chosen is kept while it is about as good.
  is_taken_ = false;
  adjusted_ = wanted;
  if (!is_free(world_, wanted)) {
    const int by = obstacle_at(world_, wanted);
    blocked_by_ = by >= 0 ? name_of(world_.obstacles[static_cast<std::size_t>(by)]) : "end of the field";
    if (!nearest_free(world_, wanted, start, adjusted_)) {
      way_.points.assign(2, start);
      way_.complete = false;
      is_taken_ = true;
      return false;
    }
    if (last_adjusted_ && is_free(world_, *last_adjusted_) &&
        (*last_adjusted_ - wanted).norm() < (adjusted_ - wanted).norm() + kAdjustHysteresis) {
      adjusted_ = *last_adjusted_;
    }
    is_taken_ = (adjusted_ - wanted).norm() > kTakenBy;
    last_adjusted_ = adjusted_;
  } else {
    last_adjusted_.reset();
    blocked_by_.clear();
  }

  world_.box.extend(start);  // outside the lines it may be, and go where the goal is
  Vector2d exit = start;
  const bool inside = obstacle_at(world_, start) >= 0;
  if (inside && !nearest_free(world_, start, adjusted_, exit)) exit = start;
  finder_.find(world_, exit, adjusted_, sides_, params_.side_change_cost, way_);
  if (way_.blocked_by > 0 && !is_taken_) {
    blocked_by_ = name_of(world_.obstacles[static_cast<std::size_t>(way_.blocked_by - 1)]);
  }
  if (inside) {
    way_.points.insert(way_.points.begin(), start);
    way_.length += (exit - start).norm();
  }
  return way_.complete;
}

void Planner::remember_sides() {
  sides_.clear();
  for (const auto& [id, side] : way_.touched) sides_[id] = side;
}

void Planner::walk(const Inputs& inputs, const Goal& goal, const Target& target, double now) {
  // The end of the way moves with the goal between two plans.
  if (way_.complete && !is_taken_ && !way_.points.empty()) way_.points.back() = target.pose.position();

  FollowRequest request;
  request.way = &way_.points;
  request.end_heading = target.pose.yaw;
  request.heading = target.heading;
  request.kept_heading = kept_heading_;
  request.look_at = target.look_at;
  request.keep_in_view = target.keep_in_view;
  if (goal.speed_limit > 0.0) request.speed_limit = goal.speed_limit;
  if (target.slow_end) {
    request.slow_distance = params_.slow_distance - (target.final ? 0.0 : params_.approach);
    request.slow_speed = params_.slow_speed;
  }
  request.position_tolerance = goal.position_tolerance > 0.0 ? goal.position_tolerance : params_.position_tolerance;
  request.heading_tolerance = goal.heading_tolerance > 0.0 ? goal.heading_tolerance : params_.heading_tolerance;
  request.settling = standing_since_ >= 0.0 && now - standing_since_ < kFeetTogether;
  if (!way_.complete) {  // as near as it gets, whatever the heading
    request.position_tolerance = std::max(request.position_tolerance, kNearNoWay);
    request.heading_tolerance = 2.0 * M_PI;
  }
  Follower::Motion motion = follower_.follow(request, ahead_, inputs.limits, params_);
  const double extra = target.final ? 0.5 : 0.5 + params_.approach / params_.slow_speed;
  arrival_ = motion.arrived && target.final ? 0.0 : motion.time_left + extra;

  outputs_.feedback.distance = motion.distance + (target.final ? 0.0 : params_.approach);
  outputs_.feedback.time_left = way_.complete ? arrival_ : -1.0;
  outputs_.feedback.adjusted_goal = {adjusted_.x(), adjusted_.y(), target.pose.yaw};
  outputs_.feedback.blocked_by = blocked_by_;

  Velocity velocity = motion.velocity;
  if (motion.arrived && !target.final) motion.arrived = false;
  // Robots are taken where they are now: the model moves on between two plans.
  const AvoidanceResult safe = avoid_robots(velocity, last_, ahead_, world_.robots, inputs.limits, params_);
  velocity = safe.velocity;
  if (safe.robot >= 0) {
    outputs_.feedback.blocked_by = "robot " + std::to_string(world_.robots[static_cast<std::size_t>(safe.robot)].id);
  }
  command(velocity, inputs, now);
  judge_arrival(goal, target, motion, now);
  if (goal_) judge_progress(here_, arrival_, now);
}

void Planner::judge_arrival(const Goal& goal, const Target& target, const Follower::Motion& motion, double now) {
  const bool stands = motion.arrived && last_.is_zero();
  if (!stands) {
    standing_since_ = -1.0;
  } else if (standing_since_ < 0.0) {
    standing_since_ = now;
  }
  if (way_.complete) {
    no_way_since_ = -1.0;
  } else {
    if (no_way_since_ < 0.0) no_way_since_ = now;
    const double waited = now - no_way_since_;
    if (waited > (last_.is_zero() ? 1.0 : 4.0) * params_.patience) {
      return finish(Outcome::NoWay, "no free way: " + (blocked_by_.empty() ? std::string("all is taken") : blocked_by_),
                    now);
    }
  }
  if (!stands || !way_.complete || !target.final || goal.kind == GoalKind::Follow) return;
  const double stood = now - standing_since_;
  if (!motion.settled) return;
  if (!is_taken_ && stood >= params_.settle_time) return finish(Outcome::Reached, "reached", now);
  if (is_taken_ && stood >= kTakenPatience) {
    char buffer[160];
    std::snprintf(buffer, sizeof buffer, "nearest free pose, %.2f m from the goal, which is taken: %s",
                  (adjusted_ - target.pose.position()).norm(), blocked_by_.c_str());
    finish(Outcome::Reached, buffer, now);
  }
}

void Planner::judge_progress(const Pose2& here, double time_left, double now) {
  if (goal_->kind == GoalKind::Follow || !way_.complete) {
    progress_.restart(now);
    return;
  }
  const Progress::Verdict verdict = progress_.update(here, !last_.is_zero(), time_left, params_, now);
  if (verdict == Progress::Verdict::Fine) return;
  if (++strikes_ >= params_.strikes) {
    const std::string why =
        verdict == Progress::Verdict::Stuck ? "the robot does not move" : "the robot comes no nearer";
    return finish(Outcome::NoProgress, why + ", other ways were tried", now);
  }
  // Another way: something unseen stands ahead, and no side is remembered.
  const Vector2d motion = here.rotation() * last_.linear();
  const Vector2d ahead = motion.norm() > 0.02 ? Vector2d(motion.normalized()) : Vector2d(here.heading());
  ghost_ = Ghost{here.position() + kGhostAhead * ahead, now + kGhostLife};
  sides_.clear();
  planned_at_ = -1e9;
  progress_.restart(now);
}

}  // namespace hl_path_planning

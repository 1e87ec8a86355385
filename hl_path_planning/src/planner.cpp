// SPDX-License-Identifier: Apache-2.0
#include "hl_path_planning/planner.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace hl_path_planning {
namespace {

using hl_soccer::BodyState;

constexpr double kQuiet = 1.0;     // s of zero velocity after a goal, then silence
constexpr double kUnknown = 1e3;   // m^2, variance of an unknown pose
constexpr double kTooFar = 1e4;    // m or rad, no odometry counts so far
constexpr double kSameGoal = 0.3;  // m, a goal that moved less is the same, corrected
constexpr double kBallJump = 0.7;  // m, a ball of the model farther from the goal's is another one

std::string text(const char* format, double value) {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

bool sane(const Pose2& pose) {
  return pose.finite() && pose.position().norm() < kTooFar && std::abs(pose.yaw) < kTooFar;
}

bool usable(const hl_soccer::PoseBelief& pose) {
  return pose.known() && sane(pose.pose) && pose.covariance(0, 0) < kUnknown && pose.covariance(1, 1) < kUnknown;
}

Vector2d place_of(const Goal& goal) {
  switch (goal.kind) {
    case GoalKind::KickPose:
    case GoalKind::Orbit:
      return goal.ball;
    case GoalKind::Follow:
      return goal.target;
    case GoalKind::Pose:
    case GoalKind::Velocity:
      break;
  }
  return goal.pose.position();
}

const char* words_for(BodyState state) {
  switch (state) {
    case BodyState::Falling:
    case BodyState::Fallen:
      return "the robot has fallen";
    case BodyState::GettingUp:
      return "the robot is getting up";
    case BodyState::AnimationRunning:
      return "an animation moves the body";
    case BodyState::Kicking:
      return "a kick moves the body";
    case BodyState::Startup:
    case BodyState::MotorOff:
      return "the body is not ready yet";
    case BodyState::Penalty:
    case BodyState::PenaltyAnimation:
      return "the robot is penalised";
    case BodyState::PickedUp:
      return "the robot was picked up";
    case BodyState::Record:
      return "a motion is being recorded";
    case BodyState::HardwareProblem:
      return "the hardware has a problem";
    case BodyState::Shutdown:
    case BodyState::HcmOff:
      return "the body is shut down";
    case BodyState::Controllable:
    case BodyState::Walking:
      break;
  }
  return "";
}

bool can_walk(BodyState state) {
  return state == BodyState::Controllable || state == BodyState::Walking;
}

bool comes_back(BodyState state) {
  return state == BodyState::Falling || state == BodyState::Fallen || state == BodyState::GettingUp ||
         state == BodyState::AnimationRunning || state == BodyState::Kicking || state == BodyState::Startup ||
         state == BodyState::MotorOff;
}

}  // namespace

Planner::Planner(const hl_description::Field& field, const Params& params) : field_(field), params_(params) {}

void Planner::finish(Outcome outcome, std::string reason, double now) {
  goal_.reset();
  outputs_.result = Result{outcome, std::move(reason)};
  outputs_.path.clear();
  outputs_.planned = true;
  quiet_since_ = now;
  last_ = Velocity();
}

void Planner::accept(const Inputs& inputs, double now) {
  const Goal& goal = *inputs.goal;
  if (auto fault = find_fault(goal)) return finish(Outcome::BadGoal, *fault, now);
  if (!inputs.limits.valid()) return finish(Outcome::BadGoal, "the walking limits are not positive numbers", now);
  const Vector2d turf(field_.length / 2.0 + field_.border, field_.width / 2.0 + field_.border);
  const Vector2d place = goal.kind == GoalKind::Pose ? Vector2d(goal.pose.position()) : goal.ball;
  const bool has_place = goal.kind != GoalKind::Velocity && goal.kind != GoalKind::Follow;
  if (goal.frame == Frame::Map && has_place && (place.array().abs() > turf.array()).any()) {
    char buffer[120];
    std::snprintf(buffer, sizeof buffer, "(%.2f, %.2f) is outside the turf of %.1f x %.1f m", place.x(), place.y(),
                  2.0 * turf.x(), 2.0 * turf.y());
    return finish(Outcome::BadGoal, buffer, now);
  }
  const bool odometry = inputs.odometry && sane(*inputs.odometry);
  if (goal.frame == Frame::Odom && !odometry) return finish(Outcome::BadGoal, "no odometry for a goal in odom", now);
  const std::optional<Goal> before = goal_;
  goal_ = goal;
  if (goal.frame == Frame::BaseFootprint && goal.kind != GoalKind::Velocity) {  // from now on fixed to the ground
    if (odometry) {
      goal_ = moved(goal, *inputs.odometry);
      goal_->frame = Frame::Odom;
    } else if (usable(inputs.pose)) {
      goal_ = moved(goal, inputs.pose.pose);
      goal_->frame = Frame::Map;
    } else {
      return finish(Outcome::BadGoal, "neither odometry nor own pose for a goal in base_footprint", now);
    }
  }
  planned_at_ = -1e9;
  // A goal that is sent again and again, a little corrected each time, is one goal: what was learned about it stays.
  if (before && before->kind == goal_->kind && before->frame == goal_->frame &&
      (place_of(*before) - place_of(*goal_)).norm() < kSameGoal) {
    return;
  }
  hold_since_ = no_way_since_ = standing_since_ = -1.0;
  strikes_ = 0;
  last_adjusted_.reset();
  follower_.restart();
  progress_.restart(now);
  targets_.restart();
  sides_.clear();
  arrival_ = 0.0;
  ghost_.reset();
  if (locate(inputs, now)) kept_heading_ = here_.yaw;
}

/// The robot in the frame of the plan: map, or odom if the place on the field is unknown and the goal does without it.
bool Planner::locate(const Inputs& inputs, double now) {
  const bool fresh = usable(inputs.pose) && now - inputs.pose.stamp <= params_.pose_age;
  const bool needs_map = goal_ && goal_->frame == Frame::Map && goal_->kind != GoalKind::Velocity;
  const bool knew = field_known_;
  if (fresh) {
    here_ = inputs.pose.pose;
    field_known_ = true;
  } else if (!needs_map && inputs.odometry && sane(*inputs.odometry)) {
    here_ = *inputs.odometry;
    field_known_ = false;
  } else {
    return false;
  }
  if (knew != field_known_) {
    planned_at_ = -1e9;
    last_adjusted_.reset();
    ghost_.reset();
  }
  ahead_ = in_flight_.ahead(here_, now, inputs.limits);
  return true;
}

std::optional<Planner::Hold> Planner::reason_to_hold(const Inputs& inputs, double now) const {
  if (!can_walk(inputs.body)) {
    return Hold{words_for(inputs.body), Outcome::NotAllowed, comes_back(inputs.body) ? params_.body_patience : 0.0};
  }
  if (inputs.game.referee_connected) {
    if (inputs.game.penalized) return Hold{"the referee penalised this robot", Outcome::NotAllowed, 0.0};
    if (!inputs.game.allowed_to_move) {
      return Hold{"the referee allows nobody to move", Outcome::NotAllowed, params_.body_patience};
    }
  }
  const double age = now - inputs.model.stamp;
  if (!(age <= params_.model_age)) {
    return Hold{text("the model is %.1f s old", age), Outcome::Lost, params_.patience};
  }
  if (inputs.model.robots.size() > static_cast<std::size_t>(params_.most_robots)) {
    return Hold{text("the model has %.0f robots: it is broken", static_cast<double>(inputs.model.robots.size())),
                Outcome::Lost, params_.patience};
  }
  return std::nullopt;
}

void Planner::hold(const Hold& hold, double now) {
  if (hold_since_ < 0.0) hold_since_ = now;
  progress_.restart(now);
  standing_since_ = -1.0;
  outputs_.feedback.blocked_by = hold.reason;
  outputs_.velocity = last_ = Velocity();
  in_flight_.add(last_, now);
  if (now - hold_since_ >= hold.patience) finish(hold.outcome, hold.reason, now);
}

Goal Planner::goal_in_plan(const Inputs& inputs, double now) const {
  Goal goal = *goal_;
  if (goal.frame == Frame::Odom && field_known_ && inputs.odometry && sane(*inputs.odometry))
    goal = moved(goal, here_ * inputs.odometry->inverse());
  // A ball seen after the goal was given is the better one.
  const hl_soccer::BallBelief& seen = inputs.model.ball;
  const bool about_ball = goal.kind == GoalKind::KickPose || goal.kind == GoalKind::Orbit;
  if (!about_ball || seen.confidence <= 0.0 || seen.last_seen <= goal.stamp || !plausible(seen.position)) return goal;
  const double age = std::clamp(now - inputs.model.stamp, 0.0, params_.model_age);
  const Vector2d ball = here_ * seen.position;
  const Vector2d expected = rolled(goal.ball, goal.ball_velocity, now - goal.stamp, params_.ball_deceleration);
  if ((ball - expected).norm() > kBallJump) return goal;
  goal.ball = ball;
  goal.ball_velocity = plausible_speed(seen.velocity) ? Vector2d(here_.rotation() * seen.velocity) : Vector2d::Zero();
  goal.stamp = now - age;
  return goal;
}

const Planner::Outputs& Planner::step(const Inputs& inputs, double now) {
  outputs_.result.reset();
  outputs_.velocity.reset();
  outputs_.planned = false;
  outputs_.feedback.blocked_by.clear();
  if (inputs.goal) {
    accept(inputs, now);
  } else if (inputs.cancel && goal_) {
    finish(Outcome::Cancelled, "cancelled", now);
  }
  if (goal_) {
    if (const auto why = reason_to_hold(inputs, now)) {
      hold(*why, now);
    } else if (!locate(inputs, now)) {
      const double age = now - inputs.pose.stamp;
      hold({usable(inputs.pose) ? text("the own pose is %.1f s old", age) : "the own pose is unknown", Outcome::Lost,
            params_.patience},
           now);
    } else {
      hold_since_ = -1.0;
      const Goal goal = goal_in_plan(inputs, now);
      if (goal.kind == GoalKind::Velocity) {
        walk_by_velocity(inputs, goal, now);
      } else {
        const Target target = targets_.find(goal, ahead_, arrival_, params_, now);
        if (now - planned_at_ >= params_.replan_period - 1e-6) plan(inputs, target, now);
        walk(inputs, goal, target, now);
      }
    }
  }
  if (!goal_ && now - quiet_since_ < kQuiet) {
    outputs_.velocity = last_ = Velocity();
    in_flight_.add(last_, now);
  }
  outputs_.active = goal_.has_value();
  outputs_.path_in_map = field_known_;
  last_step_ = now;
  return outputs_;
}

void Planner::command(const Velocity& wanted, const Inputs& inputs, double now) {
  const double dt = std::clamp(now - last_step_, 0.0, 0.2);
  last_ = inputs.limits.cut(accelerate(last_, wanted, inputs.limits, dt));
  if (wanted.is_zero()) last_ = Velocity();  // the walk itself brings the feet together
  outputs_.velocity = last_;
  in_flight_.add(last_, now);
}

void Planner::walk_by_velocity(const Inputs& inputs, const Goal& goal, double now) {
  WorldOptions options;
  options.field_known = field_known_;
  const Pose2& base = here_;
  build_world(field_, inputs.model, base, inputs.game, params_, options, now, world_);
  Velocity wanted = inputs.limits.cut(goal.velocity);
  if (goal.speed_limit > 0.0 && wanted.linear().norm() > goal.speed_limit) {
    const double share = goal.speed_limit / wanted.linear().norm();
    wanted = {wanted.x * share, wanted.y * share, wanted.yaw};
  }
  // What stands (nets, posts, the end of the turf) slows the robot down to nothing; robots are gone round.
  const Vector2d velocity = ahead_.rotation() * wanted.linear();
  const double speed = velocity.norm();
  if (speed > 1e-6) {
    double room = 1e3;
    const Vector2d direction = velocity / speed;
    for (double s = 0.0; s < 1.0 && room > 1e2; s += 0.05) {
      const Vector2d p = ahead_.position() + s * direction;
      const bool leaves =
          !world_.box.contains(p) &&
          (world_.box.nearest(p) - p).norm() > (world_.box.nearest(ahead_.position()) - ahead_.position()).norm();
      if (leaves) room = s;
      for (const Obstacle& o : world_.obstacles) {
        const bool nearer = o.distance(p) < o.distance(ahead_.position()) || s == 0.0;
        const bool into = s > 0.0 || o.distance(p + 0.05 * direction) < o.distance(p);
        if (o.kind != Obstacle::Kind::Robot && o.distance(p) < 0.0 && nearer && into) {
          room = s;
          outputs_.feedback.blocked_by = name_of(o);
        }
      }
    }
    if (room < 1e2) {
      if (outputs_.feedback.blocked_by.empty()) outputs_.feedback.blocked_by = "end of the field";
      const double most = std::sqrt(1.4 * inputs.limits.acceleration * std::max(0.0, room - 0.05));
      const double share = std::min(1.0, most / speed);
      wanted = {wanted.x * share, wanted.y * share, wanted.yaw};
    }
  }
  const AvoidanceResult safe = avoid_robots(wanted, last_, ahead_, world_.robots, inputs.limits, params_);
  if (safe.robot >= 0) {
    outputs_.feedback.blocked_by = "robot " + std::to_string(world_.robots[static_cast<std::size_t>(safe.robot)].id);
  }
  outputs_.path.clear();
  outputs_.feedback.distance = 0.0;
  outputs_.feedback.time_left = -1.0;
  outputs_.feedback.adjusted_goal = here_;
  command(safe.velocity, inputs, now);
}

}  // namespace hl_path_planning

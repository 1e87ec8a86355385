// SPDX-License-Identifier: Apache-2.0
#include "hl_path_planning/target.hpp"

#include <algorithm>

namespace hl_path_planning {
namespace {

constexpr double kLongestPrediction = 4.0;  // s
constexpr double kFootHysteresis = 0.08;    // m by which the other foot must be nearer
constexpr double kBallShift = 0.08;         // m along the kick, so that the disc round the ball is open behind it

}  // namespace

std::optional<std::string> find_fault(const Goal& goal) {
  const auto bad_number = [](const char* name) { return std::string(name) + " is not a number"; };
  if (goal.frame == Frame::Unknown) return "unknown frame: use map, odom or base_footprint";
  if (goal.kind > GoalKind::Velocity) return "unknown kind of goal " + std::to_string(static_cast<int>(goal.kind));
  if (goal.heading > HeadingMode::At) return "unknown heading mode " + std::to_string(static_cast<int>(goal.heading));
  if (goal.foot > Foot::Right) return "unknown foot " + std::to_string(static_cast<int>(goal.foot));
  if (!std::isfinite(goal.stamp)) return bad_number("stamp");
  if (!goal.pose.finite()) return bad_number("pose");
  if (!finite(goal.ball) || !finite(goal.ball_velocity)) return bad_number("ball or ball_velocity");
  if (!std::isfinite(goal.direction)) return bad_number("direction");
  if (!finite(goal.target) || !finite(goal.target_velocity)) return bad_number("target or target_velocity");
  if (!plausible_speed(goal.ball_velocity) || !plausible_speed(goal.target_velocity))
    return "ball or target is faster than 10 m/s";
  if (!goal.velocity.finite()) return bad_number("velocity");
  if (!finite(goal.look_at)) return bad_number("look_at");
  const auto at_least_zero = [](double value) { return std::isfinite(value) && value >= 0.0; };
  if (!at_least_zero(goal.radius)) return "radius must be 0 or more, m";
  if (!at_least_zero(goal.speed_limit)) return "speed_limit must be 0 or more, m/s";
  if (!at_least_zero(goal.position_tolerance) || !at_least_zero(goal.heading_tolerance))
    return "tolerances must be 0 or more";
  for (const Vector2d& place : {Vector2d(goal.pose.position()), goal.ball, goal.target, goal.look_at}) {
    if (!plausible(place)) return "a position is more than 100 m away";
  }
  return std::nullopt;
}

Goal moved(const Goal& goal, const Pose2& t) {
  Goal result = goal;
  const Eigen::Rotation2Dd turn = t.rotation();
  result.ball = t * goal.ball;
  result.ball_velocity = turn * goal.ball_velocity;
  result.target = t * goal.target;
  result.target_velocity = turn * goal.target_velocity;
  result.look_at = t * goal.look_at;
  result.direction = goal.direction + t.yaw;
  result.pose = t * goal.pose;
  if (goal.kind == GoalKind::Follow) {  // an offset, not a place
    const Vector2d offset = turn * goal.pose.position();
    result.pose = {offset.x(), offset.y(), goal.pose.yaw + t.yaw};
  }
  return result;
}

Vector2d rolled(const Vector2d& ball, const Vector2d& velocity, double time, double deceleration) {
  const double speed = velocity.norm();
  if (speed < 1e-6 || time <= 0.0) return ball;
  const double t = std::min(time, speed / deceleration);
  return ball + velocity / speed * (speed * t - 0.5 * deceleration * t * t);
}

void TargetFinder::restart() {
  foot_ = Foot::Any;
  last_stage_ = false;
}

Target TargetFinder::kick_pose(const Goal& goal, const Pose2& here, double arrival, const Params& params, double now) {
  const double time = std::clamp(now - goal.stamp, 0.0, kLongestPrediction) + std::min(arrival, kLongestPrediction);
  const Vector2d ball = rolled(goal.ball, goal.ball_velocity, time, params.ball_deceleration);
  const auto pose_for = [&](Foot foot) {
    const double aside = foot == Foot::Left ? params.kick_aside : -params.kick_aside;
    const Pose2 at_ball{ball.x(), ball.y(), goal.direction};
    return at_ball * Pose2{-params.kick_ahead, -aside, 0.0};
  };
  if (goal.foot != Foot::Any) {
    foot_ = goal.foot;
  } else {
    const double left = (pose_for(Foot::Left).position() - here.position()).norm();
    const double right = (pose_for(Foot::Right).position() - here.position()).norm();
    if (foot_ == Foot::Any) foot_ = left < right ? Foot::Left : Foot::Right;
    if (foot_ == Foot::Left && right < left - kFootHysteresis) foot_ = Foot::Right;
    if (foot_ == Foot::Right && left < right - kFootHysteresis) foot_ = Foot::Left;
  }
  const Pose2 kick = pose_for(foot_);
  const Pose2 error = kick.inverse() * here;  // the robot, seen from the kick pose
  const double turned = std::abs(wrap_angle(error.yaw)), behind = std::max(0.0, -error.x);
  const double width = last_stage_ ? 0.08 : 0.035, heading = last_stage_ ? 0.5 : 0.3;
  last_stage_ = error.x < (last_stage_ ? 0.08 : 0.03) && behind < params.approach + 0.3 &&
                std::abs(error.y) < width + 0.35 * behind && turned < heading + behind;

  Target target;
  target.slow_end = true;
  target.keep_in_view = (ball - here.position()).norm() < params.slow_distance + params.kick_ahead
                            ? std::optional<Vector2d>(ball)
                            : std::nullopt;
  if (last_stage_) {
    target.pose = kick;
    target.heading = HeadingMode::Goal;
    return target;
  }
  target.final = false;
  target.pose = kick * Pose2{-params.approach, 0.0, 0.0};
  const double open_behind = params.kick_ahead + params.approach - 0.01;
  target.ball = Target::Disc{ball + kBallShift * unit(goal.direction), open_behind + kBallShift};
  return target;
}

Target TargetFinder::find(const Goal& goal, const Pose2& here, double arrival, const Params& params, double now) {
  Target target;
  target.pose = goal.pose;
  target.heading = goal.heading;
  target.look_at = goal.look_at;
  const double age = std::clamp(now - goal.stamp, 0.0, kLongestPrediction);
  switch (goal.kind) {
    case GoalKind::Pose:
    case GoalKind::Velocity:
      break;
    case GoalKind::KickPose:
      return kick_pose(goal, here, arrival, params, now);
    case GoalKind::Follow: {
      const Vector2d place = goal.target + goal.target_velocity * (age + 0.5) + goal.pose.position();
      target.pose = {place.x(), place.y(), goal.pose.yaw};
      break;
    }
    case GoalKind::Orbit: {
      const Vector2d ball = rolled(goal.ball, goal.ball_velocity, age + 0.5, params.ball_deceleration);
      const double radius = std::max(goal.radius, goal.radius > 0.0 ? params.ball_clearance : params.orbit_radius);
      const Vector2d place = ball - radius * unit(goal.direction);
      target.pose = {place.x(), place.y(), goal.direction};
      target.heading = HeadingMode::At;
      target.look_at = ball;
      target.ball = Target::Disc{ball, radius - 0.01};
      break;
    }
  }
  return target;
}

}  // namespace hl_path_planning

// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/head.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hl_behavior {
namespace {

using hl_description::wrap_angle;

/// A point of base_footprint after the body has moved for `time` with `velocity`.
Vector2d after_motion(const Vector2d& point, const Pose2& velocity, double time) {
  const Vector2d moved = point - time * Vector2d(velocity.x, velocity.y);
  return Eigen::Rotation2Dd(-velocity.yaw * time) * moved;
}

double towards(double from, double to, double step) {
  return from + std::clamp(to - from, -step, step);
}

}  // namespace

std::optional<std::string> Head::Params::validate() const {
  const struct {
    const char* name;
    double value, low, high;
  } ranges[] = {{"track_speed", track_speed, 0.1, 20.0},
                {"scan_speed", scan_speed, 0.1, 20.0},
                {"delay", delay, 0.0, 0.5},
                {"ball_memory", ball_memory, 0.1, 10.0},
                {"near_search", near_search, 0.0, 10.0},
                {"look_at_memory", look_at_memory, 0.05, 10.0},
                {"dwell", dwell, 0.1, 5.0},
                {"share_period", share_period, 0.5, 20.0},
                {"scan_pan", scan_pan, 0.1, 3.1},
                {"horizon_elevation", horizon_elevation, -1.5, 0.5},
                {"near_elevation", near_elevation, -1.6, 0.5},
                {"horizontal_view", horizontal_view, 0.2, 3.1},
                {"ball_height", ball_height, 0.0, 0.5},
                {"max_model_age", max_model_age, 0.05, 5.0}};
  for (const auto& range : ranges)
    if (!(range.value >= range.low && range.value <= range.high))
      return std::string(range.name) + " = " + std::to_string(range.value) + " is not within " +
             std::to_string(range.low) + ".." + std::to_string(range.high);
  return std::nullopt;
}

Head::Head(const Params& params, const Neck& neck) : params_(params), neck_(neck) {
  if (const auto bad = set_params(params)) throw std::invalid_argument("hl_behavior head: " + *bad);
  visited_.fill(-1e9);
}

std::optional<std::string> Head::set_params(const Params& params) {
  if (auto bad = params.validate()) return bad;
  params_ = params;
  landmarks_.clear();
  for (const auto& crossing : params_.field.intersections()) landmarks_.push_back(crossing.position);
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5}) landmarks_.emplace_back(x * params_.field.length, y * params_.field.goal_width);
  landmarks_.emplace_back(0.0, 0.0);
  return std::nullopt;
}

bool Head::ball_known() const {
  const auto& ball = inputs_.model.ball;
  return ball.confidence > 0.0 && ball.position.allFinite() && now_ - ball.last_seen <= params_.ball_memory;
}

bool Head::pose_known() const {
  const auto& pose = inputs_.model.pose;
  return pose.known() && pose.pose.finite() && pose.covariance(0, 0) < 4.0 && pose.covariance(1, 1) < 4.0;
}

Vector2d Head::relative(const Vector2d& place) const {
  const double age = std::clamp(now_ - inputs_.model.pose.stamp, 0.0, params_.max_model_age) + params_.delay;
  return after_motion(inputs_.model.pose.pose.inverse() * place, inputs_.body_velocity, age);
}

Neck::Angles Head::aim(const Vector2d& point, double height) const {
  return neck_.aim(inputs_.footprint_from_base.inverse() * Eigen::Vector3d(point.x(), point.y(), height));
}

Neck::Angles Head::direction(double yaw, double elevation) const {
  constexpr double kFar = 20.0;  // m: the neck's own place does not matter
  const Eigen::Vector3d eye = (inputs_.footprint_from_base * neck_.camera({})).translation();
  const Eigen::Vector3d ahead(std::cos(yaw) * std::cos(elevation), std::sin(yaw) * std::cos(elevation),
                              std::sin(elevation));
  return neck_.aim(inputs_.footprint_from_base.inverse() * Eigen::Vector3d(eye + kFar * ahead));
}

Head::Target Head::track_ball() const {
  const auto& ball = inputs_.model.ball;
  const double age = std::clamp(now_ - inputs_.model.stamp, 0.0, params_.max_model_age) + params_.delay;
  Vector2d velocity = ball.velocity.allFinite() ? ball.velocity : Vector2d(Vector2d::Zero());
  if (velocity.norm() > 5.0) velocity.setZero();
  const Vector2d there = after_motion(ball.position + age * velocity, inputs_.body_velocity, age);
  return {aim(there, params_.ball_height), params_.track_speed, "ball"};
}

Head::Target Head::ball() {
  if (ball_known()) {
    search_since_ = -1.0;
    return track_ball();
  }
  return search_ball();
}

std::optional<GazeSearch::View> Head::gaze() const {
  constexpr double kLineWidth = 0.25;  // rad, of elevation around a line
  if (!goal_) return std::nullopt;
  const Eigen::Vector3d axis =
      (inputs_.footprint_from_base * neck_.camera(inputs_.measured.value_or(*goal_))).linear() *
      Eigen::Vector3d::UnitX();
  const double elevation = std::asin(std::clamp(axis.z(), -1.0, 1.0)), yaw = std::atan2(axis.y(), axis.x());
  for (const bool near : {false, true}) {
    if (std::abs(elevation - (near ? params_.near_elevation : params_.horizon_elevation)) < kLineWidth)
      return GazeSearch::View{yaw, near};
  }
  return std::nullopt;
}

/// Carries the place of a ball that has just been lost on with the body.
void Head::remember_ball() {
  const double dt = last_ < 0.0 ? 0.0 : std::clamp(now_ - last_, 0.0, 0.2);
  if (std::isfinite(inputs_.body_velocity.yaw)) search_.body_turned(inputs_.body_velocity.yaw * dt);
  if (ball_known()) {
    lost_at_ = inputs_.model.ball.position;
    known_at_ = now_;
  } else if (lost_at_) {
    lost_at_ = after_motion(*lost_at_, inputs_.body_velocity, dt);
    if (now_ - known_at_ > params_.near_search) lost_at_.reset();
  }
}

/// First around the place where it should be, then where nobody has looked yet.
Head::Target Head::search_ball() {
  const double turn_rate = inputs_.body_velocity.yaw;
  if (search_since_ < 0.0) {
    search_since_ = lost_at_ ? now_ : now_ - params_.near_search;
    // A body that turns brings what is on its side by itself, and takes the other side away.
    const double side = lost_at_ ? lost_at_->y() : goal_ ? goal_->pan : 0.0;
    search_.begin(std::abs(turn_rate) > 0.2 ? -turn_rate : side);
  }
  const double pan = std::min(neck_.pan_limits().upper, -neck_.pan_limits().lower) - 0.05;
  const GazeSearch::Neck reach{std::min(params_.scan_pan, pan), params_.horizontal_view};
  const auto here = gaze();
  if (here) search_.looked(*here, reach);
  const double since = now_ - search_since_;
  if (lost_at_ && since < params_.near_search) {
    const double bearing = std::atan2(lost_at_->y(), lost_at_->x());
    const double swing = 0.5 * std::sin(2.0 * M_PI * since / params_.near_search);
    const Vector2d around =
        std::max(lost_at_->norm(), 0.3) * Vector2d(std::cos(bearing + swing), std::sin(bearing + swing));
    return {aim(around, params_.ball_height), params_.scan_speed, "around the lost ball"};
  }
  const auto next = search_.next(here ? here->yaw : goal_ ? goal_->pan : 0.0, turn_rate, reach);
  return {direction(next.yaw, next.near ? params_.near_elevation : params_.horizon_elevation), params_.scan_speed,
          next.near ? "searches near" : "searches"};
}

Head::Target Head::sweep(double elevation, const char* what) {
  const double side = sweep_line_ % 2 == 0 ? 1.0 : -1.0;
  const Neck::Angles end = direction(side * params_.scan_pan, elevation);
  if (goal_ && std::abs(goal_->pan - end.pan) < 0.02) ++sweep_line_;
  return {end, params_.scan_speed, what};
}

Head::Target Head::posts() {
  if (!pose_known()) return sweep(params_.horizon_elevation + 0.15, "searches posts");
  // The goal more in front; its posts in turn.
  const double side = relative({0.5 * params_.field.length, 0.0}).x() >= 0.0 ? 0.5 : -0.5;
  if (now_ - dwell_since_ > params_.dwell) {
    dwell_since_ = now_;
    at_goal_ = !at_goal_;
  }
  const Vector2d post(side * params_.field.length, (at_goal_ ? 0.5 : -0.5) * params_.field.goal_width);
  return {aim(relative(post), 0.3), params_.track_speed, "post"};
}

Head::Target Head::ball_and_goal() {
  if (!ball_known()) return search_ball();
  search_since_ = -1.0;
  const auto& ball = inputs_.model.ball;
  const auto& pose = inputs_.model.pose;
  const bool near_or_fast = ball.position.norm() < 0.8 || ball.velocity.norm() > 0.3;
  if (near_or_fast || !pose_known()) return track_ball();
  // Time goes to what is less sure: m of standard deviation, the ball's grows while it is not seen.
  const double ball_sigma =
      0.1 + std::sqrt(std::clamp(0.5 * (ball.covariance(0, 0) + ball.covariance(1, 1)), 0.0, 4.0));
  const double pose_sigma =
      0.1 + std::sqrt(std::clamp(0.5 * (pose.covariance(0, 0) + pose.covariance(1, 1)), 0.0, 4.0));
  const double share = std::clamp(pose_sigma / (pose_sigma + ball_sigma), 0.2, 0.6);
  const double dwell = std::max(params_.share_period * (at_goal_ ? share : 1.0 - share), 0.4);
  if (now_ - dwell_since_ > dwell) {
    dwell_since_ = now_;
    at_goal_ = !at_goal_;
  }
  if (!at_goal_) return track_ball();
  const Vector2d goal = relative({0.5 * params_.field.length, 0.0});
  const Vector2d own = relative({-0.5 * params_.field.length, 0.0});
  return {aim(goal.x() >= own.x() ? goal : own, 0.2), params_.track_speed, "goal"};
}

Head::Target Head::field_features() {
  if (!pose_known()) return sweep(params_.horizon_elevation, "looks around");
  if (now_ - dwell_since_ > params_.dwell) {
    dwell_since_ = now_;
    view_ = best_view();
  } else if (last_ >= 0.0) {
    view_ -=
        inputs_.body_velocity.yaw * std::clamp(now_ - last_, 0.0, 0.2);  // stays with the field while the body turns
  }
  return {direction(view_, params_.horizon_elevation + 0.05), params_.track_speed, "landmarks"};
}

double Head::best_view() {
  const auto& pose = inputs_.model.pose;
  const double step = 2.0 * params_.scan_pan / static_cast<double>(visited_.size() - 1);
  double best_score = 1e18;
  std::size_t best = 0;
  for (std::size_t i = 0; i < visited_.size(); ++i) {
    const double yaw = -params_.scan_pan + step * static_cast<double>(i);
    Eigen::Matrix3d covariance = pose.covariance;
    for (const Vector2d& landmark : landmarks_) {
      const Vector2d seen = pose.pose.inverse() * landmark;
      const double distance = seen.norm();
      if (distance < 0.4 || distance > 5.0 ||
          std::abs(wrap_angle(std::atan2(seen.y(), seen.x()) - yaw)) > 0.45 * params_.horizontal_view)
        continue;
      // Kalman update with the landmark's place in base_footprint.
      Eigen::Matrix<double, 2, 3> jacobian;
      const Eigen::Matrix2d back = pose.pose.rotation().inverse().toRotationMatrix();
      jacobian.leftCols<2>() = -back;
      jacobian.col(2) = Vector2d(seen.y(), -seen.x());
      const double sigma = 0.05 + 0.08 * distance;
      const Eigen::Matrix2d innovation =
          jacobian * covariance * jacobian.transpose() + sigma * sigma * Eigen::Matrix2d::Identity();
      const Eigen::Matrix<double, 3, 2> gain = covariance * jacobian.transpose() * innovation.inverse();
      covariance -= gain * jacobian * covariance;
    }
    // What was looked at a moment ago has told what it can: worth less until two seconds have passed.
    const double stale = std::clamp(1.0 - 0.5 * (now_ - visited_[i]), 0.0, 1.0);
    const double left = covariance(0, 0) + covariance(1, 1) + 4.0 * covariance(2, 2);
    const double all = pose.covariance(0, 0) + pose.covariance(1, 1) + 4.0 * pose.covariance(2, 2);
    const double way = std::abs(wrap_angle(yaw - view_));
    const double score = left + stale * (all - left) + 0.01 * all * way;
    if (score < best_score) {
      best_score = score;
      best = i;
    }
  }
  visited_[best] = now_;
  if (best > 0) visited_[best - 1] = now_;
  if (best + 1 < visited_.size()) visited_[best + 1] = now_;
  return -params_.scan_pan + step * static_cast<double>(best);
}

Head::Target Head::choose() {
  const bool look = inputs_.look_at && inputs_.look_at->point.allFinite() && std::isfinite(inputs_.look_at->height) &&
                    now_ - inputs_.look_at_stamp <= params_.look_at_memory && inputs_.look_at->frame != Frame::Odom &&
                    (inputs_.look_at->frame == Frame::BaseFootprint || pose_known());
  if (look) {
    const Vector2d point =
        inputs_.look_at->frame == Frame::Map ? relative(inputs_.look_at->point) : inputs_.look_at->point;
    return {aim(point, inputs_.look_at->height), params_.track_speed, "a given point"};
  }
  switch (inputs_.mode) {
    case HeadMode::Ball:
      return ball();
    case HeadMode::Post:
      return posts();
    case HeadMode::BallGoalTracking:
      return ball_and_goal();
    case HeadMode::FieldFeatures:
      return field_features();
    case HeadMode::NonFieldFeatures:
      return sweep(0.2, "surroundings");
    case HeadMode::LookDown:
      return {aim({0.12, 0.0}, 0.0), params_.track_speed, "feet"};
    case HeadMode::LookForward:
      return {direction(0.0, -0.15), params_.track_speed, "ahead"};
    case HeadMode::DontMove:
      break;
    case HeadMode::LookUp:
      return {direction(0.0, 0.9), params_.track_speed, "up"};
  }
  return {goal_.value_or(Neck::Angles()), params_.track_speed, "keeps still"};
}

Head::Outputs Head::step(const Inputs& inputs, double now) {
  inputs_ = inputs;
  now_ = now;
  Outputs out;
  const bool valid = inputs.measured && std::isfinite(inputs.measured->pan) && std::isfinite(inputs.measured->tilt);
  if (!inputs.free) {  // somebody else moves it: begin again where it is then
    goal_.reset();
    last_ = now;
    out.what = "not free";
    return out;
  }
  if (!goal_) goal_ = neck_.clamp(valid ? *inputs.measured : Neck::Angles());
  if (inputs.mode != mode_) {
    mode_ = inputs.mode;
    mode_since_ = now;
    search_since_ = -1.0;
    sweep_line_ = goal_->pan >= 0.0 ? 0 : 1;
    dwell_since_ = -1e9;
    if (mode_ == HeadMode::DontMove && valid) goal_ = neck_.clamp(*inputs.measured);
  }
  remember_ball();
  const Target target = choose();
  const double dt = last_ < 0.0 ? 0.0 : std::clamp(now - last_, 0.0, 0.1);
  const double step = target.speed * dt;
  const Neck::Angles wanted = neck_.clamp(target.angles);
  goal_ = Neck::Angles{towards(goal_->pan, wanted.pan, step), towards(goal_->tilt, wanted.tilt, step)};
  last_ = now;
  out.goal = *goal_;
  out.active = true;
  out.speed = target.speed;
  out.what = target.what;
  return out;
}

}  // namespace hl_behavior

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "hl_description/field.hpp"
#include "hl_description/geometry.hpp"
#include "simulated_eye.hpp"

namespace hl_match {

/// How a robot in play moves and where it looks, without physics: it stands, walks and turns for some seconds each; its
/// head follows a ball, looks around by 120 degrees, or at something far away. Its odometry is wrong by as much as the
/// walk's may be: 5 % of the way, 5 degrees in a full turn, and a gyro that drifts.
class PlayingRobot {
 public:
  PlayingRobot(const hl_description::Field& field, std::mt19937_64& random) : field_(field), random_(random) {
    pose_ = {uniform(-0.5, 0.5) * field.length, uniform(-0.5, 0.5) * field.width, uniform(-M_PI, M_PI)};
    counted_ = {uniform(-3.0, 3.0), uniform(-3.0, 3.0), uniform(-M_PI, M_PI)};
    way_error_ = uniform(-0.05, 0.05);
    turn_error_ = uniform(-5.0, 5.0) / 360.0;
    drift_ = uniform(-0.2, 0.2) * M_PI / 180.0;
    pan_ = uniform(-kScan, kScan);
    tilt_ = kHorizon;
  }

  void step(double dt) {
    if ((motion_left_ -= dt) <= 0.0) choose_motion();
    if ((gaze_left_ -= dt) <= 0.0) choose_gaze();
    // Off the turf nobody plays.
    if (std::abs(pose_.x) > 0.5 * field_.length || std::abs(pose_.y) > 0.5 * field_.width) {
      const double home = hl_description::wrap_angle(std::atan2(-pose_.y, -pose_.x) - pose_.yaw);
      motion_ = {std::abs(home) < 1.0 ? 0.2 : 0.0, 0.0, std::clamp(home, -0.6, 0.6)};
    }
    const hl_description::Pose2 way{motion_.x * dt, motion_.y * dt, motion_.yaw * dt};
    pose_ = pose_ * way;
    pose_.yaw = hl_description::wrap_angle(pose_.yaw);
    counted_ = counted_ * hl_description::Pose2{way.x * (1.0 + way_error_), way.y * (1.0 + way_error_),
                                                way.yaw * (1.0 + turn_error_) + drift_ * dt};
    move_head(dt);
  }

  /// As the camera catches it somewhere in a step.
  SimulatedEye::Look look() {
    SimulatedEye::Look look{pose_.x, pose_.y, pose_.yaw};
    const bool walks = motion_.position().norm() + std::abs(motion_.yaw) > 0.01;
    look.roll = walks ? uniform(-0.05, 0.05) : 0.0;
    look.pitch = walks ? uniform(-0.05, 0.08) : 0.0;
    look.pan = pan_;
    look.tilt = tilt_;
    return look;
  }
  const hl_description::Pose2& odometry() const { return counted_; }

 private:
  enum class Gaze { Ball, Around, Far };
  static constexpr double kScan = M_PI / 3.0, kScanSpeed = 1.6, kTrackSpeed = 3.0;  // rad, rad/s: as the head node does
  static constexpr double kHorizon = -0.28;                                         // rad, while looking around
  static constexpr double kEye = 0.45;                                              // m

  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  void choose_motion() {
    motion_left_ = uniform(1.5, 4.0);
    motion_ = {};
    if (uniform(0.0, 1.0) < 0.3) return;
    motion_ = {uniform(-0.05, 0.25), uniform(-0.08, 0.08), uniform(-0.5, 0.5)};
  }

  void choose_gaze() {
    const double kind = uniform(0.0, 1.0);
    gaze_ = kind < 0.5 ? Gaze::Ball : kind < 0.85 ? Gaze::Around : Gaze::Far;
    gaze_left_ = gaze_ == Gaze::Far ? uniform(0.6, 1.5) : uniform(1.5, 4.0);
    const double distance = gaze_ == Gaze::Ball ? uniform(0.3, 4.0) : 6.0, bearing = uniform(-1.0, 1.0);
    aim_ = pose_ * Eigen::Vector2d(distance * std::cos(bearing), distance * std::sin(bearing));
  }

  void move_head(double dt) {
    double pan = side_ * kScan, tilt = kHorizon;
    if (gaze_ != Gaze::Around) {
      const Eigen::Vector2d at = pose_.inverse() * aim_;
      pan = std::clamp(std::atan2(at.y(), at.x()), -kScan, kScan);
      tilt = std::max(-0.9, -std::atan2(kEye, at.norm()));
    } else if (std::abs(pan_ - pan) < 0.02) {
      side_ = -side_;
      pan = side_ * kScan;
    }
    const double most = (gaze_ == Gaze::Around ? kScanSpeed : kTrackSpeed) * dt;
    pan_ += std::clamp(pan - pan_, -most, most);
    tilt_ += std::clamp(tilt - tilt_, -most, most);
  }

  const hl_description::Field& field_;
  std::mt19937_64& random_;
  hl_description::Pose2 pose_, counted_, motion_;
  double way_error_ = 0.0, turn_error_ = 0.0, drift_ = 0.0;
  double motion_left_ = 0.0, gaze_left_ = 0.0;  // s
  Gaze gaze_ = Gaze::Around;
  Eigen::Vector2d aim_ = Eigen::Vector2d::Zero();
  double pan_ = 0.0, tilt_ = 0.0, side_ = 1.0;
};

}  // namespace hl_match

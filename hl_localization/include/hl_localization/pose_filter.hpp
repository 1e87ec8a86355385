// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "hl_localization/field_map.hpp"
#include "hl_soccer/ground_noise.hpp"
#include "hl_soccer/percepts.hpp"

namespace hl_localization {

/// A pose that may be true, and how well it is known.
struct PoseEstimate {
  Pose2 pose;                                                // base_footprint in map
  Eigen::Matrix3d covariance = Eigen::Matrix3d::Identity();  // x, y, yaw
  // What of the camera's pitch and roll stays wrong from picture to picture: a mounting, learned along with the pose.
  Eigen::Vector2d tilt = Eigen::Vector2d::Zero();  // rad
  Eigen::Matrix2d tilt_covariance = Eigen::Matrix2d::Zero();
  Eigen::Matrix<double, 3, 2> tilt_cross = Eigen::Matrix<double, 3, 2>::Zero();  // of pose and tilt

  /// Odometry: a step `motion` of base_footprint, which adds `noise` (diagonal, own axes).
  void move(const Pose2& motion, const Eigen::Vector3d& noise);
  /// The pose that sees the same from the other side of the field.
  void turn_round();
  /// The same estimate, `offset` away from it in its own axes.
  PoseEstimate displaced(const Pose2& offset) const;
};

/// What of one picture tells where the robot is, as directions: azimuth (left positive) and depression below the
/// horizon. Their noise is the same far and near, and an error of the camera's attitude adds to all depressions alike.
struct Sighting {
  struct Ray {
    Eigen::Vector2d position = Eigen::Vector2d::Zero();  // m, base_footprint
    double distance = 0.0, azimuth = 0.0, depression = 0.0;
    double pitch_share = 1.0, roll_share = 0.0;  // how an error of the camera's pitch and roll moves it, rad per rad
  };
  struct Mark {
    FieldMap::Kind kind = FieldMap::Kind::Post;
    Ray ray;
    double noise_scale = 1.0;
    std::array<double, 4> arms{};  // rad, base_footprint
    std::size_t arm_count = 0;
    std::optional<Eigen::Vector2d> place;  // told with it
  };
  struct Segment {
    Ray from, to;
  };

  std::vector<Mark> marks;
  std::vector<Segment> segments;
  std::vector<Ray> line_points;
  bool both_posts = false;  // the first two marks are the left and right post of one goal

  std::size_t count() const { return marks.size() + segments.size(); }
  /// Takes what is usable; returns how many values were refused because they make no sense.
  std::size_t fill(const hl_soccer::Percepts& percepts, const hl_soccer::GroundNoise& noise);
};

/// How well a pose explains a sighting.
struct Match {
  double score = 0.0;  // log likelihood against "all of it is wrong", bounded for each thing seen
  int matched = 0, unmatched = 0;
  /// Of the named landmarks: log likelihood ratio of this pose against the opposite one.
  double side = 0.0;
};

/// Corrects a pose by what was seen from it: an extended Kalman filter over x, y, yaw and, for the moment of the
/// picture, the errors of the camera's pitch and roll; what of these stays is learned. Each thing seen is paired with
/// the nearest of its kind if there is no doubt which one that is.
Match correct(PoseEstimate& estimate, const Sighting& sighting, const FieldMap& map,
              const hl_soccer::GroundNoise& noise);

/// A heading (rad) with its standard deviation, known independently of the field.
void correct_heading(PoseEstimate& estimate, double heading, double deviation);

}  // namespace hl_localization

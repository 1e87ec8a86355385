// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "hl_description/field.hpp"
#include "hl_soccer/percepts.hpp"
#include "hl_vision/camera_view.hpp"
#include "hl_vision/detection.hpp"

namespace hl_vision {

/// From places in the picture to places around the robot.
class Transform {
 public:
  struct Inputs {
    Detection::Outputs seen;
    CameraView view;     // base_footprint from the camera, at the moment of the picture
    double stamp = 0.0;  // s, of the picture
  };
  struct Outputs {
    hl_soccer::Percepts percepts;
    bool ball_by_size = false;  // its distance comes from its size, not from the ground
    int dropped = 0;            // things that lie nowhere on the ground (above the horizon, too far, no number)
  };

  struct Params {
    double pixel_noise = 1.5;      // px, standard deviation of a place in the picture
    double tilt_noise = 0.012;     // rad, of the camera's attitude
    double diameter_noise = 0.06;  // of the ball's diameter, share, and a pixel
    double farthest = 12.0;        // m; beyond, nothing is told
    std::optional<std::string> validate() const;
  };

  Transform(const Params& params, const hl_description::Field& field) : params_(params), field_(field) {}
  void set_params(const Params& params) { params_ = params; }
  Outputs step(const Inputs& inputs, double now) const;

  /// A place in the picture on the plane z = `height`, with its uncertainty; nothing at the horizon or too far.
  struct Place {
    Eigen::Vector2d position;    // m
    Eigen::Matrix2d covariance;  // m^2
  };
  std::optional<Place> place(const CameraView& view, const cv::Point2d& pixel, double height) const;

 private:
  std::optional<Place> by_size(const CameraView& view, const BallInImage& ball) const;
  std::optional<hl_soccer::SeenGoal> goal(const CameraView& view, const GoalInImage& goal) const;

  Params params_;
  hl_description::Field field_;
};

}  // namespace hl_vision

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <opencv2/core.hpp>
#include <optional>
#include <string>

#include "hl_vision/camera_view.hpp"
#include "hl_vision/field_colour.hpp"

namespace hl_vision {

/// How far the robot turned from picture to picture, from the background above the field's border: far things move in
/// the picture only when the camera turns, and the neck's part of that is known.
class TurnRate {
 public:
  struct Inputs {
    cv::Mat bgr;         // 8 bit, three channels
    CameraView view;     // base_footprint from the camera, at the moment of the picture
    double stamp = 0.0;  // s, of the picture
  };
  struct Outputs {
    bool known = false;      // false: `reason` says why; the turn since the last known picture is lost
    double turn = 0.0;       // rad since the last known picture, counter-clockwise
    double since = 0.0;      // s, stamp of that picture
    double heading = 0.0;    // rad, sum of all turns
    double deviation = 0.0;  // rad, of `turn`
    std::string reason;
  };
  struct Params {
    double farthest_turn = 0.35;  // rad between two pictures that can still be compared
    double least_match = 0.55;    // correlation from which two pictures show the same
    double oldest = 1.0;          // s after which an old picture is not compared any more
    std::optional<std::string> validate() const;
  };

  explicit TurnRate(const Params& params) : params_(params), colour_(FieldColour::Params{}) {}
  void set_params(const Params& params) { params_ = params; }
  Outputs step(const Inputs& inputs, double now);

 private:
  /// Edges of the background by elevation (rows) and direction (columns).
  struct Strip {
    int first = 0;  // direction of the first column, in steps, counter-clockwise
    Eigen::ArrayXXf edges, weights;
    double stamp = 0.0, heading = 0.0;
    std::string reason;
  };
  struct Match {
    double turn = 0.0, likeness = 0.0, deviation = 0.0;
  };
  Strip strip(const Inputs& inputs);
  std::optional<Match> compare(const Strip& before, const Strip& now) const;

  Params params_;
  FieldColour colour_;
  std::optional<Strip> key_, last_;  // the picture all are compared with, and the one before this
};

}  // namespace hl_vision

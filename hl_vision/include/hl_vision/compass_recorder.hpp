// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hl_description/geometry.hpp"
#include "hl_vision/camera_view.hpp"

namespace hl_vision {

/// What localisation believes, and how sure it is.
struct KnownPose {
  hl_description::Pose2 pose;                             // map from base_footprint
  double place_deviation = 1e3, heading_deviation = 1e3;  // m, rad
  double stamp = 0.0;                                     // s
};

/// Which pictures are worth remembering when nobody asks: those of a sure pose that show a new direction or come from a
/// new place.
class CompassRecorder {
 public:
  struct Params {
    double place_deviation = 0.4;     // m, of the pose, up to which it is sure
    double heading_deviation = 0.15;  // rad
    double new_place = 0.8;           // m from all recorded looks
    double new_direction = 0.35;      // rad
    double oldest_pose = 0.3;         // s
    std::optional<std::string> validate() const;
  };

  explicit CompassRecorder(const Params& params) : params_(params) {}
  void set_params(const Params& params) { params_ = params; }
  bool wants(const KnownPose& pose, const CameraView& view, double now) const;
  void done(const KnownPose& pose, const CameraView& view) { looks_.push_back(look(pose, view)); }
  void forget() { looks_.clear(); }
  std::size_t recorded() const { return looks_.size(); }

 private:
  struct Look {
    Eigen::Vector2d place;  // m, map
    double direction;       // rad, map
  };
  static Look look(const KnownPose& pose, const CameraView& view);

  Params params_;
  std::vector<Look> looks_;
};

}  // namespace hl_vision

// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/compass_recorder.hpp"

#include <algorithm>
#include <cmath>

namespace hl_vision {

std::optional<std::string> CompassRecorder::Params::validate() const {
  for (const auto& [name, value, most] : {std::tuple{"place_deviation (m)", place_deviation, 5.0},
                                          {"heading_deviation (rad)", heading_deviation, 1.5},
                                          {"new_place (m)", new_place, 20.0},
                                          {"new_direction (rad)", new_direction, 3.0},
                                          {"oldest_pose (s)", oldest_pose, 5.0}}) {
    if (!(value > 0.0 && value <= most))
      return std::string(name) + " must be above 0 and at most " + std::to_string(most) + " but is " +
             std::to_string(value);
  }
  return std::nullopt;
}

CompassRecorder::Look CompassRecorder::look(const KnownPose& pose, const CameraView& view) {
  const Eigen::Vector3d axis = view.ground_from_camera().linear().col(2);
  return {pose.pose.position(), hl_description::wrap_angle(pose.pose.yaw + std::atan2(axis.y(), axis.x()))};
}

bool CompassRecorder::wants(const KnownPose& pose, const CameraView& view, double now) const {
  if (!(pose.place_deviation <= params_.place_deviation && pose.heading_deviation <= params_.heading_deviation))
    return false;
  if (!(std::abs(now - pose.stamp) <= params_.oldest_pose)) return false;
  const Look here = look(pose, view);
  return std::none_of(looks_.begin(), looks_.end(), [&](const Look& other) {
    return (other.place - here.place).norm() < params_.new_place &&
           std::abs(hl_description::wrap_angle(other.direction - here.direction)) < params_.new_direction;
  });
}

}  // namespace hl_vision

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "hl_vision/mounting.hpp"
#include "tf_view.hpp"

namespace hl_vision {

/// The camera's pose over the ground from TF, corrected by the mounting that the calibration wrote into robot.yaml.
class MountedCamera {
 public:
  /// Empty: no robot.yaml, nothing is corrected.
  explicit MountedCamera(const std::string& robot_config_file) {
    if (!robot_config_file.empty()) mounting_ = Mounting::from_robot_file(robot_config_file).value_or(Mounting());
  }

  struct Parts {
    Eigen::Isometry3d footprint_from_base, base_from_camera;
  };
  std::optional<Parts> parts_at(const tf2_ros::Buffer& buffer, const std_msgs::msg::Header& header,
                                double oldest) const {
    std_msgs::msg::Header base = header;
    base.frame_id = "base_link";
    const auto footprint = pose_at(buffer, "base_footprint", base, oldest),
               camera = pose_at(buffer, "base_link", header, oldest);
    if (!footprint || !camera) return std::nullopt;
    return Parts{*footprint, *camera};
  }

  /// As `pose_at` for base_footprint. `drift`: instead of the calibration's mounting.
  std::optional<Eigen::Isometry3d> at(const tf2_ros::Buffer& buffer, const std_msgs::msg::Header& header, double oldest,
                                      const std::optional<Mounting>& drift = std::nullopt) const {
    const std::optional<Mounting>& mounting = drift ? drift : mounting_;
    if (!mounting || mounting->vector().isZero()) return pose_at(buffer, "base_footprint", header, oldest);
    const auto parts = parts_at(buffer, header, oldest);
    if (!parts) return std::nullopt;
    return mounting->apply(parts->footprint_from_base, parts->base_from_camera);
  }

  Mounting mounting() const { return mounting_.value_or(Mounting()); }

 private:
  std::optional<Mounting> mounting_;
};

}  // namespace hl_vision

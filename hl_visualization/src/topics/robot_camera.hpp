// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tf2/buffer_core.h>

#include <optional>
#include <sensor_msgs/msg/camera_info.hpp>
#include <string>
#include <tf2_msgs/msg/tf_message.hpp>
#include <vector>

#include "hl_vision/camera_view.hpp"
#include "hl_visualization/relative_data.hpp"
#include "robot_topics.hpp"

namespace hl_visualization {

/// Where a robot's camera is and what it can see, from its own tree of transforms. Use under the lock of the topics.
class RobotCamera {
 public:
  explicit RobotCamera(RobotTopics& topics);

  /// The camera over the ground at `stamp` (ns; 0 = the newest); nothing if the transforms do not say.
  std::optional<hl_vision::CameraView> view(std::int64_t stamp) const;
  /// The newest pose of a frame over base_footprint; nothing if the transforms do not say.
  std::optional<Eigen::Isometry3d> ground_from(const std::string& frame) const { return pose_of(frame, 0); }
  /// The part of the ground that the picture shows, up to `reach` m away.
  std::vector<Point2> field_of_view(double reach) const;

 private:
  std::optional<Eigen::Isometry3d> pose_of(const std::string& frame, std::int64_t stamp) const;
  void on_info(const sensor_msgs::msg::CameraInfo& info);
  void on_transforms(const tf2_msgs::msg::TFMessage& message, bool still);

  RobotTopics& topics_;
  tf2::BufferCore buffer_;
  double newest_ = 0.0;   // s, stamp of the transforms
  hl_vision::Lens lens_;  // nominal until camera_info comes
};

}  // namespace hl_visualization

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <hl_description/geometry.hpp>
#include <rclcpp/time.hpp>

#include "hl_vision/compass_recorder.hpp"

namespace hl_vision {

inline KnownPose known_pose(const geometry_msgs::msg::PoseWithCovarianceStamped& message) {
  const auto& at = message.pose.pose.position;
  const auto& q = message.pose.pose.orientation;
  const auto& c = message.pose.covariance;
  KnownPose result;
  result.pose = {at.x, at.y, hl_description::yaw_of({q.w, q.x, q.y, q.z})};
  result.place_deviation = std::sqrt(std::max({0.0, c[0], c[7]}));
  result.heading_deviation = std::sqrt(std::max(0.0, c[35]));
  result.stamp = rclcpp::Time(message.header.stamp).seconds();
  return result;
}

}  // namespace hl_vision

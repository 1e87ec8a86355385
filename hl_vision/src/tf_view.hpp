// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tf2/exceptions.h>
#include <tf2/time.h>
#include <tf2_ros/buffer.h>

#include <Eigen/Geometry>
#include <cmath>
#include <optional>
#include <rclcpp/subscription_options.hpp>
#include <rclcpp/time.hpp>
#include <std_msgs/msg/header.hpp>

namespace hl_vision {

/// For a TransformListener: Humble refuses intra-process communication on the latched /tf_static.
inline rclcpp::SubscriptionOptions between_processes() {
  rclcpp::SubscriptionOptions options;
  options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  return options;
}

inline Eigen::Isometry3d pose_from(const geometry_msgs::msg::TransformStamped& t) {
  const auto& r = t.transform.rotation;
  const auto& p = t.transform.translation;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear() = Eigen::Quaterniond(r.w, r.x, r.y, r.z).normalized().toRotationMatrix();
  pose.translation() = Eigen::Vector3d(p.x, p.y, p.z);
  return pose;
}

/// Pose of the header's frame in `target` at the header's stamp. If that is not known yet, the newest one that is not
/// older than `oldest` s (0: only the exact one). Nothing otherwise.
inline std::optional<Eigen::Isometry3d> pose_at(const tf2_ros::Buffer& buffer, const std::string& target,
                                                const std_msgs::msg::Header& header, double oldest) {
  const rclcpp::Time stamp(header.stamp);
  const auto wanted = tf2::TimePoint(std::chrono::nanoseconds(stamp.nanoseconds()));
  if (buffer.canTransform(target, header.frame_id, wanted)) {
    try {
      return pose_from(buffer.lookupTransform(target, header.frame_id, wanted));
    } catch (const tf2::TransformException&) {
      return std::nullopt;
    }
  }
  if (oldest <= 0.0 || !buffer.canTransform(target, header.frame_id, tf2::TimePointZero)) return std::nullopt;
  try {
    const auto newest = buffer.lookupTransform(target, header.frame_id, tf2::TimePointZero);
    const double age = stamp.seconds() - rclcpp::Time(newest.header.stamp).seconds();
    if (std::abs(age) > oldest) return std::nullopt;
    return pose_from(newest);
  } catch (const tf2::TransformException&) {
    return std::nullopt;
  }
}

}  // namespace hl_vision

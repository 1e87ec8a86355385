// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <humanoid_league_msgs/msg/line_information_relative.hpp>
#include <nav_msgs/msg/odometry.hpp>
#include <rclcpp/time.hpp>

#include "hl_localization/kinematic_world.hpp"

/// What the nodes of a robot in the kinematic world would say.
namespace hl_localization {

inline geometry_msgs::msg::Point point(const Eigen::Vector2d& p) {
  geometry_msgs::msg::Point result;
  result.x = p.x();
  result.y = p.y();
  return result;
}

inline nav_msgs::msg::Odometry odom_of(const KinematicWorld& world, const rclcpp::Time& stamp) {
  nav_msgs::msg::Odometry odom;
  odom.header.stamp = stamp;
  odom.header.frame_id = "odom";
  odom.child_frame_id = "base_footprint";
  const auto pose = world.odometry().pose;
  odom.pose.pose.position.x = pose.x;
  odom.pose.pose.position.y = pose.y;
  odom.pose.pose.orientation.z = std::sin(0.5 * pose.yaw);
  odom.pose.pose.orientation.w = std::cos(0.5 * pose.yaw);
  return odom;
}

inline humanoid_league_msgs::msg::LineInformationRelative lines_of(const hl_soccer::Percepts& percepts,
                                                                   const rclcpp::Time& stamp) {
  humanoid_league_msgs::msg::LineInformationRelative lines;
  lines.header.stamp = stamp;
  lines.header.frame_id = "base_footprint";
  for (const auto& segment : percepts.segments) {
    lines.segments.emplace_back();
    lines.segments.back().start = point(segment.from);
    lines.segments.back().end = point(segment.to);
    lines.segments.back().confidence = 0.8F;
  }
  for (const auto& crossing : percepts.crossings) {
    lines.markings.emplace_back();
    auto& marking = lines.markings.back();
    marking.type = static_cast<std::uint8_t>(static_cast<int>(crossing.type) + 1);
    marking.confidence = 0.8F;
    for (const auto& arm : crossing.arms) {
      marking.segments.emplace_back();
      marking.segments.back().start = point(crossing.position);
      marking.segments.back().end = point(crossing.position + 0.3 * arm);
    }
  }
  return lines;
}

}  // namespace hl_localization

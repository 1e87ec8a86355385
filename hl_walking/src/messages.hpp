// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <geometry_msgs/msg/transform_stamped.hpp>
#include <humanoid_league_msgs/msg/support_state.hpp>
#include <humanoid_league_msgs/msg/walking_debug.hpp>
#include <nav_msgs/msg/odometry.hpp>
#include <optional>
#include <sensor_msgs/msg/imu.hpp>
#include <vector>

#include "hl_walking/controller.hpp"

/// Between messages and the core. What is filled in place was prepared once: no allocation in a tick. Stamps are the
/// caller's.
namespace hl_walking {

/// Nothing if the message has no orientation.
std::optional<Orientation> orientation_from(const sensor_msgs::msg::Imu& imu);

/// Frames and covariances that stay as they are.
nav_msgs::msg::Odometry empty_odometry();
void fill(const Odometry& odometry, nav_msgs::msg::Odometry& message);

/// odom -> base_footprint and base_footprint -> base_link.
std::vector<geometry_msgs::msg::TransformStamped> empty_transforms();
void fill(const Odometry& odometry, std::vector<geometry_msgs::msg::TransformStamped>& transforms);

void fill(const Controller& controller, humanoid_league_msgs::msg::SupportState& message);

/// `trunk_pitch` is the lean that the posture asks for, rad.
void fill(Controller& controller, double trunk_pitch, humanoid_league_msgs::msg::WalkingDebug& message);

}  // namespace hl_walking

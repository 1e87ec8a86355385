// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/goal_relative.hpp>
#include <humanoid_league_msgs/msg/line_information_relative.hpp>
#include <humanoid_league_msgs/msg/position2_d.hpp>
#include <nav_msgs/msg/odometry.hpp>
#include <sensor_msgs/msg/point_cloud2.hpp>

#include "hl_localization/pose_filter.hpp"
#include "hl_soccer/belief.hpp"
#include "hl_soccer/game.hpp"
#include "hl_soccer/odometry_history.hpp"
#include "hl_soccer/percepts.hpp"

/// Between messages and the plain data of the core.
namespace hl_localization {

double seconds(const builtin_interfaces::msg::Time& stamp);
builtin_interfaces::msg::Time to_stamp(double seconds);
geometry_msgs::msg::Quaternion to_quaternion(double yaw);

hl_soccer::Odometry odometry_from(const nav_msgs::msg::Odometry& message);
void add_lines(const humanoid_league_msgs::msg::LineInformationRelative& message, double circle_radius,
               hl_soccer::Percepts& percepts);
void add_goal(const humanoid_league_msgs::msg::GoalRelative& message, hl_soccer::Percepts& percepts);
/// False if the cloud has no x and y of 32 bits where it says to have them.
bool add_points(const sensor_msgs::msg::PointCloud2& message, hl_soccer::Percepts& percepts);
hl_soccer::GameState game_from(const humanoid_league_msgs::msg::GameState& message);
PoseEstimate estimate_from(const geometry_msgs::msg::PoseWithCovarianceStamped& message);

void fill(geometry_msgs::msg::PoseWithCovarianceStamped& message, const hl_soccer::PoseBelief& belief);
void fill(humanoid_league_msgs::msg::Position2D& message, const hl_soccer::PoseBelief& belief);

}  // namespace hl_localization

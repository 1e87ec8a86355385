// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/obstacles_relative.hpp>
#include <humanoid_league_msgs/msg/team_data.hpp>
#include <nav_msgs/msg/odometry.hpp>
#include <vector>

#include "hl_soccer/belief.hpp"
#include "hl_soccer/odometry_history.hpp"
#include "hl_soccer/percepts.hpp"

/// Between messages and the plain data of the cores.
namespace hl_world_model {

double seconds(const builtin_interfaces::msg::Time& stamp);
builtin_interfaces::msg::Time to_stamp(double seconds);

hl_soccer::Odometry odometry_from(const nav_msgs::msg::Odometry& message);
void add_ball(const humanoid_league_msgs::msg::BallRelative& message, hl_soccer::Percepts& percepts);
void add_obstacles(const humanoid_league_msgs::msg::ObstaclesRelative& message, hl_soccer::Percepts& percepts);
void take_pose(const geometry_msgs::msg::PoseWithCovarianceStamped& message, hl_soccer::PoseBelief& belief);
/// Arrays that are too short for a robot leave that word out.
std::vector<hl_soccer::TeamMate> mates_from(const humanoid_league_msgs::msg::TeamData& message);

void fill(humanoid_league_msgs::msg::Model& message, const hl_soccer::Model& model, bool own_color_blue);

}  // namespace hl_world_model

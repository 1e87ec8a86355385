// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <humanoid_league_msgs/msg/ball_in_image.hpp>
#include <humanoid_league_msgs/msg/goal_in_image.hpp>
#include <humanoid_league_msgs/msg/goal_parts_in_image.hpp>
#include <humanoid_league_msgs/msg/line_information_in_image.hpp>
#include <humanoid_league_msgs/msg/line_information_relative.hpp>
#include <humanoid_league_msgs/msg/obstacles_in_image.hpp>
#include <humanoid_league_msgs/msg/obstacles_relative.hpp>
#include <sensor_msgs/msg/point_cloud2.hpp>
#include <std_msgs/msg/header.hpp>

#include "hl_vision/detection.hpp"
#include "hl_vision/transform.hpp"

/// Percepts as messages of the contract and back.
namespace hl_vision {

namespace msg = humanoid_league_msgs::msg;

msg::BallInImage to_message(const std_msgs::msg::Header& header, const BallInImage& ball);
msg::GoalPartsInImage goal_parts_message(const std_msgs::msg::Header& header, const Detection::Outputs& found);
msg::GoalInImage to_message(const std_msgs::msg::Header& header, const std::optional<GoalInImage>& goal);
msg::ObstaclesInImage obstacles_message(const std_msgs::msg::Header& header, const Detection::Outputs& found);
msg::LineInformationInImage lines_message(const std_msgs::msg::Header& header, const Detection::Outputs& found);

std::optional<BallInImage> from_message(const msg::BallInImage& message);
std::optional<GoalInImage> from_message(const msg::GoalInImage& message);
std::vector<ObstacleInImage> from_message(const msg::ObstaclesInImage& message);
/// Segments, crossings and circles into `seen`; the centre of a circle is found on the ground from its three points.
void from_message(const msg::LineInformationInImage& message, const CameraView& view, Detection::Outputs& seen);

msg::ObstaclesRelative obstacles_message(const std_msgs::msg::Header& header, const hl_soccer::Percepts& percepts);
msg::LineInformationRelative lines_message(const std_msgs::msg::Header& header, const hl_soccer::Percepts& percepts,
                                           double circle_radius);
sensor_msgs::msg::PointCloud2 points_message(const std_msgs::msg::Header& header,
                                             const std::vector<Eigen::Vector2d>& points);

}  // namespace hl_vision

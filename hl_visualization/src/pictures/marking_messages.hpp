// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <humanoid_league_msgs/msg/ball_in_image.hpp>
#include <humanoid_league_msgs/msg/balls_in_image.hpp>
#include <humanoid_league_msgs/msg/goal_in_image.hpp>
#include <humanoid_league_msgs/msg/goal_parts_in_image.hpp>
#include <humanoid_league_msgs/msg/line_information_in_image.hpp>
#include <humanoid_league_msgs/msg/obstacles_in_image.hpp>
#include <sensor_msgs/msg/region_of_interest.hpp>

#include "hl_visualization/markings.hpp"

/// From the in-image messages to plain markings; what was not found (confidence 0) or is not a number is left out, and
/// `bad` counts the latter.
namespace hl_visualization {

Markings markings_from(const humanoid_league_msgs::msg::BallInImage& message, int& bad);
Markings markings_from(const humanoid_league_msgs::msg::BallsInImage& message, int& bad);
Markings markings_from(const humanoid_league_msgs::msg::ObstaclesInImage& message, int& bad);
Markings markings_from(const humanoid_league_msgs::msg::GoalPartsInImage& message, int& bad);
Markings markings_from(const humanoid_league_msgs::msg::GoalInImage& message, int& bad);
Markings markings_from(const humanoid_league_msgs::msg::LineInformationInImage& message, int& bad);
Markings markings_from(const sensor_msgs::msg::RegionOfInterest& message, int& bad);

}  // namespace hl_visualization

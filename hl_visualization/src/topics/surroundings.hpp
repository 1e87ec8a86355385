// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <geometry_msgs/msg/point.hpp>
#include <humanoid_league_msgs/msg/line_information_relative.hpp>
#include <humanoid_league_msgs/msg/obstacles_relative.hpp>
#include <sensor_msgs/msg/point_cloud2.hpp>

#include "hl_visualization/relative_data.hpp"
#include "robot_camera.hpp"
#include "robot_topics.hpp"

namespace hl_visualization {

/// What a robot sees and what its model makes of it, newest only.
class Surroundings {
 public:
  explicit Surroundings(RobotTopics& topics);
  /// Under the lock of the topics. What was seen too long ago to be "seen now" is left out.
  RelativeData now() const;
  const RobotCamera& camera() const { return camera_; }

 private:
  using Clock = std::chrono::steady_clock;

  static double age(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }
  static bool old(Clock::time_point then);
  Clock::time_point seen() {
    heard_ = true;
    return last_ = Clock::now();
  }
  /// The point, if it is one; else a complaint.
  bool usable(const geometry_msgs::msg::Point& point, const char* topic);
  void on_obstacles(const humanoid_league_msgs::msg::ObstaclesRelative& message);
  void on_lines(const humanoid_league_msgs::msg::LineInformationRelative& message);
  void on_points(const sensor_msgs::msg::PointCloud2& message);

  RobotTopics& topics_;
  RobotCamera camera_;
  RelativeData data_;
  Clock::time_point last_, ball_, obstacles_, goal_, lines_, points_;
  bool heard_ = false;
};

}  // namespace hl_visualization

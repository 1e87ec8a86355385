// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// A message with the fields of trajectory_msgs/JointTrajectory.
struct Message {
  struct Duration {
    std::int32_t sec = 0;
    std::uint32_t nanosec = 0;
  };
  struct Point {
    std::vector<double> positions, velocities, effort;
    Duration time_from_start;
  };
  std::vector<std::string> joint_names;
  std::vector<Point> points;
};

inline Message::Point point(const std::vector<double>& positions, double time = 0.0) {
  Message::Point result;
  result.positions = positions;
  result.time_from_start.sec = static_cast<std::int32_t>(time);
  result.time_from_start.nanosec = static_cast<std::uint32_t>((time - result.time_from_start.sec) * 1e9);
  return result;
}

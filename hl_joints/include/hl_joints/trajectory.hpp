// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "hl_joints/joint_set.hpp"

namespace hl_joints {

/// One point of a trajectory; NaN where a joint is not mentioned.
struct Goals {
  double time = 0.0;                      // s after the start
  JointArray position = absent_joints();  // rad
  JointArray velocity = absent_joints();  // rad/s, speed limit
  JointArray effort = absent_joints();    // N m, torque limit
};

/// What somebody asks of the joints: one point ("go there now") or several in time.
struct Trajectory {
  double stamp = 0.0;         // s, when the source computed it
  std::vector<Goals> points;  // all name the same joints
};

/// What a joint is to do at one moment.
struct JointGoal {
  double position;  // rad
  double velocity;  // rad/s, speed limit; NaN = none
  double effort;    // N m, torque limit; NaN = none
};

/// `joint` at `time` s after the start, on straight lines from `from` (rad) through the points; then it rests.
JointGoal goal_at(const std::vector<Goals>& points, std::size_t joint, double from, double time);

/// Why a stamp is not to be believed at `now` with this limit (s), or nothing.
const char* stamp_problem(double stamp, double now, double limit);

/// Reads a trajectory_msgs/JointTrajectory (any type with its fields) but for its stamp, which is the caller's. Returns
/// why it is not acceptable, or nothing. `tolerance` (rad): positions beyond a limit by less are cut to it, beyond that
/// refused. A velocity or effort of zero means no limit.
template <class Message>
std::optional<std::string> read_trajectory(const Message& message, const JointSet& joints, double tolerance,
                                           Trajectory& out) {
  constexpr std::size_t kMaxPoints = 200;
  constexpr double kLongest = 60.0;  // s
  std::array<std::size_t, kMaxJoints> index;
  const std::size_t count = message.joint_names.size();
  if (count == 0) return "names no joint";
  if (count > joints.size()) return "names more joints than the robot has";
  if (message.points.empty()) return "has no points";
  if (message.points.size() > kMaxPoints) return "has more than 200 points";
  std::array<bool, kMaxJoints> seen{};
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = joints.find(message.joint_names[i]);
    if (!found) return "unknown joint '" + message.joint_names[i] + "'";
    if (seen[*found]) return "names joint '" + message.joint_names[i] + "' twice";
    seen[*found] = true;
    index[i] = *found;
  }
  out.points.resize(message.points.size());
  double last = -1.0;
  for (std::size_t p = 0; p < message.points.size(); ++p) {
    const auto& from = message.points[p];
    Goals& to = out.points[p];
    to = Goals{};
    to.time = static_cast<double>(from.time_from_start.sec) + 1e-9 * static_cast<double>(from.time_from_start.nanosec);
    if (to.time <= last && p > 0) return "points are not in the order of time";
    if (to.time < 0.0 || to.time > kLongest) return "a point lies outside 0..60 s";
    last = to.time;
    if (from.positions.size() != count) return "a point has another number of positions than joints";
    if (!from.velocities.empty() && from.velocities.size() != count) return "wrong number of velocities";
    if (!from.effort.empty() && from.effort.size() != count) return "wrong number of efforts";
    for (std::size_t i = 0; i < count; ++i) {
      const Joint& joint = joints.joints[index[i]];
      const double position = from.positions[i];
      if (!std::isfinite(position)) return "position of " + joint.name + " is not a finite number";
      if (!joint.allows(position, tolerance))
        return "position " + std::to_string(position) + " rad of " + joint.name + " is beyond its limits";
      to.position[index[i]] = joint.clamped(position);
      if (!from.velocities.empty()) {
        if (!std::isfinite(from.velocities[i])) return "velocity of " + joint.name + " is not a finite number";
        if (from.velocities[i] > 0.0) to.velocity[index[i]] = from.velocities[i];
      }
      if (!from.effort.empty()) {
        if (!std::isfinite(from.effort[i])) return "effort of " + joint.name + " is not a finite number";
        if (from.effort[i] > 0.0) to.effort[index[i]] = from.effort[i];
      }
    }
  }
  return std::nullopt;
}

}  // namespace hl_joints

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hl_hcm {

constexpr std::size_t max_joints = 32;  // fixed arrays: no allocation in a tick
constexpr double absent = std::numeric_limits<double>::quiet_NaN();

inline bool given(double value) {
  return !std::isnan(value);
}

using JointArray = std::array<double, max_joints>;

inline JointArray absent_joints() {
  JointArray values;
  values.fill(absent);
  return values;
}

enum class Limb { Head, Arm, Leg };

/// The robot's joints with what the HCM must know of each.
struct JointSet {
  struct Joint {
    std::string name;
    double lower = -M_PI, upper = M_PI;  // rad
    double velocity = 5.0;               // rad/s, what the servo can do at most
    Limb limb = Limb::Leg;
    double effort = 0.0;  // N m, what the servo can do at most; 0 = unknown
  };
  std::vector<Joint> joints;

  std::size_t size() const { return joints.size(); }
  std::optional<std::size_t> find(const std::string& name) const {
    for (std::size_t i = 0; i < joints.size(); ++i)
      if (joints[i].name == name) return i;
    return std::nullopt;
  }
};

/// One point of a trajectory; NaN where a joint is not mentioned.
struct Goals {
  double time = 0.0;                      // s after the start
  JointArray position = absent_joints();  // rad
  JointArray velocity = absent_joints();  // rad/s, speed limit
  JointArray effort = absent_joints();    // N m, torque limit
};

/// What a source asks for: one point ("go there now") or several in time.
struct Trajectory {
  double stamp = 0.0;  // s, when the source computed it
  std::vector<Goals> points;
};

/// Who wants joints moved. The order is that of HcmDebug's OWNER constants.
enum class Source { None, Hcm, Walking, Animation, Kick, Head, Record };
constexpr std::size_t source_count = 7;
const char* name_of(Source source);

/// The last reason given in a fixed buffer, so that refusing costs no allocation.
struct Verdict {
  bool granted = false;
  std::string_view reason;  // empty if granted; static text or text owned by the HCM, valid until its next call
};

/// Reads a trajectory_msgs/JointTrajectory (any type with its fields). Returns why it is not acceptable, or nothing.
/// `tolerance` (rad): positions beyond a limit by less are cut to it, beyond that refused.
template <class Message>
std::optional<std::string> read_trajectory(const Message& message, const JointSet& joints, double tolerance,
                                           Trajectory& out) {
  constexpr std::size_t max_points = 200;
  std::array<std::size_t, max_joints> index;
  const std::size_t count = message.joint_names.size();
  if (count == 0) return "names no joint";
  if (count > joints.size()) return "names more joints than the robot has";
  if (message.points.empty()) return "has no points";
  if (message.points.size() > max_points) return "has more than 200 points";
  std::array<bool, max_joints> seen{};
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
    if (to.time < 0.0 || to.time > 60.0) return "a point lies outside 0..60 s";
    last = to.time;
    if (from.positions.size() != count) return "a point has another number of positions than joints";
    if (!from.velocities.empty() && from.velocities.size() != count) return "wrong number of velocities";
    if (!from.effort.empty() && from.effort.size() != count) return "wrong number of efforts";
    for (std::size_t i = 0; i < count; ++i) {
      const auto& joint = joints.joints[index[i]];
      const double position = from.positions[i];
      if (!std::isfinite(position)) return "position of " + joint.name + " is not a finite number";
      if (position < joint.lower - tolerance || position > joint.upper + tolerance)
        return "position " + std::to_string(position) + " rad of " + joint.name + " is beyond its limits";
      to.position[index[i]] = std::fmin(std::fmax(position, joint.lower), joint.upper);
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

}  // namespace hl_hcm

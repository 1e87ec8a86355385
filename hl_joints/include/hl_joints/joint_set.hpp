// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace hl_description {
class RobotModel;
struct RobotConfig;
}  // namespace hl_description

namespace hl_joints {

constexpr std::size_t kMaxJoints = 32;  // fixed arrays: no allocation in a tick
constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

inline bool given(double value) {
  return !std::isnan(value);
}

using JointArray = std::array<double, kMaxJoints>;

inline JointArray absent_joints() {
  JointArray values;
  values.fill(kAbsent);
  return values;
}

enum class Limb { Head, Arm, Leg };
Limb limb_of(const std::string& group);  // of robot.yaml: head, left_arm, ...

/// One joint with what whoever moves it must know.
struct Joint {
  std::string name;
  double lower = -M_PI, upper = M_PI;  // rad
  double velocity = 5.0;               // rad/s, what the servo can do at most
  Limb limb = Limb::Leg;
  double effort = 0.0;  // N m, what the servo can do at most; 0 = unknown

  /// The nearest position within the limits.
  double clamped(double position) const { return std::fmin(std::fmax(position, lower), upper); }
  /// Whether a position lies within the limits, or beyond them by no more than `tolerance` (rad).
  bool allows(double position, double tolerance) const {
    return position >= lower - tolerance && position <= upper + tolerance;
  }
  /// A torque limit (N m; absent or 0 = none) as a part of what the servo can do, 0..1.
  double torque_share(double limit) const {
    return given(limit) && limit > 0.0 && effort > 0.0 ? std::fmin(1.0, limit / effort) : 1.0;
  }
  /// A speed limit (rad/s; absent or 0 = none) that is not beyond the servo's own; 0 = none.
  double speed_limit(double limit) const {
    if (!given(limit) || limit <= 0.0) return 0.0;
    return velocity > 0.0 ? std::fmin(limit, velocity) : limit;
  }
};

/// The joints of a robot in a fixed order.
struct JointSet {
  using Joint = hl_joints::Joint;
  std::vector<Joint> joints;

  std::size_t size() const { return joints.size(); }
  std::optional<std::size_t> find(const std::string& name) const {
    for (std::size_t i = 0; i < joints.size(); ++i)
      if (joints[i].name == name) return i;
    return std::nullopt;
  }
};

/// The joints of a robot as URDF and robot.yaml describe them, in the order of the model, or in that of `names`. Throws
/// hl_description::ModelError if there are more than `kMaxJoints`, or one of `names` is none of them.
JointSet joint_set(const hl_description::RobotModel& model, const hl_description::RobotConfig& config);
JointSet joint_set(const hl_description::RobotModel& model, const hl_description::RobotConfig& config,
                   const std::vector<std::string>& names);

}  // namespace hl_joints

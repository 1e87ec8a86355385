// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_description/robot_config.hpp>
#include <hl_description/robot_model.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hl_animation/animation.hpp"

namespace hl_animation {

/// Something about a motion that would break a robot or make it fall.
struct Finding {
  enum class Kind : std::uint8_t {
    UnknownJoint,
    PositionLimit,
    VelocityLimit,
    AccelerationLimit,
    TorqueLimit,
    SelfCollision,
    Balance,
  } kind;
  double time = 0.0;   // s into the motion, where it is worst
  int keyframe = 0;    // from 1, on the way to which it happens
  std::string what;    // joint, or pair of links
  double value = 0.0;  // the worst one
  double limit = 0.0;  // what is allowed
  std::string unit;
};

std::string name(Finding::Kind kind);

/// Looks at the interpolated curve of a motion, not only at its keyframes.
class Verifier {
 public:
  struct Params {
    double sample_time = 0.004;       // s between looks
    double max_acceleration = 400.0;  // rad/s^2; beyond, no servo of the MX series follows
    double torque_share = 1.0;        // of the stall torque that a freely moving limb may need
    double min_clearance = 0.0;       // m between limbs
    double min_margin = 0.0;          // m from the centre of mass to the edge of the support polygon
    std::optional<std::string> validate() const;
  };

  Verifier(const hl_description::RobotModel& model, const hl_description::RobotConfig& config, const Params& params);

  /// Everything that is wrong when the motion starts from `start` (rad, all joints; others than those are zero).
  /// Joint, velocity and acceleration limits, the torque of freely moving limbs, self-collision, and the centre of mass
  /// where keyframes name a support.
  std::vector<Finding> verify(const Animation& animation, const std::map<std::string, double>& start) const;

  /// The pose a motion is verified from: walk-ready, or stretched out with the arms along the body where it starts
  /// lying on the front or the back.
  std::map<std::string, double> start_pose(Posture start) const;

 private:
  const hl_description::RobotModel& model_;
  const hl_description::RobotConfig& config_;
  Params params_;
};

}  // namespace hl_animation

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_node/parameter_table.hpp>
#include <optional>
#include <string>

#include "hl_walking/types.hpp"

namespace hl_walking {

/// Everything that can be tuned about the gait: lengths m, angles rad, times s. Meaning and range of each value stand
/// in `parameters()`, which the node, the tuner and the configuration files share.
struct Params {
  // Rhythm
  double step_duration = 0.26;
  double double_support_ratio = 0.15;
  double start_duration = 0.30;

  // Posture
  double trunk_height = 0.33;
  double trunk_pitch = 0.06;
  double foot_distance = 0.12;
  double com_x = 0.0;
  double zmp_y = 0.0;
  double toe_out = 0.0;
  double arm_swing = 0.5;

  // Swing foot
  double foot_lift = 0.03;
  double lift_apex = 0.45;
  double swing_end = 0.92;
  double landing_depth = 0.0;

  // What may be asked for
  double max_forward = 0.35, max_backward = 0.20, max_sideways = 0.15, max_turn = 1.0;
  double acceleration = 0.5, turn_acceleration = 2.5;
  double gain_forward = 1.0, gain_backward = 1.0, gain_sideways = 1.0, gain_turn = 1.0;

  // What the legs can do
  double max_step_forward = 0.13, max_step_backward = 0.10, max_step_sideways = 0.09, max_step_turn = 0.6;
  double min_foot_distance = 0.095;
  double zmp_margin = 0.01;

  // Balance
  double ankle_pitch_p = 0.0, ankle_pitch_d = 0.08;
  double ankle_roll_p = 0.0, ankle_roll_d = 0.12;
  double hip_pitch_p = 0.0, hip_pitch_d = 0.0;
  double hip_roll_p = 0.0, hip_roll_d = 0.0;
  double gyro_filter = 0.01, attitude_filter = 0.02;
  double swing_level = 0.0;
  double capture_x = 0.2, capture_y = 0.2;
  double capture_dead_zone = 0.01;
  double capture_limit_x = 0.06, capture_limit_y = 0.04;
  double slow_down_instability = 100.0;

  // Rhythm feedback
  double contact_phase = 0.8;
  double contact_force = 0.15;
  double contact_hold = 0.04;
  double timing_gain = 0.25, timing_limit = 0.25;

  // Servos
  double stiffness_pitch = 0.0, stiffness_roll = 0.0;
  double lag_pitch = 0.0, lag_roll = 0.0, lag_yaw = 0.0;

  /// The first bad value and its remedy, in words; nothing if all is well.
  std::optional<std::string> validate() const;
};

const hl_node::ParameterTable<Params>& parameters();

}  // namespace hl_walking

// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/params.hpp"

#include <cmath>

namespace hl_walking {

const hl_node::ParameterTable<Params>& parameters() {
  using P = Params;
  static const hl_node::ParameterTable<P> table({
      {"step_duration", &P::step_duration, 0.15, 1.0, "time of one step, double support included, s"},
      {"double_support_ratio", &P::double_support_ratio, 0.0, 0.6, "part of a step with both feet loaded"},
      {"start_duration", &P::start_duration, 0.1, 1.0, "weight shift before the first and after the last step, s"},
      {"trunk_height", &P::trunk_height, 0.10, 1.0, "base_link above the soles, m"},
      {"trunk_pitch", &P::trunk_pitch, -0.3, 0.6, "forward lean of the trunk, rad"},
      {"foot_distance", &P::foot_distance, 0.04, 0.4, "between the sole centres while stepping in place, m"},
      {"com_x", &P::com_x, -0.06, 0.06, "centre of mass, and zero-moment point, ahead of the sole centre, m"},
      {"zmp_y", &P::zmp_y, -0.04, 0.06, "zero-moment point inwards of the sole centre, m"},
      {"toe_out", &P::toe_out, -0.2, 0.4, "yaw of each foot outwards, rad"},
      {"arm_swing", &P::arm_swing, 0.0, 10.0, "shoulder pitch per metre that the opposite foot is ahead, rad/m"},
      {"foot_lift", &P::foot_lift, 0.005, 0.12, "apex of the swing foot, m"},
      {"lift_apex", &P::lift_apex, 0.2, 0.8, "part of the swing at which the apex is reached"},
      {"swing_end", &P::swing_end, 0.6, 1.0, "part of the swing at which the foot is over its landing place"},
      {"landing_depth", &P::landing_depth, -0.02, 0.03, "the foot is sent this far below the ground, m"},
      {"max_forward", &P::max_forward, 0.02, 1.0, "fastest forward walk, m/s"},
      {"max_backward", &P::max_backward, 0.02, 1.0, "fastest backward walk, m/s"},
      {"max_sideways", &P::max_sideways, 0.02, 1.0, "fastest sideways walk, m/s"},
      {"max_turn", &P::max_turn, 0.05, 4.0, "fastest turn, rad/s"},
      {"acceleration", &P::acceleration, 0.02, 5.0, "change of speed, forward and sideways, m/s^2"},
      {"turn_acceleration", &P::turn_acceleration, 0.1, 20.0, "change of turn rate, rad/s^2"},
      {"gain_forward", &P::gain_forward, 0.3, 2.0, "planned over commanded speed, forward: makes up for slip"},
      {"gain_backward", &P::gain_backward, 0.3, 2.0, "the same, backward"},
      {"gain_sideways", &P::gain_sideways, 0.3, 2.0, "the same, sideways"},
      {"gain_turn", &P::gain_turn, 0.3, 2.0, "the same, turning"},
      {"max_step_forward", &P::max_step_forward, 0.01, 0.5, "farthest landing ahead of the other foot, m"},
      {"max_step_backward", &P::max_step_backward, 0.01, 0.5, "farthest landing behind the other foot, m"},
      {"max_step_sideways", &P::max_step_sideways, 0.01, 0.3, "farthest landing outwards of the usual place, m"},
      {"max_step_turn", &P::max_step_turn, 0.05, 1.2, "largest turn of a foot against the other, rad"},
      {"min_foot_distance", &P::min_foot_distance, 0.02, 0.3, "closest centres of parallel soles, m"},
      {"zmp_margin", &P::zmp_margin, 0.0, 0.05, "the planned zero-moment point keeps this far from the sole's edge, m"},
      {"ankle_pitch_p", &P::ankle_pitch_p, 0.0, 2.0, "ankle pitch per trunk pitch error, rad/rad"},
      {"ankle_pitch_d", &P::ankle_pitch_d, 0.0, 0.5, "ankle pitch per trunk pitch rate, s"},
      {"ankle_roll_p", &P::ankle_roll_p, 0.0, 2.0, "ankle roll per trunk roll error, rad/rad"},
      {"ankle_roll_d", &P::ankle_roll_d, 0.0, 0.5, "ankle roll per trunk roll rate, s"},
      {"hip_pitch_p", &P::hip_pitch_p, 0.0, 2.0, "hip pitch per trunk pitch error, rad/rad"},
      {"hip_pitch_d", &P::hip_pitch_d, 0.0, 0.5, "hip pitch per trunk pitch rate, s"},
      {"hip_roll_p", &P::hip_roll_p, 0.0, 2.0, "hip roll per trunk roll error, rad/rad"},
      {"hip_roll_d", &P::hip_roll_d, 0.0, 0.5, "hip roll per trunk roll rate, s"},
      {"gyro_filter", &P::gyro_filter, 0.0, 0.2, "low-pass of the turn rates, s"},
      {"attitude_filter", &P::attitude_filter, 0.0, 0.5, "low-pass of the tilt, s"},
      {"swing_level", &P::swing_level, 0.0, 1.5, "part of the trunk's tilt error taken out of the swing foot"},
      {"capture_x", &P::capture_x, 0.0, 2.0, "part of the predicted DCM error ahead that moves the landing"},
      {"capture_y", &P::capture_y, 0.0, 2.0, "part of the predicted DCM error aside that moves the landing"},
      {"capture_dead_zone", &P::capture_dead_zone, 0.0, 0.1, "DCM error that is left alone (the walk itself sways), m"},
      {"capture_limit_x", &P::capture_limit_x, 0.0, 0.3, "most that a landing is moved ahead or back, m"},
      {"capture_limit_y", &P::capture_limit_y, 0.0, 0.2, "most that a landing is moved aside, m"},
      {"slow_down_instability", &P::slow_down_instability, 0.1, 100.0,
       "instability from which the robot slows down, at twice as much to a step in place; 100: it never does"},
      {"contact_phase", &P::contact_phase, 0.3, 2.0,
       "part of the swing from which a touch-down ends the step; > 1: never"},
      {"contact_force", &P::contact_force, 0.02, 0.9, "part of the weight that counts as touch-down"},
      {"contact_hold", &P::contact_hold, 0.0, 0.3, "how long a late touch-down is waited for, s"},
      {"timing_gain", &P::timing_gain, 0.0, 1.0, "part of the step time change that a tilt aside asks for"},
      {"timing_limit", &P::timing_limit, 0.0, 0.6, "most that the step time is changed, as part of step_duration"},
      {"stiffness_pitch", &P::stiffness_pitch, 0.0, 500.0,
       "load per sag of hip, knee and ankle pitch; 0: no lead, N m/rad"},
      {"stiffness_roll", &P::stiffness_roll, 0.0, 500.0, "load per sag of hip and ankle roll; 0: no lead, N m/rad"},
      {"lag_pitch", &P::lag_pitch, 0.0, 0.1, "how far pitch servos are behind a moving goal, s"},
      {"lag_roll", &P::lag_roll, 0.0, 0.1, "how far roll servos are behind a moving goal, s"},
      {"lag_yaw", &P::lag_yaw, 0.0, 0.1, "how far yaw servos are behind a moving goal, s"},
  });
  return table;
}

std::optional<std::string> Params::validate() const {
  if (auto error = parameters().check(*this)) return error;
  if (min_foot_distance > foot_distance) {
    return "min_foot_distance is " + std::to_string(min_foot_distance) + " but foot_distance is only " +
           std::to_string(foot_distance) + ": stand wider or allow closer feet";
  }
  if (step_duration * (1.0 - double_support_ratio) < 0.1) {
    return "step_duration " + std::to_string(step_duration) + " s with double_support_ratio " +
           std::to_string(double_support_ratio) + " leaves less than 0.1 s for the swing: no servo can do that";
  }
  return std::nullopt;
}

}  // namespace hl_walking

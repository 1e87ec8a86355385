// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_joints/goal_player.hpp>
#include <hl_node/parameter_table.hpp>

#include "hl_robot_interface/health.hpp"

/// What can be set of the hardware contract, for the table of the node that owns a body.
namespace hl_robot_interface {

inline const hl_node::ParameterTable<hl_joints::GoalPlayer::Params>& goal_parameters() {
  using P = hl_joints::GoalPlayer::Params;
  static const hl_node::ParameterTable<P> table({
      {"hold_after", &P::hold_after, 0.01, 60.0, "without goals: hold the pose, s"},
      {"soften_after", &P::soften_after, 0.01, 3600.0, "without goals: hold it softly, s"},
      {"soft_stiffness", &P::soft_stiffness, 0.05, 1.0, "share of the P gain then"},
      {"max_goal_age", &P::max_age, 0.01, 10.0, "older goals are refused, s"},
      {"limit_tolerance", &P::limit_tolerance, 0.0, 0.2,
       "goals beyond a joint limit by less are cut, by more refused, rad"},
  });
  return table;
}

inline const hl_node::ParameterTable<HealthLimits>& health_parameters() {
  using P = HealthLimits;
  static const hl_node::ParameterTable<P> table({
      {"warn_voltage", &P::warn_voltage, 6.0, 20.0, "below which the battery counts as low, V"},
      {"shutdown_voltage", &P::shutdown_voltage, 5.0, 20.0, "below which the robot sits down and lets go, V"},
      {"shutdown_grace", &P::shutdown_grace, 0.0, 120.0, "for sitting down before torque goes off, s"},
      {"warn_temperature", &P::warn_temperature, 30.0, 90.0, "above which a servo counts as hot, degrees Celsius"},
  });
  return table;
}

}  // namespace hl_robot_interface

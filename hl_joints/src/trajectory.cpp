// SPDX-License-Identifier: Apache-2.0
#include "hl_joints/trajectory.hpp"

#include <algorithm>

namespace hl_joints {

JointGoal goal_at(const std::vector<Goals>& points, std::size_t joint, double from, double time) {
  JointGoal goal{from, kAbsent, kAbsent};
  double before_time = 0.0;
  for (const Goals& point : points) {
    goal.velocity = point.velocity[joint];
    goal.effort = point.effort[joint];
    if (time < point.time) {
      const double fraction = std::clamp((time - before_time) / (point.time - before_time), 0.0, 1.0);
      goal.position = goal.position + fraction * (point.position[joint] - goal.position);
      return goal;
    }
    before_time = point.time;
    goal.position = point.position[joint];
  }
  return goal;
}

const char* stamp_problem(double stamp, double now, double limit) {
  const double age = now - stamp;
  if (!(age <= limit)) return "stamp is too old";
  if (age < -limit) return "stamp lies in the future";
  return nullptr;
}

}  // namespace hl_joints

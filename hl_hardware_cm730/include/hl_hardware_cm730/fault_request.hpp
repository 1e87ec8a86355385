// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <humanoid_league_msgs/srv/inject_fault.hpp>
#include <string>

#include "hl_description/robot_config.hpp"
#include "hl_hardware_cm730/emulator.hpp"

namespace hl_hardware_cm730 {

/// Breaks an emulated bus as the service asks; empty if done, else why not. `robot` tells the ids.
inline std::string apply(Faults& faults, const humanoid_league_msgs::srv::InjectFault::Request& request,
                         const hl_description::RobotConfig& robot) {
  using Request = humanoid_league_msgs::srv::InjectFault::Request;
  std::string id;
  if (!request.joint.empty()) {
    const auto servo = std::find_if(robot.servos.begin(), robot.servos.end(),
                                    [&](const auto& candidate) { return candidate.joint == request.joint; });
    if (servo == robot.servos.end()) return "there is no joint '" + request.joint + "'";
    id = std::to_string(servo->id);
  }
  switch (request.fault) {
    case Request::NONE:
      return faults.apply("heal " + id);
    case Request::SERVO_SILENT:
      return faults.apply("mute " + id);
    case Request::SERVO_LIMP:
      return faults.apply("overload " + id);
    case Request::SERVO_HOT:
      return faults.apply("overheat " + id + " " + std::to_string(request.value));
    case Request::IMU_SILENT:
      return faults.apply("mute " + std::to_string(robot.controller_id));
    case Request::LOW_VOLTAGE:
      return faults.apply("voltage " + std::to_string(request.value));
    case Request::BUS_SILENT:
      return faults.apply("stuck");
    default:
      return "unknown fault " + std::to_string(request.fault);
  }
}

}  // namespace hl_hardware_cm730

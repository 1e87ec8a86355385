// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <humanoid_league_msgs/srv/inject_fault.hpp>
#include <string>

#include "hl_description/robot_config.hpp"
#include "hl_hardware_cm730/emulator.hpp"

namespace hl_hardware_cm730 {

/// A line of `Faults`, or why there is none.
struct FaultLine {
  std::string line, refused;
};

/// What the service asks for; `robot` tells the ids.
inline FaultLine fault_line(const humanoid_league_msgs::srv::InjectFault::Request& request,
                            const hl_description::RobotConfig& robot) {
  using Request = humanoid_league_msgs::srv::InjectFault::Request;
  std::string id;
  if (!request.joint.empty()) {
    const auto servo = std::find_if(robot.servos.begin(), robot.servos.end(),
                                    [&](const auto& candidate) { return candidate.joint == request.joint; });
    if (servo == robot.servos.end()) return {"", "there is no joint '" + request.joint + "'"};
    id = std::to_string(servo->id);
  }
  switch (request.fault) {
    case Request::NONE:
      return {"heal " + id, ""};
    case Request::SERVO_SILENT:
      return {"mute " + id, ""};
    case Request::SERVO_LIMP:
      return {"overload " + id, ""};
    case Request::SERVO_HOT:
      return {"overheat " + id + " " + std::to_string(request.value), ""};
    case Request::IMU_SILENT:
      return {"mute " + std::to_string(robot.controller_id), ""};
    case Request::LOW_VOLTAGE:
      return {"voltage " + std::to_string(request.value), ""};
    case Request::BUS_SILENT:
      return {"stuck", ""};
    default:
      return {"", "unknown fault " + std::to_string(request.fault)};
  }
}

/// Breaks an emulated bus as the service asks; empty if done, else why not.
inline std::string apply(Faults& faults, const humanoid_league_msgs::srv::InjectFault::Request& request,
                         const hl_description::RobotConfig& robot) {
  const FaultLine wanted = fault_line(request, robot);
  return wanted.refused.empty() ? faults.apply(wanted.line) : wanted.refused;
}

}  // namespace hl_hardware_cm730

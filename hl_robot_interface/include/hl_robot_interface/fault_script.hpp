// SPDX-License-Identifier: Apache-2.0
// For the tests of a body: what is broken, and what hardware_state says then. Every body must say the same.
#pragma once

#include <algorithm>
#include <cstdint>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/srv/inject_fault.hpp>
#include <string>
#include <vector>

namespace hl_robot_interface {

struct FaultStep {
  std::uint8_t fault;  // of InjectFault
  std::string joint;
  double value;
  std::uint8_t level;  // of HardwareState
  std::string text;    // of a warning
  std::vector<std::string> missing, limp, overloaded, hot;
  bool imu_ok;

  bool holds(const humanoid_league_msgs::msg::HardwareState& state) const {
    using State = humanoid_league_msgs::msg::HardwareState;
    const bool dead = level == State::ERROR;
    return state.level == level && (dead || state.text == text) && state.imu_ok == imu_ok &&
           (dead ? !state.joints_missing.empty() : state.joints_missing == missing) && state.joints_limp == limp &&
           state.joints_overloaded == overloaded && state.joints_hot == hot && state.power_on == !dead;
  }
  humanoid_league_msgs::srv::InjectFault::Request request() const {
    humanoid_league_msgs::srv::InjectFault::Request request;
    request.fault = fault;
    request.joint = joint;
    request.value = value;
    return request;
  }
};

/// For a robot with the joints RKnee and LKnee that stands with torque.
inline std::vector<FaultStep> fault_script() {
  using Fault = humanoid_league_msgs::srv::InjectFault::Request;
  using State = humanoid_league_msgs::msg::HardwareState;
  const FaultStep healed{Fault::NONE, "", 0.0, State::OK, "", {}, {}, {}, {}, true};
  return {
      healed, {Fault::IMU_SILENT, "", 0.0, State::WARN, "the IMU does not answer", {}, {}, {}, {}, false},
      healed, {Fault::SERVO_SILENT, "RKnee", 0.0, State::WARN, "does not answer: RKnee", {"RKnee"}, {}, {}, {}, true},
      healed, {Fault::SERVO_HOT, "LKnee", 62.0, State::WARN, "hot: LKnee", {}, {}, {}, {"LKnee"}, true},
      healed, {Fault::LOW_VOLTAGE, "", 10.2, State::WARN, "the battery is low", {}, {}, {}, {}, true},
      healed, {Fault::BUS_SILENT, "", 0.0, State::ERROR, "", {}, {}, {}, {}, false},
      healed, {Fault::SERVO_LIMP, "RKnee", 0.0, State::WARN, "overload: RKnee", {}, {"RKnee"}, {"RKnee"}, {}, true}};
}

}  // namespace hl_robot_interface

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "hl_simulation/reading.hpp"
#include "hl_simulation/robot_spec.hpp"
#include "hl_simulation/servo.hpp"

namespace hl_simulation {

/// A robot's body in any physics, as its servo bus sees it: servos to be told, sensors to be read.
class DrivenBody {
 public:
  virtual ~DrivenBody() = default;

  virtual const RobotSpec& spec() const = 0;
  virtual const Servo& servo(std::size_t joint) const = 0;
  virtual double voltage() const = 0;  // V, under load
  virtual const Reading& read() const = 0;

  virtual std::optional<std::string> set_goal(std::size_t joint, double position) = 0;  // rad; refused with the reason
  virtual void set_speed_limit(std::size_t joint, double speed) = 0;                    // rad/s; 0: none
  virtual void set_torque_limit(std::size_t joint, double fraction) = 0;                // 0..1
  virtual void set_torque(std::size_t joint, bool on) = 0;
  virtual void set_gains(std::size_t joint, int p, int i, int d) = 0;  // registers 0..254
  /// Held by somebody's hands: the base stays where it is; joints move on.
  virtual void hold(bool held) = 0;

 protected:
  DrivenBody() = default;
  DrivenBody(const DrivenBody&) = default;
  DrivenBody& operator=(const DrivenBody&) = default;
};

}  // namespace hl_simulation

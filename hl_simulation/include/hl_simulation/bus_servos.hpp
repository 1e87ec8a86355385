// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_description/robot_config.hpp>
#include <hl_hardware_cm730/emulator.hpp>
#include <hl_hardware_cm730/servo_physics.hpp>
#include <string>
#include <vector>

#include "hl_simulation/driven_body.hpp"

namespace hl_simulation {

/// The servos and sensors of a body behind the emulated CM-730: the emulator's servo n moves `config.servos[n]`.
/// Whoever steps the body's world calls `read` after each step.
///
/// A robot without torque would fall before the driver has found its servos, so somebody holds it: joints stay until
/// the first torque, and the base is held until all servos have had torque for `hold` seconds of bus time.
class BusServos : public hl_hardware_cm730::ServoPhysics {
 public:
  /// The body must outlive it. Throws std::runtime_error if a servo's joint does not exist there.
  BusServos(DrivenBody& body, const hl_description::RobotConfig& config, double hold = 1.0);

  void step(double dt, const std::vector<hl_hardware_cm730::ServoCommand>& commands) override;
  const std::vector<hl_hardware_cm730::ServoState>& servos() const override { return states_; }
  const hl_hardware_cm730::BodyState& body() const override { return body_; }

  void read();    // sensors of the body
  void jumped();  // somebody has put the robot elsewhere: its servos get all settings again, and nobody holds it
  bool held() const { return held_; }

 private:
  void apply(std::size_t servo, const hl_hardware_cm730::ServoCommand& command);

  struct Link {
    std::size_t joint;
    double direction;  // -1: the servo turns the other way
    double offset;     // rad
  };
  DrivenBody& robot_;
  std::vector<Link> links_;
  std::vector<hl_hardware_cm730::ServoCommand> last_;
  std::vector<hl_hardware_cm730::ServoState> states_;
  hl_hardware_cm730::BodyState body_;
  double hold_;
  bool resting_ = true;  // nobody has switched torque on yet
  bool held_ = true;
  double torque_time_ = 0.0;  // s that all servos have had torque
};

/// The bus of a robot: servos with ids and models, the board, the feet.
hl_hardware_cm730::EmulatorConfig emulator_config(const hl_description::RobotConfig& config);

}  // namespace hl_simulation

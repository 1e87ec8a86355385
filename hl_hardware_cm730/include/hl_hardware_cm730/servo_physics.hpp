// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "hl_hardware_cm730/control_table.hpp"

namespace hl_hardware_cm730 {

/// What a servo's registers ask of its motor.
struct ServoCommand {
  bool torque = false;
  double goal = 0.0;          // rad
  int p = 32, i = 0, d = 0;   // gain registers
  double torque_limit = 1.0;  // 0..1 of the stall torque
  double speed_limit = 0.0;   // rad/s, 0 = none
};

struct ServoState {
  double position = 0.0;      // rad
  double velocity = 0.0;      // rad/s
  double load = 0.0;          // -1..1 of the stall torque
  double temperature = 35.0;  // degrees Celsius
  bool shut_down = false;     // its own protection has just switched the motor off
};

struct BodyState {
  std::array<double, 3> gyro{};                     // rad/s, body axes x forward, y left, z up
  std::array<double, 3> accel{0.0, 0.0, kGravity};  // m/s^2, specific force
  double voltage = 0.0;                             // V of the supply; 0 = as the emulator is configured
  std::array<std::array<double, 4>, 2> feet{};      // N; left, right; front left, front right, back left, back right
};

/// The world behind the emulated bus: a simulator, or the built-in model below. Servos are numbered as the emulator's.
class ServoPhysics {
 public:
  virtual ~ServoPhysics() = default;
  virtual void step(double dt, const std::vector<ServoCommand>& commands) = 0;
  virtual const std::vector<ServoState>& servos() const = 0;
  virtual const BodyState& body() const = 0;
};

/// How a servo differs from a new one.
struct ServoWear {
  double dry_friction = 0.0;  // N m
  double stiffness = 1.0;     // factor of the torque per error
  double lag = 0.0;           // s from a goal until it acts
  double backlash = 0.0;      // rad, error within which it gives no torque
};

/// Every servo by itself, against friction and its own inertia: second order, with the torque-speed line of its motor.
/// The body stands still with its weight on both feet.
class SecondOrderServos : public ServoPhysics {
 public:
  struct Params {
    double inertia = 0.02;      // kg m^2 at the horn
    double friction = 0.02;     // N m s/rad
    double body_weight = 30.0;  // N, shared by the eight cells
    double step = 0.5e-3;       // s, longest step of the integration
  };

  SecondOrderServos(std::vector<ServoModel> models, const Params& params);
  explicit SecondOrderServos(std::vector<ServoModel> models) : SecondOrderServos(std::move(models), Params()) {}

  void step(double dt, const std::vector<ServoCommand>& commands) override;
  const std::vector<ServoState>& servos() const override { return states_; }
  const BodyState& body() const override { return body_; }

  void place(size_t servo, double position) { states_[servo] = {position, 0.0, 0.0}; }
  BodyState& body_mutable() { return body_; }
  void wear(size_t servo, const ServoWear& wear) { wear_[servo] = wear; }

 private:
  struct Goal {
    double since, position;  // s, rad
  };
  double goal_in_force(size_t servo, double goal, double time);

  double time_ = 0.0;                     // s
  std::vector<ServoWear> wear_;           // of each servo
  std::vector<std::vector<Goal>> goals_;  // of servos that lag: the one in force, then those to come
  Params params_;
  std::vector<ServoModel> models_;
  std::vector<ServoState> states_;
  std::vector<double> integrals_;
  BodyState body_;
};

}  // namespace hl_hardware_cm730

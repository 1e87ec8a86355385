// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/servo.hpp"

#include <algorithm>
#include <cmath>

namespace hl_simulation {
namespace {

constexpr double kNominalVoltage = 12.0;  // V, of the torques and speeds in ServoSpec
// Full duty is 512 units of the firmware's controller: P = 32 (Kp = 4) saturates at an error of 128 ticks, 11 degrees.
constexpr double kFullDuty = 512.0;

double dead_zone(double error, double half_width) {
  return std::copysign(std::max(0.0, std::abs(error) - half_width), error);
}

}  // namespace

std::optional<std::string> ServoSpec::validate() const {
  const auto positive = [](double v) { return std::isfinite(v) && v > 0.0; };
  const auto not_negative = [](double v) { return std::isfinite(v) && v >= 0.0; };
  const auto bad = [this](const char* what, double v) {
    return "servo " + model + ": " + what + " is " + std::to_string(v);
  };
  if (!positive(stall_torque)) return bad("stall_torque (N m) must be positive but", stall_torque);
  if (!positive(no_load_speed)) return bad("no_load_speed (rad/s) must be positive but", no_load_speed);
  if (!not_negative(stall_current)) return bad("stall_current (A) must not be negative but", stall_current);
  if (!not_negative(friction)) return bad("friction (N m) must not be negative but", friction);
  if (!not_negative(armature)) return bad("armature (kg m^2) must not be negative but", armature);
  if (!not_negative(backlash) || backlash > 0.2) return bad("backlash (rad) must be in 0..0.2 but", backlash);
  for (const int gain : {p_gain, i_gain, d_gain}) {
    if (gain < 0 || gain > 254) return bad("a P/I/D register must be in 0..254 but", gain);
  }
  if (!not_negative(overload_time)) return bad("overload_time (s) must not be negative but", overload_time);
  if (!positive(thermal_time)) return bad("thermal_time (s) must be positive but", thermal_time);
  if (!not_negative(stall_heating)) return bad("stall_heating (K) must not be negative but", stall_heating);
  return std::nullopt;
}

ServoSpec ServoSpec::of(const hl_description::ServoModel& model) {
  ServoSpec spec;
  spec.model = model.name;
  spec.stall_torque = model.stall_torque;
  spec.no_load_speed = model.no_load_speed;
  spec.stall_current = model.stall_current;
  spec.friction = model.friction;
  spec.armature = model.armature;
  return spec;
}

void Servo::set_torque_limit(double fraction) {
  torque_limit_ = std::clamp(fraction, 0.0, 1.0);
}

void Servo::set_gains(int p, int i, int d) {
  spec_.p_gain = std::clamp(p, 0, 254);
  spec_.i_gain = std::clamp(i, 0, 254);
  spec_.d_gain = std::clamp(d, 0, 254);
  integral_ = 0.0;
}

void Servo::set_torque(bool on, double position) {
  if (on && !torque_on_) {
    goal_ = reference_ = position;
    integral_ = stalled_for_ = 0.0;
    last_reference_ = position / kTick;
    overloaded_ = false;
  }
  torque_on_ = on;
}

double Servo::current() const {
  const double fraction = torque_ / (spec_.stall_torque + spec_.friction);
  return spec_.stall_current * std::abs(fraction);
}

double Servo::update(double position, double velocity, double dt, double voltage) {
  if (speed_limit_ > 0.0 && std::isfinite(speed_limit_)) {
    const double reach = speed_limit_ * dt;
    reference_ += std::clamp(goal_ - reference_, -reach, reach);
  } else {
    reference_ = goal_;
  }

  duty_ = torque_ = 0.0;
  if (torque_on_) {
    const double measured = std::round(position / kTick);
    const double play = 0.5 * spec_.backlash / kTick;
    const double error = dead_zone(std::round(reference_ / kTick) - measured, play);  // tick
    double duty = spec_.p_gain / 8.0 * error;
    if (spec_.i_gain > 0) {
      const double ki = spec_.i_gain * 1000.0 / 2048.0;
      integral_ = std::clamp(integral_ + error * dt, -kFullDuty / ki, kFullDuty / ki);
      duty += ki * integral_;
    }
    if (spec_.d_gain > 0) {
      // The unrounded velocity: differences of whole ticks over one step would only be noise.
      const double goal_rate = (reference_ / kTick - last_reference_) / dt;
      duty += spec_.d_gain * 4.0 / 1000.0 * (goal_rate - velocity / kTick);
    }
    last_reference_ = reference_ / kTick;
    duty_ = std::clamp(duty / kFullDuty, -torque_limit_, torque_limit_);
    // The data sheet's stall torque is what is left after friction.
    torque_ = duty_ * (spec_.stall_torque + spec_.friction) * voltage / kNominalVoltage;
  }

  const double strain = torque_ / spec_.stall_torque;
  temperature_ +=
      dt / spec_.thermal_time * (spec_.ambient_temperature + spec_.stall_heating * strain * strain - temperature_);
  const bool stalled = torque_on_ && std::abs(duty_) >= 0.98 * torque_limit_ && std::abs(velocity) < 0.05;
  stalled_for_ = stalled ? stalled_for_ + dt : 0.0;
  if (spec_.overload_time > 0.0 && stalled_for_ > spec_.overload_time) overloaded_ = true;
  if (overloaded_ || overheated()) torque_on_ = false;
  return torque_;
}

}  // namespace hl_simulation

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_description/servo_models.hpp>
#include <limits>
#include <optional>
#include <string>

namespace hl_simulation {

/// What a servo is, as its data sheet and its wear say. Torque and speed at 12 V; both scale with voltage.
struct ServoSpec {
  std::string model = "MX-28";
  double stall_torque = 2.5;    // N m
  double no_load_speed = 5.76;  // rad/s
  double stall_current = 1.4;   // A
  double friction = 0.06;       // N m, dry friction of the gear seen at the horn
  double armature = 0.0035;     // kg m^2, rotor and gear seen at the horn
  double backlash = 0.0058;     // rad, whole play of the gear (0.33 degrees)
  int p_gain = 32;              // registers of the control table
  int i_gain = 0;
  int d_gain = 0;
  double overload_time = 0.0;       // s at the torque limit without motion until the servo shuts down; 0 = never
  double temperature_limit = 80;    // degC, shuts down above it
  double thermal_time = 600.0;      // s, time constant of the housing
  double stall_heating = 300.0;     // K above ambient that a stalled servo would reach in the end
  double ambient_temperature = 25;  // degC

  /// The first bad value in words; nothing if all is well.
  std::optional<std::string> validate() const;

  /// New, as the data sheet says.
  static ServoSpec of(const hl_description::ServoModel& model);
};

/// Position control of an MX servo: P/I/D on the 12-bit error gives a duty cycle, the torque limit clips it, and the
/// duty cycle gives torque along the line from stall to no-load speed. Dry friction, back-EMF and rotor inertia are
/// properties of the joint (see `damping`), so that the physics engine can integrate them implicitly.
class Servo {
 public:
  static constexpr double kTick = 6.283185307179586 / 4096.0;  // rad, resolution of the encoder

  Servo() = default;
  explicit Servo(const ServoSpec& spec) : spec_(spec), temperature_(spec.ambient_temperature) {}

  void set_goal(double position) { goal_ = position; }          // rad
  void set_speed_limit(double speed) { speed_limit_ = speed; }  // rad/s; 0 or infinity: none
  void set_torque_limit(double fraction);                       // 0..1 of the duty cycle
  void set_gains(int p, int i, int d);
  /// Switching on starts from where the joint is, so that nothing jumps; it also clears a shutdown.
  void set_torque(bool on, double position);

  /// Motor torque (N m) for this step; `position` rad, `velocity` rad/s, `dt` s, `voltage` V.
  double update(double position, double velocity, double dt, double voltage);

  /// Viscous damping of the joint, N m s/rad: back-EMF while the bridge drives, only grease when it is open.
  double damping() const { return (torque_on_ ? 1.0 : 0.03) * spec_.stall_torque / spec_.no_load_speed; }

  const ServoSpec& spec() const { return spec_; }
  double goal() const { return goal_; }
  double speed_limit() const { return speed_limit_; }
  double torque_limit() const { return torque_limit_; }
  double torque() const { return torque_; }  // N m, as in the last update
  double load() const { return duty_; }      // -1..1, what the load register shows
  double current() const;                    // A
  double temperature() const { return temperature_; }
  void set_temperature(double celsius) { temperature_ = celsius; }
  bool torque_on() const { return torque_on_; }
  bool overheated() const { return temperature_ > spec_.temperature_limit; }
  bool overloaded() const { return overloaded_; }

 private:
  ServoSpec spec_;
  bool torque_on_ = true;
  bool overloaded_ = false;
  double goal_ = 0.0;
  double reference_ = 0.0;  // rad, what the controller follows; behind the goal when speed is limited
  double speed_limit_ = 0.0;
  double torque_limit_ = 1.0;
  double integral_ = 0.0;        // tick s
  double last_reference_ = 0.0;  // tick, of the step before
  double duty_ = 0.0;
  double torque_ = 0.0;
  double temperature_ = 25.0;
  double stalled_for_ = 0.0;  // s
};

}  // namespace hl_simulation

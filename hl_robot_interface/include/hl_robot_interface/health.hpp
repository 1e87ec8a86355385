// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hl_robot_interface {

/// From when on something counts as low, empty or hot; the same on every body.
struct HealthLimits {
  double warn_voltage = 10.5;                   // V
  double shutdown_voltage = 10.0;               // V below which the robot sits down and lets go
  double shutdown_grace = 15.0;                 // s for sitting down
  double warn_temperature = 60.0;               // degrees Celsius
  std::optional<std::string> validate() const;  // the first bad value, in words
};

/// Whether the battery is used up: a moment of low voltage under load is not.
class Battery {
 public:
  enum class State : std::uint8_t { Fine, Low, Empty, LetGo };  // LetGo: the time for sitting down is over

  /// One reading (V, negative = unknown) at `now` (s).
  State update(double voltage, double now, const HealthLimits& limits);
  State state() const { return state_; }

 private:
  State state_ = State::Fine;
  double low_since_ = -1.0, empty_since_ = -1.0;  // s
};

/// What a body tells of itself at one moment.
struct BodyReport {
  struct Joint {
    bool missing = false;       // does not answer
    bool torque = false;        // holds
    bool overloaded = false;    // has switched itself off
    double temperature = -1.0;  // degrees Celsius, -1 = unknown
    double voltage = -1.0;      // V, -1 = unknown
    std::uint8_t error = 0;     // bits of protocol 1.0
  };
  bool answers = false;       // the bus as a whole
  std::string why_not;        // if it does not, where that is known
  bool imu = false;           // its IMU answers
  double voltage = -1.0;      // V, -1 = unknown
  double rate = 0.0;          // Hz of complete cycles
  std::vector<Joint> joints;  // in the body's order
};

/// The judgement on it; numbers are those of joints.
struct Health {
  enum class Level : std::uint8_t { Ok, Warn, Error };
  Level level = Level::Ok;
  std::string text;  // what is wrong, in words; empty = nothing
  double voltage = -1.0, rate = 0.0;
  bool power_on = false, torque_on = false, imu_ok = false;
  std::vector<std::size_t> missing, limp, overloaded, hot;

  /// Whether somebody should hear of it before the next regular report.
  bool differs_from(const Health& other) const;
};

/// An error is what leaves nothing to control: a bus that does not answer, no joint that does, an empty battery that
/// has let go. All else is a warning, a silent IMU or a silent leg among it: whoever needs them notices by himself, and
/// ends a step before he stops. `names` are the joints'.
Health judge(const BodyReport& report, Battery::State battery, const HealthLimits& limits,
             const std::vector<std::string>& names);

}  // namespace hl_robot_interface

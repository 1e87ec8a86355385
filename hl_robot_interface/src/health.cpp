// SPDX-License-Identifier: Apache-2.0
#include "hl_robot_interface/health.hpp"

#include <algorithm>

namespace hl_robot_interface {
namespace {

constexpr double kLowTime = 1.0;  // s below the shutdown voltage before it counts

}  // namespace

std::optional<std::string> HealthLimits::validate() const {
  const auto bad = [](const char* name, double value, const char* range) {
    return std::string(name) + " is " + std::to_string(value) + ", must be " + range;
  };
  if (!(shutdown_voltage > 0.0)) return bad("shutdown_voltage", shutdown_voltage, "positive");
  if (!(warn_voltage >= shutdown_voltage)) return bad("warn_voltage", warn_voltage, "not below shutdown_voltage");
  if (!(shutdown_grace >= 0.0)) return bad("shutdown_grace", shutdown_grace, "not negative");
  if (!(warn_temperature > 0.0)) return bad("warn_temperature", warn_temperature, "positive");
  return std::nullopt;
}

Battery::State Battery::update(double voltage, double now, const HealthLimits& limits) {
  if (!(voltage >= 0.0)) return state_;  // nobody knows: what was said last stands
  if (now < low_since_ || now < empty_since_) low_since_ = empty_since_ = -1.0;  // simulated time was set back
  if (voltage >= limits.warn_voltage) {                                          // another battery
    low_since_ = empty_since_ = -1.0;
    return state_ = State::Fine;
  }
  if (voltage >= limits.shutdown_voltage) {
    low_since_ = -1.0;
  } else if (low_since_ < 0.0) {
    low_since_ = now;
  }
  if (empty_since_ < 0.0 && low_since_ >= 0.0 && now - low_since_ >= kLowTime) empty_since_ = now;
  if (empty_since_ < 0.0) return state_ = State::Low;
  return state_ = now - empty_since_ > limits.shutdown_grace ? State::LetGo : State::Empty;
}

bool Health::differs_from(const Health& other) const {
  return level != other.level || power_on != other.power_on || torque_on != other.torque_on || imu_ok != other.imu_ok ||
         missing != other.missing || limp != other.limp || overloaded != other.overloaded || hot != other.hot;
}

Health judge(const BodyReport& report, Battery::State battery, const HealthLimits& limits,
             const std::vector<std::string>& names) {
  Health health;
  const auto say = [&health](Health::Level level, const std::string& what) {
    health.level = std::max(health.level, level);
    health.text += (health.text.empty() ? "" : "; ") + what;
  };
  using Level = Health::Level;
  for (std::size_t j = 0; j < report.joints.size(); ++j) {
    const BodyReport::Joint& joint = report.joints[j];
    health.torque_on |= report.answers && joint.torque && !joint.overloaded;  // a silent one was told so last
    if (joint.missing || !report.answers) {
      health.missing.push_back(j);
    } else if (!joint.torque || joint.overloaded) {
      health.limp.push_back(j);
    }
    if (joint.overloaded) health.overloaded.push_back(j);
    if (joint.temperature >= limits.warn_temperature) health.hot.push_back(j);
  }
  if (!report.answers) {
    say(Level::Error, report.why_not.empty() ? "the bus does not answer" : report.why_not);
    return health;
  }
  health.power_on = true;
  health.voltage = report.voltage;
  health.rate = report.rate;
  health.imu_ok = report.imu;
  if (!health.missing.empty()) {
    const bool all = health.missing.size() == report.joints.size();
    say(all ? Level::Error : Level::Warn,
        all ? "no joint answers"
            : "does not answer: " + names[health.missing.front()] + (health.missing.size() > 1 ? " and others" : ""));
  }
  if (!report.imu) say(Level::Warn, "the IMU does not answer");
  if (!health.overloaded.empty()) say(Level::Warn, "overload: " + names[health.overloaded.front()]);
  if (!health.hot.empty()) say(Level::Warn, "hot: " + names[health.hot.front()]);
  if (battery == Battery::State::Low) say(Level::Warn, "the battery is low");
  if (battery == Battery::State::Empty) say(Level::Warn, "the battery is empty, the robot sits down");
  if (battery == Battery::State::LetGo) say(Level::Error, "the battery is empty, the robot has let go");
  return health;
}

}  // namespace hl_robot_interface

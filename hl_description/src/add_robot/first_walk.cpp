// SPDX-License-Identifier: Apache-2.0
#include "first_walk.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <vector>

#include "yaml_text.hpp"

namespace hl_description {
namespace {

bool is(const std::string& name, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* n) { return name == n; });
}

double narrowest(const Measures& now) {
  return std::max(2.0 * now.foot_inner + 0.012, 0.02);
}

/// By what a parameter of the walk grows with the robot; 1: not at all.
double factor(const std::string& name, const Measures& now, const Measures& then) {
  const double size = now.leg / then.leg, time = std::sqrt(size);
  if (is(name, {"step_duration", "start_duration"})) return time;
  if (is(name, {"landing_depth", "max_step_forward", "max_step_backward", "max_step_sideways", "capture_dead_zone",
                "capture_limit_x", "capture_limit_y"}))
    return size;
  if (name == "arm_swing") return 1.0 / size;
  // A kick has limits of its own; a larger robot begins with that of the other.
  if (is(name, {"kick.back", "kick.front", "kick.lift", "kick.strike_height", "kick.sag", "kick.drive", "kick.near",
                "kick.far", "kick.inside", "kick.outside"}))
    return std::min(size, 1.0);
  if (name == "zmp_margin")
    return std::min({1.0, now.foot_length / then.foot_length, now.foot_width / then.foot_width});
  // A robot that nobody has tuned begins with two thirds of what its size would allow.
  if (is(name, {"max_forward", "max_backward", "max_sideways", "acceleration"})) return 0.65 * time;
  if (name == "max_turn") return 0.65;
  if (name == "stiffness_pitch") return now.pitch_torque / then.pitch_torque;
  if (name == "stiffness_roll") return now.roll_torque / then.roll_torque;
  return 1.0;
}

/// Places in the foot are written against the sole's origin, which lies below the ankle: what counts is its middle.
double in_foot(double value, double middle_then, double middle_now, double ratio, double most) {
  return std::clamp(middle_now + (value - middle_then) * ratio, -most, most);
}

/// How far the toes are ahead of the ankle, of the leg: a long foot has to be lifted higher.
double toe(const Measures& m) {
  return (m.foot_x + 0.5 * m.foot_length) / m.leg;
}

double scaled(const std::string& name, double value, const Measures& now, const Measures& then) {
  const double length = now.foot_length / then.foot_length, width = now.foot_width / then.foot_width;
  if (name == "com_x") return std::clamp(now.foot_x, -0.06, 0.06);  // how far from it is best is a matter of tuning
  if (name == "foot_lift") return value * now.leg / then.leg * std::sqrt(std::max(1.0, toe(now) / toe(then)));
  if (name == "zmp_y") return in_foot(value, -then.foot_y, -now.foot_y, width, 0.04);
  if (name == "kick.com_x") return in_foot(value, then.foot_x, now.foot_x, std::min(1.0, length), 0.06);
  if (name == "kick.com_y") return in_foot(value, -then.foot_y, -now.foot_y, std::min(1.0, width), 0.04);
  if (name == "trunk_height") return now.stand_height;
  if (name == "trunk_pitch") return 0.3 * value;  // a lean is for the body it was found with: the NAO was slow with it
  if (name == "min_foot_distance") return std::max(narrowest(now), value * now.leg / then.leg);
  if (name == "foot_distance") return std::max(narrowest(now) + 0.02, 2.09 * now.hip_y);
  return value * factor(name, now, then);
}

YAML::Node parameters_of(const std::string& path) {
  return YAML::LoadFile(path).begin()->second["ros__parameters"];
}

}  // namespace

std::string walking_yaml(const Scaling& scaling, const std::string& path) {
  std::string text = "# SPDX-License-Identifier: Apache-2.0\n# Walk of the " + scaling.robot +
                     ", scaled from that of the " + scaling.like +
                     " by `add_robot`; `ros2 run hl_match tune walking` makes it better. Meaning: `ros2 param "
                     "describe`.\n/**/walking:\n  ros__parameters:\n";
  const auto line = [&](const char* indent, const std::string& own, const std::string& name, const YAML::Node& value) {
    text += indent + own + ": " + number(scaled(name, value.as<double>(), scaling.now, scaling.then), 5) + "\n";
  };
  for (const auto& entry : parameters_of(path)) {
    const auto name = entry.first.as<std::string>();
    if (!entry.second.IsMap()) {
      line("    ", name, name, entry.second);
      continue;
    }
    text += "    " + name + ":\n";
    for (const auto& inner : entry.second) {
      const auto own = inner.first.as<std::string>();
      line("      ", own, name + "." + own, inner.second);
    }
  }
  return text;
}

std::string walking_tune_yaml(const Scaling& scaling, const std::string& path) {
  const Measures& now = scaling.now;
  const YAML::Node parameters = parameters_of(path);
  const auto start = [&](const char* name) {
    return scaled(name, parameters[name].as<double>(), scaling.now, scaling.then);
  };
  std::string text =
      "# SPDX-License-Identifier: Apache-2.0\n# ros2 run hl_match tune walking THIS_FILE found.yaml --robot " +
      scaling.robot + " --from WORKSPACE\n# Begun by `add_robot`. Disturbances: x (m/s), duration (s), push (N).\n" +
      "parameters:\n";
  const auto range = [&](const char* name, double low, double high) {
    const double value = std::clamp(start(name), low, high);
    text += std::string("  ") + name + ": {min: " + number(low, 5) + ", max: " + number(high, 5) +
            ", start: " + number(value, 5) + "}\n";
  };
  const auto about = [&](const char* name, double least, double most) {
    range(name, least * start(name), most * start(name));
  };
  about("step_duration", 0.8, 1.6);
  range("double_support_ratio", 0.02, 0.3);
  about("trunk_height", 0.94, 1.02);
  range("trunk_pitch", -0.05, 0.3);
  range("foot_distance", narrowest(now) + 0.01, std::max(narrowest(now) + 0.05, 2.6 * now.hip_y));
  range("com_x", std::max(-0.06, now.foot_x - 0.2 * now.foot_length),
        std::min(0.06, now.foot_x + 0.2 * now.foot_length));
  range("zmp_y", std::max(-0.04, -now.foot_y - 0.2 * now.foot_width),
        std::min(0.04, -now.foot_y + 0.2 * now.foot_width));
  about("foot_lift", 0.6, 1.6);
  range("lift_apex", 0.3, 0.7);
  range("swing_end", 0.7, 1.0);
  for (const char* gain : {"ankle_pitch_p", "ankle_roll_p", "hip_pitch_p", "hip_roll_p"}) range(gain, 0.0, 0.6);
  for (const char* gain : {"ankle_pitch_d", "ankle_roll_d", "hip_pitch_d"}) range(gain, 0.0, 0.2);
  range("capture_x", 0.0, 0.8);
  range("capture_y", 0.0, 0.8);
  range("timing_gain", 0.0, 0.8);
  about("stiffness_pitch", 0.4, 2.0);
  about("stiffness_roll", 0.4, 2.0);
  range("lag_pitch", 0.0, 0.04);
  range("lag_roll", 0.0, 0.03);
  const std::string x = number(std::min(0.15, start("max_forward")), 3), push = number(0.6 * now.mass, 1);
  return text +
         "objective: {speed: 1.0, straight: 0.2, heat: 0.5}\ndisturbances:\n  - {name: forward, duration: 10, x: " + x +
         "}\n  - {name: in place, duration: 6, x: 0.005}\n  - {name: pushed, duration: 8, x: " + x + ", push: " + push +
         "}\nseeds: [1]\ngenerations: 200\npopulation: 12\nsigma: 0.12\nabandon_below: 0.0\n";
}

std::string hcm_yaml(const Scaling& scaling, const std::string& path) {
  YAML::Node file = YAML::LoadFile(path);
  YAML::Node parameters = file.begin()->second["ros__parameters"];
  const auto scale = [&](const char* name, double factor) {
    if (parameters[name]) parameters[name] = number(parameters[name].as<double>() * factor, 3);
  };
  scale("fall.height", scaling.now.stand_height / scaling.then.stand_height);
  for (const char* force : {"pick_up.unloaded", "pick_up.loaded"}) scale(force, scaling.now.mass / scaling.then.mass);
  YAML::Emitter out;
  out << file;
  return "# SPDX-License-Identifier: Apache-2.0\n# HCM of the " + scaling.robot + ", begun by `add_robot`.\n" +
         out.c_str() + "\n";
}

}  // namespace hl_description

// SPDX-License-Identifier: Apache-2.0
#include "hl_hcm/parameters.hpp"

#include <cstdio>

namespace hl_hcm {

const std::vector<ParameterInfo>& parameters() {
  using P = Hcm::Params;
  static const std::vector<ParameterInfo> table = {
      {"fall.height", "height of the centre of mass, m; gives the pendulum's natural frequency", 0.05, 2.0,
       [](P& p) -> double& { return p.fall.height; }},
      {"fall.front_limit", "capture angle to the front beyond which the robot counts as falling, rad", 0.1, 2.0,
       [](P& p) -> double& { return p.fall.front_limit; }},
      {"fall.back_limit", "the same to the back, rad", 0.1, 2.0, [](P& p) -> double& { return p.fall.back_limit; }},
      {"fall.side_limit", "the same to the sides, rad", 0.1, 2.0, [](P& p) -> double& { return p.fall.side_limit; }},
      {"fall.tilt_limit", "tilt of no return even at rest, rad", 0.1, 1.5,
       [](P& p) -> double& { return p.fall.tilt_limit; }},
      {"fall.rate_filter", "low-pass of the turn rate, s", 0.0, 0.2,
       [](P& p) -> double& { return p.fall.rate_filter; }},
      {"fall.debounce", "time the condition must hold, s", 0.0, 0.5, [](P& p) -> double& { return p.fall.debounce; }},
      {"pick_up.unloaded", "force on both feet below which they count as in the air, N", 0.0, 100.0,
       [](P& p) -> double& { return p.pick_up.unloaded; }},
      {"pick_up.loaded", "force on both feet above which they are on the ground again, N", 0.0, 200.0,
       [](P& p) -> double& { return p.pick_up.loaded; }},
      {"pick_up.delay", "time the feet must be unloaded, s", 0.0, 5.0, [](P& p) -> double& { return p.pick_up.delay; }},
      {"velocity_factor", "fastest change of a goal, as a factor of the servo's no-load speed", 0.1, 3.0,
       [](P& p) -> double& { return p.goals.velocity_factor; }},
      {"max_step", "largest change of a goal between two messages, rad", 0.01, 1.0,
       [](P& p) -> double& { return p.goals.max_step; }},
      {"stale", "goals computed longer ago are refused, s", 0.01, 5.0, [](P& p) -> double& { return p.stale; }},
      {"joint_timeout", "joint states older than this are lost, s", 0.02, 5.0,
       [](P& p) -> double& { return p.joint_timeout; }},
      {"imu_timeout", "IMU data older than this are lost, s", 0.02, 5.0, [](P& p) -> double& { return p.imu_timeout; }},
      {"walk_imu_timeout", "time without IMU data that ends a walk, s", 0.02, 5.0,
       [](P& p) -> double& { return p.walk_imu_timeout; }},
      {"walk_gap", "silence of a walk or kick after which both feet are put down, s", 0.03, 5.0,
       [](P& p) -> double& { return p.walk_gap; }},
      {"walk_timeout", "silence that ends a walk, s", 0.08, 5.0, [](P& p) -> double& { return p.walk_timeout; }},
      {"kick_timeout", "silence that ends a kick, s", 0.05, 5.0, [](P& p) -> double& { return p.kick_timeout; }},
      {"animation_silence", "silence that ends an animation, s", 0.1, 10.0,
       [](P& p) -> double& { return p.animation_silence; }},
      {"walk_stop_timeout", "time a walk may take to come to its end, s", 0.5, 20.0,
       [](P& p) -> double& { return p.walk_stop_timeout; }},
      {"limit_tolerance", "a goal beyond a joint limit by less is cut, by more refused, rad", 0.0, 0.2,
       [](P& p) -> double& { return p.limit_tolerance; }},
      {"soft_start_speed", "joint speed into walk-ready after torque came on, rad/s", 0.1, 3.0,
       [](P& p) -> double& { return p.soft_start_speed; }},
      {"ramp_speed", "joint speed of the HCM's own motions, rad/s", 0.2, 6.0,
       [](P& p) -> double& { return p.ramp_speed; }},
      {"penalty_speed", "joint speed into the penalty pose, rad/s", 0.2, 6.0,
       [](P& p) -> double& { return p.penalty_speed; }},
      {"fall.soft_after", "time of falling after which the joints give way, s", 0.0, 5.0,
       [](P& p) -> double& { return p.soft_after; }},
      {"fall.soft_torque", "part of the servos' torque left then, and while lying", 0.05, 1.0,
       [](P& p) -> double& { return p.soft_torque; }},
      {"max_attempts", "failed attempts to get up before help is called", 1, 20,
       [](P& p) -> double& { return p.max_attempts; }},
      {"help_pause", "pause after calling for help until it tries again, s", 1.0, 600.0,
       [](P& p) -> double& { return p.help_pause; }},
      {"animation_timeout", "longest animation of the HCM itself, s", 1.0, 60.0,
       [](P& p) -> double& { return p.animation_timeout; }},
      {"still_time", "time without motion that counts as lying still, s", 0.05, 5.0,
       [](P& p) -> double& { return p.still_time; }},
      {"startup_timeout", "sensors that do not come within this time are a hardware problem, s", 1.0, 120.0,
       [](P& p) -> double& { return p.startup_timeout; }},
  };
  return table;
}

std::optional<std::string> Hcm::Params::validate() const {
  Params copy = *this;
  for (const ParameterInfo& info : parameters()) {
    const double value = info.value(copy);
    if (value >= info.low && value <= info.high) continue;
    char text[160];
    std::snprintf(text, sizeof text, "%s = %g must lie in %g..%g", info.name, value, info.low, info.high);
    return std::string(text);
  }
  if (pick_up.loaded < pick_up.unloaded) return "pick_up.loaded must not be smaller than pick_up.unloaded";
  return std::nullopt;
}

std::string parameter_table_markdown() {
  std::string text = "| parameter | default | range | meaning |\n|---|---|---|---|\n";
  Hcm::Params defaults;
  for (const ParameterInfo& info : parameters()) {
    char row[400];
    std::snprintf(row, sizeof row, "| `%s` | %g | %g..%g | %s |\n", info.name, info.value(defaults), info.low,
                  info.high, info.description);
    text += row;
  }
  return text;
}

}  // namespace hl_hcm

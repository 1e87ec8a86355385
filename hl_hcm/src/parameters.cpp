// SPDX-License-Identifier: Apache-2.0
#include "hl_hcm/parameters.hpp"

namespace hl_hcm {

const hl_node::ParameterTable<Hcm::Params>& parameters() {
  using P = Hcm::Params;
  static const auto table =
      hl_node::ParameterTable<P>(
          {
              {"velocity_factor", [](P& p) -> double& { return p.goals.velocity_factor; }, 0.1, 3.0,
               "fastest change of a goal, as a factor of the servo's no-load speed"},
              {"max_step", [](P& p) -> double& { return p.goals.max_step; }, 0.01, 1.0,
               "largest change of a goal between two messages, rad"},
              {"stale", &P::stale, 0.01, 5.0, "goals computed longer ago are refused, s"},
              {"joint_timeout", &P::joint_timeout, 0.02, 5.0, "joint states older than this are lost, s"},
              {"imu_timeout", &P::imu_timeout, 0.02, 5.0, "IMU data older than this are lost, s"},
              {"walk_imu_timeout", &P::walk_imu_timeout, 0.02, 5.0, "time without IMU data that ends a walk, s"},
              {"walk_gap", &P::walk_gap, 0.03, 5.0, "silence of a walk or kick after which both feet are put down, s"},
              {"walk_timeout", &P::walk_timeout, 0.08, 5.0, "silence that ends a walk, s"},
              {"kick_timeout", &P::kick_timeout, 0.05, 5.0, "silence that ends a kick, s"},
              {"animation_silence", &P::animation_silence, 0.1, 10.0, "silence that ends an animation, s"},
              {"walk_stop_timeout", &P::walk_stop_timeout, 0.5, 20.0, "time a walk may take to come to its end, s"},
              {"limit_tolerance", &P::limit_tolerance, 0.0, 0.2,
               "a goal beyond a joint limit by less is cut, by more refused, rad"},
              {"soft_start_speed", &P::soft_start_speed, 0.1, 3.0,
               "joint speed into walk-ready after torque came on, rad/s"},
              {"ramp_speed", &P::ramp_speed, 0.2, 6.0, "joint speed of the HCM's own motions, rad/s"},
              {"penalty_speed", &P::penalty_speed, 0.2, 6.0, "joint speed into the penalty pose, rad/s"},
              {"fall.soft_after", &P::soft_after, 0.0, 5.0, "time of falling after which the joints give way, s"},
              {"fall.soft_torque", &P::soft_torque, 0.05, 1.0, "part of the servos' torque left then, and while lying"},
              {"max_attempts", &P::max_attempts, 1, 20, "failed attempts to get up before help is called"},
              {"help_pause", &P::help_pause, 1.0, 600.0, "pause after calling for help until it tries again, s"},
              {"animation_timeout", &P::animation_timeout, 1.0, 60.0, "longest animation of the HCM itself, s"},
              {"still_time", &P::still_time, 0.05, 5.0, "time without motion that counts as lying still, s"},
              {"startup_timeout", &P::startup_timeout, 1.0, 120.0,
               "sensors that do not come within this time are a hardware problem, s"},
          })
          .with([](P& p) -> FallDetector::Params& { return p.fall; }, FallDetector::parameters(), "fall.")
          .with([](P& p) -> PickUpDetector::Params& { return p.pick_up; }, PickUpDetector::parameters(), "pick_up.");
  return table;
}

std::optional<std::string> Hcm::Params::validate() const {
  if (auto error = parameters().check(*this)) return error;
  return pick_up.validate();
}

}  // namespace hl_hcm

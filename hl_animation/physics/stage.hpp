// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <hl_simulation/simulation.hpp>
#include <map>
#include <memory>
#include <string>

#include "hl_animation/animation.hpp"
#include "hl_animation/player.hpp"

namespace hl_animation {

/// How a motion went in physics.
struct Outcome {
  bool ended_as_declared = false;  // the posture the animation declares, held until the end of the watch
  Player::Status status = Player::Status::Playing;
  double duration = 0.0;        // s, of the motion itself
  double tilt = 0.0;            // rad, mean at the end
  double height = 0.0;          // of the base against standing, mean at the end
  double closest_height = 0.0;  // smallest during the watch
  double widest_tilt = 0.0;     // rad, largest during the watch
  double saturation = 0.0;      // share of joint samples at the stall torque
  double balance =
      0.0;  // m, mean distance of the centre of mass from the middle of the feet in the last second of the motion
  double head_impact = 0.0;    // m/s^2, largest acceleration of the head
  double hip_impact = 0.0;     // m/s^2, of the base
  double ball_distance = 0.0;  // m the ball moved
  bool self_contact = false;   // limbs pressed against each other that should not
};

/// A stage for motions: one robot in physics, with noise by seed.
class Stage {
 public:
  struct Params {
    double timestep = 0.002;        // s
    double control_period = 0.008;  // s
    double settle = 0.6;            // s before the motion starts
    double watch = 1.5;             // s after it ended
    double joint_noise = 0.03;      // rad, of the pose it starts in
    double tilt_noise = 0.03;       // rad
    double friction = 0.9;
    bool with_ball = false;
  };

  Stage(std::shared_ptr<const hl_simulation::RobotSpec> robot, const Params& params);

  /// Plays `animation` from its start posture; `each_tick` is called after every control period.
  Outcome play(const Animation& animation, std::uint64_t seed,
               const std::function<void(const hl_simulation::Simulation&)>& each_tick = {});

  /// Where the ball lies for kicks, m ahead and to the left of the middle between the feet.
  void set_ball(double x, double y) { ball_ = {x, y, 0.0}; }

 private:
  void place(const Animation& animation, std::uint64_t seed);
  void measure(Outcome& outcome);

  std::shared_ptr<const hl_simulation::RobotSpec> spec_;
  Params params_;
  hl_simulation::Simulation simulation_;
  Eigen::Vector3d ball_{0.18, 0.06, 0.0};
  Eigen::Vector3d last_head_velocity_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d last_base_velocity_ = Eigen::Vector3d::Zero();
};

}  // namespace hl_animation

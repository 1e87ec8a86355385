// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <hl_description/robot_model.hpp>
#include <hl_simulation/simulation.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hl_animation/animation.hpp"
#include "hl_animation/player.hpp"

namespace hl_animation {

/// How a motion went in physics.
struct Outcome {
  bool ended_as_declared = false;  // the posture the animation declares, held until the end of the watch
  Player::Status status = Player::Status::Playing;
  double duration = 0.0;        // s, of the motion itself
  double tilt = 0.0;            // rad, mean at the end
  double alignment = 0.0;       // cosine between the trunk and how it should lie or stand, mean at the end
  double height = 0.0;          // of the base against standing, mean at the end
  double closest_height = 0.0;  // smallest during the watch
  double widest_tilt = 0.0;     // rad, largest during the watch
  double saturation = 0.0;      // share of joint samples at the stall torque
  double balance = 0.0;         // m, mean distance of the centre of mass from the middle of the feet late in the motion
  double ball_distance = 0.0;   // m the ball moved
  bool self_contact = false;    // limbs pressed against each other that should not
};

/// Lets the servos have the torque that the keyframe being approached asks for.
void limit_torque(const Player& player, const std::vector<std::size_t>& joints, hl_simulation::Robot& robot);

using Watcher = std::function<void(const hl_simulation::Simulation&)>;  // called after every control period

/// Plays one motion from the present pose of the first robot and fills in how it went; false if the physics diverged.
bool perform(const Animation& animation, hl_simulation::Simulation& simulation, double control_period, Outcome& outcome,
             const Watcher& each_tick = {});

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
  Outcome play(const Animation& animation, std::uint64_t seed, const Watcher& each_tick = {});
  /// Several one after the other, each from where the one before ended.
  Outcome play(const std::vector<Animation>& sequence, std::uint64_t seed, const Watcher& each_tick = {});

  /// Before which foot the ball lies; a hand's breadth ahead of the toe.
  void set_ball_side(hl_description::Side side) { ball_side_ = side; }

 private:
  void place(Posture start, std::uint64_t seed);
  bool watch(Posture end, Outcome& outcome, const Watcher& each_tick);

  std::shared_ptr<const hl_simulation::RobotSpec> spec_;
  Params params_;
  hl_simulation::Simulation simulation_;
  hl_description::Side ball_side_ = hl_description::Side::Left;
};

}  // namespace hl_animation

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_description/geometry.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hl_animation/animation.hpp"
#include "hl_animation/trajectory.hpp"

namespace hl_animation {

/// Plays one animation: time in, joint goals out. Deterministic; a tick allocates nothing unless a branch is taken.
class Player {
 public:
  struct Params {
    double speed = 1.0;       // 1 = as written, 2 = twice as fast
    double stop_time = 0.15;  // s in which a stop brings all joints to rest
    std::optional<std::string> validate() const;
  };

  enum class Status : std::uint8_t { Playing, Finished, Stopped, Aborted };

  using Tilt = hl_description::Tilt;

  /// Starts at time 0 from the robot's present pose (rad, by joint name). Throws AnimationError if a joint is missing.
  Player(const Animation& animation, const std::map<std::string, double>& present, const Params& params);

  /// Advances by `dt` (s, not negative). Tilt conditions without a known tilt hold.
  Status update(double dt, const std::optional<Tilt>& tilt = std::nullopt);

  /// Comes to rest within `stop_time` instead of going on.
  void stop();

  Status status() const { return status_; }
  const std::vector<std::string>& joints() const { return trajectory_.joints(); }
  const std::vector<double>& positions() const { return positions_; }    // rad, goals, in the order of joints()
  const std::vector<double>& velocities() const { return velocities_; }  // rad/s of the curve
  double percent() const;
  const std::string& message() const { return message_; }  // why it was aborted

  /// Torque limit (N m) of a joint whose servo can give `stall_torque`, by the keyframe being approached; 0 = no limit.
  double effort(double stall_torque) const;

  /// What the keyframe being approached asks for; nothing = leave as it is.
  std::optional<double> torque() const { return torque_; }
  std::optional<int> p_gain() const { return p_gain_; }
  const Animation& animation() const { return animation_; }

 private:
  void evaluate();
  void reach_keyframes(const std::optional<Tilt>& tilt);
  void branch(const std::string& label);

  Animation animation_;
  Params params_;
  JointCurves trajectory_;
  double time_ = 0.0;  // s on the trajectory
  std::size_t next_keyframe_ = 0;
  Status status_ = Status::Playing;
  std::string message_;
  std::optional<double> stop_elapsed_;  // s since stop()
  std::vector<double> stop_position_, stop_velocity_;
  std::vector<double> positions_, velocities_;
  std::optional<double> torque_;
  std::optional<int> p_gain_;
  int branches_ = 0;
};

}  // namespace hl_animation

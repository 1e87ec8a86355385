// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <hl_description/geometry.hpp>
#include <hl_player/mover.hpp>
#include <hl_simulation/perception.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hl_match {

/// What a match takes place in: bodies of robots and a ball, in the world's frame. Physics, or quicker without joints.
class World {
 public:
  /// A robot as referee and spectators see it.
  struct Body {
    hl_description::Pose2 footprint;
    Eigen::Vector2d trunk = Eigen::Vector2d::Zero();     // m
    Eigen::Vector2d velocity = Eigen::Vector2d::Zero();  // m/s, of the trunk
    bool upright = true;                                 // stands on nothing but its feet
    std::vector<std::size_t> touching;                   // other robots
  };

  World() = default;
  virtual ~World() = default;
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  virtual double time() const = 0;           // s since the start
  virtual std::uint64_t moment() const = 0;  // a number that is new in every tick, for noise
  /// One tick of `seconds`; false if everything went back to its start because the physics diverged.
  virtual bool advance(double seconds) = 0;

  virtual Eigen::Vector3d ball_position() const = 0;               // m
  virtual Eigen::Vector3d ball_velocity() const = 0;               // m/s
  virtual std::optional<std::size_t> ball_touched_by() const = 0;  // robot; nothing since it was placed
  /// Refused with the reason if something is in the way.
  virtual std::optional<std::string> place_ball(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity) = 0;

  virtual Body body(std::size_t robot) const = 0;
  /// Puts a robot on its feet, its joints as in `joints` (rad; empty: ready to walk). Refused with the reason.
  virtual std::optional<std::string> place(std::size_t robot, const hl_description::Pose2& pose,
                                           const std::vector<double>& joints) = 0;

  virtual hl_simulation::Scene scene() const = 0;
  virtual std::optional<hl_simulation::Eye> eye(std::size_t robot) const = 0;

  virtual hl_player::SensorFrame sense(std::size_t robot) const = 0;
  virtual void obey(std::size_t robot, const hl_player::Mover::Outputs& outputs) = 0;
  /// What moves this robot; nothing = `Motion` with the sensors above.
  virtual std::unique_ptr<hl_player::Mover> mover(std::size_t) { return nullptr; }
};

}  // namespace hl_match

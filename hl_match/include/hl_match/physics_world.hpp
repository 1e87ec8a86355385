// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <hl_player/robot_files.hpp>

#include "hl_match/simulated_body.hpp"
#include "hl_match/world.hpp"

namespace hl_match {

/// Robots and ball in MuJoCo.
class PhysicsWorld : public World {
 public:
  /// Throws std::runtime_error with the reason if the world cannot be built.
  PhysicsWorld(const hl_simulation::WorldSpec& spec, const std::shared_ptr<const hl_player::RobotFiles>& files);

  hl_simulation::Simulation& simulation() { return simulation_; }
  const hl_simulation::Simulation& simulation() const { return simulation_; }
  SimulatedBody& simulated_body(std::size_t robot) { return *bodies_[robot]; }

  std::function<void(const hl_simulation::Simulation&)> each_step;  // of the physics, for who measures finer than ticks

  double time() const override { return simulation_.time(); }
  std::uint64_t moment() const override { return simulation_.steps(); }
  bool advance(double seconds) override;
  Eigen::Vector3d ball_position() const override { return simulation_.ball_position(); }
  Eigen::Vector3d ball_velocity() const override { return simulation_.ball_velocity(); }
  std::optional<std::size_t> ball_touched_by() const override { return simulation_.ball_touched_by(); }
  std::optional<std::string> place_ball(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity) override {
    return simulation_.place_ball(position, velocity);
  }
  Body body(std::size_t robot) const override;
  std::optional<std::string> place(std::size_t robot, const hl_description::Pose2& pose,
                                   const std::vector<double>& joints) override;
  hl_simulation::Scene scene() const override { return hl_simulation::scene_of(simulation_); }
  std::optional<hl_simulation::Eye> eye(std::size_t robot) const override {
    return hl_simulation::eye_of(simulation_, robot);
  }
  hl_player::SensorFrame sense(std::size_t robot) const override { return bodies_[robot]->sense(); }
  void obey(std::size_t robot, const hl_player::Mover::Outputs& outputs) override { bodies_[robot]->obey(outputs); }

 private:
  hl_simulation::Simulation simulation_;
  std::vector<std::unique_ptr<SimulatedBody>> bodies_;
};

}  // namespace hl_match

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gazebo/physics/physics.hh>
#include <hl_simulation/world_spec.hpp>

#include "hl_gazebo/link.hpp"

namespace hl_gazebo {

/// The model "ball", if the world has one: turf slows it, which Gazebo does not know.
class GazeboBall {
 public:
  explicit GazeboBall(gazebo::physics::WorldPtr world) : world_(std::move(world)) {}

  gazebo::physics::LinkPtr link() const;
  void before_step(double dt);
  bool place(const PlaceBall& where);  // false: there is none
  void touch() { touched_ = true; }
  void describe(WorldState& state) const;

 private:
  gazebo::physics::WorldPtr world_;
  hl_simulation::TurfSpec turf_;
  bool touched_ = false;
};

}  // namespace hl_gazebo

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "hl_simulation/bus_servos.hpp"
#include "hl_simulation/simulation.hpp"

namespace hl_simulation {

/// A robot in MuJoCo behind the emulated CM-730.
class BusPhysics : public BusServos {
 public:
  /// Who steps the world: the bus of its only robot, or somebody else, who calls `read` after each step.
  enum class Stepping { ByBus, ByOthers };

  /// The simulation must outlive it. Throws std::runtime_error if a servo's joint does not exist there.
  BusPhysics(Simulation& simulation, std::size_t robot, const hl_description::RobotConfig& config, Stepping stepping,
             double hold = 1.0);

  void step(double dt, const std::vector<hl_hardware_cm730::ServoCommand>& commands) override;

 private:
  Simulation& simulation_;
  Stepping stepping_;
  double owed_ = 0.0;  // s of bus time not yet simulated
};

}  // namespace hl_simulation

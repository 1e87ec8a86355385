// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/bus_physics.hpp"

namespace hl_simulation {

BusPhysics::BusPhysics(Simulation& simulation, std::size_t robot, const hl_description::RobotConfig& config,
                       Stepping stepping, double hold)
    : BusServos(simulation.robot(robot), config, hold), simulation_(simulation), stepping_(stepping) {}

void BusPhysics::step(double dt, const std::vector<hl_hardware_cm730::ServoCommand>& commands) {
  BusServos::step(dt, commands);
  if (stepping_ == Stepping::ByOthers) return;
  for (owed_ += dt; owed_ >= simulation_.timestep() - 1e-9; owed_ -= simulation_.timestep()) simulation_.step();
  read();
}

}  // namespace hl_simulation

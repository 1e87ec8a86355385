// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <hl_hardware_cm730/bus_time.hpp>
#include <hl_joints/goal_player.hpp>
#include <hl_node/parameter_table.hpp>
#include <hl_robot_interface/health.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_simulation/perception.hpp"
#include "hl_simulation/renderer.hpp"
#include "hl_simulation/world_spec.hpp"

namespace hl_simulation {

/// All that can be set of the simulator; meaning and ranges are in `simulator_parameters()`.
struct SimulatorParams {
  using Strings = std::vector<std::string>;

  // Who is in the world; lists hold one entry for all robots or one for each.
  Strings robots{""}, types{"minibot"}, sides;
  std::vector<double> poses;
  std::vector<std::int64_t> teams, players;

  // The world
  std::string field, lighting = "indoor", turf_look = "fresh", ball_look = "classic";
  bool ball = true;
  TurfSpec turf;
  SensorSpec sensors;
  BatterySpec battery;
  double timestep = 0.002;  // s
  int seed = 1;

  // Time
  double rate = 125.0, real_time_factor = 1.0;
  bool paused = false;
  Strings lockstep;
  double lockstep_timeout = 1.0, vision_delay = 0.08;  // s

  // The hardware contract, and robots behind a bus
  hl_joints::GoalPlayer::Params goals;
  hl_robot_interface::HealthLimits limits;
  Strings bus;
  std::string bus_port = "/tmp/cm730";
  double bus_grace = 0.012, bus_patience = 0.5;  // s

  // Eyes
  Strings cameras{"*"};
  double camera_rate = 0.0;  // Hz
  std::string perception = "none";
  Strings perception_robots{"*"};
  double perception_rate = 15.0;  // Hz
  Perception::Params percepts;

  // The spectator
  bool shadows = false, smooth_edges = false, window = false;
  std::string record, film_strip, follow = "ball";
  double strip_interval = 1.0, view_rate = 25.0;  // s, Hz
  View view{initial_view()};

  hl_hardware_cm730::BusTime::Params bus_time() const;
  std::optional<std::string> validate() const;

 private:
  static View initial_view();
};

const hl_node::ParameterTable<SimulatorParams>& simulator_parameters();

}  // namespace hl_simulation

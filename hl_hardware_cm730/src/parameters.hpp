// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <hl_robot_interface/parameters.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_hardware_cm730/bus_body.hpp"
#include "hl_hardware_cm730/bus_driver.hpp"
#include "hl_hardware_cm730/bus_time.hpp"

namespace hl_hardware_cm730 {

struct DriverParams {
  std::string port = "/dev/ttyUSB0", urdf_file, robot_config_file;
  double rate = 0.0;  // Hz
  int realtime_priority = 0;
  bool torque_on_start = true;
  double gyro_range = 1600.0;  // degrees/s, as in the data sheets
  double accel_range = 4.0;    // g
  std::vector<std::int64_t> foot_cells_left = cells_of(0), foot_cells_right = cells_of(1);
  BusDriver::Params bus;
  hl_joints::GoalPlayer::Params goals;
  hl_robot_interface::HealthLimits limits;

  BusDriver::Params driver() const {
    BusDriver::Params params = bus;
    params.gyro_range = gyro_range * kPi / 180.0;
    params.accel_range = accel_range * kGravity;
    return params;
  }
  BusBody::FootCells foot_cells() const {
    BusBody::FootCells cells{};
    std::copy(foot_cells_left.begin(), foot_cells_left.end(), cells[0].begin());
    std::copy(foot_cells_right.begin(), foot_cells_right.end(), cells[1].begin());
    return cells;
  }
  std::optional<std::string> validate() const {
    if (urdf_file.empty() || robot_config_file.empty())
      return "urdf_file and robot_config_file must be given; hardware.launch.xml robot:=minibot does";
    for (auto cells : {foot_cells_left, foot_cells_right}) {
      std::sort(cells.begin(), cells.end());
      if (cells != std::vector<std::int64_t>{1, 2, 3, 4})
        return "foot_cells_left and foot_cells_right must be the numbers 1 to 4 in some order";
    }
    if (auto error = driver().validate()) return error;
    if (auto error = goals.validate()) return error;
    return limits.validate();
  }

 private:
  static std::vector<std::int64_t> cells_of(std::size_t side) {
    const auto cells = BusBody::usual_cells()[side];
    return {cells.begin(), cells.end()};
  }
};

inline const hl_node::ParameterTable<DriverParams>& driver_parameters() {
  using P = DriverParams;
  using Bus = BusDriver::Params;
  constexpr auto kAtStart = hl_node::Change::AtStart;
  static const hl_node::ParameterTable<Bus> bus({
      {"reply_gap", &Bus::reply_gap, 0.0002, 1.0, "silence after which a device counts as silent, s"},
      {"torque_ramp", &Bus::torque_ramp, 0.0, 60.0, "from limp to full torque, s"},
      {"return_speed", &Bus::return_speed, 0.01, 20.0,
       "at which a servo that comes, or comes back, moves from where it stands to its goal, rad/s"},
      {"read_speed", &Bus::read_speed, "false: speeds are computed from positions, and the cycle is shorter"},
      {"fast_read", &Bus::fast_read,
       "servos of protocol 2.0 answer in one packet; their firmware must know how (X series: 45)"},
  });
  static const auto table =
      hl_node::ParameterTable<P>(
          {
              {"port", &P::port, "serial device of the CM-730", kAtStart},
              {"urdf_file", &P::urdf_file, "URDF of the robot: joint limits", kAtStart},
              {"robot_config_file", &P::robot_config_file, "robot.yaml: ids, models, offsets, gains", kAtStart},
              {"rate", &P::rate, 0.0, 1000.0, "of cycles, Hz; 0 = as fast as the wire allows"},
              {"realtime_priority", &P::realtime_priority, 0, 99, "SCHED_FIFO priority of the bus thread, 0 = none",
               kAtStart},
              {"torque_on_start", &P::torque_on_start, "hold the joints where they stand, torque ramped", kAtStart},
              {"gyro_range", &P::gyro_range, 10.0, 4000.0,
               "at full scale, degrees/s; other boards have 500: turn the robot by hand and compare", kAtStart},
              {"accel_range", &P::accel_range, 1.0, 32.0, "of the accelerometer at full scale, g", kAtStart},
              {"foot_cells_left", &P::foot_cells_left, 1, 4,
               "cells of the board that are front left, front right, back left, back right", kAtStart},
              {"foot_cells_right", &P::foot_cells_right, 1, 4, "the same of the right foot", kAtStart},
          })
          .with_at_start(&P::bus, bus)
          .with(&P::goals, hl_robot_interface::goal_parameters())
          .with(&P::limits, hl_robot_interface::health_parameters());
  return table;
}

struct EmulatorParams {
  std::string port = "/tmp/cm730", robot_config_file, firmware = "stock", pose;
  std::vector<std::string> faults;
  BusTime::Params time;

  std::optional<std::string> validate() const { return time.validate(); }
};

inline const hl_node::ParameterTable<EmulatorParams>& emulator_parameters() {
  using P = EmulatorParams;
  constexpr auto kAtStart = hl_node::Change::AtStart;
  static const hl_node::ParameterTable<P> table({
      {"port", &P::port, "path of the link to the pseudo-terminal", kAtStart},
      {"robot_config_file", &P::robot_config_file, "robot.yaml: ids and models; empty = twenty MX-28", kAtStart},
      {"firmware", &P::firmware, hl_node::Words{"stock", "nimbro"}, "of the board", kAtStart},
      {"pose", &P::pose, "a pose of robot.yaml to start in", kAtStart},
      {"faults", &P::faults, "from the start, in the words of the topic ~/fault", kAtStart},
      {"patience", [](P& p) -> double& { return p.time.patience; }, 0.01, 3600.0,
       "silence of the driver after which the emulated world goes on without it, s", kAtStart},
  });
  return table;
}

}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_player/motion.hpp>
#include <hl_player/robot_files.hpp>
#include <hl_player/sensor_frame.hpp>
#include <hl_simulation/simulation.hpp>
#include <memory>
#include <vector>

namespace hl_match {

/// The hardware contract between one simulated robot and one player, without
/// middleware.
class SimulatedBody {
 public:
  /// `robot` must outlive it. Throws std::runtime_error if the simulation has
  /// other joints than the files.
  SimulatedBody(hl_simulation::Robot& robot, std::shared_ptr<const hl_player::RobotFiles> files);

  /// What the sensors say now.
  hl_player::SensorFrame sense() const;
  /// Goals and torque to the servos.
  void obey(const hl_player::Motion::Outputs& outputs);

  hl_simulation::Robot& robot() { return robot_; }
  const hl_simulation::Robot& robot() const { return robot_; }

  // Faults for tests and scenarios.
  bool joints_work = true, imu_works = true;

 private:
  hl_hcm::HardwareReport hardware() const;

  hl_simulation::Robot& robot_;
  std::shared_ptr<const hl_player::RobotFiles> files_;
  std::vector<std::size_t> legs_;  // joints
};

}  // namespace hl_match

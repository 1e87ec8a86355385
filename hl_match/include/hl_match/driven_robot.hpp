// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <hl_hardware_cm730/bus_body.hpp>
#include <hl_hardware_cm730/bus_driver.hpp>
#include <hl_joints/goal_player.hpp>
#include <hl_player/motion.hpp>
#include <hl_player/robot_files.hpp>
#include <hl_robot_interface/health.hpp>
#include <memory>
#include <string>
#include <vector>

namespace hl_match {

/// One robot's motion above the driver of the real robot, without middleware: whatever serves the port is its body.
class DrivenRobot {
 public:
  /// `clock` tells the time (s) that motion and attitude live in; the driver counts its time-outs in the port's own.
  /// The port must outlive it.
  DrivenRobot(std::shared_ptr<const hl_player::RobotFiles> files, hl_hardware_cm730::BusPort& port,
              std::function<double()> clock, double reply_gap = 3e-3);

  /// One exchange on the bus, what comes of it, and the ticks that are due.
  void cycle();

  double time() const { return clock_(); }
  hl_player::Mover::Orders& orders() { return inputs_.orders; }
  /// From the next tick on, until told otherwise.
  void walk(const hl_walking::Velocity& velocity) { velocity_ = velocity; }

  const hl_hcm::Hcm& hcm() const { return motion_->hcm(); }
  const hl_player::Motion& motion() const { return *motion_; }
  const hl_player::Motion::Outputs& outputs() const { return *outputs_; }
  const hl_player::RobotFiles& files() const { return *files_; }
  const hl_description::RobotConfig& config() const { return files_->config; }
  const hl_robot_interface::Health& health() const { return health_; }
  const hl_hardware_cm730::BusDriver& driver() const { return *driver_; }
  /// Called after every tick of the motion.
  std::function<void()> after_tick = [] {};

 private:
  void sense(const hl_robot_interface::SensorFrame& frame);
  void report();
  void tick();
  void send(const hl_player::Motion::Outputs& wanted, double now);

  std::shared_ptr<const hl_player::RobotFiles> files_;
  std::function<double()> clock_;
  std::vector<std::string> names_;
  std::vector<std::size_t> joints_;  // of the model, by servo
  std::unique_ptr<hl_hardware_cm730::BusDriver> driver_;
  std::unique_ptr<hl_hardware_cm730::BusBody> body_;
  std::unique_ptr<hl_joints::GoalPlayer> goals_;
  std::unique_ptr<hl_player::Motion> motion_;
  hl_player::Motion::Inputs inputs_;
  const hl_player::Motion::Outputs* outputs_ = nullptr;
  std::optional<hl_walking::Velocity> velocity_;
  Eigen::VectorXd positions_;
  hl_robot_interface::Health health_;
  double next_tick_;  // s
};

}  // namespace hl_match

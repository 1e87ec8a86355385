// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_gazebo/link.hpp>
#include <hl_hardware_cm730/bus_port.hpp>
#include <hl_hardware_cm730/emulated_port.hpp>
#include <hl_hardware_cm730/serial_port.hpp>
#include <hl_simulation/bus_physics.hpp>
#include <memory>
#include <string>

#include "hl_match/match.hpp"

namespace hl_match {

/// A world with one robot behind a servo bus and a ball, whatever simulates it.
class BusStage {
 public:
  BusStage() = default;
  virtual ~BusStage() = default;
  BusStage(const BusStage&) = delete;
  BusStage& operator=(const BusStage&) = delete;

  virtual hl_hardware_cm730::BusPort& port() = 0;
  virtual double reply_gap() const = 0;  // s of silence that the driver must bear
  /// The truth as it is now; throws std::runtime_error if the world has ended.
  virtual const hl_gazebo::WorldState& look() = 0;
  /// Both throw std::runtime_error with the reason if that cannot be.
  virtual void push(const hl_gazebo::PushRobot& push) = 0;
  virtual void place_ball(const hl_gazebo::PlaceBall& where) = 0;
};

/// MuJoCo: the bus steps the physics, in one thread.
class MujocoStage : public BusStage {
 public:
  MujocoStage(const Match::Params& world, std::uint64_t seed);

  hl_hardware_cm730::BusPort& port() override { return port_; }
  double reply_gap() const override { return 3e-3; }
  const hl_gazebo::WorldState& look() override;
  void push(const hl_gazebo::PushRobot& push) override;
  void place_ball(const hl_gazebo::PlaceBall& where) override;

 private:
  hl_simulation::Simulation simulation_;
  std::shared_ptr<hl_simulation::BusPhysics> physics_;
  hl_hardware_cm730::Emulator emulator_;
  hl_hardware_cm730::EmulatedPort port_;
  hl_gazebo::WorldState state_;
};

/// gzserver: a process of its own, reached over its pseudo-terminal and its link. The world waits for the driver.
class GazeboStage : public BusStage {
 public:
  /// Throws std::runtime_error if there is no Gazebo.
  GazeboStage(const std::string& robot, std::uint64_t seed);
  ~GazeboStage() override;

  hl_hardware_cm730::BusPort& port() override { return *port_; }
  double reply_gap() const override { return 2.0; }  // a busy machine may forget gzserver for so long
  const hl_gazebo::WorldState& look() override;
  void push(const hl_gazebo::PushRobot& push) override { ask(push); }
  void place_ball(const hl_gazebo::PlaceBall& where) override { ask(where); }

 private:
  void ask(const hl_gazebo::Request& request);
  std::string log() const;
  void end();

  int server_ = -1;  // process
  std::string path_;
  std::unique_ptr<hl_gazebo::LinkClient> link_;
  std::unique_ptr<hl_hardware_cm730::SerialPort> port_;
};

}  // namespace hl_match

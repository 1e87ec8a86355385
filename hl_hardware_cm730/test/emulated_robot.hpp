// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hl_hardware_cm730/bus_driver.hpp"
#include "hl_hardware_cm730/emulated_port.hpp"
#include "hl_hardware_cm730/emulator.hpp"

namespace hl_hardware_cm730 {

/// Twenty servos, a board and two feet in bus time, with a driver in front.
struct EmulatedRobot {
  explicit EmulatedRobot(EmulatorConfig configuration = EmulatorConfig::darwin(), double latency = 0.0)
      : config(std::move(configuration)),
        physics(std::make_shared<SecondOrderServos>(models(config))),
        emulator(config, physics),
        port(emulator, latency),
        driver(port, specs(config), params(config)) {}

  static std::vector<ServoModel> models(const EmulatorConfig& config) {
    std::vector<ServoModel> models;
    for (const auto& servo : config.servos) models.push_back(servo.model);
    return models;
  }
  static std::vector<ServoSpec> specs(const EmulatorConfig& config) {
    std::vector<ServoSpec> specs;
    for (const auto& servo : config.servos) {
      ServoSpec spec;
      spec.joint = "joint" + std::to_string(servo.id);
      spec.id = servo.id;
      spec.model = servo.model;
      spec.lower = -1.5;
      spec.upper = 1.5;
      specs.push_back(spec);
    }
    return specs;
  }
  static BusDriver::Params params(const EmulatorConfig& config) {
    BusDriver::Params params;
    params.foot_ids = config.foot_ids;
    return params;
  }

  /// Runs until the bus is up; the number of attempts it took.
  int start() {
    int attempts = 0;
    while (driver.state() != BusState::Running && attempts < 10) {
      driver.cycle();
      ++attempts;
    }
    return attempts;
  }
  void torque_on() {
    for (size_t i = 0; i < driver.size(); ++i) driver.command(i).torque = true;
  }
  void run(int cycles) {
    for (int i = 0; i < cycles; ++i) driver.cycle();
  }
  size_t fresh() const {
    size_t count = 0;
    for (size_t i = 0; i < driver.size(); ++i) count += driver.joint(i).fresh;
    return count;
  }

  EmulatorConfig config;
  std::shared_ptr<SecondOrderServos> physics;
  Emulator emulator;
  EmulatedPort port;
  BusDriver driver;
};

}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace hl_description {

/// A servo as its data sheet has it (config/servos.yaml).
struct ServoModel {
  std::string name;             // MX-28, XM430-W350, ...
  int number = 0;               // what its model register says
  int protocol = 1;             // of its bus
  std::string registers;        // name of its control table
  int ticks = 4096;             // of the encoder per turn
  double stall_torque = 2.5;    // N m
  double no_load_speed = 5.76;  // rad/s
  double stall_current = 1.4;   // A
  double friction = 0.06;       // N m, at the horn
  double armature = 0.0035;     // kg m^2, at the horn
};

/// All models, in the order of the file.
const std::vector<ServoModel>& servo_models();
/// Nothing if there is no such model.
const ServoModel* find_servo_model(const std::string& name);
/// One that no data sheet is known of: friction and rotor as servos of this strength have them.
ServoModel generic_servo(double stall_torque, double no_load_speed);

}  // namespace hl_description

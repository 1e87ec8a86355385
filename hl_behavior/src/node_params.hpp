// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hl_behavior/behavior.hpp"
#include "hl_behavior/head.hpp"
#include "hl_node/parameter_table.hpp"

namespace hl_behavior {

struct BehaviorNodeParams {
  BehaviorNodeParams();  // out of line: GCC 12 warns wrongly about the texts otherwise

  Behavior::Params core;
  double rate = 20.0;                     // Hz
  std::string without_referee = "play";   // play, stop, keep_last
  std::string field_file;                 // empty = the league's field
  std::string field;                      // preset of the file
  std::vector<std::string> task_folders;  // of RTDL tasks, besides those of the package
  bool tasks_in_game = false;
  double task_time_limit = 600.0;  // s

  std::optional<std::string> validate() const;
  Behavior::Params core_params() const;  // with the texts read
};
const hl_node::ParameterTable<BehaviorNodeParams>& behavior_parameters();

struct HeadNodeParams {
  Head::Params core;
  double rate = 50.0;  // Hz
  std::string urdf_file;
  std::string robot_config_file;

  std::optional<std::string> validate() const { return core.validate(); }
};
const hl_node::ParameterTable<HeadNodeParams>& head_parameters();

}  // namespace hl_behavior

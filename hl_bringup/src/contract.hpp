// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hl_bringup {

enum class ContractQos { Sensor, Image, Latched, Reliable };

struct ContractTopic {
  std::string name;                                             // relative to the robot's namespace, or absolute
  std::string type;                                             // package/msg/Name
  std::vector<std::string> publishers, subscribers, needed_by;  // node names
  ContractQos qos = ContractQos::Reliable;
  bool single_writer = false;
};

/// The table of topics that all nodes agree on.
struct Contract {
  std::vector<ContractTopic> topics;

  /// Throws std::runtime_error with file, line and remedy.
  static Contract from_file(const std::string& path);
  static Contract from_text(const std::string& yaml, const std::string& file_name);

  const ContractTopic* find(const std::string& name) const;
};

}  // namespace hl_bringup

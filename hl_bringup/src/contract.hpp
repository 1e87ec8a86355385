// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// A service or an action.
struct ContractService {
  std::string name;                                      // relative to the robot's namespace, or absolute
  std::string type;                                      // package/srv/Name, package/action/Name
  std::vector<std::string> servers, clients, needed_by;  // node names
};

/// The table of topics, services and actions that all nodes agree on.
struct Contract {
  std::vector<std::string> nodes;  // whose doings it regulates
  std::vector<ContractTopic> topics;
  std::vector<ContractService> services, actions;

  /// Throws hl_description::ModelError with file, line and remedy.
  static Contract from_file(const std::string& path);
  static Contract from_text(const std::string& yaml, const std::string& file_name);

  const ContractTopic* find(const std::string& name) const;
};

}  // namespace hl_bringup

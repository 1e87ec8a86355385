// SPDX-License-Identifier: Apache-2.0
#include "contract.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace hl_bringup {
namespace {

[[noreturn]] void fail(const std::string& file, const YAML::Node& node, const std::string& text) {
  throw std::runtime_error(file + ":" + std::to_string(node.Mark().line + 1) + ": " + text);
}

std::vector<std::string> names_from(const YAML::Node& node) {
  std::vector<std::string> names;
  if (node.IsDefined() && node.IsSequence()) {
    for (const auto& name : node) names.push_back(name.as<std::string>());
  }
  return names;
}

ContractQos qos_from(const std::string& file, const YAML::Node& node) {
  const auto word = node.IsDefined() ? node.as<std::string>("") : "";
  if (word == "sensor") return ContractQos::Sensor;
  if (word == "image") return ContractQos::Image;
  if (word == "latched") return ContractQos::Latched;
  if (word == "reliable") return ContractQos::Reliable;
  fail(file, node.IsDefined() ? node : YAML::Node(), "qos is '" + word + "'; use sensor, image, latched or reliable");
}

/// Name and type of one line of the contract.
template <class Entry>
Entry entry_from(const std::string& file, const YAML::Node& key, const YAML::Node& value) {
  Entry entry;
  entry.name = key.as<std::string>();
  if (!value.IsMap() || !value["type"].IsDefined()) fail(file, key, "'" + entry.name + "' has no type");
  entry.type = value["type"].as<std::string>();
  entry.needed_by = names_from(value["needed_by"]);
  return entry;
}

std::vector<ContractService> services_from(const std::string& file, const YAML::Node& table) {
  std::vector<ContractService> services;
  if (!table.IsDefined()) return services;
  if (!table.IsMap()) fail(file, table, "services and actions are maps");
  for (const auto& entry : table) {
    auto service = entry_from<ContractService>(file, entry.first, entry.second);
    service.servers = names_from(entry.second["from"]);
    service.clients = names_from(entry.second["to"]);
    services.push_back(service);
  }
  return services;
}

}  // namespace

Contract Contract::from_text(const std::string& yaml, const std::string& file_name) {
  try {
    const YAML::Node root = YAML::Load(yaml);
    if (!root.IsMap() || !root["topics"].IsDefined() || !root["topics"].IsMap()) {
      fail(file_name, root, "the file has no map 'topics'; is it a contract?");
    }
    Contract contract;
    contract.nodes = names_from(root["nodes"]);
    contract.services = services_from(file_name, root["services"]);
    contract.actions = services_from(file_name, root["actions"]);
    for (const auto& entry : root["topics"]) {
      const YAML::Node& value = entry.second;
      auto topic = entry_from<ContractTopic>(file_name, entry.first, value);
      topic.publishers = names_from(value["from"]);
      topic.subscribers = names_from(value["to"]);
      topic.qos = qos_from(file_name, value["qos"]);
      topic.single_writer = value["writers"].IsDefined() && value["writers"].as<int>(0) == 1;
      contract.topics.push_back(topic);
    }
    return contract;
  } catch (const YAML::Exception& error) {
    throw std::runtime_error(file_name + ":" + std::to_string(error.mark.line + 1) + ": not readable: " + error.msg);
  }
}

Contract Contract::from_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read; is humanoid_league_msgs installed?");
  std::ostringstream text;
  text << file.rdbuf();
  return from_text(text.str(), path);
}

const ContractTopic* Contract::find(const std::string& name) const {
  const auto found =
      std::find_if(topics.begin(), topics.end(), [&](const ContractTopic& topic) { return topic.name == name; });
  return found == topics.end() ? nullptr : &*found;
}

}  // namespace hl_bringup

// SPDX-License-Identifier: Apache-2.0
#include "contract.hpp"

#include <algorithm>
#include <hl_description/yaml_reader.hpp>

namespace hl_bringup {
namespace {

using hl_description::YamlReader;

std::vector<std::string> names(const YamlReader& map, const char* key) {
  std::vector<std::string> result;
  if (!map.has(key)) return result;
  for (const auto& name : map[key].items()) result.push_back(name.text());
  return result;
}

/// Name and type of one line of the contract.
template <class Entry>
Entry entry_from(const std::string& name, const YamlReader& line) {
  Entry entry;
  entry.name = name;
  entry.type = line["type"].text();
  entry.needed_by = names(line, "needed_by");
  return entry;
}

std::vector<ContractService> services_from(const YamlReader& root, const char* key) {
  std::vector<ContractService> services;
  if (!root.has(key)) return services;
  for (const auto& [name, line] : root[key].entries()) {
    auto service = entry_from<ContractService>(name, line);
    service.servers = names(line, "from");
    service.clients = names(line, "to");
    services.push_back(service);
  }
  return services;
}

}  // namespace

Contract Contract::from_text(const std::string& yaml, const std::string& file_name) {
  const auto root = YamlReader::from_text(yaml, file_name);
  Contract contract;
  contract.nodes = names(root, "nodes");
  contract.services = services_from(root, "services");
  contract.actions = services_from(root, "actions");
  for (const auto& [name, line] : root["topics"].entries()) {
    auto topic = entry_from<ContractTopic>(name, line);
    topic.publishers = names(line, "from");
    topic.subscribers = names(line, "to");
    topic.qos = line["qos"].word<ContractQos>({{"sensor", ContractQos::Sensor},
                                               {"image", ContractQos::Image},
                                               {"latched", ContractQos::Latched},
                                               {"reliable", ContractQos::Reliable}});
    topic.single_writer = line.integer_in("writers", 0, 100, 0) == 1;
    contract.topics.push_back(topic);
  }
  return contract;
}

Contract Contract::from_file(const std::string& path) {
  return from_text(YamlReader::read_file(path), path);
}

const ContractTopic* Contract::find(const std::string& name) const {
  const auto found =
      std::find_if(topics.begin(), topics.end(), [&](const ContractTopic& topic) { return topic.name == name; });
  return found == topics.end() ? nullptr : &*found;
}

}  // namespace hl_bringup

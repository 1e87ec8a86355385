// SPDX-License-Identifier: Apache-2.0
#include "contract_check.hpp"

#include <algorithm>
#include <set>

namespace hl_bringup {
namespace {

/// Topics that every ROS 2 node has; nobody wants them listed.
bool is_plumbing(const std::string& topic) {
  static const std::set<std::string> names{"/parameter_events", "/rosout", "parameter_events", "rosout"};
  return names.count(topic) != 0 || topic.find("/_action/") != std::string::npos;
}

std::string who(const Endpoint& endpoint) {
  return endpoint.node.empty() ? "somebody" : endpoint.node;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool agreed(const std::vector<std::string>& names, const std::string& node) {
  return contains(names, node) || contains(names, "any");
}

/// Somebody gives (publishes, serves) what the contract gives to others.
void check_giver(const std::string& name, const std::string& node, const std::vector<std::string>& givers,
                 const char* does, ContractReport& report) {
  if (node.empty() || agreed(givers, node)) return;
  std::string others;
  for (const auto& giver : givers) others += (others.empty() ? "" : ", ") + giver;
  report.failures.push_back(name + ": " + node + " " + does + " it, in the contract only: " + others);
}

/// A node of the contract takes (subscribes, calls) what the contract does not say.
void check_taker(const Contract& contract, const std::string& name, const std::string& node,
                 const std::vector<std::string>& takers, const char* does, ContractReport& report) {
  if (!contains(contract.nodes, node) || agreed(takers, node)) return;
  report.failures.push_back(name + ": " + node + " " + does + " it, the contract does not say so");
}

void check_parties(const Contract& contract, const ContractTopic& topic, const TopicView& view,
                   ContractReport& report) {
  for (const auto& endpoint : view.publishers)
    check_giver(topic.name, endpoint.node, topic.publishers, "publishes", report);
  for (const auto& endpoint : view.subscribers)
    check_taker(contract, topic.name, endpoint.node, topic.subscribers, "subscribes to", report);
}

void check_types(const ContractTopic& topic, const TopicView& view, ContractReport& report) {
  for (const auto* side : {&view.publishers, &view.subscribers}) {
    for (const auto& endpoint : *side) {
      if (endpoint.type == topic.type) continue;
      report.failures.push_back(topic.name + ": " + who(endpoint) + " uses type " + endpoint.type + ", agreed is " +
                                topic.type);
    }
  }
}

void check_qos(const ContractTopic& topic, const TopicView& view, ContractReport& report) {
  for (const auto& publisher : view.publishers) {
    if (topic.qos == ContractQos::Latched && !publisher.transient_local) {
      report.failures.push_back(topic.name + ": " + who(publisher) +
                                " does not latch it (transient local): late nodes miss it");
    }
    if (topic.qos != ContractQos::Image && !publisher.reliable) {
      report.failures.push_back(topic.name + ": " + who(publisher) +
                                " offers best effort; subscribers that ask for reliable hear nothing");
    }
    for (const auto& subscriber : view.subscribers) {
      const bool compatible =
          (publisher.reliable || !subscriber.reliable) && (publisher.transient_local || !subscriber.transient_local);
      if (!compatible) {
        report.failures.push_back(topic.name + ": " + who(subscriber) + " asks for more than " + who(publisher) +
                                  " offers (reliability or durability): they never talk");
      }
    }
  }
}

void check_writers(const ContractTopic& topic, const TopicView& view, ContractReport& report) {
  if (!topic.single_writer || view.publishers.size() < 2) return;
  std::string names;
  for (const auto& publisher : view.publishers) names += (names.empty() ? "" : ", ") + who(publisher);
  report.failures.push_back(topic.name + ": " + std::to_string(view.publishers.size()) + " writers (" + names +
                            "), there must be one");
}

/// What nobody gives is a failure if a running node needs it.
bool needed(const std::string& name, const std::vector<std::string>& needed_by, const GraphView& graph,
            const char* gives, ContractReport& report) {
  for (const auto& node : needed_by) {
    if (!contains(graph.nodes, node)) continue;
    report.failures.push_back(name + ": " + node + " needs it, and nobody " + gives + " it");
    return true;
  }
  return false;
}

void check_services(const Contract& contract, const std::vector<ContractService>& agreed_services,
                    const std::map<std::string, ServiceView>& running, const GraphView& graph, ContractReport& report) {
  for (const auto& service : agreed_services) {
    const auto found = running.find(service.name);
    const bool served = found != running.end() && !found->second.servers.empty();
    if (!served) needed(service.name, service.needed_by, graph, "serves", report);
    if (found == running.end()) continue;
    const std::size_t failures = report.failures.size();
    for (const auto& server : found->second.servers)
      check_giver(service.name, server.node, service.servers, "serves", report);
    for (const auto& client : found->second.clients)
      check_taker(contract, service.name, client.node, service.clients, "calls", report);
    for (const auto* side : {&found->second.servers, &found->second.clients}) {
      for (const auto& party : *side) {
        if (party.type == service.type) continue;
        report.failures.push_back(service.name + ": " + party.node + " uses type " + party.type + ", agreed is " +
                                  service.type);
      }
    }
    if (found->second.servers.size() > 1)
      report.failures.push_back(service.name + ": " + std::to_string(found->second.servers.size()) +
                                " servers, there must be one");
    if (served && report.failures.size() == failures) ++report.served;
  }
}

}  // namespace

ContractReport check(const Contract& contract, const GraphView& graph) {
  ContractReport report;
  for (const auto& topic : contract.topics) {
    const auto found = graph.topics.find(topic.name);
    const bool published = found != graph.topics.end() && !found->second.publishers.empty();
    const std::size_t failures = report.failures.size();
    if (found != graph.topics.end()) {
      check_parties(contract, topic, found->second, report);
      check_types(topic, found->second, report);
      check_qos(topic, found->second, report);
      check_writers(topic, found->second, report);
    }
    if (!published && !needed(topic.name, topic.needed_by, graph, "publishes", report))
      report.absent.push_back(topic.name);
    if (published && report.failures.size() == failures) ++report.checked;
  }
  check_services(contract, contract.services, graph.services, graph, report);
  check_services(contract, contract.actions, graph.actions, graph, report);
  for (const auto& [name, view] : graph.topics) {
    if (contract.find(name) == nullptr && !is_plumbing(name)) report.extras.push_back(name);
  }
  return report;
}

}  // namespace hl_bringup

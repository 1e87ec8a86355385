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

void check_needs(const ContractTopic& topic, const GraphView& graph, bool published, ContractReport& report) {
  if (published) return;
  for (const auto& node : topic.needed_by) {
    if (std::find(graph.nodes.begin(), graph.nodes.end(), node) != graph.nodes.end()) {
      report.failures.push_back(topic.name + ": " + node + " needs it, and nobody publishes it");
      return;
    }
  }
  report.absent.push_back(topic.name);
}

}  // namespace

ContractReport check(const Contract& contract, const GraphView& graph) {
  ContractReport report;
  for (const auto& topic : contract.topics) {
    const auto found = graph.topics.find(topic.name);
    const bool published = found != graph.topics.end() && !found->second.publishers.empty();
    const std::size_t failures = report.failures.size();
    if (found != graph.topics.end()) {
      check_types(topic, found->second, report);
      check_qos(topic, found->second, report);
      check_writers(topic, found->second, report);
    }
    check_needs(topic, graph, published, report);
    if (published && report.failures.size() == failures) ++report.checked;
  }
  for (const auto& [name, view] : graph.topics) {
    if (contract.find(name) == nullptr && !is_plumbing(name)) report.extras.push_back(name);
  }
  return report;
}

}  // namespace hl_bringup

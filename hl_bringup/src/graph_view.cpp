// SPDX-License-Identifier: Apache-2.0
#include "graph_view.hpp"

#include <set>

namespace hl_bringup {
namespace {

/// The name of a topic in the contract: relative if it lies in the robot's namespace.
std::string contract_name(const std::string& topic, const std::string& robot_namespace) {
  static const std::set<std::string> absolute{"/tf", "/tf_static", "/clock", "/parameter_events", "/rosout"};
  if (absolute.count(topic) != 0) return topic;
  const std::string prefix = robot_namespace == "/" ? "/" : robot_namespace + "/";
  if (topic.rfind(prefix, 0) != 0) return topic;
  const std::string relative = topic.substr(prefix.size());
  return relative == "tf" || relative == "tf_static" ? "/" + relative : relative;
}

std::vector<Endpoint> endpoints_from(const std::vector<rclcpp::TopicEndpointInfo>& infos, const std::string& self) {
  std::vector<Endpoint> endpoints;
  for (const auto& info : infos) {
    if (info.node_name() == self) continue;
    Endpoint endpoint;
    endpoint.node = info.node_name();
    endpoint.type = info.topic_type();
    endpoint.reliable = info.qos_profile().reliability() == rclcpp::ReliabilityPolicy::Reliable;
    endpoint.transient_local = info.qos_profile().durability() == rclcpp::DurabilityPolicy::TransientLocal;
    endpoints.push_back(endpoint);
  }
  return endpoints;
}

}  // namespace

GraphView view_of(rclcpp::Node& node, const std::string& robot_namespace) {
  GraphView graph;
  const std::string self = node.get_name();
  for (const auto& [topic, types] : node.get_topic_names_and_types()) {
    TopicView view;
    view.publishers = endpoints_from(node.get_publishers_info_by_topic(topic), self);
    view.subscribers = endpoints_from(node.get_subscriptions_info_by_topic(topic), self);
    const auto name = contract_name(topic, robot_namespace);
    const bool foreign = name.front() == '/' && robot_namespace != "/" && name.find('/', 1) != std::string::npos;
    if (foreign || (view.publishers.empty() && view.subscribers.empty())) continue;  // another robot's, or only ours
    graph.topics[name] = view;
  }
  for (const auto& name : node.get_node_names()) {
    const auto slash = name.rfind('/');
    const auto short_name = name.substr(slash + 1);
    const auto its_namespace = slash == 0 ? "/" : name.substr(0, slash);
    if (short_name != self && its_namespace == robot_namespace) graph.nodes.push_back(short_name);
  }
  return graph;
}

std::string to_dot(const GraphView& graph) {
  std::string dot =
      "digraph robot {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=Helvetica];\n"
      "  edge [fontname=Helvetica, fontsize=9, color=gray40];\n";
  for (const auto& [topic, view] : graph.topics) {
    if (topic == "/rosout" || topic == "/parameter_events" || topic == "diagnostics" || topic == "/clock") continue;
    std::set<std::pair<std::string, std::string>> drawn;
    for (const auto& publisher : view.publishers) {
      for (const auto& subscriber : view.subscribers) {
        if (publisher.node == subscriber.node || !drawn.insert({publisher.node, subscriber.node}).second) continue;
        dot += "  \"" + publisher.node + "\" -> \"" + subscriber.node + "\" [label=\"" + topic + "\"];\n";
      }
    }
  }
  return dot + "}\n";
}

}  // namespace hl_bringup

// SPDX-License-Identifier: Apache-2.0
#include "graph_view.hpp"

#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace hl_bringup {
namespace {

/// The name of a topic in the contract: relative if it lies in the robot's namespace.
std::string contract_name(const std::string& topic, const std::string& robot_namespace) {
  static const std::set<std::string> absolute{"/tf", "/tf_static", "/clock", "/parameter_events", "/rosout"};
  if (absolute.count(topic) != 0 || topic.rfind("/simulator/", 0) == 0) return topic;
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

/// True for names of other robots, seen from a robot in a namespace.
bool is_foreign(const std::string& name, const std::string& robot_namespace) {
  return name.front() == '/' && robot_namespace != "/" && name.find('/', 1) != std::string::npos &&
         name.rfind("/simulator/", 0) != 0;
}

using Parties = std::vector<Party> ServiceView::*;
using NamesAndTypes = std::map<std::string, std::vector<std::string>>;

/// Sorts what one node serves or calls into services and actions. An action shows itself by its hidden service
/// send_goal.
void add_services(const NamesAndTypes& services, const std::string& node, const std::string& robot_namespace,
                  Parties side, GraphView& graph) {
  static const std::string goal = "/_action/send_goal", goal_type = "_SendGoal";
  for (const auto& [full_name, types] : services) {
    std::string name = contract_name(full_name, robot_namespace);
    if (is_foreign(name, robot_namespace)) continue;
    const auto at = name.find("/_action/");
    for (std::string type : types) {
      if (at == std::string::npos) {
        (graph.services[name].*side).push_back({node, type});
      } else if (name.compare(at, std::string::npos, goal) == 0) {
        if (const auto end = type.rfind(goal_type); end != std::string::npos) type.resize(end);
        (graph.actions[name.substr(0, at)].*side).push_back({node, type});
      }
    }
  }
}

/// Left out of the picture: what every node has, and what would only connect everything with everything.
bool worth_drawing(const std::string& topic) {
  static const std::set<std::string> hidden{"/rosout", "/parameter_events", "diagnostics", "/clock"};
  return hidden.count(topic) == 0 && topic.find("/_action/") == std::string::npos;
}

/// A few words below a node's name, some topics in a line.
std::string small_print(const char* title, const std::set<std::string>& topics) {
  if (topics.empty()) return "";
  constexpr std::size_t kLine = 36;  // characters
  std::string text = std::string("<br/><font point-size=\"9\" color=\"#5a6b7b\">") + title + ": ";
  std::size_t used = std::string(title).size();
  bool first = true;
  for (const auto& topic : topics) {
    if (!first) text += ", ";
    if (used + topic.size() > kLine) {
      text += "<br/>";
      used = 0;
    }
    text += topic;
    used += topic.size() + 2;
    first = false;
  }
  return text + "</font>";
}

}  // namespace

std::vector<std::string> robots_in(rclcpp::Node& node) {
  const std::string ending = "/motor_goals";
  std::vector<std::string> namespaces;
  for (const auto& [topic, types] : node.get_topic_names_and_types()) {
    const auto at = topic.rfind(ending);
    if (at == std::string::npos || at + ending.size() != topic.size()) continue;
    namespaces.push_back(at == 0 ? "/" : topic.substr(0, at));
  }
  return namespaces;
}

GraphView view_of(rclcpp::Node& node, const std::string& robot_namespace) {
  GraphView graph;
  const std::string self = node.get_name();
  for (const auto& [topic, types] : node.get_topic_names_and_types()) {
    TopicView view;
    view.publishers = endpoints_from(node.get_publishers_info_by_topic(topic), self);
    view.subscribers = endpoints_from(node.get_subscriptions_info_by_topic(topic), self);
    const auto name = contract_name(topic, robot_namespace);
    if (is_foreign(name, robot_namespace) || (view.publishers.empty() && view.subscribers.empty()))
      continue;  // another robot's, or only ours
    graph.topics[name] = view;
  }
  for (const auto& name : node.get_node_names()) {
    const auto slash = name.rfind('/');
    const auto short_name = name.substr(slash + 1);
    const auto its_namespace = slash == 0 ? "/" : name.substr(0, slash);
    if (short_name == self) continue;
    NamesAndTypes served, called;
    try {
      const auto interfaces = node.get_node_graph_interface();
      served = interfaces->get_service_names_and_types_by_node(short_name, its_namespace);
      called = interfaces->get_client_names_and_types_by_node(short_name, its_namespace);
    } catch (const std::runtime_error&) {
      continue;  // it has left since it was listed
    }
    if (its_namespace == robot_namespace) graph.nodes.push_back(short_name);
    add_services(served, short_name, robot_namespace, &ServiceView::servers, graph);
    add_services(called, short_name, robot_namespace, &ServiceView::clients, graph);
  }
  return graph;
}

std::string to_dot(const GraphView& graph) {
  struct NodePicture {
    std::set<std::string> unheard, unfed;  // topics without a partner
  };
  std::map<std::string, NodePicture> nodes;
  std::map<std::pair<std::string, std::string>, std::set<std::string>> arrows;  // from, to: topics
  for (const auto& name : graph.nodes) nodes[name];
  for (const auto& [topic, view] : graph.topics) {
    if (!worth_drawing(topic)) continue;
    for (const auto& publisher : view.publishers) {
      bool heard = false;
      for (const auto& subscriber : view.subscribers) {
        if (publisher.node == subscriber.node) continue;
        arrows[{publisher.node, subscriber.node}].insert(topic);
        heard = true;
      }
      if (!heard) nodes[publisher.node].unheard.insert(topic);
    }
    if (!view.publishers.empty()) continue;
    for (const auto& subscriber : view.subscribers) nodes[subscriber.node].unfed.insert(topic);
  }
  std::ostringstream dot;
  dot << "digraph robot {\n  rankdir=LR; nodesep=0.45; ranksep=1.1;\n"
         "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#e8f0fa\", color=\"#5a6b7b\", fontname=Helvetica, "
         "margin=\"0.15,0.08\"];\n"
         "  edge [fontname=Helvetica, fontsize=10, color=\"#5a6b7b\", fontcolor=\"#24292e\"];\n";
  for (const auto& [name, picture] : nodes) {
    if (name.empty()) continue;
    dot << "  \"" << name << "\" [label=<<b>" << name << "</b>" << small_print("gives also", picture.unheard)
        << small_print("would take", picture.unfed) << ">];\n";
  }
  for (const auto& [ends, topics] : arrows) {
    dot << "  \"" << ends.first << "\" -> \"" << ends.second << "\" [label=\"";
    for (const auto& topic : topics) dot << topic << "\\n";
    dot << "\"];\n";
  }
  dot << "}\n";
  return dot.str();
}

}  // namespace hl_bringup

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rclcpp/event.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/topic_endpoint_info.hpp"

namespace rclcpp {

namespace detail {
struct NodeIdentity;
}

namespace node_interfaces {

/// What this process knows of all nodes, topics and services in the domain.
class NodeGraphInterface {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(NodeGraphInterface)
  RCLCPP_DISABLE_COPY(NodeGraphInterface)
  using NamesAndTypes = std::map<std::string, std::vector<std::string>>;

  explicit NodeGraphInterface(std::shared_ptr<detail::NodeIdentity> node);
  ~NodeGraphInterface();

  /// With `no_demangle`, the names and types of DDS instead of those of ROS.
  NamesAndTypes get_topic_names_and_types(bool no_demangle = false) const;
  NamesAndTypes get_service_names_and_types() const;
  NamesAndTypes get_service_names_and_types_by_node(const std::string& node_name, const std::string& namespace_) const;
  NamesAndTypes get_client_names_and_types_by_node(const std::string& node_name, const std::string& namespace_) const;
  NamesAndTypes get_publisher_names_and_types_by_node(const std::string& node_name, const std::string& namespace_,
                                                      bool no_demangle = false) const;
  NamesAndTypes get_subscriber_names_and_types_by_node(const std::string& node_name, const std::string& namespace_,
                                                       bool no_demangle = false) const;

  /// Full names.
  std::vector<std::string> get_node_names() const;
  /// Each name with its namespace.
  std::vector<std::pair<std::string, std::string>> get_node_names_and_namespaces() const;

  /// Of the name after expansion and remapping.
  std::size_t count_publishers(const std::string& topic_name) const;
  std::size_t count_subscribers(const std::string& topic_name) const;
  std::vector<TopicEndpointInfo> get_publishers_info_by_topic(const std::string& topic_name,
                                                              bool no_mangle = false) const;
  std::vector<TopicEndpointInfo> get_subscriptions_info_by_topic(const std::string& topic_name,
                                                                 bool no_mangle = false) const;

  /// Set at every change of the graph.
  Event::SharedPtr get_graph_event();
  /// Returns when the event is set, the timeout (negative: none) is over, or the context is shut down.
  void wait_for_graph_change(Event::SharedPtr event, std::chrono::nanoseconds timeout);

 private:
  struct Watch;
  std::shared_ptr<Watch> watch();

  std::shared_ptr<detail::NodeIdentity> node_;
  std::mutex mutex_;
  std::shared_ptr<Watch> watch_;
};

}  // namespace node_interfaces
}  // namespace rclcpp

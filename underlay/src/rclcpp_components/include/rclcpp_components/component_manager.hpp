// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "composition_interfaces/srv/list_nodes.hpp"
#include "composition_interfaces/srv/load_node.hpp"
#include "composition_interfaces/srv/unload_node.hpp"
#include "rclcpp/executor.hpp"
#include "rclcpp/node.hpp"
#include "rclcpp_components/component_library.hpp"
#include "rclcpp_components/node_factory.hpp"

namespace rclcpp_components {

/// The node of a container: loads, unloads and lists components on the services `~/_container/load_node`,
/// `unload_node` and `list_nodes`.
class ComponentManager : public rclcpp::Node {
 public:
  using LoadNode = composition_interfaces::srv::LoadNode;
  using UnloadNode = composition_interfaces::srv::UnloadNode;
  using ListNodes = composition_interfaces::srv::ListNodes;
  using ComponentResource = std::pair<std::string, std::string>;  // class name, absolute path of its library

  /// Loaded nodes are added to `executor`.
  explicit ComponentManager(std::weak_ptr<rclcpp::Executor> executor = std::weak_ptr<rclcpp::Executor>(),
                            const std::string& node_name = "ComponentManager",
                            const rclcpp::NodeOptions& node_options = rclcpp::NodeOptions()
                                                                          .start_parameter_services(false)
                                                                          .start_parameter_event_publisher(false));
  ~ComponentManager() override;

  /// The components a package lists in the ament index. Throws ComponentManagerException if it lists none.
  virtual std::vector<ComponentResource> get_component_resources(
      const std::string& package_name, const std::string& resource_index = "rclcpp_components") const;
  /// Throws ComponentManagerException.
  virtual std::shared_ptr<NodeFactory> create_component_factory(const ComponentResource& resource);
  virtual void set_executor(const std::weak_ptr<rclcpp::Executor>& executor) { executor_ = executor; }

 protected:
  /// Throws ComponentManagerException for extra arguments of a wrong type.
  virtual rclcpp::NodeOptions create_node_options(const std::shared_ptr<LoadNode::Request>& request);
  virtual void add_node_to_executor(uint64_t node_id);
  virtual void remove_node_from_executor(uint64_t node_id);

  std::weak_ptr<rclcpp::Executor> executor_;
  uint64_t unique_id_ = 1;
  std::map<uint64_t, NodeInstanceWrapper> node_wrappers_;

 private:
  ComponentResource find_resource(const std::string& package, const std::string& class_name) const;
  void load(const std::shared_ptr<LoadNode::Request>& request, LoadNode::Response& response);
  void on_load_node(const std::shared_ptr<LoadNode::Request>& request, LoadNode::Response& response);
  void on_unload_node(const UnloadNode::Request& request, UnloadNode::Response& response);
  void on_list_nodes(ListNodes::Response& response);

  rclcpp::Service<LoadNode>::SharedPtr load_node_service_;
  rclcpp::Service<UnloadNode>::SharedPtr unload_node_service_;
  rclcpp::Service<ListNodes>::SharedPtr list_nodes_service_;
};

}  // namespace rclcpp_components

// SPDX-License-Identifier: Apache-2.0
#include "rclcpp_components/component_manager.hpp"

#include <chrono>
#include <filesystem>
#include <sstream>
#include <thread>

#include "ament_index_cpp/get_resource.hpp"
#include "rclcpp/logging.hpp"

namespace rclcpp_components {
namespace {

std::string garbled(const std::string& line, const std::string& file) {
  return "The entry '" + line + "' of " + file + " is not of the form class;library; build the package again";
}

/// Until no thread of the executor is in a callback of this node, which takes no new ones. A reentrant group does not
/// tell.
void wait_for_callbacks(rclcpp::node_interfaces::NodeBaseInterface& node) {
  node.for_each_callback_group([](const rclcpp::CallbackGroup::SharedPtr& group) {
    while (!group->can_be_taken_from()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
}

}  // namespace

ComponentManager::ComponentManager(std::weak_ptr<rclcpp::Executor> executor, const std::string& node_name,
                                   const rclcpp::NodeOptions& node_options)
    : Node(node_name, node_options), executor_(std::move(executor)) {
  load_node_service_ = create_service<LoadNode>(
      "~/_container/load_node",
      [this](const LoadNode::Request::SharedPtr& request, const LoadNode::Response::SharedPtr& response) {
        on_load_node(request, *response);
      });
  unload_node_service_ = create_service<UnloadNode>(
      "~/_container/unload_node",
      [this](const UnloadNode::Request::SharedPtr& request, const UnloadNode::Response::SharedPtr& response) {
        on_unload_node(*request, *response);
      });
  list_nodes_service_ = create_service<ListNodes>(
      "~/_container/list_nodes", [this](const ListNodes::Request::SharedPtr&,
                                        const ListNodes::Response::SharedPtr& response) { on_list_nodes(*response); });
}

ComponentManager::~ComponentManager() {
  for (auto& [id, wrapper] : node_wrappers_) ComponentManager::remove_node_from_executor(id);
}

std::vector<ComponentManager::ComponentResource> ComponentManager::get_component_resources(
    const std::string& package_name, const std::string& resource_index) const {
  namespace fs = std::filesystem;
  std::string content;
  std::string prefix;
  if (package_name.empty() || !ament_index_cpp::get_resource(resource_index, package_name, content, &prefix)) {
    throw ComponentManagerException("Package '" + package_name + "' has no components (resource '" + resource_index +
                                    "' of the ament index); is it built, and its setup file sourced?");
  }
  std::vector<ComponentResource> resources;
  std::istringstream lines(content);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const auto separator = line.find(';');
    if (separator == std::string::npos || separator == 0 || separator + 1 == line.size()) {
      throw ComponentManagerException(
          garbled(line, prefix + "/share/ament_index/resource_index/" + resource_index + "/" + package_name));
    }
    resources.emplace_back(line.substr(0, separator), (fs::path(prefix) / line.substr(separator + 1)).string());
  }
  return resources;
}

std::shared_ptr<NodeFactory> ComponentManager::create_component_factory(const ComponentResource& resource) {
  return detail::load_factory(resource.second, resource.first);
}

ComponentManager::ComponentResource ComponentManager::find_resource(const std::string& package,
                                                                    const std::string& class_name) const {
  std::vector<std::string> known;
  for (const auto& resource : get_component_resources(package)) {
    if (resource.first == class_name) return resource;
    known.push_back(resource.first);
  }
  throw ComponentManagerException("Package '" + package + "' has no component '" + class_name + "'" +
                                  detail::hint(class_name, known));
}

rclcpp::NodeOptions ComponentManager::create_node_options(const std::shared_ptr<LoadNode::Request>& request) {
  std::vector<std::string> arguments{"--ros-args"};
  const auto remap = [&arguments](const std::string& rule) { arguments.insert(arguments.end(), {"-r", rule}); };
  for (const auto& rule : request->remap_rules) remap(rule);
  if (!request->node_name.empty()) remap("__node:=" + request->node_name);
  if (!request->node_namespace.empty()) remap("__ns:=" + request->node_namespace);

  std::vector<rclcpp::Parameter> parameters;
  for (const auto& parameter : request->parameters) {
    parameters.push_back(rclcpp::Parameter::from_parameter_msg(parameter));
  }
  auto options = rclcpp::NodeOptions().use_global_arguments(false).parameter_overrides(parameters).arguments(arguments);

  for (const auto& message : request->extra_arguments) {
    const auto extra = rclcpp::Parameter::from_parameter_msg(message);
    const bool intra_process = extra.get_name() == "use_intra_process_comms";
    if (!intra_process && extra.get_name() != "forward_global_arguments") {
      RCLCPP_WARN(get_logger(), "Extra argument '%s' is not known and has no effect", extra.get_name().c_str());
      continue;
    }
    if (extra.get_type() != rclcpp::PARAMETER_BOOL) {
      throw ComponentManagerException("Extra component argument '" + extra.get_name() + "' must be a boolean, not " +
                                      extra.get_type_name());
    }
    if (intra_process) {
      options.use_intra_process_comms(extra.as_bool());
    } else {
      options.use_global_arguments(extra.as_bool());
    }
  }
  return options;
}

void ComponentManager::add_node_to_executor(uint64_t node_id) {
  if (const auto executor = executor_.lock()) {
    executor->add_node(node_wrappers_.at(node_id).get_node_base_interface(), true);
  }
}

void ComponentManager::remove_node_from_executor(uint64_t node_id) {
  if (const auto executor = executor_.lock()) {
    const auto node = node_wrappers_.at(node_id).get_node_base_interface();
    executor->remove_node(node);
    wait_for_callbacks(*node);
  }
}

void ComponentManager::on_load_node(const std::shared_ptr<LoadNode::Request>& request, LoadNode::Response& response) {
  try {
    load(request, response);
    response.success = true;
    RCLCPP_INFO(get_logger(), "Loaded %s as %s", request->plugin_name.c_str(), response.full_node_name.c_str());
  } catch (const std::exception& error) {
    response.success = false;
    response.error_message = error.what();
    RCLCPP_ERROR(get_logger(), "%s", error.what());
  }
}

void ComponentManager::load(const std::shared_ptr<LoadNode::Request>& request, LoadNode::Response& response) {
  const auto factory = create_component_factory(find_resource(request->package_name, request->plugin_name));
  const auto options = create_node_options(request);
  NodeInstanceWrapper wrapper;
  try {
    wrapper = factory->create_node_instance(options);
  } catch (const std::exception& error) {
    throw ComponentManagerException("Component constructor of '" + request->plugin_name +
                                    "' threw an exception: " + error.what());
  } catch (...) {
    throw ComponentManagerException("Component constructor of '" + request->plugin_name +
                                    "' threw something that is no std::exception");
  }
  const auto node = wrapper.get_node_base_interface();
  if (request->log_level != 0) {
    std::string logger = node->get_fully_qualified_name();
    logger.erase(0, 1);
    for (char& c : logger) {
      if (c == '/') c = '.';
    }
    rclcpp::get_logger(logger).set_level(static_cast<rclcpp::Logger::Level>(request->log_level));
  }
  const uint64_t id = unique_id_++;
  node_wrappers_[id] = wrapper;
  add_node_to_executor(id);
  response.full_node_name = node->get_fully_qualified_name();
  response.unique_id = id;
}

void ComponentManager::on_unload_node(const UnloadNode::Request& request, UnloadNode::Response& response) {
  const auto found = node_wrappers_.find(request.unique_id);
  response.success = found != node_wrappers_.end();
  if (!response.success) {
    response.error_message = "No node found with unique_id: " + std::to_string(request.unique_id) +
                             "; `ros2 component list` shows the loaded ones";
    RCLCPP_WARN(get_logger(), "%s", response.error_message.c_str());
    return;
  }
  remove_node_from_executor(request.unique_id);
  node_wrappers_.erase(found);
}

void ComponentManager::on_list_nodes(ListNodes::Response& response) {
  for (auto& [id, wrapper] : node_wrappers_) {
    response.unique_ids.push_back(id);
    response.full_node_names.emplace_back(wrapper.get_node_base_interface()->get_fully_qualified_name());
  }
}

}  // namespace rclcpp_components

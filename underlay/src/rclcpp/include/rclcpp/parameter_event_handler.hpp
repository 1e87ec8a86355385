// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "rcl_interfaces/msg/parameter_event.hpp"
#include "rclcpp/create_subscription.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/qos.hpp"

namespace rclcpp {

/// Keeps a callback for one parameter registered as long as somebody holds it.
struct ParameterCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(ParameterCallbackHandle)
  using ParameterCallbackType = std::function<void(const Parameter&)>;

  std::string parameter_name;
  std::string node_name;
  ParameterCallbackType callback;
};

struct ParameterEventCallbackHandle {
  RCLCPP_SMART_PTR_DEFINITIONS(ParameterEventCallbackHandle)
  using ParameterEventCallbackType = std::function<void(const rcl_interfaces::msg::ParameterEvent&)>;

  ParameterEventCallbackType callback;
};

/// Tells when a parameter of any node changes.
class ParameterEventHandler {
 public:
  using Event = rcl_interfaces::msg::ParameterEvent;

  template <typename NodeT>
  explicit ParameterEventHandler(NodeT node, const QoS& qos = QoS(KeepLast(100), rmw_qos_profile_parameter_events))
      : node_base_(node->get_node_base_interface()), callbacks_(std::make_shared<Callbacks>()) {
    subscription_ =
        create_subscription<Event>(*node->get_node_topics_interface(), "/parameter_events", qos,
                                   [callbacks = callbacks_](const Event& event) { callbacks->call(event); });
  }

  [[nodiscard]] ParameterEventCallbackHandle::SharedPtr add_parameter_event_callback(
      ParameterEventCallbackHandle::ParameterEventCallbackType callback);
  void remove_parameter_event_callback(ParameterEventCallbackHandle::SharedPtr handle);

  /// Without a node name: of the own node. A relative one is taken in the own namespace.
  [[nodiscard]] ParameterCallbackHandle::SharedPtr add_parameter_callback(
      const std::string& parameter_name, ParameterCallbackHandle::ParameterCallbackType callback,
      const std::string& node_name = "");
  void remove_parameter_callback(ParameterCallbackHandle::SharedPtr handle);

  static bool get_parameter_from_event(const Event& event, Parameter& parameter, const std::string& parameter_name,
                                       const std::string& node_name);
  static Parameter get_parameter_from_event(const Event& event, const std::string& parameter_name,
                                            const std::string& node_name);
  static std::vector<Parameter> get_parameters_from_event(const Event& event);

 private:
  struct Callbacks {
    void call(const Event& event);
    std::mutex mutex;
    std::list<ParameterCallbackHandle::WeakPtr> of_parameters;  // the newest first
    std::list<ParameterEventCallbackHandle::WeakPtr> of_events;
  };

  node_interfaces::NodeBaseInterface::SharedPtr node_base_;
  std::shared_ptr<Callbacks> callbacks_;
  Subscription<Event>::SharedPtr subscription_;
};

}  // namespace rclcpp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/publisher_options.hpp"
#include "rclcpp/qos.hpp"

#define RCLCPP_DETAIL_NODE_OPTION(type, name, initial) \
 public:                                               \
  const type& name() const {                           \
    return name##_;                                    \
  }                                                    \
  NodeOptions& name(const type& value) {               \
    name##_ = value;                                   \
    return *this;                                      \
  }                                                    \
                                                       \
 private:                                              \
  type name##_ = initial;

namespace rclcpp {

/// Encapsulates what may be chosen when a node is made.
class NodeOptions {
  RCLCPP_DETAIL_NODE_OPTION(Context::SharedPtr, context, contexts::get_global_default_context())
  /// `--ros-args` for this node, which precede those of the process.
  RCLCPP_DETAIL_NODE_OPTION(std::vector<std::string>, arguments, {})
  RCLCPP_DETAIL_NODE_OPTION(std::vector<Parameter>, parameter_overrides, {})
  /// Whether the arguments of the process count for this node.
  RCLCPP_DETAIL_NODE_OPTION(bool, use_global_arguments, true)
  RCLCPP_DETAIL_NODE_OPTION(bool, enable_rosout, true)
  RCLCPP_DETAIL_NODE_OPTION(bool, use_intra_process_comms, false)
  /// For subscriptions whose options leave it to the node.
  RCLCPP_DETAIL_NODE_OPTION(bool, enable_topic_statistics, false)
  RCLCPP_DETAIL_NODE_OPTION(bool, start_parameter_services, true)
  RCLCPP_DETAIL_NODE_OPTION(bool, start_parameter_event_publisher, true)
  RCLCPP_DETAIL_NODE_OPTION(QoS, clock_qos, ClockQoS())
  RCLCPP_DETAIL_NODE_OPTION(QoS, parameter_event_qos, ParameterEventsQoS())
  RCLCPP_DETAIL_NODE_OPTION(QoS, rosout_qos, RosoutQoS())
  RCLCPP_DETAIL_NODE_OPTION(PublisherOptionsBase, parameter_event_publisher_options, {})
  RCLCPP_DETAIL_NODE_OPTION(bool, allow_undeclared_parameters, false)
  RCLCPP_DETAIL_NODE_OPTION(bool, automatically_declare_parameters_from_overrides, false)

 public:
  std::vector<Parameter>& parameter_overrides() { return parameter_overrides_; }
  template <typename ParameterT>
  NodeOptions& append_parameter_override(const std::string& name, const ParameterT& value) {
    parameter_overrides_.emplace_back(name, ParameterValue(value));
    return *this;
  }
};

}  // namespace rclcpp

#undef RCLCPP_DETAIL_NODE_OPTION

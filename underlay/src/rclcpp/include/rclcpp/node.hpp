// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/clock.hpp"
#include "rclcpp/create_client.hpp"
#include "rclcpp/create_generic_publisher.hpp"
#include "rclcpp/create_generic_subscription.hpp"
#include "rclcpp/create_publisher.hpp"
#include "rclcpp/create_service.hpp"
#include "rclcpp/create_subscription.hpp"
#include "rclcpp/create_timer.hpp"
#include "rclcpp/event.hpp"
#include "rclcpp/logger.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/node_interfaces/node_clock_interface.hpp"
#include "rclcpp/node_interfaces/node_graph_interface.hpp"
#include "rclcpp/node_interfaces/node_logging_interface.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/node_services_interface.hpp"
#include "rclcpp/node_interfaces/node_time_source_interface.hpp"
#include "rclcpp/node_interfaces/node_timers_interface.hpp"
#include "rclcpp/node_interfaces/node_topics_interface.hpp"
#include "rclcpp/node_interfaces/node_waitables_interface.hpp"
#include "rclcpp/node_options.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/qos.hpp"

namespace rclcpp {

/// A named place in the ROS graph that owns topics, services, timers and parameters.
class Node : public std::enable_shared_from_this<Node> {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(Node)
  using Descriptor = rcl_interfaces::msg::ParameterDescriptor;
  using SetResult = rcl_interfaces::msg::SetParametersResult;

  explicit Node(const std::string& node_name, const NodeOptions& options = NodeOptions());
  explicit Node(const std::string& node_name, const std::string& namespace_,
                const NodeOptions& options = NodeOptions());
  virtual ~Node();

  const char* get_name() const { return node_base_->get_name(); }
  const char* get_namespace() const { return node_base_->get_namespace(); }
  const char* get_fully_qualified_name() const { return node_base_->get_fully_qualified_name(); }
  Logger get_logger() const { return node_logging_->get_logger(); }

  CallbackGroup::SharedPtr create_callback_group(CallbackGroupType group_type,
                                                 bool automatically_add_to_executor_with_node = true) {
    return node_base_->create_callback_group(group_type, automatically_add_to_executor_with_node);
  }
  void for_each_callback_group(const node_interfaces::NodeBaseInterface::CallbackGroupFunction& function) {
    node_base_->for_each_callback_group(function);
  }

  template <typename MessageT, typename AllocatorT = std::allocator<void>,
            typename PublisherT = Publisher<MessageT, AllocatorT>>
  std::shared_ptr<PublisherT> create_publisher(
      const std::string& topic_name, const QoS& qos,
      const PublisherOptionsWithAllocator<AllocatorT>& options = PublisherOptionsWithAllocator<AllocatorT>()) {
    return rclcpp::create_publisher<MessageT, AllocatorT, PublisherT>(*this, in_sub_namespace(topic_name), qos,
                                                                      options);
  }

  template <typename MessageT, typename CallbackT, typename AllocatorT = std::allocator<void>,
            typename SubscriptionT = Subscription<MessageT, AllocatorT>>
  std::shared_ptr<SubscriptionT> create_subscription(
      const std::string& topic_name, const QoS& qos, CallbackT&& callback,
      const SubscriptionOptionsWithAllocator<AllocatorT>& options = SubscriptionOptionsWithAllocator<AllocatorT>()) {
    return rclcpp::create_subscription<MessageT, CallbackT, AllocatorT, SubscriptionT>(
        *this, in_sub_namespace(topic_name), qos, std::forward<CallbackT>(callback), options);
  }

  /// For a type known by its name only, e.g. "std_msgs/msg/String"; messages are bytes.
  template <typename AllocatorT = std::allocator<void>>
  std::shared_ptr<GenericPublisher> create_generic_publisher(
      const std::string& topic_name, const std::string& topic_type, const QoS& qos,
      const PublisherOptionsWithAllocator<AllocatorT>& options = PublisherOptionsWithAllocator<AllocatorT>()) {
    return rclcpp::create_generic_publisher(node_topics_, in_sub_namespace(topic_name), topic_type, qos, options);
  }
  template <typename AllocatorT = std::allocator<void>>
  std::shared_ptr<GenericSubscription> create_generic_subscription(
      const std::string& topic_name, const std::string& topic_type, const QoS& qos,
      GenericSubscription::Callback callback,
      const SubscriptionOptionsWithAllocator<AllocatorT>& options = SubscriptionOptionsWithAllocator<AllocatorT>()) {
    return rclcpp::create_generic_subscription(node_topics_, in_sub_namespace(topic_name), topic_type, qos,
                                               std::move(callback), options);
  }

  template <typename DurationRepT = int64_t, typename DurationT = std::milli, typename CallbackT>
  typename WallTimer<CallbackT>::SharedPtr create_wall_timer(std::chrono::duration<DurationRepT, DurationT> period,
                                                             CallbackT callback,
                                                             CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp::create_wall_timer(period, std::move(callback), std::move(group), node_base_.get(),
                                     node_timers_.get());
  }

  template <typename ServiceT>
  typename Client<ServiceT>::SharedPtr create_client(const std::string& service_name, const QoS& qos = ServicesQoS(),
                                                     CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp::create_client<ServiceT>(node_base_, node_graph_, node_services_, in_sub_namespace(service_name), qos,
                                           std::move(group));
  }
  template <typename ServiceT>
  typename Client<ServiceT>::SharedPtr create_client(const std::string& service_name,
                                                     const rmw_qos_profile_t& qos_profile,
                                                     CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp::create_client<ServiceT>(node_base_, node_graph_, node_services_, in_sub_namespace(service_name),
                                           qos_profile, std::move(group));
  }

  template <typename ServiceT, typename CallbackT>
  typename Service<ServiceT>::SharedPtr create_service(const std::string& service_name, CallbackT&& callback,
                                                       const QoS& qos = ServicesQoS(),
                                                       CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp::create_service<ServiceT>(node_base_, node_services_, in_sub_namespace(service_name),
                                            std::forward<CallbackT>(callback), qos, std::move(group));
  }
  template <typename ServiceT, typename CallbackT>
  typename Service<ServiceT>::SharedPtr create_service(const std::string& service_name, CallbackT&& callback,
                                                       const rmw_qos_profile_t& qos_profile,
                                                       CallbackGroup::SharedPtr group = nullptr) {
    return rclcpp::create_service<ServiceT>(node_base_, node_services_, in_sub_namespace(service_name),
                                            std::forward<CallbackT>(callback), qos_profile, std::move(group));
  }

  // Parameters.
  const ParameterValue& declare_parameter(const std::string& name, const ParameterValue& default_value,
                                          const Descriptor& descriptor = Descriptor(), bool ignore_override = false) {
    return node_parameters_->declare_parameter(name, default_value, descriptor, ignore_override);
  }
  const ParameterValue& declare_parameter(const std::string& name, ParameterType type,
                                          const Descriptor& descriptor = Descriptor(), bool ignore_override = false) {
    return node_parameters_->declare_parameter(name, type, descriptor, ignore_override);
  }
  template <typename ParameterT>
  auto declare_parameter(const std::string& name, const ParameterT& default_value,
                         const Descriptor& descriptor = Descriptor(), bool ignore_override = false) {
    using Value = std::conditional_t<std::is_convertible_v<ParameterT, const char*>, std::string, ParameterT>;
    return Value(parameter_value<Value>(
        name, declare_parameter(name, ParameterValue(default_value), descriptor, ignore_override)));
  }
  /// Without a default: throws if no override gives the value.
  template <typename ParameterT>
  auto declare_parameter(const std::string& name, const Descriptor& descriptor = Descriptor(),
                         bool ignore_override = false) {
    const ParameterType type = ParameterValue(ParameterT{}).get_type();
    const ParameterValue& value = declare_parameter(name, type, descriptor, ignore_override);
    if (value.get_type() == PARAMETER_NOT_SET) {
      throw exceptions::UninitializedStaticallyTypedParameterException(name);
    }
    return ParameterT(parameter_value<ParameterT>(name, value));
  }
  template <typename ParameterT>
  std::vector<ParameterT> declare_parameters(const std::string& namespace_,
                                             const std::map<std::string, ParameterT>& parameters,
                                             bool ignore_overrides = false) {
    std::vector<ParameterT> values;
    for (const auto& [name, value] : parameters) {
      values.push_back(
          declare_parameter(namespace_.empty() ? name : namespace_ + "." + name, value, {}, ignore_overrides));
    }
    return values;
  }
  template <typename ParameterT>
  std::vector<ParameterT> declare_parameters(const std::string& namespace_,
                                             const std::map<std::string, std::pair<ParameterT, Descriptor>>& parameters,
                                             bool ignore_overrides = false) {
    std::vector<ParameterT> values;
    for (const auto& [name, value] : parameters) {
      values.push_back(declare_parameter(namespace_.empty() ? name : namespace_ + "." + name, value.first, value.second,
                                         ignore_overrides));
    }
    return values;
  }
  void undeclare_parameter(const std::string& name) { node_parameters_->undeclare_parameter(name); }
  bool has_parameter(const std::string& name) const { return node_parameters_->has_parameter(name); }
  SetResult set_parameter(const Parameter& parameter) { return set_parameters_atomically({parameter}); }
  std::vector<SetResult> set_parameters(const std::vector<Parameter>& parameters) {
    return node_parameters_->set_parameters(parameters);
  }
  SetResult set_parameters_atomically(const std::vector<Parameter>& parameters) {
    return node_parameters_->set_parameters_atomically(parameters);
  }
  Parameter get_parameter(const std::string& name) const { return node_parameters_->get_parameter(name); }
  bool get_parameter(const std::string& name, Parameter& parameter) const {
    return node_parameters_->get_parameter(name, parameter);
  }
  template <typename ParameterT>
  bool get_parameter(const std::string& name, ParameterT& value) const {
    Parameter parameter;
    if (!node_parameters_->get_parameter(in_sub_namespace(name), parameter)) return false;
    value = static_cast<ParameterT>(parameter.get_value<ParameterT>());
    return true;
  }
  template <typename ParameterT>
  bool get_parameter_or(const std::string& name, ParameterT& value, const ParameterT& alternative) const {
    if (get_parameter(name, value)) return true;
    value = alternative;
    return false;
  }
  template <typename ParameterT>
  ParameterT get_parameter_or(const std::string& name, const ParameterT& alternative) const {
    ParameterT value{};
    get_parameter_or(name, value, alternative);
    return value;
  }
  std::vector<Parameter> get_parameters(const std::vector<std::string>& names) const {
    return node_parameters_->get_parameters(names);
  }
  template <typename ParameterT>
  bool get_parameters(const std::string& prefix, std::map<std::string, ParameterT>& values) const {
    std::map<std::string, Parameter> parameters;
    if (!node_parameters_->get_parameters_by_prefix(prefix, parameters)) return false;
    for (const auto& [name, parameter] : parameters) {
      values[name] = static_cast<ParameterT>(parameter.template get_value<ParameterT>());
    }
    return true;
  }
  Descriptor describe_parameter(const std::string& name) const { return describe_parameters({name}).front(); }
  std::vector<Descriptor> describe_parameters(const std::vector<std::string>& names) const {
    return node_parameters_->describe_parameters(names);
  }
  std::vector<uint8_t> get_parameter_types(const std::vector<std::string>& names) const {
    return node_parameters_->get_parameter_types(names);
  }
  rcl_interfaces::msg::ListParametersResult list_parameters(const std::vector<std::string>& prefixes,
                                                            uint64_t depth) const {
    return node_parameters_->list_parameters(prefixes, depth);
  }
  using OnSetParametersCallbackHandle = node_interfaces::OnSetParametersCallbackHandle;
  using OnParametersSetCallbackType = OnSetParametersCallbackHandle::OnParametersSetCallbackType;
  [[nodiscard]] OnSetParametersCallbackHandle::SharedPtr add_on_set_parameters_callback(
      OnParametersSetCallbackType callback) {
    return node_parameters_->add_on_set_parameters_callback(std::move(callback));
  }
  void remove_on_set_parameters_callback(const OnSetParametersCallbackHandle* handler) {
    node_parameters_->remove_on_set_parameters_callback(handler);
  }

  // Graph.
  using NamesAndTypes = node_interfaces::NodeGraphInterface::NamesAndTypes;
  std::vector<std::string> get_node_names() const { return node_graph_->get_node_names(); }
  NamesAndTypes get_topic_names_and_types() const { return node_graph_->get_topic_names_and_types(); }
  NamesAndTypes get_service_names_and_types() const { return node_graph_->get_service_names_and_types(); }
  NamesAndTypes get_service_names_and_types_by_node(const std::string& node_name, const std::string& namespace_) const {
    return node_graph_->get_service_names_and_types_by_node(node_name, namespace_);
  }
  std::size_t count_publishers(const std::string& topic_name) const {
    return node_graph_->count_publishers(topic_name);
  }
  std::size_t count_subscribers(const std::string& topic_name) const {
    return node_graph_->count_subscribers(topic_name);
  }
  std::vector<TopicEndpointInfo> get_publishers_info_by_topic(const std::string& topic_name,
                                                              bool no_mangle = false) const {
    return node_graph_->get_publishers_info_by_topic(topic_name, no_mangle);
  }
  std::vector<TopicEndpointInfo> get_subscriptions_info_by_topic(const std::string& topic_name,
                                                                 bool no_mangle = false) const {
    return node_graph_->get_subscriptions_info_by_topic(topic_name, no_mangle);
  }
  Event::SharedPtr get_graph_event() { return node_graph_->get_graph_event(); }
  void wait_for_graph_change(Event::SharedPtr event, std::chrono::nanoseconds timeout) {
    node_graph_->wait_for_graph_change(std::move(event), timeout);
  }

  Clock::SharedPtr get_clock() { return node_clock_->get_clock(); }
  Clock::ConstSharedPtr get_clock() const { return node_clock_->get_clock(); }
  Time now() const { return node_clock_->get_clock()->now(); }

  node_interfaces::NodeBaseInterface::SharedPtr get_node_base_interface() { return node_base_; }
  node_interfaces::NodeClockInterface::SharedPtr get_node_clock_interface() { return node_clock_; }
  node_interfaces::NodeGraphInterface::SharedPtr get_node_graph_interface() { return node_graph_; }
  node_interfaces::NodeLoggingInterface::SharedPtr get_node_logging_interface() { return node_logging_; }
  node_interfaces::NodeTimersInterface::SharedPtr get_node_timers_interface() { return node_timers_; }
  node_interfaces::NodeTopicsInterface::SharedPtr get_node_topics_interface() { return node_topics_; }
  node_interfaces::NodeServicesInterface::SharedPtr get_node_services_interface() { return node_services_; }
  node_interfaces::NodeWaitablesInterface::SharedPtr get_node_waitables_interface() { return node_waitables_; }
  node_interfaces::NodeParametersInterface::SharedPtr get_node_parameters_interface() { return node_parameters_; }
  node_interfaces::NodeTimeSourceInterface::SharedPtr get_node_time_source_interface() { return node_time_source_; }

  const std::string& get_sub_namespace() const { return sub_namespace_; }
  const std::string& get_effective_namespace() const { return effective_namespace_; }
  /// The same node, whose relative names are one level deeper.
  Node::SharedPtr create_sub_node(const std::string& sub_namespace);

  const NodeOptions& get_node_options() const { return options_; }

 protected:
  Node(const Node& other, const std::string& sub_namespace);

 private:
  template <typename ParameterT>
  static decltype(auto) parameter_value(const std::string& name, const ParameterValue& value) {
    try {
      return value.get<ParameterT>();
    } catch (const ParameterTypeException& error) {
      throw exceptions::InvalidParameterTypeException(name, error.what());
    }
  }
  std::string in_sub_namespace(const std::string& name) const;

  class Services;  // what every node offers by itself: parameters, log, clock

  NodeOptions options_;
  std::string sub_namespace_;
  std::string effective_namespace_;
  node_interfaces::NodeBaseInterface::SharedPtr node_base_;
  node_interfaces::NodeLoggingInterface::SharedPtr node_logging_;
  node_interfaces::NodeClockInterface::SharedPtr node_clock_;
  node_interfaces::NodeGraphInterface::SharedPtr node_graph_;
  node_interfaces::NodeTopicsInterface::SharedPtr node_topics_;
  node_interfaces::NodeTimersInterface::SharedPtr node_timers_;
  node_interfaces::NodeServicesInterface::SharedPtr node_services_;
  node_interfaces::NodeWaitablesInterface::SharedPtr node_waitables_;
  node_interfaces::NodeParametersInterface::SharedPtr node_parameters_;
  node_interfaces::NodeTimeSourceInterface::SharedPtr node_time_source_;
  std::shared_ptr<Services> services_;
};

}  // namespace rclcpp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rclcpp/create_subscription.hpp"
#include "rclcpp/executors/single_threaded_executor.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/node.hpp"
#include "rclcpp/parameter.hpp"
#include "rclcpp/parameter_map.hpp"
#include "rclcpp/qos.hpp"

namespace rclcpp {

/// Reads and sets the parameters of another node. Answers need an executor that spins the own node.
class AsyncParametersClient {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(AsyncParametersClient)
  using Parameters = std::vector<Parameter>;
  using Descriptors = std::vector<rcl_interfaces::msg::ParameterDescriptor>;
  using SetResult = rcl_interfaces::msg::SetParametersResult;
  using ListResult = rcl_interfaces::msg::ListParametersResult;
  template <typename T>
  using Callback = std::function<void(std::shared_future<T>)>;

  /// Without a remote node name: the own parameters.
  AsyncParametersClient(node_interfaces::NodeBaseInterface::SharedPtr node_base,
                        node_interfaces::NodeTopicsInterface::SharedPtr node_topics,
                        node_interfaces::NodeGraphInterface::SharedPtr node_graph,
                        node_interfaces::NodeServicesInterface::SharedPtr node_services,
                        const std::string& remote_node_name = "", const QoS& qos = ParametersQoS(),
                        CallbackGroup::SharedPtr group = nullptr);
  template <typename NodeT>
  explicit AsyncParametersClient(std::shared_ptr<NodeT> node, const std::string& remote_node_name = "",
                                 const QoS& qos = ParametersQoS(), CallbackGroup::SharedPtr group = nullptr)
      : AsyncParametersClient(node.get(), remote_node_name, qos, std::move(group)) {}
  template <typename NodeT>
  explicit AsyncParametersClient(NodeT* node, const std::string& remote_node_name = "",
                                 const QoS& qos = ParametersQoS(), CallbackGroup::SharedPtr group = nullptr)
      : AsyncParametersClient(node->get_node_base_interface(), node->get_node_topics_interface(),
                              node->get_node_graph_interface(), node->get_node_services_interface(), remote_node_name,
                              qos, std::move(group)) {}
  ~AsyncParametersClient();

  std::shared_future<Parameters> get_parameters(const std::vector<std::string>& names,
                                                Callback<Parameters> callback = nullptr);
  std::shared_future<Descriptors> describe_parameters(const std::vector<std::string>& names,
                                                      Callback<Descriptors> callback = nullptr);
  std::shared_future<std::vector<ParameterType>> get_parameter_types(
      const std::vector<std::string>& names, Callback<std::vector<ParameterType>> callback = nullptr);
  std::shared_future<std::vector<SetResult>> set_parameters(const Parameters& parameters,
                                                            Callback<std::vector<SetResult>> callback = nullptr);
  std::shared_future<SetResult> set_parameters_atomically(const Parameters& parameters,
                                                          Callback<SetResult> callback = nullptr);
  /// By setting them to nothing.
  std::shared_future<std::vector<SetResult>> delete_parameters(const std::vector<std::string>& names);
  std::shared_future<std::vector<SetResult>> load_parameters(const std::string& yaml_filename);
  std::shared_future<std::vector<SetResult>> load_parameters(const ParameterMap& parameter_map);
  std::shared_future<ListResult> list_parameters(const std::vector<std::string>& prefixes, uint64_t depth,
                                                 Callback<ListResult> callback = nullptr);

  template <typename CallbackT>
  Subscription<rcl_interfaces::msg::ParameterEvent>::SharedPtr on_parameter_event(
      CallbackT&& callback, const QoS& qos = ParameterEventsQoS(),
      const SubscriptionOptions& options = SubscriptionOptions()) {
    return create_subscription<rcl_interfaces::msg::ParameterEvent>(*node_topics_, "/parameter_events", qos,
                                                                    std::forward<CallbackT>(callback), options);
  }

  bool service_is_ready() const;
  template <typename RepT = int64_t, typename RatioT = std::milli>
  bool wait_for_service(std::chrono::duration<RepT, RatioT> timeout = std::chrono::duration<RepT, RatioT>(-1)) {
    return wait_for_service_nanoseconds(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout));
  }

 private:
  bool wait_for_service_nanoseconds(std::chrono::nanoseconds timeout);

  struct Clients;
  node_interfaces::NodeTopicsInterface::SharedPtr node_topics_;
  std::string remote_node_name_;
  std::unique_ptr<Clients> clients_;
};

/// The same, waiting for each answer by spinning the own node.
class SyncParametersClient {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(SyncParametersClient)
  using SetResult = AsyncParametersClient::SetResult;
  using ListResult = AsyncParametersClient::ListResult;

  template <typename NodeT>
  explicit SyncParametersClient(std::shared_ptr<NodeT> node, const std::string& remote_node_name = "",
                                const QoS& qos = ParametersQoS())
      : SyncParametersClient(std::make_shared<executors::SingleThreadedExecutor>(), std::move(node), remote_node_name,
                             qos) {}
  template <typename NodeT>
  SyncParametersClient(Executor::SharedPtr executor, std::shared_ptr<NodeT> node,
                       const std::string& remote_node_name = "", const QoS& qos = ParametersQoS())
      : executor_(std::move(executor)),
        node_base_(node->get_node_base_interface()),
        client_(std::make_shared<AsyncParametersClient>(node, remote_node_name, qos)) {}
  template <typename NodeT>
  explicit SyncParametersClient(NodeT* node, const std::string& remote_node_name = "", const QoS& qos = ParametersQoS())
      : executor_(std::make_shared<executors::SingleThreadedExecutor>()),
        node_base_(node->get_node_base_interface()),
        client_(std::make_shared<AsyncParametersClient>(node, remote_node_name, qos)) {}

  std::vector<Parameter> get_parameters(const std::vector<std::string>& names,
                                        std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  bool has_parameter(const std::string& name);
  template <typename T>
  T get_parameter(const std::string& name) {
    const auto parameters = get_parameters({name});
    if (parameters.empty() || parameters.front().get_type() == PARAMETER_NOT_SET) {
      throw std::runtime_error("Parameter '" + name + "' is not set");
    }
    return static_cast<T>(parameters.front().get_value<T>());
  }
  template <typename T>
  T get_parameter(const std::string& name, const T& default_value) {
    const auto parameters = get_parameters({name});
    if (parameters.empty() || parameters.front().get_type() == PARAMETER_NOT_SET) return default_value;
    return static_cast<T>(parameters.front().get_value<T>());
  }
  std::vector<rcl_interfaces::msg::ParameterDescriptor> describe_parameters(
      const std::vector<std::string>& names, std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  std::vector<ParameterType> get_parameter_types(const std::vector<std::string>& names,
                                                 std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  std::vector<SetResult> set_parameters(const std::vector<Parameter>& parameters,
                                        std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  SetResult set_parameters_atomically(const std::vector<Parameter>& parameters,
                                      std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  std::vector<SetResult> delete_parameters(const std::vector<std::string>& names,
                                           std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  std::vector<SetResult> load_parameters(const std::string& yaml_filename,
                                         std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  ListResult list_parameters(const std::vector<std::string>& prefixes, uint64_t depth,
                             std::chrono::nanoseconds timeout = std::chrono::nanoseconds(-1));
  template <typename CallbackT>
  Subscription<rcl_interfaces::msg::ParameterEvent>::SharedPtr on_parameter_event(CallbackT&& callback) {
    return client_->on_parameter_event(std::forward<CallbackT>(callback));
  }
  bool service_is_ready() const { return client_->service_is_ready(); }
  template <typename RepT = int64_t, typename RatioT = std::milli>
  bool wait_for_service(std::chrono::duration<RepT, RatioT> timeout = std::chrono::duration<RepT, RatioT>(-1)) {
    return client_->wait_for_service(timeout);
  }

 private:
  /// The answer, or an empty one after the timeout.
  template <typename T>
  T wait_for(std::shared_future<T> future, std::chrono::nanoseconds timeout);

  Executor::SharedPtr executor_;
  node_interfaces::NodeBaseInterface::SharedPtr node_base_;
  AsyncParametersClient::SharedPtr client_;
};

}  // namespace rclcpp

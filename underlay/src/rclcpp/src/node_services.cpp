// SPDX-License-Identifier: Apache-2.0
#include "node_services.hpp"

#include <string>
#include <vector>

#include "rcl_interfaces/msg/log.hpp"
#include "rcl_interfaces/srv/describe_parameters.hpp"
#include "rcl_interfaces/srv/get_parameter_types.hpp"
#include "rcl_interfaces/srv/get_parameters.hpp"
#include "rcl_interfaces/srv/list_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters_atomically.hpp"
#include "rclcpp/detail/log_output.hpp"
#include "rclcpp/detail/node_identity.hpp"
#include "rclcpp/logging.hpp"

namespace rclcpp {
namespace detail {
namespace {

using Store = std::shared_ptr<ParameterStore>;
using SetResult = rcl_interfaces::msg::SetParametersResult;
using namespace rcl_interfaces::srv;

/// A value that cannot be set is an answer, not an error.
SetResult set(ParameterStore& store, const std::vector<rcl_interfaces::msg::Parameter>& messages) {
  try {
    std::vector<Parameter> parameters;
    for (const auto& message : messages) parameters.push_back(Parameter::from_parameter_msg(message));
    return store.set_atomically(parameters);
  } catch (const std::exception& error) {
    SetResult result;
    result.successful = false;
    result.reason = error.what();
    return result;
  }
}

void answer(ParameterStore& store, const GetParameters::Request& request, GetParameters::Response& response) {
  for (const auto& parameter : store.get(request.names)) response.values.push_back(parameter.get_value_message());
}

void answer(ParameterStore& store, const GetParameterTypes::Request& request, GetParameterTypes::Response& response) {
  response.types = store.types(request.names);
}

void answer(ParameterStore& store, const SetParameters::Request& request, SetParameters::Response& response) {
  for (const auto& parameter : request.parameters) response.results.push_back(set(store, {parameter}));
}

void answer(ParameterStore& store, const SetParametersAtomically::Request& request,
            SetParametersAtomically::Response& response) {
  response.result = set(store, request.parameters);
}

void answer(ParameterStore& store, const DescribeParameters::Request& request, DescribeParameters::Response& response) {
  response.descriptors = store.describe(request.names);
}

void answer(ParameterStore& store, const ListParameters::Request& request, ListParameters::Response& response) {
  response.result = store.list(request.prefixes, request.depth);
}

template <class ServiceT>
ServiceBase::SharedPtr make(const node_interfaces::NodeBaseInterface::SharedPtr& base,
                            const node_interfaces::NodeServicesInterface::SharedPtr& services, const Store& store,
                            const std::string& name) {
  const auto callback = [store, name, logger = get_logger(base->identity()->logger_name)](
                            const std::shared_ptr<typename ServiceT::Request> request,
                            std::shared_ptr<typename ServiceT::Response> response) {
    try {
      answer(*store, *request, *response);
    } catch (const std::exception& error) {  // a name that does not exist: the answer stays empty
      *response = typename ServiceT::Response();
      RCLCPP_DEBUG(logger, "%s: %s", name.c_str(), error.what());
    }
  };
  return create_service<ServiceT>(base, services, name, callback, ParametersQoS(), nullptr);
}

int64_t seconds(int64_t nanoseconds) {
  return nanoseconds / 1'000'000'000;
}

}  // namespace

std::shared_ptr<void> make_parameter_services(const node_interfaces::NodeBaseInterface::SharedPtr& node_base,
                                              const node_interfaces::NodeServicesInterface::SharedPtr& node_services,
                                              const Store& store) {
  auto services = std::make_shared<std::vector<ServiceBase::SharedPtr>>();
  services->push_back(make<GetParameters>(node_base, node_services, store, "~/get_parameters"));
  services->push_back(make<GetParameterTypes>(node_base, node_services, store, "~/get_parameter_types"));
  services->push_back(make<SetParameters>(node_base, node_services, store, "~/set_parameters"));
  services->push_back(make<SetParametersAtomically>(node_base, node_services, store, "~/set_parameters_atomically"));
  services->push_back(make<DescribeParameters>(node_base, node_services, store, "~/describe_parameters"));
  services->push_back(make<ListParameters>(node_base, node_services, store, "~/list_parameters"));
  return services;
}

std::shared_ptr<void> make_rosout(const node_interfaces::NodeTopicsInterface::SharedPtr& node_topics,
                                  const std::string& logger_name, const QoS& qos) {
  using rcl_interfaces::msg::Log;
  struct Rosout {
    Publisher<Log>::SharedPtr publisher;
    std::shared_ptr<void> sink;
  };
  PublisherOptions options;
  options.use_intra_process_comm = IntraProcessSetting::Disable;
  auto rosout = std::make_shared<Rosout>();
  rosout->publisher = create_publisher<Log>(*node_topics, "/rosout", qos, options);
  rosout->sink =
      add_log_sink([weak = Publisher<Log>::WeakPtr(rosout->publisher), logger_name](const LogRecord& record) {
        const std::string name = record.name;
        const bool own = name.compare(0, logger_name.size(), logger_name) == 0 &&
                         (name.size() == logger_name.size() || name[logger_name.size()] == '.');
        if (!own) return;
        const auto publisher = weak.lock();
        if (!publisher) return;
        Log log;
        log.stamp.sec = static_cast<int32_t>(seconds(record.stamp));
        log.stamp.nanosec = static_cast<uint32_t>(record.stamp - seconds(record.stamp) * 1'000'000'000);
        log.level = static_cast<uint8_t>(record.severity);
        log.name = name;
        log.msg = record.message;
        log.file = record.file;
        log.function = record.function;
        log.line = record.line;
        publisher->publish(log);
      });
  return rosout;
}

}  // namespace detail
}  // namespace rclcpp

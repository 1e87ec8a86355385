// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/parameter_client.hpp"

#include <stdexcept>

#include "rcl_interfaces/srv/describe_parameters.hpp"
#include "rcl_interfaces/srv/get_parameter_types.hpp"
#include "rcl_interfaces/srv/get_parameters.hpp"
#include "rcl_interfaces/srv/list_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters.hpp"
#include "rcl_interfaces/srv/set_parameters_atomically.hpp"
#include "rclcpp/detail/parameter_file.hpp"
#include "rclcpp/executors.hpp"

namespace rclcpp {
namespace {

using namespace rcl_interfaces::srv;

std::vector<rcl_interfaces::msg::Parameter> messages(const std::vector<Parameter>& parameters) {
  std::vector<rcl_interfaces::msg::Parameter> result;
  for (const auto& parameter : parameters) result.push_back(parameter.to_parameter_msg());
  return result;
}

/// Sends the request; the future holds `translate(response)`.
template <class Result, class ServiceT, class Translate>
std::shared_future<Result> ask(const std::shared_ptr<Client<ServiceT>>& client,
                               std::shared_ptr<typename ServiceT::Request> request, Translate translate,
                               std::function<void(std::shared_future<Result>)> callback) {
  auto promise = std::make_shared<std::promise<Result>>();
  auto future = promise->get_future().share();
  client->async_send_request(std::move(request), [promise, future, translate, callback = std::move(callback)](
                                                     typename Client<ServiceT>::SharedFuture response) {
    promise->set_value(translate(*response.get()));
    if (callback) callback(future);
  });
  return future;
}

}  // namespace

struct AsyncParametersClient::Clients {
  Client<GetParameters>::SharedPtr get;
  Client<GetParameterTypes>::SharedPtr types;
  Client<SetParameters>::SharedPtr set;
  Client<SetParametersAtomically>::SharedPtr set_atomically;
  Client<ListParameters>::SharedPtr list;
  Client<DescribeParameters>::SharedPtr describe;
};

AsyncParametersClient::AsyncParametersClient(node_interfaces::NodeBaseInterface::SharedPtr node_base,
                                             node_interfaces::NodeTopicsInterface::SharedPtr node_topics,
                                             node_interfaces::NodeGraphInterface::SharedPtr node_graph,
                                             node_interfaces::NodeServicesInterface::SharedPtr node_services,
                                             const std::string& remote_node_name, const QoS& qos,
                                             CallbackGroup::SharedPtr group)
    : node_topics_(std::move(node_topics)),
      remote_node_name_(remote_node_name.empty() ? node_base->get_fully_qualified_name() : remote_node_name),
      clients_(std::make_unique<Clients>()) {
  const auto make = [&](auto& client, const char* name) {
    using ServiceT = typename std::decay_t<decltype(*client)>::ServiceType;
    client = create_client<ServiceT>(node_base, node_graph, node_services, remote_node_name_ + "/" + name, qos, group);
  };
  make(clients_->get, "get_parameters");
  make(clients_->types, "get_parameter_types");
  make(clients_->set, "set_parameters");
  make(clients_->set_atomically, "set_parameters_atomically");
  make(clients_->list, "list_parameters");
  make(clients_->describe, "describe_parameters");
}

AsyncParametersClient::~AsyncParametersClient() = default;

std::shared_future<AsyncParametersClient::Parameters> AsyncParametersClient::get_parameters(
    const std::vector<std::string>& names, Callback<Parameters> callback) {
  auto request = std::make_shared<GetParameters::Request>();
  request->names = names;
  return ask<Parameters>(
      clients_->get, std::move(request),
      [names](const GetParameters::Response& response) {
        Parameters parameters;
        for (std::size_t i = 0; i < response.values.size() && i < names.size(); ++i) {
          parameters.emplace_back(names[i], ParameterValue(response.values[i]));
        }
        return parameters;
      },
      std::move(callback));
}

std::shared_future<AsyncParametersClient::Descriptors> AsyncParametersClient::describe_parameters(
    const std::vector<std::string>& names, Callback<Descriptors> callback) {
  auto request = std::make_shared<DescribeParameters::Request>();
  request->names = names;
  return ask<Descriptors>(
      clients_->describe, std::move(request),
      [](const DescribeParameters::Response& response) { return response.descriptors; }, std::move(callback));
}

std::shared_future<std::vector<ParameterType>> AsyncParametersClient::get_parameter_types(
    const std::vector<std::string>& names, Callback<std::vector<ParameterType>> callback) {
  auto request = std::make_shared<GetParameterTypes::Request>();
  request->names = names;
  return ask<std::vector<ParameterType>>(
      clients_->types, std::move(request),
      [](const GetParameterTypes::Response& response) {
        std::vector<ParameterType> types;
        for (const auto type : response.types) types.push_back(static_cast<ParameterType>(type));
        return types;
      },
      std::move(callback));
}

std::shared_future<std::vector<AsyncParametersClient::SetResult>> AsyncParametersClient::set_parameters(
    const Parameters& parameters, Callback<std::vector<SetResult>> callback) {
  auto request = std::make_shared<SetParameters::Request>();
  request->parameters = messages(parameters);
  return ask<std::vector<SetResult>>(
      clients_->set, std::move(request), [](const SetParameters::Response& response) { return response.results; },
      std::move(callback));
}

std::shared_future<AsyncParametersClient::SetResult> AsyncParametersClient::set_parameters_atomically(
    const Parameters& parameters, Callback<SetResult> callback) {
  auto request = std::make_shared<SetParametersAtomically::Request>();
  request->parameters = messages(parameters);
  return ask<SetResult>(
      clients_->set_atomically, std::move(request),
      [](const SetParametersAtomically::Response& response) { return response.result; }, std::move(callback));
}

std::shared_future<std::vector<AsyncParametersClient::SetResult>> AsyncParametersClient::delete_parameters(
    const std::vector<std::string>& names) {
  Parameters parameters;
  for (const auto& name : names) parameters.emplace_back(name);
  return set_parameters(parameters);
}

std::shared_future<std::vector<AsyncParametersClient::SetResult>> AsyncParametersClient::load_parameters(
    const std::string& yaml_filename) {
  Parameters parameters;
  for (const auto& [name, value] :
       detail::overrides_for(remote_node_name_, detail::read_parameter_file(yaml_filename))) {
    parameters.emplace_back(name, value);
  }
  if (parameters.empty()) {
    throw std::runtime_error(yaml_filename + ": no parameters for node '" + remote_node_name_ + "'");
  }
  return set_parameters(parameters);
}

std::shared_future<std::vector<AsyncParametersClient::SetResult>> AsyncParametersClient::load_parameters(
    const ParameterMap& parameter_map) {
  Parameters parameters;
  for (const auto& [node, of_node] : parameter_map) {
    if (!detail::node_pattern_matches(node, remote_node_name_)) continue;
    parameters.insert(parameters.end(), of_node.begin(), of_node.end());
  }
  return set_parameters(parameters);
}

std::shared_future<AsyncParametersClient::ListResult> AsyncParametersClient::list_parameters(
    const std::vector<std::string>& prefixes, uint64_t depth, Callback<ListResult> callback) {
  auto request = std::make_shared<ListParameters::Request>();
  request->prefixes = prefixes;
  request->depth = depth;
  return ask<ListResult>(
      clients_->list, std::move(request), [](const ListParameters::Response& response) { return response.result; },
      std::move(callback));
}

bool AsyncParametersClient::service_is_ready() const {
  return clients_->get->service_is_ready() && clients_->types->service_is_ready() &&
         clients_->set->service_is_ready() && clients_->set_atomically->service_is_ready() &&
         clients_->list->service_is_ready() && clients_->describe->service_is_ready();
}

bool AsyncParametersClient::wait_for_service_nanoseconds(std::chrono::nanoseconds timeout) {
  const ClientBase::SharedPtr all[] = {clients_->get,  clients_->types,   clients_->set, clients_->set_atomically,
                                       clients_->list, clients_->describe};
  const auto begin = std::chrono::steady_clock::now();
  for (const auto& client : all) {
    auto left = timeout;
    if (timeout >= std::chrono::nanoseconds::zero()) {
      left = std::max<std::chrono::nanoseconds>(timeout - (std::chrono::steady_clock::now() - begin),
                                                std::chrono::nanoseconds::zero());
    }
    if (!client->wait_for_service(left)) return false;
  }
  return true;
}

template <typename T>
T SyncParametersClient::wait_for(std::shared_future<T> future, std::chrono::nanoseconds timeout) {
  const auto code = executors::spin_node_until_future_complete(*executor_, node_base_, future, timeout);
  return code == FutureReturnCode::SUCCESS ? future.get() : T();
}

std::vector<Parameter> SyncParametersClient::get_parameters(const std::vector<std::string>& names,
                                                            std::chrono::nanoseconds timeout) {
  return wait_for(client_->get_parameters(names), timeout);
}

bool SyncParametersClient::has_parameter(const std::string& name) {
  for (const auto& found : list_parameters({name}, 1).names) {
    if (found == name) return true;
  }
  return false;
}

std::vector<rcl_interfaces::msg::ParameterDescriptor> SyncParametersClient::describe_parameters(
    const std::vector<std::string>& names, std::chrono::nanoseconds timeout) {
  return wait_for(client_->describe_parameters(names), timeout);
}

std::vector<ParameterType> SyncParametersClient::get_parameter_types(const std::vector<std::string>& names,
                                                                     std::chrono::nanoseconds timeout) {
  return wait_for(client_->get_parameter_types(names), timeout);
}

std::vector<SyncParametersClient::SetResult> SyncParametersClient::set_parameters(
    const std::vector<Parameter>& parameters, std::chrono::nanoseconds timeout) {
  return wait_for(client_->set_parameters(parameters), timeout);
}

SyncParametersClient::SetResult SyncParametersClient::set_parameters_atomically(
    const std::vector<Parameter>& parameters, std::chrono::nanoseconds timeout) {
  return wait_for(client_->set_parameters_atomically(parameters), timeout);
}

std::vector<SyncParametersClient::SetResult> SyncParametersClient::delete_parameters(
    const std::vector<std::string>& names, std::chrono::nanoseconds timeout) {
  return wait_for(client_->delete_parameters(names), timeout);
}

std::vector<SyncParametersClient::SetResult> SyncParametersClient::load_parameters(const std::string& yaml_filename,
                                                                                   std::chrono::nanoseconds timeout) {
  return wait_for(client_->load_parameters(yaml_filename), timeout);
}

SyncParametersClient::ListResult SyncParametersClient::list_parameters(const std::vector<std::string>& prefixes,
                                                                       uint64_t depth,
                                                                       std::chrono::nanoseconds timeout) {
  return wait_for(client_->list_parameters(prefixes, depth), timeout);
}

}  // namespace rclcpp

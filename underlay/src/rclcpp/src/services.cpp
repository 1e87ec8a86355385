// SPDX-License-Identifier: Apache-2.0
// The untyped part of services and clients.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "arrival_callback.hpp"
#include "rclcpp/client.hpp"
#include "rclcpp/clock.hpp"
#include "rclcpp/detail/node_identity.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/node_interfaces/node_base_interface.hpp"
#include "rclcpp/service.hpp"
#include "underlay_dds/graph.hpp"
#include "underlay_dds/participant.hpp"
#include "underlay_dds/service.hpp"

namespace rclcpp {
namespace {

using detail::GraphEntry;
using underlay_dds::Type;

underlay_dds::Warn warn_as(const std::string& logger_name) {
  struct Throttle {
    Clock clock{RCL_STEADY_TIME};
    detail::LogGate gate;
  };
  constexpr double period = 5000;  // ms
  return [logger = get_logger(logger_name), throttle = std::make_shared<Throttle>()](const std::string& text) {
    if (throttle->gate.elapsed(throttle->clock.now(), period)) RCLCPP_WARN(logger, "%s", text.c_str());
  };
}

underlay_dds::ServiceHeader header_from(const rmw_request_id_t& id) {
  underlay_dds::ServiceHeader header;
  std::memcpy(&header.client, id.writer_guid, sizeof(header.client));
  header.sequence = id.sequence_number;
  return header;
}

rmw_request_id_t id_from(const underlay_dds::ServiceHeader& header) {
  rmw_request_id_t id{};
  std::memcpy(id.writer_guid, &header.client, sizeof(header.client));
  id.sequence_number = header.sequence;
  return id;
}

}  // namespace

struct ServiceBase::Impl {
  Impl(node_interfaces::NodeBaseInterface& node, const std::string& resolved, const underlay_cdr::MessageOps& request,
       const underlay_cdr::MessageOps& response, const QoS& qos, const std::shared_ptr<detail::ReadyToken>& token)
      : name(resolved),
        arrivals(std::make_shared<detail::ArrivalCallback>()),
        server(
            node.identity()->participant, name, Type::of(request), Type::of(response), detail::to_dds(qos),
            [token, told = arrivals] {
              told->arrived();
              detail::notify(token);
            },
            warn_as(node.identity()->logger_name)),
        requests(node.identity(), GraphEntry::Kind::Reader, server.requests().gid()),
        replies(node.identity(), GraphEntry::Kind::Writer, server.replies().gid()) {}

  const std::string name;
  const std::shared_ptr<detail::ArrivalCallback> arrivals;
  underlay_dds::ServiceServer server;
  GraphEntry requests;
  GraphEntry replies;
};

ServiceBase::ServiceBase(node_interfaces::NodeBaseInterface* node_base, const std::string& name,
                         const underlay_cdr::MessageOps& request, const underlay_cdr::MessageOps& response,
                         const QoS& qos)
    : impl_(std::make_unique<Impl>(*node_base, node_base->resolve_topic_or_service_name(name, true), request, response,
                                   qos, token())) {}

ServiceBase::~ServiceBase() = default;

const char* ServiceBase::get_service_name() const {
  return impl_->name.c_str();
}

void ServiceBase::start(const std::shared_ptr<CallbackGroup>& group) {
  join(group);
  impl_->server.start();
}

void ServiceBase::set_on_new_request_callback(std::function<void(std::size_t)> callback) {
  impl_->arrivals->set(std::move(callback), "set_on_new_request_callback");
}

void ServiceBase::clear_on_new_request_callback() {
  impl_->arrivals->clear();
}

bool ServiceBase::pending() {
  return impl_->server.has_data();
}

ServiceBase::Take ServiceBase::take(void* request, rmw_request_id_t& id) {
  underlay_dds::Sample sample;
  underlay_dds::ServiceHeader header;
  if (!impl_->server.take(sample, header)) return Take::Nothing;
  id = id_from(header);
  if (const auto object = sample.message()) {
    assign_request(request, object.get());
    return Take::Request;
  }
  try {
    sample.decode(request);
    return Take::Request;
  } catch (const underlay_dds::Error& error) {
    RCLCPP_WARN(get_logger(impl_->requests.node().logger_name), "refused a malformed request of '%s': %s",
                impl_->name.c_str(), error.what());
    return Take::Refused;
  }
}

bool ServiceBase::take_type_erased_request(void* request_out, rmw_request_id_t& request_id_out) {
  return take(request_out, request_id_out) == Take::Request;
}

bool ServiceBase::execute() {
  auto header = create_request_header();
  auto request = create_request();
  const Take taken = take(request.get(), *header);
  if (taken == Take::Nothing) return false;
  more();
  if (taken == Take::Request) handle_request(std::move(header), std::move(request));
  return true;
}

void ServiceBase::send(const rmw_request_id_t& header, std::shared_ptr<const void> response) {
  impl_->server.reply(header_from(header), std::move(response));
}

struct ClientBase::Impl {
  Impl(node_interfaces::NodeBaseInterface& node, const std::string& resolved, const underlay_cdr::MessageOps& request,
       const underlay_cdr::MessageOps& response, const QoS& qos, const std::shared_ptr<detail::ReadyToken>& token)
      : name(resolved),
        arrivals(std::make_shared<detail::ArrivalCallback>()),
        client(
            node.identity()->participant, name, Type::of(request), Type::of(response), detail::to_dds(qos),
            [token, told = arrivals] {
              told->arrived();
              detail::notify(token);
            },
            warn_as(node.identity()->logger_name)),
        requests(node.identity(), GraphEntry::Kind::Writer, client.requests().gid()),
        replies(node.identity(), GraphEntry::Kind::Reader, client.replies().gid()) {}

  struct Pending {
    ResponseHandler handler;
    std::chrono::system_clock::time_point sent;
  };

  const std::string name;
  const std::shared_ptr<detail::ArrivalCallback> arrivals;
  mutable underlay_dds::ServiceClient client;
  GraphEntry requests;
  GraphEntry replies;
  std::mutex mutex;
  std::map<int64_t, Pending> pending;
};

ClientBase::ClientBase(node_interfaces::NodeBaseInterface* node_base, const std::string& name,
                       const underlay_cdr::MessageOps& request, const underlay_cdr::MessageOps& response,
                       const QoS& qos)
    : impl_(std::make_unique<Impl>(*node_base, node_base->resolve_topic_or_service_name(name, true), request, response,
                                   qos, token())) {}

ClientBase::~ClientBase() = default;

const char* ClientBase::get_service_name() const {
  return impl_->name.c_str();
}

void ClientBase::start(const std::shared_ptr<CallbackGroup>& group) {
  join(group);
  impl_->client.start();
}

bool ClientBase::service_is_ready() const {
  return impl_->client.ready();
}

bool ClientBase::wait_for_service_nanoseconds(std::chrono::nanoseconds timeout) {
  using std::chrono::steady_clock;
  // Matching of the second endpoint does not change the graph, so the wait is also bounded.
  constexpr std::chrono::nanoseconds look_again = std::chrono::milliseconds(10);
  auto& node = impl_->requests.node();
  auto& graph = node.participant->graph();
  const auto begin = steady_clock::now();
  while (node.context->is_valid()) {
    const auto seen = graph.version();
    if (service_is_ready()) return true;
    auto wait = look_again;
    if (timeout >= std::chrono::nanoseconds::zero()) {
      const auto left = timeout - (steady_clock::now() - begin);
      if (left <= std::chrono::nanoseconds::zero()) return false;
      wait = std::min<std::chrono::nanoseconds>(wait, left);
    }
    graph.wait_for_change(seen, wait.count());
  }
  return false;
}

int64_t ClientBase::send(std::shared_ptr<const void> request, ResponseHandler handler) {
  const int64_t id = impl_->client.next_sequence();
  {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    impl_->pending[id] = {std::move(handler), std::chrono::system_clock::now()};
  }
  impl_->client.send(id, std::move(request));  // if it is refused it stays unanswered, as any lost request
  return id;
}

bool ClientBase::forget(int64_t request_id) {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  return impl_->pending.erase(request_id) != 0;
}

std::size_t ClientBase::forget_all() {
  std::map<int64_t, Impl::Pending> forgotten;
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  forgotten.swap(impl_->pending);
  return forgotten.size();
}

std::size_t ClientBase::forget_older_than(std::chrono::time_point<std::chrono::system_clock> time,
                                          std::vector<int64_t>* pruned) {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  const std::size_t before = impl_->pending.size();
  for (auto it = impl_->pending.begin(); it != impl_->pending.end();) {
    if (it->second.sent >= time) {
      ++it;
      continue;
    }
    if (pruned != nullptr) pruned->push_back(it->first);
    it = impl_->pending.erase(it);
  }
  return before - impl_->pending.size();
}

void ClientBase::set_on_new_response_callback(std::function<void(std::size_t)> callback) {
  impl_->arrivals->set(std::move(callback), "set_on_new_response_callback");
}

void ClientBase::clear_on_new_response_callback() {
  impl_->arrivals->clear();
}

bool ClientBase::pending() {
  return impl_->client.has_data();
}

ClientBase::Take ClientBase::take(void* response, int64_t& sequence) {
  underlay_dds::Sample sample;
  if (!impl_->client.take(sample, sequence)) return Take::Nothing;
  if (const auto object = sample.message()) {
    assign_response(response, object.get());
    return Take::Response;
  }
  try {
    sample.decode(response);
    return Take::Response;
  } catch (const underlay_dds::Error& error) {
    RCLCPP_WARN(get_logger(impl_->requests.node().logger_name), "dropped a malformed response of '%s': %s",
                impl_->name.c_str(), error.what());
    return Take::Malformed;
  }
}

void ClientBase::complete(int64_t sequence, std::shared_ptr<void> response) {
  ResponseHandler handler;
  {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    const auto found = impl_->pending.find(sequence);
    if (found == impl_->pending.end()) return;
    handler = std::move(found->second.handler);
    impl_->pending.erase(found);
  }
  handler(std::move(response));
}

bool ClientBase::take_type_erased_response(void* response_out, rmw_request_id_t& request_header_out) {
  request_header_out = {};
  return take(response_out, request_header_out.sequence_number) == Take::Response;
}

void ClientBase::handle_response(std::shared_ptr<rmw_request_id_t> request_header, std::shared_ptr<void> response) {
  complete(request_header->sequence_number, std::move(response));
}

bool ClientBase::execute() {
  auto response = create_response();
  int64_t sequence = 0;
  const Take taken = take(response.get(), sequence);
  if (taken == Take::Nothing) return false;
  more();
  if (taken == Take::Response) {
    complete(sequence, std::move(response));
  } else {
    forget(sequence);
  }
  return true;
}

}  // namespace rclcpp

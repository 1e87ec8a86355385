// SPDX-License-Identifier: Apache-2.0
// The untyped part of services and clients.
#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

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

std::shared_ptr<rmw_request_id_t> id_from(const underlay_dds::ServiceHeader& header) {
  auto id = std::make_shared<rmw_request_id_t>();
  std::memcpy(id->writer_guid, &header.client, sizeof(header.client));
  id->sequence_number = header.sequence;
  return id;
}

}  // namespace

struct ServiceBase::Impl {
  Impl(node_interfaces::NodeBaseInterface& node, const std::string& resolved, const underlay_cdr::MessageOps& request,
       const underlay_cdr::MessageOps& response, const QoS& qos, const std::shared_ptr<detail::ReadyToken>& token)
      : name(resolved),
        server(
            node.identity()->participant, name, Type::of(request), Type::of(response), detail::to_dds(qos),
            [token] { detail::notify(token); }, warn_as(node.identity()->logger_name)),
        requests(node.identity(), GraphEntry::Kind::Reader, server.requests().gid()),
        replies(node.identity(), GraphEntry::Kind::Writer, server.replies().gid()) {}

  const std::string name;
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

bool ServiceBase::execute() {
  underlay_dds::Sample sample;
  underlay_dds::ServiceHeader header;
  if (!impl_->server.take(sample, header)) return false;
  more();
  std::shared_ptr<void> request;
  if (const auto object = sample.message()) {
    request = copy_request(object.get());
  } else {
    request = create_request();
    try {
      sample.decode(request.get());
    } catch (const underlay_dds::Error& error) {
      RCLCPP_WARN(get_logger(impl_->requests.node().logger_name), "refused a malformed request of '%s': %s",
                  impl_->name.c_str(), error.what());
      return true;
    }
  }
  handle_request(id_from(header), std::move(request));
  return true;
}

void ServiceBase::send(const rmw_request_id_t& header, std::shared_ptr<const void> response) {
  impl_->server.reply(header_from(header), std::move(response));
}

struct ClientBase::Impl {
  Impl(node_interfaces::NodeBaseInterface& node, const std::string& resolved, const underlay_cdr::MessageOps& request,
       const underlay_cdr::MessageOps& response, const QoS& qos, const std::shared_ptr<detail::ReadyToken>& token)
      : name(resolved),
        client(
            node.identity()->participant, name, Type::of(request), Type::of(response), detail::to_dds(qos),
            [token] { detail::notify(token); }, warn_as(node.identity()->logger_name)),
        requests(node.identity(), GraphEntry::Kind::Writer, client.requests().gid()),
        replies(node.identity(), GraphEntry::Kind::Reader, client.replies().gid()) {}

  struct Pending {
    ResponseHandler handler;
    std::chrono::system_clock::time_point sent;
  };

  const std::string name;
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

bool ClientBase::execute() {
  underlay_dds::Sample sample;
  int64_t id = 0;
  if (!impl_->client.take(sample, id)) return false;
  more();
  ResponseHandler handler;
  {
    const std::lock_guard<std::mutex> lock(impl_->mutex);
    const auto found = impl_->pending.find(id);
    if (found == impl_->pending.end()) return true;
    handler = std::move(found->second.handler);
    impl_->pending.erase(found);
  }
  std::shared_ptr<void> response;
  if (const auto object = sample.message()) {
    response = copy_response(object.get());
  } else {
    response = create_response();
    try {
      sample.decode(response.get());
    } catch (const underlay_dds::Error& error) {
      RCLCPP_WARN(get_logger(impl_->requests.node().logger_name), "dropped a malformed response of '%s': %s",
                  impl_->name.c_str(), error.what());
      return true;
    }
  }
  handler(std::move(response));
  return true;
}

}  // namespace rclcpp

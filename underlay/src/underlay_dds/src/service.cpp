// SPDX-License-Identifier: Apache-2.0
#include "underlay_dds/service.hpp"

#include <dds/dds.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <set>
#include <thread>
#include <vector>

#include "qos.hpp"
#include "underlay_dds/participant.hpp"

namespace underlay_dds {
namespace {

constexpr const char* remedy = "set RMW_IMPLEMENTATION=rmw_cyclonedds_cpp for it";

std::string user_data(const char* key, const Gid& id) {
  std::string text = key;
  for (std::size_t i = 0; i < id.size(); ++i) {
    char byte[4];
    std::snprintf(byte, sizeof(byte), "%s%x", i == 0 ? "=" : ".", id[i]);
    text += byte;
  }
  return text + ";";
}

Type with_header(Type type) {
  type.service_header = true;
  return type;
}

std::vector<dds_instance_handle_t> matched_handles(dds_entity_t entity,
                                                   dds_return_t (*list)(dds_entity_t, dds_instance_handle_t*,
                                                                        std::size_t)) {
  std::vector<dds_instance_handle_t> handles(16);
  for (;;) {
    const dds_return_t count = list(entity, handles.data(), handles.size());
    if (count < 0) return {};
    if (static_cast<std::size_t>(count) <= handles.size()) {
      handles.resize(static_cast<std::size_t>(count));
      return handles;
    }
    handles.resize(static_cast<std::size_t>(count) + 16);
  }
}

using EndpointData = std::unique_ptr<dds_builtintopic_endpoint_t, decltype(&dds_builtintopic_free_endpoint)>;

/// User data of the peers of a reader or writer; a peer that has just gone is left out.
std::vector<std::string> peers_of_reader(dds_entity_t reader) {
  std::vector<std::string> found;
  for (const auto handle : matched_handles(reader, &dds_get_matched_publications)) {
    const EndpointData data(dds_get_matched_publication_data(reader, handle), &dds_builtintopic_free_endpoint);
    if (data) found.push_back(detail::user_data_of(data->qos));
  }
  return found;
}

std::vector<std::string> peers_of_writer(dds_entity_t writer) {
  std::vector<std::string> found;
  for (const auto handle : matched_handles(writer, &dds_get_matched_subscriptions)) {
    const EndpointData data(dds_get_matched_subscription_data(writer, handle), &dds_builtintopic_free_endpoint);
    if (data) found.push_back(detail::user_data_of(data->qos));
  }
  return found;
}

ReaderEvents on_data(std::function<void()> data_available) {
  ReaderEvents events;
  events.data_available = std::move(data_available);
  return events;
}

}  // namespace

ServiceServer::ServiceServer(const std::shared_ptr<Participant>& participant, const std::string& name,
                             const Type& request, const Type& response, const Qos& qos,
                             std::function<void()> data_available, Warn warn)
    : user_data_(user_data("serviceid", participant->next_id())),
      name_(name),
      warn_(std::move(warn)),
      requests_(participant, "rq" + name + "Request", with_header(request), qos, on_data(std::move(data_available)),
                user_data_),
      replies_(participant, "rr" + name + "Reply", with_header(response), qos, {}, user_data_) {}

bool ServiceServer::take(Sample& request, ServiceHeader& header) {
  while (requests_.take(request)) {
    const std::lock_guard lock(mutex_);
    if (!accepts(request.publication_handle) || !request.service_header(header)) continue;
    publications_[header.client] = request.publication_handle;
    return true;
  }
  return false;
}

bool ServiceServer::accepts(std::uint64_t publication_handle) {
  const auto known = clients_.find(publication_handle);
  if (known != clients_.end()) return !known->second.id.empty();
  const EndpointData data(dds_get_matched_publication_data(requests_.handle(), publication_handle),
                          &dds_builtintopic_free_endpoint);
  if (!data) return false;  // gone already, nobody waits for the answer
  forget_the_gone();
  Client& client = clients_[publication_handle];
  client.id = detail::user_data_value(detail::user_data_of(data->qos), "clientid");
  if (client.id.empty()) {
    warn_("service '" + name_ + "': requests of a client with another middleware are refused, as they would be " +
          "misread; " + remedy);
  }
  return !client.id.empty();
}

void ServiceServer::forget_the_gone() {
  if (clients_.size() < 64) return;
  const auto handles = matched_handles(requests_.handle(), &dds_get_matched_publications);
  const std::set<std::uint64_t> living(handles.begin(), handles.end());
  for (auto it = clients_.begin(); it != clients_.end();) {
    it = living.count(it->first) != 0 ? std::next(it) : clients_.erase(it);
  }
  for (auto it = publications_.begin(); it != publications_.end();) {
    it = living.count(it->second) != 0 ? std::next(it) : publications_.erase(it);
  }
}

bool ServiceServer::wait_for_client(const ServiceHeader& header) {
  using namespace std::chrono_literals;
  const auto end = std::chrono::steady_clock::now() + 100ms;
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      const auto publication = publications_.find(header.client);
      if (publication == publications_.end()) return false;
      const auto client = clients_.find(publication->second);
      if (client == clients_.end()) return false;
      if (client->second.reachable) return true;
      for (const auto& peer : peers_of_writer(replies_.handle())) {
        if (detail::user_data_value(peer, "clientid") == client->second.id) {
          client->second.reachable = true;
          return true;
        }
      }
    }
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(2ms);
  }
}

void ServiceServer::reply(const ServiceHeader& header, std::shared_ptr<const void> response) {
  wait_for_client(header);
  replies_.write(header, std::move(response));
}

void ServiceServer::reply_cdr(const ServiceHeader& header, const void* bytes, std::size_t size) {
  wait_for_client(header);
  replies_.write_cdr(header, bytes, size);
}

ServiceClient::ServiceClient(const std::shared_ptr<Participant>& participant, const std::string& name,
                             const Type& request, const Type& response, const Qos& qos,
                             std::function<void()> data_available, Warn warn)
    : user_data_(user_data("clientid", participant->next_id())),
      name_(name),
      warn_(std::move(warn)),
      requests_(participant, "rq" + name + "Request", with_header(request), qos, {}, user_data_),
      replies_(participant, "rr" + name + "Reply", with_header(response), qos, on_data(std::move(data_available)),
               user_data_),
      id_(requests_.instance_handle()) {}

bool ServiceClient::ready() {
  if (requests_.matched() == 0 || replies_.matched() == 0) return false;
  std::set<std::string> servers;
  for (const auto& peer : peers_of_writer(requests_.handle())) {
    const auto id = detail::user_data_value(peer, "serviceid");
    if (!id.empty()) servers.insert(id);
  }
  for (const auto& peer : peers_of_reader(replies_.handle())) {
    if (servers.count(detail::user_data_value(peer, "serviceid")) != 0) return !foreign_server();
  }
  return false;
}

bool ServiceClient::foreign_server() {
  for (const auto& peer : peers_of_writer(requests_.handle())) {
    if (!detail::user_data_value(peer, "serviceid").empty()) continue;
    warn_("service '" + name_ + "': the request is not sent, as a server with another middleware would misread it; " +
          remedy);
    return true;
  }
  return false;
}

bool ServiceClient::send(std::int64_t sequence, std::shared_ptr<const void> request) {
  if (foreign_server()) return false;
  requests_.write({id_, sequence}, std::move(request));
  return true;
}

bool ServiceClient::send_cdr(std::int64_t sequence, const void* bytes, std::size_t size) {
  if (foreign_server()) return false;
  requests_.write_cdr({id_, sequence}, bytes, size);
  return true;
}

bool ServiceClient::take(Sample& reply, std::int64_t& sequence) {
  ServiceHeader header;
  while (replies_.take(reply)) {
    if (!reply.service_header(header) || header.client != id_) continue;
    sequence = header.sequence;
    return true;
  }
  return false;
}

}  // namespace underlay_dds

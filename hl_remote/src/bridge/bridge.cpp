// SPDX-License-Identifier: Apache-2.0
#include "hl_remote/bridge.hpp"

#include <algorithm>
#include <utility>

namespace hl_remote {

using namespace foxglove;

namespace {

constexpr std::size_t kMostPerClient = 1000;  // subscriptions, own channels
constexpr std::size_t kMostQuestions = 32;    // of a client for parameters, waiting for their answers
constexpr std::size_t kKeptMessages = 100;    // of a latched topic with several publishers (tf_static, rosout)
constexpr std::uint64_t kWorthTelling = 10;   // messages left out in a second
constexpr const char* kDrops = "drops";       // ids of status messages
constexpr const char* kMatch = "match";

SendQueue::Payload none() {
  return nullptr;
}

}  // namespace

Bridge::Bridge(Outlet& outlet, Robots& robots, ServerInfo info)
    : outlet_(outlet), robots_(robots), info_(std::move(info)) {}

std::string Bridge::info_for(const Client& client) const {
  ServerInfo info = info_;
  const bool may = refusal(client).empty();
  info.capabilities = {"connectionGraph", "parameters", "parametersSubscribe", "services", "assets", "time"};
  if (may) info.capabilities.push_back("clientPublish");
  info.metadata["may_command"] = may ? "true" : "false";
  info.metadata["match"] = match_ ? "true" : "false";
  return server_info(info);
}

std::string Bridge::refusal(const Client& client) const {
  if (match_) return "a match is running: nothing that reaches a robot is accepted";
  if (!client.may_command)
    return "this connection may only look: connect with the token that the bridge shows at its start";
  return {};
}

void Bridge::complain(ClientId client, Level level, const std::string& message) {
  outlet_.send(client, status(level, message), false);
}

void Bridge::to_all(const std::string& frame) {
  for (const auto& [id, client] : clients_) outlet_.send(id, frame, false);
}

// --- from the clients ------------------------------------------------------------------------------------------------

void Bridge::opened(ClientId id, bool may_command) {
  Client& client = clients_[id];
  client.may_command = may_command;
  outlet_.send(id, info_for(client), false);
  std::vector<Channel> channels;
  for (const auto& [channel_id, state] : channels_) channels.push_back(state.offered.channel);
  outlet_.send(id, advertise(channels), false);
  std::vector<Service> services;
  for (const auto& [service_id, service] : services_) services.push_back(service.service);
  outlet_.send(id, advertise_services(services), false);
  if (match_) outlet_.send(id, status(Level::Info, refusal(client), kMatch), false);
}

void Bridge::received(ClientId id, std::string_view frame, bool binary) {
  const auto found = clients_.find(id);
  if (found == clients_.end()) return;
  const Request request = binary ? parse_binary(frame) : parse_text(frame);
  std::visit([&](const auto& content) { handle(id, found->second, content); }, request);
}

void Bridge::closed(ClientId id) {
  const auto found = clients_.find(id);
  if (found == clients_.end()) return;
  const auto subscriptions = std::move(found->second.subscriptions);
  clients_.erase(found);
  for (const auto& [subscription, channel] : subscriptions) leave_channel(channel, id, subscription);
}

void Bridge::leave_channel(std::uint32_t channel, ClientId client, std::uint32_t subscription) {
  const auto found = channels_.find(channel);
  if (found == channels_.end() || found->second.subscribers.erase({client, subscription}) == 0) return;
  if (!found->second.subscribers.empty()) return;
  if (!found->second.offered.log) found->second.kept.clear();
  robots_.unsubscribe(channel);
}

void Bridge::handle(ClientId id, Client&, const Malformed& request) {
  complain(id, Level::Error, request.reason);
}

void Bridge::handle(ClientId id, Client& client, const Subscribe& request) {
  for (const auto& [subscription, channel] : request.subscriptions) {
    const auto found = channels_.find(channel);
    if (found == channels_.end()) {
      complain(id, Level::Warning, "there is no channel " + std::to_string(channel));
      continue;
    }
    if (client.subscriptions.count(subscription) != 0 || client.subscriptions.size() >= kMostPerClient) {
      complain(id, Level::Error,
               "subscription " + std::to_string(subscription) + " exists already, or there are too many");
      continue;
    }
    ChannelState& state = found->second;
    client.subscriptions[subscription] = channel;
    const bool first = state.subscribers.empty();
    state.subscribers.insert({id, subscription});
    if (first) robots_.subscribe(channel);
    for (const Kept& kept : state.kept)
      outlet_.send_newest(id, subscription, message_head(subscription, kept.stamp_ns), kept.payload, kKeptMessages);
  }
}

void Bridge::handle(ClientId id, Client& client, const Unsubscribe& request) {
  for (const std::uint32_t subscription : request.subscriptions) {
    const auto found = client.subscriptions.find(subscription);
    if (found == client.subscriptions.end()) continue;
    const std::uint32_t channel = found->second;
    client.subscriptions.erase(found);
    outlet_.forget(id, subscription);
    leave_channel(channel, id, subscription);
  }
}

void Bridge::handle(ClientId id, Client& client, const Advertise& request) {
  if (const std::string why = refusal(client); !why.empty()) return complain(id, Level::Error, why);
  for (const Channel& channel : request.channels) {
    if (channel.encoding != "cdr" || channel.schema_name.empty() || channel.topic.empty() ||
        client.published.size() >= kMostPerClient) {
      complain(id, Level::Error, "channel '" + channel.topic + "' needs a topic, a schemaName and the encoding 'cdr'");
      continue;
    }
    client.published[channel.id] = channel;
  }
}

void Bridge::handle(ClientId, Client& client, const Unadvertise& request) {
  for (const std::uint32_t channel : request.channels) client.published.erase(channel);
}

void Bridge::handle(ClientId id, Client& client, const Publish& request) {
  if (const std::string why = refusal(client); !why.empty()) return complain(id, Level::Error, why);
  const auto found = client.published.find(request.channel);
  if (found == client.published.end())
    return complain(id, Level::Error, "channel " + std::to_string(request.channel) + " was not advertised");
  robots_.publish(found->second.topic, found->second.schema_name, std::string(request.payload));
}

void Bridge::handle(ClientId id, Client& client, const GetParameters& request) {
  if (match_) return complain(id, Level::Warning, "a match is running: robots are not asked for parameters");
  if (client.questions >= kMostQuestions)
    return complain(id, Level::Warning, "too many questions for parameters wait for their answers");
  ++client.questions;
  robots_.get_parameters(request.names, [this, id, request_id = request.id](const std::vector<Parameter>& values) {
    if (const auto asker = clients_.find(id); asker != clients_.end()) --asker->second.questions;
    outlet_.send(id, parameter_values(values, request_id), false);
  });
}

void Bridge::handle(ClientId id, Client& client, const SetParameters& request) {
  if (const std::string why = refusal(client); !why.empty()) return complain(id, Level::Error, why);
  robots_.set_parameters(request.parameters,
                         [this, id, request_id = request.id](const std::vector<Parameter>& values,
                                                             const std::vector<std::string>& refusals) {
                           for (const std::string& why : refusals) complain(id, Level::Error, "refused: " + why);
                           if (request_id) outlet_.send(id, parameter_values(values, request_id), false);
                         });
}

void Bridge::handle(ClientId, Client& client, const WatchParameters& request) {
  if (request.names.empty()) {
    client.watches_all_parameters = request.on;
    if (!request.on) client.watched_parameters.clear();
  }
  for (const std::string& name : request.names) {
    if (!request.on)
      client.watched_parameters.erase(name);
    else if (client.watched_parameters.size() < kMostPerClient)
      client.watched_parameters.insert(name);
  }
}

void Bridge::handle(ClientId id, Client& client, const WatchGraph& request) {
  client.watches_graph = request.on;
  if (!request.on) return;
  const std::string update = graph_update({}, graph_);
  if (!update.empty()) outlet_.send(id, update, false);
}

void Bridge::handle(ClientId id, Client&, const FetchAsset& request) {
  std::string error;
  const auto content = robots_.asset(request.uri, error);
  outlet_.send(id, content ? asset(request.request, *content) : asset_error(request.request, error), true);
}

void Bridge::handle(ClientId id, Client& client, const CallService& request) {
  const auto fail = [this, id, service = request.service, call = request.call](const std::string& why) {
    outlet_.send(id, service_failure(service, call, why), false);
  };
  const auto found = services_.find(request.service);
  if (found == services_.end()) return fail("there is no such service any more");
  if (request.encoding != "cdr") return fail("services are called with the encoding 'cdr'");
  const bool free = found->second.reads && !match_;
  if (const std::string why = refusal(client); !free && !why.empty()) return fail(why);
  robots_.call(request.service, std::string(request.payload),
               [this, id, fail, service = request.service, call = request.call](
                   const std::optional<std::string>& payload, const std::string& error) {
                 if (!payload) return fail(error);
                 outlet_.send(id, service_response(service, call, *payload), true);
               });
}

// --- from the robots -------------------------------------------------------------------------------------------------

void Bridge::offer(const std::vector<OfferedChannel>& channels) {
  std::vector<Channel> told;
  for (const OfferedChannel& offered : channels) {
    channels_[offered.channel.id].offered = offered;
    told.push_back(offered.channel);
  }
  if (!told.empty()) to_all(advertise(told));
}

void Bridge::withdraw(const std::vector<std::uint32_t>& channels) {
  for (const std::uint32_t channel : channels) {
    const auto found = channels_.find(channel);
    if (found == channels_.end()) continue;
    for (const auto& [id, subscription] : found->second.subscribers) {
      clients_[id].subscriptions.erase(subscription);
      outlet_.forget(id, subscription);
    }
    if (!found->second.subscribers.empty()) robots_.unsubscribe(channel);
    channels_.erase(found);
  }
  if (!channels.empty()) to_all(unadvertise(channels));
}

void Bridge::offer_services(const std::vector<OfferedService>& services) {
  std::vector<Service> told;
  for (const OfferedService& offered : services) {
    services_[offered.service.id] = offered;
    told.push_back(offered.service);
  }
  if (!told.empty()) to_all(advertise_services(told));
}

void Bridge::withdraw_services(const std::vector<std::uint32_t>& services) {
  for (const std::uint32_t service : services) services_.erase(service);
  if (!services.empty()) to_all(unadvertise_services(services));
}

void Bridge::message(std::uint32_t channel, std::uint64_t stamp_ns, SendQueue::Payload payload) {
  const auto found = channels_.find(channel);
  if (found == channels_.end()) return;
  ChannelState& state = found->second;
  // Asked for again, /rosout tells once more what it has not forgotten.
  if (state.offered.log &&
      std::any_of(state.kept.begin(), state.kept.end(), [&](const Kept& kept) { return *kept.payload == *payload; }))
    return;
  for (const auto& [id, subscription] : state.subscribers)
    outlet_.send_newest(id, subscription, message_head(subscription, stamp_ns), payload, state.offered.depth);
  if (!state.offered.latched || state.subscribers.empty()) return;
  state.kept.push_back({stamp_ns, std::move(payload)});
  while (state.kept.size() > std::min(state.offered.depth, kKeptMessages)) state.kept.pop_front();
}

void Bridge::time(std::uint64_t stamp_ns) {
  // Subscription ids are the clients'; the clock takes turns with them under one that nobody can choose twice.
  for (const auto& [id, client] : clients_) outlet_.send_newest(id, UINT32_MAX, foxglove::time(stamp_ns), none(), 1);
}

void Bridge::parameters_changed(const std::vector<Parameter>& parameters) {
  for (const auto& [id, client] : clients_) {
    std::vector<Parameter> wanted;
    for (const Parameter& parameter : parameters)
      if (client.watches_all_parameters || client.watched_parameters.count(parameter.name) != 0)
        wanted.push_back(parameter);
    if (!wanted.empty()) outlet_.send(id, parameter_values(wanted, std::nullopt), false);
  }
}

void Bridge::graph(const Graph& graph) {
  const std::string update = graph_update(graph_, graph);
  graph_ = graph;
  if (update.empty()) return;
  for (const auto& [id, client] : clients_)
    if (client.watches_graph) outlet_.send(id, update, false);
}

bool Bridge::anybody_watches_graph() const {
  for (const auto& [id, client] : clients_)
    if (client.watches_graph) return true;
  return false;
}

void Bridge::match(bool running) {
  if (running == match_) return;
  match_ = running;
  for (const auto& [id, client] : clients_) {
    outlet_.send(id, info_for(client), false);
    outlet_.send(id, match_ ? status(Level::Info, refusal(client), kMatch) : remove_status(kMatch), false);
  }
}

void Bridge::report_drops() {
  for (auto& [id, client] : clients_) {
    const std::uint64_t dropped = outlet_.dropped(id), fresh = dropped - client.dropped;
    client.dropped = dropped;
    const bool slow = fresh >= kWorthTelling;
    if (slow) {
      outlet_.send(id,
                   status(Level::Warning,
                          std::to_string(fresh) + " messages were left out in the last second (" +
                              std::to_string(dropped) + " in all): the connection is slow",
                          kDrops),
                   false);
    } else if (client.drops_told) {
      outlet_.send(id, remove_status(kDrops), false);
    }
    client.drops_told = slow;
  }
}

}  // namespace hl_remote

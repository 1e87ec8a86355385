// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hl_remote/foxglove.hpp"
#include "hl_remote/outlet.hpp"

namespace hl_remote {

/// The robots as the bridge sees them. Nothing here may block; answers come later.
class Robots {
 public:
  using Values = std::function<void(const std::vector<foxglove::Parameter>&)>;
  /// What is in force afterwards, and why something was refused.
  using Changed =
      std::function<void(const std::vector<foxglove::Parameter>&, const std::vector<std::string>& refusals)>;
  /// Answer of a service, or why there is none.
  using ServiceAnswer = std::function<void(const std::optional<std::string>& payload, const std::string& error)>;

  virtual ~Robots() = default;
  virtual void subscribe(std::uint32_t channel) = 0;
  virtual void unsubscribe(std::uint32_t channel) = 0;
  virtual void publish(const std::string& topic, const std::string& type, std::string payload) = 0;
  virtual void call(std::uint32_t service, std::string payload, ServiceAnswer answer) = 0;
  virtual void get_parameters(const std::vector<std::string>& names, Values answer) = 0;
  virtual void set_parameters(const std::vector<foxglove::Parameter>& parameters, Changed answer) = 0;
  /// Content of a file, or nothing and why.
  virtual std::optional<std::string> asset(const std::string& uri, std::string& error) = 0;
};

/// The protocol's rules between clients and robots: who is told what, who may do what. Used in one thread.
///
/// Reading is free. What reaches a robot (publishing, services, parameters) needs the token, and in a match nothing of
/// it is accepted from anybody.
class Bridge {
 public:
  struct OfferedChannel {
    foxglove::Channel channel;
    bool latched = false;   // late subscribers get the last messages again
    std::size_t depth = 1;  // newest messages kept for a slow client
    bool log = false;       // what was said stays known here: /rosout itself forgets it after 10 s
  };
  struct OfferedService {
    foxglove::Service service;
    bool reads = false;  // only tells something: no token needed
  };

  Bridge(Outlet& outlet, Robots& robots, foxglove::ServerInfo info);

  // --- from the clients
  void opened(ClientId client, bool may_command);
  void received(ClientId client, std::string_view frame, bool binary);
  void closed(ClientId client);

  // --- from the robots
  void offer(const std::vector<OfferedChannel>& channels);
  void withdraw(const std::vector<std::uint32_t>& channels);
  void offer_services(const std::vector<OfferedService>& services);
  void withdraw_services(const std::vector<std::uint32_t>& services);
  void message(std::uint32_t channel, std::uint64_t stamp_ns, SendQueue::Payload payload);
  void time(std::uint64_t stamp_ns);
  void parameters_changed(const std::vector<foxglove::Parameter>& parameters);
  void graph(const foxglove::Graph& graph);
  void match(bool running);
  /// About once a second: tells clients what they missed.
  void report_drops();

  std::size_t clients() const { return clients_.size(); }
  bool anybody_watches_graph() const;

 private:
  struct Client {
    bool may_command = false;
    std::map<std::uint32_t, std::uint32_t> subscriptions;  // id -> channel
    std::map<std::uint32_t, foxglove::Channel> published;  // the client's own channels
    std::set<std::string> watched_parameters;
    bool watches_all_parameters = false, watches_graph = false;
    std::size_t questions = 0;  // for parameters, not answered yet
    std::uint64_t dropped = 0;  // told so far
    bool drops_told = false;
  };
  struct Kept {
    std::uint64_t stamp_ns = 0;
    SendQueue::Payload payload;
  };
  struct ChannelState {
    OfferedChannel offered;
    std::set<std::pair<ClientId, std::uint32_t>> subscribers;  // client, subscription
    std::deque<Kept> kept;                                     // of a latched channel
  };

  void handle(ClientId id, Client& client, const foxglove::Malformed& request);
  void handle(ClientId id, Client& client, const foxglove::Subscribe& request);
  void handle(ClientId id, Client& client, const foxglove::Unsubscribe& request);
  void handle(ClientId id, Client& client, const foxglove::Advertise& request);
  void handle(ClientId id, Client& client, const foxglove::Unadvertise& request);
  void handle(ClientId id, Client& client, const foxglove::GetParameters& request);
  void handle(ClientId id, Client& client, const foxglove::SetParameters& request);
  void handle(ClientId id, Client& client, const foxglove::WatchParameters& request);
  void handle(ClientId id, Client& client, const foxglove::WatchGraph& request);
  void handle(ClientId id, Client& client, const foxglove::FetchAsset& request);
  void handle(ClientId id, Client& client, const foxglove::Publish& request);
  void handle(ClientId id, Client& client, const foxglove::CallService& request);

  /// Why this client may not command now; empty if it may.
  std::string refusal(const Client& client) const;
  void complain(ClientId client, foxglove::Level level, const std::string& message);
  void leave_channel(std::uint32_t channel, ClientId client, std::uint32_t subscription);
  std::string info_for(const Client& client) const;
  void to_all(const std::string& frame);

  Outlet& outlet_;
  Robots& robots_;
  foxglove::ServerInfo info_;
  std::map<ClientId, Client> clients_;
  std::map<std::uint32_t, ChannelState> channels_;
  std::map<std::uint32_t, OfferedService> services_;
  foxglove::Graph graph_;
  bool match_ = false;
};

}  // namespace hl_remote

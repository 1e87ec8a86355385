// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <rclcpp/rclcpp.hpp>
#include <set>
#include <string>
#include <vector>

#include "hl_remote/bridge.hpp"

namespace hl_remote {

/// The topics of the graph as channels: found by themselves, subscribed to only while somebody looks. In the node's
/// thread.
class TopicRelay {
 public:
  struct Changes {
    std::vector<Bridge::OfferedChannel> appeared;
    std::vector<std::uint32_t> vanished;
  };
  using Received = std::function<void(std::uint32_t channel, std::uint64_t stamp_ns, SendQueue::Payload payload)>;

  TopicRelay(rclcpp::Node& node, Received received) : node_(node), received_(std::move(received)) {}

  /// What changed since the last look.
  Changes look();
  void subscribe(std::uint32_t channel);
  void unsubscribe(std::uint32_t channel) { subscriptions_.erase(channel); }
  void publish(const std::string& topic, const std::string& type, const std::string& payload);
  foxglove::Graph graph() const;

 private:
  struct Topic {
    std::uint32_t id = 0;
    std::string name, type;
  };

  std::optional<Bridge::OfferedChannel> offered(const Topic& topic);
  rclcpp::QoS qos_for(const Topic& topic) const;

  rclcpp::Node& node_;
  Received received_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> ids_;  // name, type; an id never gets another meaning
  std::map<std::uint32_t, Topic> topics_;                             // offered now
  std::map<std::string, std::optional<std::string>> texts_;           // definitions by type
  std::map<std::uint32_t, rclcpp::GenericSubscription::SharedPtr> subscriptions_;
  std::map<std::string, rclcpp::GenericPublisher::SharedPtr> publishers_;
};

}  // namespace hl_remote

// SPDX-License-Identifier: Apache-2.0
#include "topic_relay.hpp"

#include <algorithm>
#include <cstring>

#include "hl_remote/message_text.hpp"

namespace hl_remote {
namespace {

constexpr std::size_t kMostPublishers = 200;  // of clients; more than any page needs
// Messages of a topic that wait in the middleware while we are busy: what is left out is left out by a client's queue,
// which counts it and tells.
constexpr std::size_t kFew = 10, kMany = 100;

/// A name with a part that begins with '_' is not meant for people.
bool hidden(const std::string& name) {
  return name.find("/_") != std::string::npos;
}

/// Types of which every message counts, not only the newest of a topic.
bool every_message_counts(const std::string& type) {
  static const std::set<std::string> kTypes = {
      "tf2_msgs/msg/TFMessage", "rcl_interfaces/msg/Log", "humanoid_league_msgs/msg/SkillEvent",
      "diagnostic_msgs/msg/DiagnosticArray", "humanoid_league_msgs/msg/HcmDebug"};
  return kTypes.count(type) != 0;
}

std::string with_msg(const std::string& type) {  // viewers also write pkg/Type
  const std::size_t slash = type.find('/');
  if (slash == std::string::npos || type.find('/', slash + 1) != std::string::npos) return type;
  return type.substr(0, slash) + "/msg" + type.substr(slash);
}

std::string full_name(const rclcpp::TopicEndpointInfo& info) {
  return info.node_namespace() == "/" ? "/" + info.node_name() : info.node_namespace() + "/" + info.node_name();
}

}  // namespace

TopicRelay::Changes TopicRelay::look() {
  Changes changes;
  std::set<std::uint32_t> seen;
  for (const auto& [name, types] : node_.get_topic_names_and_types()) {
    if (hidden(name) || types.size() != 1 || node_.count_publishers(name) == 0) continue;
    const auto [entry, fresh] = ids_.try_emplace({name, types.front()}, static_cast<std::uint32_t>(ids_.size() + 1));
    const Topic topic{entry->second, name, types.front()};
    if (topics_.count(topic.id) == 0) {
      const auto channel = offered(topic);
      if (!channel) continue;
      topics_[topic.id] = topic;
      changes.appeared.push_back(*channel);
    }
    seen.insert(topic.id);
  }
  for (auto topic = topics_.begin(); topic != topics_.end();) {
    if (seen.count(topic->first) != 0) {
      ++topic;
      continue;
    }
    changes.vanished.push_back(topic->first);
    subscriptions_.erase(topic->first);
    topic = topics_.erase(topic);
  }
  return changes;
}

std::optional<Bridge::OfferedChannel> TopicRelay::offered(const Topic& topic) {
  const auto [text, fresh] = texts_.try_emplace(topic.type);
  if (fresh) {
    text->second = message_text(topic.type);
    if (!text->second)
      RCLCPP_WARN(node_.get_logger(), "topics of type %s are not shown: its definition is not installed here",
                  topic.type.c_str());
  }
  if (!text->second) return std::nullopt;
  Bridge::OfferedChannel channel;
  channel.channel = {topic.id, topic.name, "cdr", topic.type, *text->second, "ros2msg"};
  const auto publishers = node_.get_publishers_info_by_topic(topic.name);
  channel.latched = std::any_of(publishers.begin(), publishers.end(), [](const auto& info) {
    return info.qos_profile().durability() == rclcpp::DurabilityPolicy::TransientLocal;
  });
  channel.log = topic.type == "rcl_interfaces/msg/Log";
  channel.depth = every_message_counts(topic.type) ? kMany : 1;
  return channel;
}

rclcpp::QoS TopicRelay::qos_for(const Topic& topic) const {
  const auto publishers = node_.get_publishers_info_by_topic(topic.name);
  const auto all = [&](auto is) {
    return !publishers.empty() && std::all_of(publishers.begin(), publishers.end(), is);
  };
  rclcpp::QoS qos(every_message_counts(topic.type) ? kMany : std::clamp<std::size_t>(publishers.size(), kFew, kMany));
  if (all([](const auto& p) { return p.qos_profile().reliability() == rclcpp::ReliabilityPolicy::Reliable; }))
    qos.reliable();
  else
    qos.best_effort();
  if (all([](const auto& p) { return p.qos_profile().durability() == rclcpp::DurabilityPolicy::TransientLocal; }))
    qos.transient_local();
  return qos;
}

void TopicRelay::subscribe(std::uint32_t channel) {
  const auto found = topics_.find(channel);
  if (found == topics_.end()) return;
  const Topic& topic = found->second;
  try {
    subscriptions_[channel] = node_.create_generic_subscription(
        topic.name, topic.type, qos_for(topic),
        [this, channel](std::shared_ptr<const rclcpp::SerializedMessage> message) {
          const auto& raw = message->get_rcl_serialized_message();
          received_(channel, static_cast<std::uint64_t>(node_.get_clock()->now().nanoseconds()),
                    std::make_shared<const std::string>(reinterpret_cast<const char*>(raw.buffer), raw.buffer_length));
        });
  } catch (const std::exception& error) {
    RCLCPP_WARN(node_.get_logger(), "%s cannot be shown: %s", topic.name.c_str(), error.what());
  }
}

void TopicRelay::publish(const std::string& topic, const std::string& type, const std::string& payload) {
  const std::string key = topic + " " + type;
  try {
    auto found = publishers_.find(key);
    if (found == publishers_.end()) {
      auto publisher = node_.create_generic_publisher(topic, with_msg(type), rclcpp::QoS(10));
      if (publishers_.size() >= kMostPublishers) publishers_.erase(publishers_.begin());
      found = publishers_.emplace(key, std::move(publisher)).first;
    }
    rclcpp::SerializedMessage message(payload.size());
    auto& raw = message.get_rcl_serialized_message();
    std::memcpy(raw.buffer, payload.data(), payload.size());
    raw.buffer_length = payload.size();
    found->second->publish(message);
  } catch (const std::exception& error) {
    RCLCPP_WARN(node_.get_logger(), "a client's message for %s (%s) was not published: %s", topic.c_str(), type.c_str(),
                error.what());
    publishers_.erase(key);
  }
}

foxglove::Graph TopicRelay::graph() const {
  foxglove::Graph graph;
  for (const auto& [name, types] : node_.get_topic_names_and_types()) {
    if (hidden(name)) continue;
    for (const auto& info : node_.get_publishers_info_by_topic(name)) graph.published[name].push_back(full_name(info));
    for (const auto& info : node_.get_subscriptions_info_by_topic(name))
      graph.subscribed[name].push_back(full_name(info));
  }
  return graph;
}

}  // namespace hl_remote

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/rclcpp.hpp>
#include <rosidl_runtime_cpp/traits.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "hl_node/contract.hpp"

/// Publishers and subscriptions with the names and the quality of service that the contract gives them. Everything else
/// (timers, services, actions) stays plain rclcpp. `prefix` is empty, or the namespace of another robot with '/' behind
/// it, for a node that serves several.
namespace hl_node {

/// What a publisher offers.
inline rclcpp::QoS offered(const Topic& topic) {
  switch (topic.qos) {
    case Qos::Sensor:
      return rclcpp::QoS(5);
    case Qos::Image:
      return rclcpp::QoS(2).best_effort();
    case Qos::Latched:
      return rclcpp::QoS(1).transient_local();
    case Qos::Reliable:
      break;
  }
  return rclcpp::QoS(10);
}

/// What a subscription asks for.
inline rclcpp::QoS asked(const Topic& topic) {
  switch (topic.qos) {
    case Qos::Sensor:
      return rclcpp::QoS(5).best_effort();
    case Qos::Image:
      return rclcpp::QoS(2).best_effort();
    case Qos::Latched:
      return rclcpp::QoS(1).transient_local();
    case Qos::Reliable:
      break;
  }
  return rclcpp::QoS(10);
}

/// Humble refuses intra-process communication on latched topics.
template <class Options>
Options options_for(const Topic& topic, Options options = {}) {
  if (topic.qos == Qos::Latched) options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  return options;
}

template <class Message>
void expect_type(const Topic& topic) {
  const std::string type = rosidl_generator_traits::name<Message>();
  if (type != topic.type)
    throw std::logic_error(std::string(topic.name) + " is a " + topic.type + " in the contract, not a " + type);
}

template <class Message>
typename rclcpp::Publisher<Message>::SharedPtr create_publisher(rclcpp::Node& node, const Topic& topic,
                                                                const std::string& prefix = "") {
  expect_type<Message>(topic);
  return node.create_publisher<Message>(prefix + topic.name, offered(topic),
                                        options_for<rclcpp::PublisherOptions>(topic));
}

template <class Message, class Callback>
typename rclcpp::Subscription<Message>::SharedPtr create_subscription(rclcpp::Node& node, const Topic& topic,
                                                                      Callback&& callback,
                                                                      rclcpp::SubscriptionOptions options = {},
                                                                      const std::string& prefix = "") {
  expect_type<Message>(topic);
  return node.create_subscription<Message>(prefix + topic.name, asked(topic), std::forward<Callback>(callback),
                                           options_for(topic, std::move(options)));
}

}  // namespace hl_node

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <string>

#include "message_filters/simple_filter.h"

namespace message_filters {

/// A subscription as the source of filters.
template <class M, class NodeType = rclcpp::Node>
class Subscriber : public SimpleFilter<M> {
 public:
  using NodePtr = std::shared_ptr<NodeType>;
  using typename SimpleFilter<M>::MConstPtr;

  Subscriber() = default;
  Subscriber(NodePtr node, const std::string& topic, const rmw_qos_profile_t qos = rmw_qos_profile_default,
             const rclcpp::SubscriptionOptions& options = {}) {
    subscribe(node, topic, qos, options);
  }
  Subscriber(NodeType* node, const std::string& topic, const rmw_qos_profile_t qos = rmw_qos_profile_default,
             const rclcpp::SubscriptionOptions& options = {}) {
    subscribe(node, topic, qos, options);
  }

  void subscribe(NodePtr node, const std::string& topic, const rmw_qos_profile_t qos = rmw_qos_profile_default,
                 const rclcpp::SubscriptionOptions& options = {}) {
    subscribe(node.get(), topic, qos, options);
    owner_ = node;
  }
  void subscribe(NodeType* node, const std::string& topic, const rmw_qos_profile_t qos = rmw_qos_profile_default,
                 const rclcpp::SubscriptionOptions& options = {}) {
    unsubscribe();
    owner_.reset();
    node_ = node;
    topic_ = topic;
    qos_ = rclcpp::QoS(rclcpp::QoSInitialization::from_rmw(qos), qos);
    options_ = options;
    subscribe();
  }
  /// Again, after `unsubscribe`.
  void subscribe() {
    if (topic_.empty()) return;
    subscription_ = node_->template create_subscription<M>(
        topic_, qos_, [this](const MConstPtr message) { this->signalMessage(message); }, options_);
  }
  void unsubscribe() { subscription_.reset(); }

  std::string getTopic() const { return topic_; }
  typename rclcpp::Subscription<M>::SharedPtr getSubscriber() const { return subscription_; }

 private:
  NodePtr owner_;
  NodeType* node_ = nullptr;
  std::string topic_;
  rclcpp::QoS qos_{10};
  rclcpp::SubscriptionOptions options_;
  typename rclcpp::Subscription<M>::SharedPtr subscription_;
};

}  // namespace message_filters

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/intra_process_setting.hpp"
#include "rclcpp/qos_event.hpp"
#include "rclcpp/qos_overriding_options.hpp"
#include "rclcpp/subscription_content_filter_options.hpp"
#include "rclcpp/topic_statistics_state.hpp"

namespace rclcpp {

struct SubscriptionOptionsBase {
  SubscriptionEventCallbacks event_callbacks;
  bool use_default_callbacks = true;       // warn about incompatible QoS
  bool ignore_local_publications = false;  // of this process
  std::shared_ptr<CallbackGroup> callback_group;
  IntraProcessSetting use_intra_process_comm = IntraProcessSetting::NodeDefault;
  /// Age and period of the messages, published for whoever watches the network.
  struct TopicStatisticsOptions {
    TopicStatisticsState state = TopicStatisticsState::NodeDefault;
    std::string publish_topic = "/statistics";
    std::chrono::milliseconds publish_period{std::chrono::seconds(1)};  // > 0
  };
  TopicStatisticsOptions topic_stats_options;
  QosOverridingOptions qos_overriding_options;  // what parameters may change
  ContentFilterOptions content_filter_options;  // not done by Cyclone DDS, here as in ROS 2: see is_cft_enabled
};

template <typename Allocator>
struct SubscriptionOptionsWithAllocator : public SubscriptionOptionsBase {
  SubscriptionOptionsWithAllocator() = default;
  explicit SubscriptionOptionsWithAllocator(const SubscriptionOptionsBase& options)
      : SubscriptionOptionsBase(options) {}
};

using SubscriptionOptions = SubscriptionOptionsWithAllocator<std::allocator<void>>;

}  // namespace rclcpp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/intra_process_setting.hpp"
#include "rclcpp/qos_event.hpp"

namespace rclcpp {

struct SubscriptionOptionsBase {
  SubscriptionEventCallbacks event_callbacks;
  bool use_default_callbacks = true;       // warn about incompatible QoS
  bool ignore_local_publications = false;  // of this process
  std::shared_ptr<CallbackGroup> callback_group;
  IntraProcessSetting use_intra_process_comm = IntraProcessSetting::NodeDefault;
};

template <typename Allocator>
struct SubscriptionOptionsWithAllocator : public SubscriptionOptionsBase {
  SubscriptionOptionsWithAllocator() = default;
  explicit SubscriptionOptionsWithAllocator(const SubscriptionOptionsBase& options)
      : SubscriptionOptionsBase(options) {}
};

using SubscriptionOptions = SubscriptionOptionsWithAllocator<std::allocator<void>>;

}  // namespace rclcpp

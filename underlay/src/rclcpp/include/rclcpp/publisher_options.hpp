// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "rclcpp/callback_group.hpp"
#include "rclcpp/intra_process_setting.hpp"
#include "rclcpp/qos_event.hpp"
#include "rclcpp/qos_overriding_options.hpp"

namespace rclcpp {

struct PublisherOptionsBase {
  IntraProcessSetting use_intra_process_comm = IntraProcessSetting::NodeDefault;
  PublisherEventCallbacks event_callbacks;
  bool use_default_callbacks = true;              // warn about incompatible QoS
  std::shared_ptr<CallbackGroup> callback_group;  // of the event callbacks
  QosOverridingOptions qos_overriding_options;    // what parameters may change
};

template <typename Allocator>
struct PublisherOptionsWithAllocator : public PublisherOptionsBase {
  PublisherOptionsWithAllocator() = default;
  explicit PublisherOptionsWithAllocator(const PublisherOptionsBase& options) : PublisherOptionsBase(options) {}
};

using PublisherOptions = PublisherOptionsWithAllocator<std::allocator<void>>;

}  // namespace rclcpp

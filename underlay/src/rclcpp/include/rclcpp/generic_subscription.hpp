// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "rclcpp/detail/type_support.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/typesupport_helpers.hpp"

namespace rclcpp {

/// Receives messages as bytes, of a type known by its name only.
class GenericSubscription : public SubscriptionBase {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(GenericSubscription)
  using Callback = std::function<void(std::shared_ptr<SerializedMessage>)>;

  GenericSubscription(node_interfaces::NodeBaseInterface* node_base, std::shared_ptr<rcpputils::SharedLibrary> library,
                      const std::string& topic_name, const std::string& topic_type, const QoS& qos, Callback callback,
                      const SubscriptionOptionsBase& options)
      : SubscriptionBase(node_base, topic_name, detail::ops_of(topic_type, *library), qos, options),
        callback_(std::move(callback)) {}

 private:
  void deliver(underlay_dds::Sample& sample, const MessageInfo&) override { callback_(serialized(sample)); }

  Callback callback_;
};

}  // namespace rclcpp

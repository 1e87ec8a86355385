// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
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

  /// Messages are bytes here: the pointer of a message is to a SerializedMessage.
  std::shared_ptr<void> create_message() override { return create_serialized_message(); }
  bool is_serialized() const override { return true; }
  bool take_type_erased(void* message_out, MessageInfo& message_info_out) override {
    return take_serialized(*static_cast<SerializedMessage*>(message_out), message_info_out);
  }
  void handle_message(std::shared_ptr<void>&, const MessageInfo&) override {
    throw std::runtime_error("a generic subscription handles bytes only: use handle_serialized_message");
  }
  void handle_serialized_message(const std::shared_ptr<SerializedMessage>& serialized_message,
                                 const MessageInfo&) override {
    callback_(serialized_message);
  }

 private:
  void deliver(underlay_dds::Sample& sample, const MessageInfo&) override { callback_(serialized(sample)); }

  Callback callback_;
};

}  // namespace rclcpp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "rclcpp/detail/executable.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/message_info.hpp"
#include "rclcpp/qos.hpp"
#include "rclcpp/serialized_message.hpp"
#include "rclcpp/subscription_options.hpp"
#include "underlay_dds/reader.hpp"

namespace underlay_cdr {
struct MessageOps;
}

namespace rclcpp {

namespace node_interfaces {
class NodeBaseInterface;
}
namespace detail {
class GraphEntry;
class EventQueue;
class ArrivalCallback;
}  // namespace detail

class SubscriptionBase : public detail::Executable {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(SubscriptionBase)

  SubscriptionBase(node_interfaces::NodeBaseInterface* node_base, const std::string& topic,
                   const underlay_cdr::MessageOps& type, const QoS& qos, const SubscriptionOptionsBase& options);
  ~SubscriptionBase() override;

  const char* get_topic_name() const { return topic_.c_str(); }
  std::size_t get_publisher_count() const;
  QoS get_actual_qos() const { return qos_; }
  /// The next message as bytes, without the callback. False if there is none.
  bool take_serialized(SerializedMessage& message, MessageInfo& info);
  /// `callback` is called with how many messages have arrived, from a thread of the middleware, at each arrival. What
  /// arrived before is told at once. It may be told of one more than there is: none is ever kept from it.
  void set_on_new_message_callback(std::function<void(std::size_t)> callback);
  void clear_on_new_message_callback();

  bool execute() override;
  /// Joins its callback group and starts to receive; called once, by who made the shared pointer.
  void start(const std::shared_ptr<CallbackGroup>& group);

 protected:
  virtual void deliver(underlay_dds::Sample& sample, const MessageInfo& info) = 0;
  bool take_sample(underlay_dds::Sample& sample, MessageInfo& info);
  static std::shared_ptr<SerializedMessage> serialized(const underlay_dds::Sample& sample);

 private:
  void report_malformed(const char* reason) const;

  std::string topic_;
  QoS qos_;
  std::shared_ptr<detail::EventQueue> events_;
  std::unique_ptr<underlay_dds::Reader> reader_;
  std::unique_ptr<detail::GraphEntry> graph_entry_;
  std::shared_ptr<detail::ArrivalCallback> arrivals_;
};

}  // namespace rclcpp

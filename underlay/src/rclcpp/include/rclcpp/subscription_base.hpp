// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rcl/event.h"
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
class TopicStatistics;
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
  /// The same for events of the endpoint. Of an event that nobody handles nothing is told, which the log says.
  void set_on_new_qos_event_callback(std::function<void(std::size_t)> callback,
                                     const rcl_subscription_event_type_t& event_type);
  void clear_on_new_qos_event_callback(const rcl_subscription_event_type_t& event_type);

  // For who has an executor of his own, or a wait set.
  virtual std::shared_ptr<void> create_message() = 0;
  std::shared_ptr<SerializedMessage> create_serialized_message() { return std::make_shared<SerializedMessage>(0); }
  /// Whether the callback takes bytes.
  virtual bool is_serialized() const = 0;
  /// The next message, into one of the subscription's type. False if there is none.
  virtual bool take_type_erased(void* message_out, MessageInfo& message_info_out) = 0;
  /// Calls the callback with a message that was taken.
  virtual void handle_message(std::shared_ptr<void>& message, const MessageInfo& message_info) = 0;
  virtual void handle_serialized_message(const std::shared_ptr<SerializedMessage>& serialized_message,
                                         const MessageInfo& message_info) = 0;
  using detail::Executable::exchange_in_use_by_wait_set_state;
  /// `pointer_to_subscription_part` is the subscription, or its events.
  bool exchange_in_use_by_wait_set_state(void* pointer_to_subscription_part, bool in_use_state);
  const std::shared_ptr<detail::EventQueue>& events() const { return events_; }

  /// Whether the middleware filters by content. Cyclone DDS does not, here as in ROS 2: all messages arrive.
  bool is_cft_enabled() const { return false; }
  /// Throws exceptions::RCLError, as with every middleware that does not filter.
  void set_content_filter(const std::string& filter_expression,
                          const std::vector<std::string>& expression_parameters = {});
  ContentFilterOptions get_content_filter() const;

  bool execute() override;
  bool pending() override { return reader_->has_data(); }
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
  std::shared_ptr<detail::TopicStatistics> statistics_;  // if they are wanted
};

}  // namespace rclcpp

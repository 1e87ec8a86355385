// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "rclcpp/detail/executable.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/message_info.hpp"
#include "rclcpp/qos.hpp"
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

  bool execute() override;
  /// Joins its callback group and starts to receive; called once, by who made the shared pointer.
  void start(const std::shared_ptr<CallbackGroup>& group);

 protected:
  virtual void deliver(underlay_dds::Sample& sample, const MessageInfo& info) = 0;
  bool take_sample(underlay_dds::Sample& sample, MessageInfo& info);

 private:
  void report_malformed(const char* reason) const;

  std::string topic_;
  QoS qos_;
  std::shared_ptr<detail::EventQueue> events_;
  std::unique_ptr<underlay_dds::Reader> reader_;
  std::unique_ptr<detail::GraphEntry> graph_entry_;
};

}  // namespace rclcpp

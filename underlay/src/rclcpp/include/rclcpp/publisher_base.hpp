// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "rcl/event.h"
#include "rcl/types.h"
#include "rclcpp/macros.hpp"
#include "rclcpp/publisher_options.hpp"
#include "rclcpp/qos.hpp"
#include "underlay_dds/writer.hpp"

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

class PublisherBase : public std::enable_shared_from_this<PublisherBase> {
 public:
  RCLCPP_SMART_PTR_ALIASES_ONLY(PublisherBase)
  RCLCPP_DISABLE_COPY(PublisherBase)

  PublisherBase(node_interfaces::NodeBaseInterface* node_base, const std::string& topic,
                const underlay_cdr::MessageOps& type, const QoS& qos, const PublisherOptionsBase& options);
  virtual ~PublisherBase();

  const char* get_topic_name() const { return topic_.c_str(); }
  std::size_t get_queue_size() const { return qos_.depth(); }
  std::size_t get_subscription_count() const;
  std::size_t get_intra_process_subscription_count() const;
  QoS get_actual_qos() const { return qos_; }
  rmw_gid_t get_gid() const;
  /// Whether a message with this gid in its MessageInfo came from here.
  bool operator==(const rmw_gid_t& gid) const;
  bool operator==(const rmw_gid_t* gid) const { return *this == *gid; }
  bool assert_liveliness() const;
  /// `callback` is called with how many events have come, from a thread of the middleware. Of an event that nobody
  /// handles nothing is told, which the log says.
  void set_on_new_qos_event_callback(std::function<void(std::size_t)> callback,
                                     const rcl_publisher_event_type_t& event_type);
  void clear_on_new_qos_event_callback(const rcl_publisher_event_type_t& event_type);
  /// Waits until every reliable subscription has confirmed all messages; a negative timeout waits for ever.
  template <typename DurationRepT = int64_t, typename DurationT = std::milli>
  bool wait_for_all_acked(std::chrono::duration<DurationRepT, DurationT> timeout =
                              std::chrono::duration<DurationRepT, DurationT>(-1)) const {
    return writer_->wait_for_acknowledged(std::chrono::duration_cast<std::chrono::nanoseconds>(timeout).count());
  }

 protected:
  void publish_serialized(const rcl_serialized_message_t& message);

  std::string topic_;
  QoS qos_;
  bool intra_process_;
  std::shared_ptr<detail::EventQueue> events_;
  std::unique_ptr<underlay_dds::Writer> writer_;
  std::unique_ptr<detail::GraphEntry> graph_entry_;
};

}  // namespace rclcpp

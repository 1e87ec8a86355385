// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "rclcpp/detail/type_support.hpp"
#include "rclcpp/publisher_base.hpp"
#include "rclcpp/serialized_message.hpp"
#include "underlay_dds/memory.hpp"

namespace rclcpp {

/// Publishes messages on a topic; safe to use from several threads.
template <typename MessageT, typename AllocatorT = std::allocator<void>>
class Publisher : public PublisherBase {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS(Publisher<MessageT, AllocatorT>)
  using ROSMessageType = MessageT;
  using PublishedType = MessageT;
  using MessageUniquePtr = std::unique_ptr<MessageT>;
  using MessageSharedPtr = std::shared_ptr<const MessageT>;

  Publisher(node_interfaces::NodeBaseInterface* node_base, const std::string& topic, const QoS& qos,
            const PublisherOptionsBase& options)
      : PublisherBase(node_base, topic, detail::ops_of<MessageT>(), qos, options) {}

  /// Subscriptions of this process get this very object, serialising it is left to those elsewhere.
  void publish(std::unique_ptr<MessageT> message) {
    if (intra_process_) {
      writer_->write(underlay_dds::releasable(std::move(message)), true);
    } else {
      writer_->write(std::shared_ptr<const MessageT>(std::move(message)));
    }
  }

  void publish(const MessageT& message) {
    if (writer_->local_readers() > 0) {
      writer_->write(underlay_dds::make_pooled<MessageT>(message));
    } else {
      writer_->write_copy(&message);
    }
  }

  void publish(const SerializedMessage& message) { publish_serialized(message.get_rcl_serialized_message()); }
  void publish(const rcl_serialized_message_t& message) { publish_serialized(message); }
};

}  // namespace rclcpp

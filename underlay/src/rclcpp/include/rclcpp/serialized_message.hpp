// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "rcl/allocator.h"
#include "rcl/types.h"

namespace rclcpp {

/// A message as it goes over the wire: encapsulation header and CDR body.
class SerializedMessage {
 public:
  explicit SerializedMessage(const rcl_allocator_t& allocator = rcl_get_default_allocator());
  explicit SerializedMessage(std::size_t initial_capacity,
                             const rcl_allocator_t& allocator = rcl_get_default_allocator());
  SerializedMessage(const SerializedMessage& other);
  SerializedMessage(SerializedMessage&& other) noexcept;
  /// A copy of the bytes; the rvalue form takes them over.
  explicit SerializedMessage(const rcl_serialized_message_t& other);
  explicit SerializedMessage(rcl_serialized_message_t&& other);
  SerializedMessage& operator=(const SerializedMessage& other);
  SerializedMessage& operator=(SerializedMessage&& other) noexcept;
  SerializedMessage& operator=(const rcl_serialized_message_t& other);
  SerializedMessage& operator=(rcl_serialized_message_t&& other);
  virtual ~SerializedMessage();

  rcl_serialized_message_t& get_rcl_serialized_message() { return message_; }
  const rcl_serialized_message_t& get_rcl_serialized_message() const { return message_; }
  std::size_t size() const { return message_.buffer_length; }
  std::size_t capacity() const { return message_.buffer_capacity; }
  void reserve(std::size_t capacity);
  /// The caller owns the bytes from now on (rcutils_uint8_array_fini).
  rcl_serialized_message_t release_rcl_serialized_message();

 private:
  rcl_serialized_message_t message_;
};

}  // namespace rclcpp

// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/serialized_message.hpp"

#include <cstring>
#include <new>
#include <utility>

namespace rclcpp {
namespace {

rcl_serialized_message_t empty() {
  return rcutils_get_zero_initialized_uint8_array();
}

rcl_serialized_message_t make(std::size_t capacity, const rcl_allocator_t& allocator) {
  auto message = empty();
  if (rcutils_uint8_array_init(&message, capacity, &allocator) != RCUTILS_RET_OK) throw std::bad_alloc();
  return message;
}

rcl_serialized_message_t copy_of(const rcl_serialized_message_t& other) {
  auto message =
      make(other.buffer_capacity, other.allocator.allocate != nullptr ? other.allocator : rcl_get_default_allocator());
  if (other.buffer_length > 0) std::memcpy(message.buffer, other.buffer, other.buffer_length);
  message.buffer_length = other.buffer_length;
  return message;
}

void destroy(rcl_serialized_message_t& message) {
  if (message.allocator.allocate == nullptr) return;  // moved from
  const auto result = rcutils_uint8_array_fini(&message);
  (void)result;  // fails only without an allocator
}

}  // namespace

SerializedMessage::SerializedMessage(const rcl_allocator_t& allocator) : message_(make(0, allocator)) {}
SerializedMessage::SerializedMessage(std::size_t initial_capacity, const rcl_allocator_t& allocator)
    : message_(make(initial_capacity, allocator)) {}
SerializedMessage::SerializedMessage(const SerializedMessage& other) : message_(copy_of(other.message_)) {}
SerializedMessage::SerializedMessage(SerializedMessage&& other) noexcept
    : message_(std::exchange(other.message_, empty())) {}
SerializedMessage::SerializedMessage(const rcl_serialized_message_t& other) : message_(copy_of(other)) {}
SerializedMessage::SerializedMessage(rcl_serialized_message_t&& other) : message_(std::exchange(other, empty())) {}

SerializedMessage& SerializedMessage::operator=(const SerializedMessage& other) {
  return this == &other ? *this : *this = other.message_;
}

SerializedMessage& SerializedMessage::operator=(SerializedMessage&& other) noexcept {
  if (this != &other) {
    destroy(message_);
    message_ = std::exchange(other.message_, empty());
  }
  return *this;
}

SerializedMessage& SerializedMessage::operator=(const rcl_serialized_message_t& other) {
  if (&message_ != &other) {
    auto copy = copy_of(other);
    destroy(message_);
    message_ = copy;
  }
  return *this;
}

SerializedMessage& SerializedMessage::operator=(rcl_serialized_message_t&& other) {
  if (&message_ != &other) {
    destroy(message_);
    message_ = std::exchange(other, empty());
  }
  return *this;
}

SerializedMessage::~SerializedMessage() {
  destroy(message_);
}

void SerializedMessage::reserve(std::size_t capacity) {
  if (message_.allocator.allocate == nullptr) message_ = make(0, rcl_get_default_allocator());  // moved from
  if (capacity == 0) return;
  if (rcutils_uint8_array_resize(&message_, capacity) != RCUTILS_RET_OK) throw std::bad_alloc();
}

rcl_serialized_message_t SerializedMessage::release_rcl_serialized_message() {
  return std::exchange(message_, empty());
}

}  // namespace rclcpp

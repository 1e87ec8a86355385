// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>

#include "rclcpp/detail/type_support.hpp"
#include "rclcpp/exceptions.hpp"
#include "rclcpp/serialized_message.hpp"

namespace rclcpp {

/// Between messages and bytes, for a type that is known at run time.
class SerializationBase {
 public:
  explicit SerializationBase(const rosidl_message_type_support_t* type_support) : type_support_(type_support) {
    if (type_support == nullptr) throw std::invalid_argument("type support is a null pointer");
  }
  virtual ~SerializationBase() = default;

  /// Throws exceptions::RCLError if a field exceeds its bound.
  void serialize_message(const void* ros_message, SerializedMessage* serialized_message) const {
    require(ros_message, serialized_message);
    try {
      const std::size_t size = sizeof encapsulation + ops().size(ros_message);
      if (serialized_message->capacity() < size) serialized_message->reserve(size);
      auto& bytes = serialized_message->get_rcl_serialized_message();
      std::memset(bytes.buffer, 0, size);  // padding has no meaning, but must not be somebody's memory
      std::memcpy(bytes.buffer, encapsulation, sizeof encapsulation);
      ops().serialize(ros_message, bytes.buffer + sizeof encapsulation);
      bytes.buffer_length = size;
    } catch (const underlay_cdr::CdrError& error) {
      throw exceptions::RCLError(std::string("failed to serialize ROS message: ") + error.what());
    }
  }

  /// Throws exceptions::RCLError if the bytes are no message of this type.
  void deserialize_message(const SerializedMessage* serialized_message, void* ros_message) const {
    require(ros_message, serialized_message);
    const auto& bytes = serialized_message->get_rcl_serialized_message();
    if (bytes.buffer_length < sizeof encapsulation || bytes.buffer[0] != 0 || bytes.buffer[1] > 1)
      throw exceptions::RCLError("failed to deserialize ROS message: it does not begin as plain CDR does");
    try {
      ops().deserialize(ros_message, bytes.buffer + sizeof encapsulation, bytes.buffer_length - sizeof encapsulation,
                        bytes.buffer[1] == 0);
    } catch (const underlay_cdr::CdrError& error) {
      throw exceptions::RCLError(std::string("failed to deserialize ROS message: ") + error.what());
    }
  }

 private:
  static constexpr std::uint8_t encapsulation[4] = {0, 1, 0, 0};  // plain CDR, little endian

  static void require(const void* ros_message, const void* serialized_message) {
    if (ros_message == nullptr || serialized_message == nullptr)
      throw std::invalid_argument("message is a null pointer");
  }
  const underlay_cdr::MessageOps& ops() const {
    return *static_cast<const underlay_cdr::MessageOps*>(type_support_->data);
  }

  const rosidl_message_type_support_t* type_support_;
};

/// Between messages of type `MessageT` and bytes.
template <typename MessageT>
class Serialization : public SerializationBase {
 public:
  Serialization() : SerializationBase(rosidl_typesupport_cpp::get_message_type_support_handle<MessageT>()) {}
};

}  // namespace rclcpp

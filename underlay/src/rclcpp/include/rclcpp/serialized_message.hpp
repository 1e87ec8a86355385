// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rclcpp {

class SerializationBase;

/// A message as it goes over the wire: encapsulation header and CDR body.
class SerializedMessage {
 public:
  SerializedMessage() = default;
  explicit SerializedMessage(size_t initial_capacity) { reserve(initial_capacity); }
  virtual ~SerializedMessage() = default;
  SerializedMessage(const SerializedMessage&) = default;
  SerializedMessage(SerializedMessage&&) = default;
  SerializedMessage& operator=(const SerializedMessage&) = default;
  SerializedMessage& operator=(SerializedMessage&&) = default;

  size_t size() const { return bytes_.size(); }
  size_t capacity() const { return bytes_.capacity(); }
  void reserve(size_t capacity) { bytes_.reserve(capacity); }

 private:
  friend class SerializationBase;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace rclcpp

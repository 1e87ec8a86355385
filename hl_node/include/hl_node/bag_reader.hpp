// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <rclcpp/serialization.hpp>
#include <rclcpp/serialized_message.hpp>
#include <string>
#include <vector>

namespace hl_node {

/// Reads bags in the sqlite3 format of rosbag2: a folder with .db3 files, or one such file.
class BagReader {
 public:
  struct Message {
    std::string topic, type;
    double time = 0.0;               // s, when it was recorded
    std::vector<std::uint8_t> data;  // CDR
  };
  /// Throws std::runtime_error with the path and the remedy.
  explicit BagReader(const std::string& path);

  /// All messages of topics that `wanted` likes, by time, until `take` says false.
  void read(const std::function<bool(const std::string& topic, const std::string& type)>& wanted,
            const std::function<bool(const Message&)>& take) const;

 private:
  std::vector<std::string> files_;
};

/// Throws if the bytes are no such message.
template <class T>
T message_of(const BagReader::Message& recorded) {
  rclcpp::SerializedMessage bytes(recorded.data.size());
  auto& raw = bytes.get_rcl_serialized_message();
  std::memcpy(raw.buffer, recorded.data.data(), recorded.data.size());
  raw.buffer_length = recorded.data.size();
  T message;
  rclcpp::Serialization<T>().deserialize_message(&bytes, &message);
  return message;
}

}  // namespace hl_node

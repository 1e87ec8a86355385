// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "rosidl_typesupport_cpp/message_type_support.hpp"
#include "underlay_cdr/ops.hpp"

namespace wire {

using Bytes = std::vector<std::uint8_t>;

inline constexpr std::size_t header_bytes = 4;

template <class T>
const underlay_cdr::MessageOps& ops() {
  const auto* handle = rosidl_typesupport_cpp::get_message_type_support_handle<T>();
  return *static_cast<const underlay_cdr::MessageOps*>(handle->data);
}

/// Encapsulation header and body, as a DDS middleware sends them.
template <class T>
Bytes serialize(const T& msg) {
  Bytes cdr(header_bytes + ops<T>().size(&msg), 0xaa);
  cdr[0] = 0, cdr[1] = 1, cdr[2] = 0, cdr[3] = 0;
  const std::size_t written = ops<T>().serialize(&msg, cdr.data() + header_bytes);
  cdr.resize(header_bytes + written);
  return cdr;
}

template <class T>
void deserialize(const Bytes& cdr, T& msg) {
  const bool big_endian = cdr.at(1) % 2 == 0;
  ops<T>().deserialize(&msg, cdr.data() + header_bytes, cdr.size() - header_bytes, big_endian);
}

template <class T>
T deserialized(const Bytes& cdr) {
  T msg;
  deserialize(cdr, msg);
  return msg;
}

inline std::string hex(const Bytes& bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) text += {digits[byte >> 4], digits[byte & 15]};
  return text;
}

inline Bytes from_hex(const std::string& text) {
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

}  // namespace wire

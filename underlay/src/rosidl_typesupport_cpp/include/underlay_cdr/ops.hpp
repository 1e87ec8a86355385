// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>

namespace underlay_cdr {

/// Bytes that are not a valid message of the expected type, or a message that breaks a bound of its type.
class CdrError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a middleware must know of a message type; `rosidl_message_type_support_t::data` points to one.
/// "Body" is the CDR stream after its 4-byte encapsulation header; offsets for alignment count from its first byte.
struct MessageOps {
  const char* dds_name;   // pkg::msg::dds_::Name_
  const char* ros_name;   // pkg/msg/Name
  const char* type_hash;  // RIHS01_<64 hex digits>
  /// Bytes of the body of `msg`. Throws CdrError if a string exceeds its bound.
  std::size_t (*size)(const void* msg);
  /// Writes the body in the byte order of the host into `body`, which has `size(msg)` bytes; returns the bytes written.
  std::size_t (*serialize)(const void* msg, void* body);
  /// Reads a body of `bytes` bytes, which are in foreign byte order if `swap`. Throws CdrError for malformed data;
  /// the content of `msg` is then unspecified but valid. Allocates in proportion to `bytes` at most, and nothing if
  /// `msg` already has the capacity.
  void (*deserialize)(void* msg, const void* body, std::size_t bytes, bool swap);
  /// Bytes of every body of this type, or 0 if they differ.
  std::size_t fixed_size;
};

/// The same for a service; `rosidl_service_type_support_t::data` points to one.
struct ServiceOps {
  const char* dds_prefix;  // pkg::srv::dds_::Name_, to which Request_ or Response_ is added
  const char* ros_name;    // pkg/srv/Name
  const char* type_hash;   // of the service as a whole
  const MessageOps* request;
  const MessageOps* response;
};

/// `typesupport_identifier` of the handles that carry these structures.
inline constexpr const char* identifier = "underlay_cdr";

}  // namespace underlay_cdr

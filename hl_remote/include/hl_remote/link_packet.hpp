// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hl_network/bytes.hpp"

/// The bytes of the one-way link: messages of a robot's topics, compressed, cut into datagrams. Little endian.
///
///     datagram: "HLNK", u8 version, u8 length and bytes of the robot's name, u32 session, u32 message, u16 fragment,
///               u16 fragments, then the fragment's share of the zstd frame (with checksum) of
///     message:  u8 flags, u16 length and bytes of topic and of type, u32 number of this topic's message, i64 stamp
///     (ns),
///               the serialized message up to the end
namespace hl_remote {

using Buffer = std::vector<std::uint8_t>;

constexpr std::uint8_t kLinkVersion = 1;
constexpr std::size_t kMaxMessage = 4u << 20;  // bytes before compression; a raw camera image fits
constexpr std::size_t kMaxName = 200;          // bytes of a robot's, topic's or type's name

/// A message of one topic as it travels.
struct LinkMessage {
  std::string topic;          // relative to the robot's namespace
  std::string type;           // "package/msg/Name"
  bool latched = false;       // to be offered transient local
  std::uint32_t number = 0;   // counts the messages of this topic
  std::int64_t stamp_ns = 0;  // when the sender got it, its clock
  Buffer serialized;          // CDR
};

/// What stands in front of each datagram.
struct LinkHeader {
  std::uint8_t version = kLinkVersion;
  std::string robot;
  std::uint32_t session = 0;  // grows with each start of the sender
  std::uint32_t message = 0;  // counts all messages of the session
  std::uint16_t fragment = 0;
  std::uint16_t fragments = 1;
};

/// One frame of zstd; `level` as zstd numbers them.
Buffer pack(const LinkMessage& message, int level);

/// Nothing if the bytes are no message: cut, damaged, too large, or names that no ROS graph would take.
std::optional<LinkMessage> unpack(hl_network::Bytes frame);

std::size_t header_size(const std::string& robot);
Buffer write_datagram(const LinkHeader& header, hl_network::Bytes share);

struct LinkDatagram {
  LinkHeader header;
  hl_network::Bytes share;  // points into the datagram
};

/// Nothing if it is no datagram of this link. One of another version has its version and no more.
std::optional<LinkDatagram> read_datagram(hl_network::Bytes bytes);

/// Letters, digits and underscores, not beginning with a digit; what a namespace may be called.
bool valid_robot_name(const std::string& name);

}  // namespace hl_remote

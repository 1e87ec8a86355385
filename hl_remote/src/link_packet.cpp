// SPDX-License-Identifier: Apache-2.0
#include "hl_remote/link_packet.hpp"

#include <zstd.h>

#include <algorithm>
#include <cctype>
#include <memory>

namespace hl_remote {
namespace {

constexpr std::uint8_t kMagic[4] = {'H', 'L', 'N', 'K'};
constexpr std::uint8_t kLatched = 1;
constexpr std::size_t kFixedHeader = sizeof kMagic + 2 + 4 + 4 + 2 + 2;

bool letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

bool word_character(char c) {
  return letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Words joined by single slashes, each as a name in ROS may be; `words` = 0 for any number.
bool valid_path(const std::string& path, std::size_t words) {
  std::size_t count = 0;
  bool at_start = true;
  for (const char c : path) {
    if (c == '/') {
      if (at_start) return false;
      at_start = true;
      continue;
    }
    if (!word_character(c) || (at_start && !letter(c))) return false;
    if (at_start) ++count;
    at_start = false;
  }
  return !at_start && path.size() <= kMaxName && (words == 0 || count == words);
}

void append_text(Buffer& to, const std::string& text) {
  to.push_back(static_cast<std::uint8_t>(text.size() & 0xFF));
  to.push_back(static_cast<std::uint8_t>(text.size() >> 8));
  to.insert(to.end(), text.begin(), text.end());
}

template <class Integer>
void append(Buffer& to, Integer value) {
  for (std::size_t i = 0; i < sizeof(Integer); ++i)
    to.push_back(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> (8 * i)));
}

std::string read_text(hl_network::ByteReader& reader, std::size_t length) {
  if (length > kMaxName || length > reader.remaining()) {
    reader.skip(reader.remaining() + 1);
    return {};
  }
  std::string text(length, '\0');
  reader.copy(text.data(), length);
  return text;
}

}  // namespace

bool valid_robot_name(const std::string& name) {
  return valid_path(name, 1);
}

Buffer pack(const LinkMessage& message, int level) {
  Buffer plain;
  plain.reserve(message.serialized.size() + message.topic.size() + message.type.size() + 32);
  plain.push_back(message.latched ? kLatched : 0);
  append_text(plain, message.topic);
  append_text(plain, message.type);
  append(plain, message.number);
  append(plain, message.stamp_ns);
  plain.insert(plain.end(), message.serialized.begin(), message.serialized.end());

  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(), &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  Buffer frame(ZSTD_compressBound(plain.size()));
  const std::size_t size = ZSTD_compress2(context.get(), frame.data(), frame.size(), plain.data(), plain.size());
  frame.resize(ZSTD_isError(size) != 0 ? 0 : size);
  return frame;
}

std::optional<LinkMessage> unpack(hl_network::Bytes frame) {
  const auto size = ZSTD_getFrameContentSize(frame.data, frame.size);
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMaxMessage) return std::nullopt;
  Buffer plain(static_cast<std::size_t>(size));
  if (ZSTD_decompress(plain.data(), plain.size(), frame.data, frame.size) != plain.size()) return std::nullopt;

  hl_network::ByteReader reader({plain.data(), plain.size()});
  LinkMessage message;
  message.latched = (reader.u8() & kLatched) != 0;
  message.topic = read_text(reader, reader.u16());
  message.type = read_text(reader, reader.u16());
  message.number = reader.u32();
  const std::uint64_t low = reader.u32();
  const std::uint64_t high = reader.u32();
  message.stamp_ns = static_cast<std::int64_t>(low | high << 32);
  if (!reader.ok() || !valid_path(message.topic, 0) || !valid_path(message.type, 3)) return std::nullopt;
  message.serialized.assign(plain.end() - static_cast<std::ptrdiff_t>(reader.remaining()), plain.end());
  return message;
}

std::size_t header_size(const std::string& robot) {
  return kFixedHeader + robot.size();
}

Buffer write_datagram(const LinkHeader& header, hl_network::Bytes share) {
  Buffer bytes(header_size(header.robot) + share.size);
  hl_network::ByteWriter writer(bytes.data(), bytes.size());
  writer.copy(kMagic, sizeof kMagic);
  writer.u8(header.version);
  writer.u8(static_cast<std::uint8_t>(header.robot.size()));
  writer.copy(header.robot.data(), header.robot.size());
  writer.u32(header.session);
  writer.u32(header.message);
  writer.u16(header.fragment);
  writer.u16(header.fragments);
  writer.copy(share.data, share.size);
  return bytes;
}

std::optional<LinkDatagram> read_datagram(hl_network::Bytes bytes) {
  hl_network::ByteReader reader(bytes);
  std::uint8_t magic[sizeof kMagic] = {};
  reader.copy(magic, sizeof magic);
  LinkDatagram datagram;
  LinkHeader& header = datagram.header;
  header.version = reader.u8();
  if (!reader.ok() || !std::equal(magic, magic + sizeof magic, kMagic)) return std::nullopt;
  if (header.version != kLinkVersion) return datagram;
  header.robot = read_text(reader, reader.u8());
  header.session = reader.u32();
  header.message = reader.u32();
  header.fragment = reader.u16();
  header.fragments = reader.u16();
  if (!reader.ok() || !valid_robot_name(header.robot) || header.fragment >= header.fragments || reader.remaining() == 0)
    return std::nullopt;
  datagram.share = {bytes.data + (bytes.size - reader.remaining()), reader.remaining()};
  return datagram;
}

}  // namespace hl_remote

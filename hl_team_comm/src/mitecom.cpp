// SPDX-License-Identifier: Apache-2.0
#include "hl_team_comm/mitecom.hpp"

namespace hl_team_comm::mitecom {
namespace {

constexpr std::uint32_t kMagic = 0x4D585443;  // 'MXTC'; appears as "CTXM" on the wire
constexpr std::uint16_t kVersion = 1;
constexpr std::int32_t kFullBelief = 255;

}  // namespace

void Message::add(Key key, std::int32_t value) {
  add(static_cast<std::uint32_t>(key), value);
}

void Message::add(std::uint32_t key, std::int32_t value) {
  if (count < values.size()) values[count++] = {key, value};
}

std::optional<std::int32_t> Message::get(std::uint32_t key) const {
  for (std::size_t i = count; i > 0; --i) {
    if (values[i - 1].key == key) return values[i - 1].value;
  }
  return std::nullopt;
}

std::optional<Message> decode(hl_network::Bytes bytes) {
  if (bytes.size < kHeaderSize) return std::nullopt;
  hl_network::ByteReader reader(bytes);
  const bool is_mitecom = reader.u32() == kMagic && reader.u16() == kVersion;
  const std::size_t count = reader.u16();
  if (!is_mitecom || count > kMaxValues || bytes.size != kHeaderSize + 8 * count) return std::nullopt;
  reader.skip(4);  // flags, none defined
  Message message;
  message.team = reader.u16();
  message.robot = reader.u16();
  if (message.robot == 0) return std::nullopt;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t key = reader.u32();
    message.add(key, reader.i32());
  }
  return message;
}

std::size_t encode(const Message& message, std::uint8_t* buffer, std::size_t capacity) {
  hl_network::ByteWriter writer(buffer, capacity);
  writer.u32(kMagic);
  writer.u16(kVersion);
  writer.u16(static_cast<std::uint16_t>(message.count));
  writer.u32(0);
  writer.u16(message.team);
  writer.u16(message.robot);
  for (std::size_t i = 0; i < message.count; ++i) {
    writer.u32(message.values[i].key);
    writer.i32(message.values[i].value);
  }
  return writer.ok() ? writer.size() : 0;
}

bool uses_old_numbering(const Message& message) {
  // In the present numbering every third key from BallBelief on is a belief; in older ones most of these are lengths.
  const auto first = static_cast<std::uint32_t>(Key::BallBelief);
  const auto last = static_cast<std::uint32_t>(Key::LastCognition);
  for (std::uint32_t key = first; key <= last; key += 3) {
    const auto belief = message.get(key);
    if (belief && (*belief < 0 || *belief > kFullBelief)) return true;
  }
  return false;
}

}  // namespace hl_team_comm::mitecom

// SPDX-License-Identifier: Apache-2.0
#include "hl_game_controller/return_packet.hpp"

#include <cmath>
#include <cstring>

namespace hl_game_controller {
namespace {

constexpr char kMagic[4] = {'R', 'G', 'r', 't'};
constexpr std::size_t kSizeV2 = 8;
constexpr std::size_t kSizeV4 = 32;
constexpr float kMillimetresPerMetre = 1000.0F;
constexpr std::uint8_t kMaxPlayerNumber = 20;

bool finite(const ReturnPacket& packet) {
  return std::isfinite(packet.pose[0]) && std::isfinite(packet.pose[1]) && std::isfinite(packet.pose[2]) &&
         std::isfinite(packet.ball_age) && std::isfinite(packet.ball[0]) && std::isfinite(packet.ball[1]);
}

}  // namespace

std::size_t encode(const ReturnPacket& packet, std::uint8_t* buffer, std::size_t capacity) {
  hl_network::ByteWriter writer(buffer, capacity);
  writer.copy(kMagic, sizeof kMagic);
  writer.u8(packet.version);
  if (packet.version == 2) {
    writer.u8(packet.team);
    writer.u8(packet.player);
    writer.u8(static_cast<std::uint8_t>(packet.message));
  } else if (packet.version == 4) {
    writer.u8(packet.player);  // the other way round than in version 2
    writer.u8(packet.team);
    writer.u8(packet.fallen ? 1 : 0);
    writer.f32(packet.pose[0] * kMillimetresPerMetre);
    writer.f32(packet.pose[1] * kMillimetresPerMetre);
    writer.f32(packet.pose[2]);
    writer.f32(packet.ball_age);
    writer.f32(packet.ball[0] * kMillimetresPerMetre);
    writer.f32(packet.ball[1] * kMillimetresPerMetre);
  } else {
    return 0;
  }
  return writer.ok() ? writer.size() : 0;
}

std::optional<ReturnPacket> decode_return(hl_network::Bytes bytes) {
  if (bytes.size < kSizeV2 || std::memcmp(bytes.data, kMagic, sizeof kMagic) != 0) return std::nullopt;
  hl_network::ByteReader reader(bytes);
  reader.skip(sizeof kMagic);
  ReturnPacket packet;
  packet.version = reader.u8();
  if (packet.version == 2 && bytes.size == kSizeV2) {
    packet.team = reader.u8();
    packet.player = reader.u8();
    const std::uint8_t message = reader.u8();
    if (message > static_cast<std::uint8_t>(ReturnMessage::GameInterruptionReady)) return std::nullopt;
    packet.message = static_cast<ReturnMessage>(message);
  } else if (packet.version == 4 && bytes.size == kSizeV4) {
    packet.player = reader.u8();
    packet.team = reader.u8();
    packet.fallen = reader.u8() != 0;
    packet.pose[0] = reader.f32() / kMillimetresPerMetre;
    packet.pose[1] = reader.f32() / kMillimetresPerMetre;
    packet.pose[2] = reader.f32();
    packet.ball_age = reader.f32();
    packet.ball[0] = reader.f32() / kMillimetresPerMetre;
    packet.ball[1] = reader.f32() / kMillimetresPerMetre;
    if (!finite(packet)) return std::nullopt;
  } else {
    return std::nullopt;
  }
  const bool is_player = packet.player >= 1 && packet.player <= kMaxPlayerNumber;
  return is_player ? std::optional(packet) : std::nullopt;
}

}  // namespace hl_game_controller

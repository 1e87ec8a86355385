// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/protocol.hpp"

#include <algorithm>
#include <cstring>

#include "hl_hardware_cm730/control_table.hpp"

namespace hl_hardware_cm730 {
namespace {

constexpr size_t kHeader2 = 7;  // FF FF FD 00 id length(2); the length counts what follows
constexpr size_t kMaxLength2 = Packet::kCapacity + 3;

std::array<uint16_t, 256> make_crc_table() {
  std::array<uint16_t, 256> table{};
  for (unsigned byte = 0; byte < table.size(); ++byte) {
    uint16_t crc = static_cast<uint16_t>(byte << 8);
    for (int bit = 0; bit < 8; ++bit) crc = static_cast<uint16_t>((crc << 1) ^ (crc & 0x8000 ? 0x8005 : 0));
    table[byte] = crc;
  }
  return table;
}

bool stuffed(const uint8_t* end) {
  return end[-3] == 0xFF && end[-2] == 0xFF && end[-1] == 0xFD;
}

}  // namespace

uint8_t checksum(const uint8_t* packet, size_t total) {
  unsigned sum = 0;
  for (size_t i = 2; i + 1 < total; ++i) sum += packet[i];
  return static_cast<uint8_t>(~sum);
}

uint16_t crc16(const uint8_t* data, size_t size) {
  static const std::array<uint16_t, 256> table = make_crc_table();
  uint16_t crc = 0;
  for (size_t i = 0; i < size; ++i) crc = static_cast<uint16_t>((crc << 8) ^ table[(crc >> 8) ^ data[i]]);
  return crc;
}

void append_packet1(Bytes& out, uint8_t id, uint8_t code, const uint8_t* parameters, size_t count) {
  const size_t start = out.size();
  const uint8_t head[] = {0xFF, 0xFF, id, static_cast<uint8_t>(count + 2), code};
  out.insert(out.end(), std::begin(head), std::end(head));
  out.insert(out.end(), parameters, parameters + count);
  out.push_back(checksum(out.data() + start, count + kFrame1));
}

void append_packet2(Bytes& out, uint8_t id, uint8_t instruction, const uint8_t* parameters, size_t count) {
  const size_t start = out.size();
  const uint8_t head[] = {0xFF, 0xFF, 0xFD, 0x00, id, 0, 0, instruction};
  out.insert(out.end(), std::begin(head), std::end(head));
  const size_t body = out.size();
  for (size_t i = 0; i < count; ++i) {
    out.push_back(parameters[i]);
    if (out.size() - body >= 3 && stuffed(out.data() + out.size())) out.push_back(0xFD);
  }
  const size_t length = out.size() - start - kHeader2 + 2;
  put_word(&out[start + 5], static_cast<int>(length));
  const uint16_t crc = crc16(out.data() + start, out.size() - start);
  out.push_back(static_cast<uint8_t>(crc));
  out.push_back(static_cast<uint8_t>(crc >> 8));
}

Bytes packet1(uint8_t id, uint8_t code, const Bytes& parameters) {
  Bytes out;
  append_packet1(out, id, code, parameters.data(), parameters.size());
  return out;
}

Bytes packet2(uint8_t id, uint8_t instruction, const Bytes& parameters) {
  Bytes out;
  append_packet2(out, id, instruction, parameters.data(), parameters.size());
  return out;
}

size_t PacketParser::feed(const uint8_t* data, size_t size) {
  if (begin_ == end_) begin_ = end_ = 0;
  if (buffer_.size() - end_ < size && begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  const size_t taken = std::min(size, buffer_.size() - end_);
  std::memcpy(buffer_.data() + end_, data, taken);
  end_ += taken;
  return taken;
}

bool PacketParser::next(Packet& packet) {
  while (pending() >= 4) {
    Verdict verdict = Verdict::Skip;
    if (at(0) == 0xFF && at(1) == 0xFF) {
      verdict = at(2) == 0xFD && at(3) == 0x00 ? parse2(packet) : parse1(packet);
    }
    if (verdict == Verdict::Need) return false;
    if (verdict == Verdict::Done) {
      ++counters_.packets;
      return true;
    }
    ++begin_;
    ++counters_.skipped_bytes;
  }
  return false;
}

PacketParser::Verdict PacketParser::parse1(Packet& packet) {
  const size_t length = at(3);
  if (at(2) == 0xFF || length < 2) return Verdict::Skip;
  if (accept_ && !accept_(context_, at(2), length - 2)) return Verdict::Skip;
  const size_t total = length + 4;
  if (pending() < total) return Verdict::Need;
  const uint8_t* bytes = buffer_.data() + begin_;
  if (bytes[total - 1] != checksum(bytes, total)) {
    ++counters_.bad_checksums;
    counters_.last_bad_id = bytes[2];
    return Verdict::Skip;
  }
  packet.protocol = Protocol::V1;
  packet.id = bytes[2];
  packet.code = bytes[4];
  packet.status = false;
  packet.size = length - 2;
  std::memcpy(packet.parameters.data(), bytes + 5, packet.size);
  begin_ += total;
  return Verdict::Done;
}

PacketParser::Verdict PacketParser::parse2(Packet& packet) {
  if (pending() < kHeader2 + 1) return Verdict::Need;
  const uint8_t* bytes = buffer_.data() + begin_;
  const size_t length = static_cast<size_t>(word(bytes + 5));
  if (length < 3 || length > kMaxLength2 || bytes[4] > kBroadcast) return Verdict::Skip;
  const size_t total = kHeader2 + length;
  if (pending() < total) return Verdict::Need;
  if (word(bytes + total - 2) != crc16(bytes, total - 2)) {
    ++counters_.bad_checksums;
    return Verdict::Skip;
  }
  packet.protocol = Protocol::V2;
  packet.id = bytes[4];
  packet.status = bytes[7] == instruction::kStatus;
  size_t in = 8;
  if (packet.status) {
    if (length < 4) return Verdict::Skip;
    packet.code = bytes[in++];
  } else {
    packet.code = bytes[7];
  }
  packet.size = 0;
  const bool together = packet.status && packet.id == kBroadcast;  // answers to a fast read: nothing is stuffed
  for (const size_t end = total - 2; in < end; ++in) {
    packet.parameters[packet.size++] = bytes[in];
    const bool stuffing =
        packet.size >= 3 && stuffed(packet.parameters.data() + packet.size) && in + 1 < end && bytes[in + 1] == 0xFD;
    if (stuffing && !together) ++in;
  }
  begin_ += total;
  return Verdict::Done;
}

}  // namespace hl_hardware_cm730

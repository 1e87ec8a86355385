// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Dynamixel packets as bytes: protocol 1.0 for the CM-730 and its servos, protocol 2.0 for servos with new firmware.
namespace hl_hardware_cm730 {

using Bytes = std::vector<uint8_t>;

enum class Protocol : uint8_t { V1, V2 };

namespace instruction {
constexpr uint8_t kPing = 0x01;
constexpr uint8_t kRead = 0x02;
constexpr uint8_t kWrite = 0x03;
constexpr uint8_t kRegWrite = 0x04;
constexpr uint8_t kAction = 0x05;
constexpr uint8_t kReset = 0x06;
constexpr uint8_t kReboot = 0x08;
constexpr uint8_t kStatus = 0x55;    // 2.0: marks a reply
constexpr uint8_t kSyncRead = 0x82;  // 2.0
constexpr uint8_t kSyncWrite = 0x83;
constexpr uint8_t kFastSyncRead = 0x8A;  // 2.0: all answer in one packet
constexpr uint8_t kBulkRead = 0x92;
constexpr uint8_t kBulkWrite = 0x93;     // 2.0
constexpr uint8_t kFastBulkRead = 0x9A;  // 2.0
}  // namespace instruction

namespace error_bit {  // of a status packet, protocol 1.0
constexpr uint8_t kVoltage = 0x01;
constexpr uint8_t kAngleLimit = 0x02;
constexpr uint8_t kOverheating = 0x04;
constexpr uint8_t kRange = 0x08;
constexpr uint8_t kChecksum = 0x10;
constexpr uint8_t kOverload = 0x20;
constexpr uint8_t kInstruction = 0x40;
}  // namespace error_bit

namespace error2 {  // of a status packet, protocol 2.0: a number, and one bit
constexpr uint8_t kFail = 1;
constexpr uint8_t kInstruction = 2;
constexpr uint8_t kRange = 4;
constexpr uint8_t kLength = 5;
constexpr uint8_t kLimit = 6;
constexpr uint8_t kAccess = 7;
constexpr uint8_t kAlert = 0x80;  // the hardware error register says why
}  // namespace error2

constexpr uint8_t kBroadcast = 0xFE;
constexpr size_t kFrame1 = 6;              // bytes of a protocol 1.0 packet without parameters
constexpr double kSecondsPerByte = 10e-6;  // 1 Mbaud, start + 8 data + stop

/// One packet, either direction. `code` is the instruction, or the error byte of a status.
struct Packet {
  static constexpr size_t kCapacity = 256;

  Protocol protocol = Protocol::V1;
  uint8_t id = 0;
  uint8_t code = 0;
  bool status = false;  // protocol 2.0 says so itself; protocol 1.0 leaves it to who listens
  size_t size = 0;      // of the parameters
  std::array<uint8_t, kCapacity> parameters{};
};

uint8_t checksum(const uint8_t* packet, size_t total);  // protocol 1.0; `total` includes the check sum byte
uint16_t crc16(const uint8_t* data, size_t size);       // protocol 2.0

/// Appends a whole packet to `out`. The caller keeps parameters within what the length field can say.
void append_packet1(Bytes& out, uint8_t id, uint8_t code, const uint8_t* parameters, size_t count);
void append_packet2(Bytes& out, uint8_t id, uint8_t instruction, const uint8_t* parameters, size_t count);
Bytes packet1(uint8_t id, uint8_t code, const Bytes& parameters = {});
Bytes packet2(uint8_t id, uint8_t instruction, const Bytes& parameters = {});

/// Finds the packets in a stream of bytes, whatever else is in it. Never allocates.
///
/// After a wrong check sum or an impossible header it looks for the next header behind the first byte of the bad one,
/// so damage costs one packet and not what follows it.
class PacketParser {
 public:
  struct Counters {
    uint64_t packets = 0;
    uint64_t bad_checksums = 0;
    uint64_t skipped_bytes = 0;
    uint8_t last_bad_id = 0;  // of the last packet with a wrong check sum
  };

  /// Returns whether a status of this id may carry so many parameter bytes. A receiver that knows what it asked for
  /// rejects a damaged length at once instead of waiting for bytes that never come.
  using Accept = bool (*)(const void* context, uint8_t id, size_t parameters);

  void expect(Accept accept, const void* context) {
    accept_ = accept;
    context_ = context;
  }

  /// Takes as many bytes as fit; returns how many.
  size_t feed(const uint8_t* data, size_t size);

  /// The next whole packet; false if more bytes are needed.
  bool next(Packet& packet);

  void clear() { begin_ = end_ = 0; }
  size_t pending() const { return end_ - begin_; }
  const Counters& counters() const { return counters_; }

 private:
  enum class Verdict { Need, Skip, Done };
  Verdict parse1(Packet& packet);
  Verdict parse2(Packet& packet);
  uint8_t at(size_t i) const { return buffer_[begin_ + i]; }

  std::array<uint8_t, 2048> buffer_{};
  size_t begin_ = 0;
  size_t end_ = 0;
  Accept accept_ = nullptr;
  const void* context_ = nullptr;
  Counters counters_;
};

}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "hl_hardware_cm730/control_table.hpp"
#include "hl_hardware_cm730/protocol.hpp"
#include "hl_testing/documentation.hpp"
#include "parameters.hpp"

namespace hl_hardware_cm730 {
namespace {

Bytes hex(const std::string& text) {
  std::istringstream in(text);
  Bytes bytes;
  unsigned value = 0;
  while (in >> std::hex >> value) bytes.push_back(static_cast<uint8_t>(value));
  return bytes;
}

TEST(Packets, AreTheBytesOfTheManual) {
  EXPECT_EQ(packet1(200, instruction::kPing), hex("FF FF C8 02 01 34"));
  EXPECT_EQ(packet1(200, instruction::kWrite, {24, 1}), hex("FF FF C8 04 03 18 01 17"));
  EXPECT_EQ(packet1(kBroadcast, instruction::kSyncWrite, {30, 2, 13, 0x5D, 0x0A, 14, 0xA3, 0x05}),
            hex("FF FF FE 0A 83 1E 02 0D 5D 0A 0E A3 05 2A"));
  EXPECT_EQ(packet1(kBroadcast, instruction::kBulkRead, {0, 12, 200, 38, 4, 13, 36, 4, 14, 36}),
            hex("FF FF FE 0C 92 00 0C C8 26 04 0D 24 04 0E 24 FE"));
  EXPECT_EQ(packet2(1, instruction::kPing), hex("FF FF FD 00 01 03 00 01 19 4E"));
  EXPECT_EQ(packet2(1, instruction::kWrite, {116, 0, 0xFF, 0xFF, 0xFD, 0x00}),
            hex("FF FF FD 00 01 0A 00 03 74 00 FF FF FD FD 00 21 E7"));
}

TEST(Parser, FindsPacketsInNoiseWhateverThePieces) {
  std::mt19937 random(3);
  for (int run = 0; run < 500; ++run) {
    Bytes stream;
    std::vector<Bytes> sent;
    for (int i = 0; i < 10; ++i) {
      Bytes parameters(random() % 12);
      for (auto& p : parameters) p = static_cast<uint8_t>(random() % 3 ? 0xFF : random());
      sent.push_back(parameters);
      for (size_t n = random() % 3; n > 0; --n) stream.push_back(static_cast<uint8_t>(random() % 0xFE));  // no header
      if (random() % 2) {
        append_packet1(stream, static_cast<uint8_t>(1 + i), 0, parameters.data(), parameters.size());
      } else {
        append_packet2(stream, static_cast<uint8_t>(1 + i), instruction::kWrite, parameters.data(), parameters.size());
      }
    }
    PacketParser parser;
    Packet packet;
    size_t found = 0;
    for (size_t i = 0; i < stream.size();) {
      const size_t n = std::min<size_t>(1 + random() % 9, stream.size() - i);
      ASSERT_EQ(parser.feed(stream.data() + i, n), n);
      i += n;
      while (parser.next(packet)) {
        ASSERT_LT(found, sent.size());
        ASSERT_EQ(packet.id, 1 + found);
        ASSERT_EQ(Bytes(packet.parameters.begin(), packet.parameters.begin() + static_cast<long>(packet.size)),
                  sent[found]);
        ++found;
      }
    }
    ASSERT_EQ(found, sent.size());
  }
}

TEST(Parser, ADamagedPacketCostsOnlyItself) {
  for (size_t damaged = 0; damaged < 8; ++damaged) {
    Bytes stream = packet1(13, 0, {0x5D, 0x0A});
    stream[damaged] = static_cast<uint8_t>(stream[damaged] ^ 0x10);
    const Bytes good = packet1(14, 0, {1, 2});
    for (int i = 0; i < 40; ++i) stream.insert(stream.end(), good.begin(), good.end());
    PacketParser parser;
    parser.expect([](const void*, uint8_t id, size_t n) { return (id == 13 || id == 14) && (n == 2 || n == 0); },
                  nullptr);
    parser.feed(stream.data(), stream.size());
    Packet packet;
    int found = 0;
    while (parser.next(packet)) found += packet.id == 14;
    EXPECT_EQ(found, 40) << "byte " << damaged;
  }
}

TEST(Values, ConvertBothWays) {
  const ServoTable& mx = *data(ServoModel::Mx28).table;
  EXPECT_EQ(raw_position(mx, 0.0), 2048);
  EXPECT_LT(velocity_of(mx, 0x400 | 100), 0.0);
  EXPECT_DOUBLE_EQ(load_of(mx, 1023, 1.4), 1.0);
  EXPECT_EQ(raw10(-5), 0x405);
  EXPECT_EQ(lamp_colour(0.0, 1.0, 0.0), 0x03E0);
  EXPECT_EQ(servo_model("MX-64"), ServoModel::Mx64);
  EXPECT_FALSE(servo_model("AX-12"));
}

TEST(Readme, TellsTheParametersOfDriverAndEmulator) {
  EXPECT_EQ(driver_parameters().check({}), std::nullopt);
  EXPECT_EQ(emulator_parameters().check({}), std::nullopt);
  EXPECT_EQ(hl_testing::documentation_problem(README, "driver parameters", driver_parameters().markdown()), "");
  EXPECT_EQ(hl_testing::documentation_problem(README, "emulator parameters", emulator_parameters().markdown()), "");
}

}  // namespace
}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "hl_network/bytes.hpp"
#include "hl_network/send_only_socket.hpp"
#include "hl_network/udp_socket.hpp"

using hl_network::ByteReader;
using hl_network::Bytes;
using hl_network::ByteWriter;
using hl_network::Endpoint;
using hl_network::SendOnlySocket;
using hl_network::UdpSocket;

TEST(Bytes, ValuesAreLittleEndianAndComeBack) {
  std::array<std::uint8_t, 32> buffer{};
  ByteWriter writer(buffer.data(), buffer.size());
  writer.u8(0x12);
  writer.u16(0x3456);
  writer.i16(-2);
  writer.u32(0x789ABCDE);
  writer.i32(-1250);
  writer.f32(0.5F);
  ASSERT_TRUE(writer.ok());
  EXPECT_EQ(writer.size(), 17U);
  EXPECT_EQ(buffer[1], 0x56);
  EXPECT_EQ(buffer[2], 0x34);

  ByteReader reader(writer.bytes());
  EXPECT_EQ(reader.u8(), 0x12);
  EXPECT_EQ(reader.u16(), 0x3456);
  EXPECT_EQ(reader.i16(), -2);
  EXPECT_EQ(reader.u32(), 0x789ABCDEU);
  EXPECT_EQ(reader.i32(), -1250);
  EXPECT_FLOAT_EQ(reader.f32(), 0.5F);
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.remaining(), 0U);
}

TEST(Bytes, ReadingPastTheEndIsZeroAndNotOk) {
  const std::uint8_t one = 7;
  ByteReader reader(Bytes{&one, 1});
  EXPECT_EQ(reader.u16(), 0);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.u8(), 0) << "once failed, always failed";
}

TEST(Bytes, WritingPastTheEndChangesNothing) {
  std::array<std::uint8_t, 2> buffer{1, 2};
  ByteWriter writer(buffer.data(), 1);
  writer.u16(0xFFFF);
  EXPECT_FALSE(writer.ok());
  EXPECT_EQ(buffer[0], 1);
  EXPECT_EQ(buffer[1], 2);
}

TEST(Endpoint, TextAndBack) {
  const auto endpoint = Endpoint::from("127.0.0.1", 3838);
  ASSERT_TRUE(endpoint);
  EXPECT_EQ(endpoint->address, 0x7F000001U);
  EXPECT_EQ(endpoint->address_text(), "127.0.0.1");
  EXPECT_FALSE(Endpoint::from("not an address", 1));
}

TEST(UdpSocket, DatagramArrivesWithItsSender) {
  const UdpSocket receiver("127.0.0.1", 0);
  const UdpSocket sender("127.0.0.1", 0);
  const std::string text = "RGme";
  ASSERT_TRUE(sender.send({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                          *Endpoint::from("127.0.0.1", receiver.port())));
  ASSERT_TRUE(receiver.wait_readable(10'000));
  std::array<std::uint8_t, 16> buffer{};
  Endpoint from;
  EXPECT_EQ(receiver.receive(buffer.data(), buffer.size(), from), 4U);
  EXPECT_EQ(from.port, sender.port());
  EXPECT_EQ(from.address_text(), "127.0.0.1");
  EXPECT_FALSE(receiver.receive(buffer.data(), buffer.size(), from));
}

TEST(UdpSocket, PortInUseIsNamedWithTheRemedy) {
  const UdpSocket first("127.0.0.1", 0);
  try {
    const UdpSocket second("127.0.0.1", first.port());
    FAIL() << "the port is taken";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(first.port())), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("another port"), std::string::npos);
  }
  EXPECT_THROW(UdpSocket("299.1.1.1", 0), std::runtime_error);
}

TEST(UdpSocket, SharedPortIsOpenedTwice) {
  const UdpSocket first("127.0.0.1", 0, UdpSocket::Sharing::Shared);
  EXPECT_NO_THROW(UdpSocket("127.0.0.1", first.port(), UdpSocket::Sharing::Shared));
}

TEST(Interfaces, LoopbackIsFoundByNameAndNotBroadcastToByDefault) {
  EXPECT_EQ(hl_network::broadcast_addresses("lo"), std::vector<std::uint32_t>{0x7FFFFFFF});
  for (const auto address : hl_network::broadcast_addresses()) EXPECT_NE(address, 0x7FFFFFFFU);
  EXPECT_TRUE(hl_network::broadcast_addresses("wlan77").empty());
  EXPECT_NE(hl_network::interface_list().find("lo 127.0.0.1"), std::string::npos);
}

TEST(Interfaces, ASocketListensOnTheOneOfItsName) {
  const hl_network::UdpSocket socket("0.0.0.0", 0);
  EXPECT_TRUE(socket.listen_only_on("lo"));
  EXPECT_FALSE(hl_network::UdpSocket("0.0.0.0", 0).listen_only_on("wlan77"));
}

TEST(SendOnlySocket, SpeaksAndCannotBeSpokenTo) {
  const UdpSocket receiver("127.0.0.1", 0);
  const SendOnlySocket speaker(*Endpoint::from("127.0.0.1", receiver.port()));
  const std::array<std::uint8_t, 3> bytes = {1, 2, 3};
  ASSERT_TRUE(speaker.send({bytes.data(), bytes.size()}));
  ASSERT_TRUE(receiver.wait_readable(10'000));
  std::array<std::uint8_t, 16> buffer{};
  Endpoint from;
  EXPECT_EQ(receiver.receive(buffer.data(), buffer.size(), from), 3U);
  EXPECT_EQ(from.port, speaker.port());
  // The answer is taken by the network and dropped by the kernel before it is queued.
  EXPECT_TRUE(receiver.send({bytes.data(), bytes.size()}, from));
}

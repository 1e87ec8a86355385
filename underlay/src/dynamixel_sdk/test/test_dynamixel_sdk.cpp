// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <thread>

#include "dynamixel_sdk/dynamixel_sdk.h"
#include "dynamixel_sdk/port_handler_linux.h"
#include "hl_testing/isolation.hpp"

namespace {

using Bytes = std::vector<uint8_t>;
using dynamixel::PacketHandler;

Bytes hex(const std::string& text) {
  std::istringstream in(text);
  Bytes bytes;
  unsigned value = 0;
  while (in >> std::hex >> value) bytes.push_back(static_cast<uint8_t>(value));
  return bytes;
}

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// A device in memory: `answer` maps each request to the bytes that come back, a few at a time. Time passes only when
/// somebody waits for bytes that never come.
class MemoryPort : public dynamixel::PortHandler {
 public:
  std::function<Bytes(const Bytes&)> answer = [](const Bytes&) { return Bytes(); };
  std::vector<Bytes> sent;
  std::deque<uint8_t> incoming;
  int chunk = 3;
  bool lost = false;

  bool openPort() override { return true; }
  void closePort() override {}
  void clearPort() override { incoming.clear(); }
  void setPortName(const char*) override {}
  char* getPortName() override { return name_.data(); }
  bool setBaudRate(const int) override { return true; }
  int getBaudRate() override { return 1000000; }
  int getBytesAvailable() override { return static_cast<int>(incoming.size()); }
  int readPort(uint8_t* packet, int length) override {
    if (lost) return -1;
    const int count = std::min({length, chunk, getBytesAvailable()});
    std::copy_n(incoming.begin(), count, packet);
    incoming.erase(incoming.begin(), incoming.begin() + count);
    timed_out_ = count == 0;
    return count;
  }
  int writePort(uint8_t* packet, int length) override {
    if (lost) return -1;
    sent.emplace_back(packet, packet + length);
    const Bytes reply = answer(sent.back());
    incoming.insert(incoming.end(), reply.begin(), reply.end());
    return length;
  }
  void setPacketTimeout(uint16_t) override { timed_out_ = false; }
  void setPacketTimeout(double) override { timed_out_ = false; }
  bool isPacketTimeout() override { return timed_out_; }

 private:
  std::string name_ = "memory";
  bool timed_out_ = false;
};

class Sdk : public testing::Test {
 protected:
  void reply(const std::string& text) {
    port.answer = [text](const Bytes&) { return hex(text); };
  }

  MemoryPort port;
  PacketHandler* v1 = PacketHandler::getPacketHandler(1.0f);
  PacketHandler* v2 = PacketHandler::getPacketHandler(2.0f);
};

TEST(Macros, SplitAndJoinValues) {
  EXPECT_EQ(DXL_MAKEWORD(0x34, 0x12), 0x1234);
  EXPECT_EQ(DXL_MAKEDWORD(0x5678, 0x1234), 0x12345678u);
  EXPECT_EQ(DXL_LOBYTE(0x1234), 0x34);
  EXPECT_EQ(DXL_HIBYTE(0x1234), 0x12);
  EXPECT_EQ(DXL_LOWORD(0x12345678), 0x5678);
  EXPECT_EQ(DXL_HIWORD(0x12345678), 0x1234);
}

TEST_F(Sdk, Protocol1SendsTheBytesOfTheManual) {
  reply("FF FF C8 02 00 35");
  EXPECT_EQ(v1->ping(&port, 200), COMM_SUCCESS);
  EXPECT_EQ(port.sent.back(), hex("FF FF C8 02 01 34"));
  EXPECT_EQ(v1->write1ByteTxRx(&port, 200, 24, 1), COMM_SUCCESS);
  EXPECT_EQ(port.sent.back(), hex("FF FF C8 04 03 18 01 17"));
  EXPECT_EQ(v1->write2ByteTxOnly(&port, 13, 30, 2653), COMM_SUCCESS);
  EXPECT_EQ(port.sent.back(), hex("FF FF 0D 05 03 1E 5D 0A 65"));
  uint8_t goal[] = {0x5D, 0x0A};
  EXPECT_EQ(v1->regWriteTxOnly(&port, 13, 30, 2, goal), COMM_SUCCESS);
  EXPECT_EQ(port.sent.back(), hex("FF FF 0D 05 04 1E 5D 0A 64"));
  EXPECT_EQ(v1->action(&port, BROADCAST_ID), COMM_SUCCESS);
  EXPECT_EQ(port.sent.back(), hex("FF FF FE 02 05 FA"));
}

TEST_F(Sdk, Protocol1ReadsAPosition) {
  reply("FF FF 0D 04 00 5D 0A 87");
  uint16_t position = 0;
  uint8_t error = 1;
  EXPECT_EQ(v1->read2ByteTxRx(&port, 13, 36, &position, &error), COMM_SUCCESS);
  EXPECT_EQ(port.sent.back(), hex("FF FF 0D 04 02 24 02 C6"));
  EXPECT_EQ(position, 2653);
  EXPECT_EQ(error, 0);
}

TEST_F(Sdk, DeviceErrorsComeWithTheReplyAndHaveWords) {
  reply("FF FF 0D 02 24 CC");
  uint8_t error = 0;
  EXPECT_EQ(v1->ping(&port, 13, &error), COMM_SUCCESS);
  EXPECT_EQ(error, 0x24);
  EXPECT_STREQ(v1->getRxPacketError(0x20), "[RxPacketError] Overload error!");
  EXPECT_STREQ(v1->getRxPacketError(0), "");
  for (int e = 1; e < 256; ++e) EXPECT_STRNE(v2->getRxPacketError(static_cast<uint8_t>(e)), "");
  for (const int result : {COMM_SUCCESS, COMM_PORT_BUSY, COMM_TX_FAIL, COMM_RX_FAIL, COMM_TX_ERROR, COMM_RX_WAITING,
                           COMM_RX_TIMEOUT, COMM_RX_CORRUPT, COMM_NOT_AVAILABLE}) {
    EXPECT_STRNE(v1->getTxRxResult(result), "");
  }
}

TEST_F(Sdk, NoiseAndForeignRepliesBeforeTheHeaderAreSkipped) {
  uint16_t position = 0;
  for (const std::string noise : {"00", "FF", "FF FF FF", "FF FF FE 04", "12 FF 34 FF FF 0D FF", "FF FF 0E 02 00 EF"}) {
    reply(noise + " FF FF 0D 04 00 5D 0A 87");
    EXPECT_EQ(v1->read2ByteTxRx(&port, 13, 36, &position), COMM_SUCCESS) << noise;
    EXPECT_EQ(position, 2653) << noise;
  }
}

TEST_F(Sdk, SilenceDamageAndLossAreToldApart) {
  uint16_t position = 7;
  EXPECT_EQ(v1->read2ByteTxRx(&port, 13, 36, &position), COMM_RX_TIMEOUT);
  reply("FF FF 0D 04 00 5D 0A 88");
  EXPECT_EQ(v1->read2ByteTxRx(&port, 13, 36, &position), COMM_RX_CORRUPT);
  reply("FF FF 0D 04 00 5D");
  EXPECT_EQ(v1->read2ByteTxRx(&port, 13, 36, &position), COMM_RX_CORRUPT);
  reply("FF FF 0D 03 00 5D 92");  // whole, but one byte instead of two
  EXPECT_EQ(v1->read2ByteTxRx(&port, 13, 36, &position), COMM_RX_CORRUPT);
  port.lost = true;
  EXPECT_EQ(v1->read2ByteTxRx(&port, 13, 36, &position), COMM_TX_FAIL);
  port.is_using_ = false;
  EXPECT_EQ(v1->rxPacket(&port, Bytes(300).data()), COMM_RX_FAIL);
  EXPECT_EQ(position, 7);
  EXPECT_FALSE(port.is_using_);
}

TEST_F(Sdk, ABusyPortRefusesASecondRequestUntilTheReplyIsRead) {
  reply("FF FF 0D 04 00 5D 0A 87");
  EXPECT_EQ(v1->read2ByteTx(&port, 13, 36), COMM_SUCCESS);
  EXPECT_EQ(v1->ping(&port, 14), COMM_PORT_BUSY);
  uint16_t position = 0;
  EXPECT_EQ(v1->read2ByteRx(&port, 13, &position), COMM_SUCCESS);
  EXPECT_EQ(position, 2653);
  EXPECT_EQ(v1->action(&port, BROADCAST_ID), COMM_SUCCESS);
}

TEST_F(Sdk, WhatProtocol1LacksIsNotAvailable) {
  std::vector<uint8_t> ids;
  EXPECT_EQ(v1->broadcastPing(&port, ids), COMM_NOT_AVAILABLE);
  EXPECT_EQ(v1->reboot(&port, 1), COMM_NOT_AVAILABLE);
  EXPECT_EQ(v1->ping(&port, BROADCAST_ID), COMM_NOT_AVAILABLE);
  dynamixel::GroupSyncRead read(&port, v1, 36, 2);
  EXPECT_FALSE(read.addParam(1));
  EXPECT_EQ(read.txRxPacket(), COMM_NOT_AVAILABLE);
  uint8_t data[300] = {};
  EXPECT_EQ(v1->writeTxOnly(&port, 1, 0, 245, data), COMM_TX_ERROR);
  EXPECT_TRUE(port.sent.empty());
}

TEST_F(Sdk, Protocol2SendsTheBytesOfTheManual) {
  reply("FF FF FD 00 01 07 00 55 00 06 04 26 65 5D");
  uint16_t model = 0;
  EXPECT_EQ(v2->ping(&port, 1, &model), COMM_SUCCESS);
  EXPECT_EQ(model, 1030);
  EXPECT_EQ(port.sent.back(), hex("FF FF FD 00 01 03 00 01 19 4E"));
  reply("FF FF FD 00 01 08 00 55 00 A6 00 00 00 8C C0");
  uint32_t position = 0;
  EXPECT_EQ(v2->read4ByteTxRx(&port, 1, 132, &position), COMM_SUCCESS);
  EXPECT_EQ(port.sent.back(), hex("FF FF FD 00 01 07 00 02 84 00 04 00 1D 15"));
  EXPECT_EQ(position, 166u);
  EXPECT_EQ(v2->write4ByteTxOnly(&port, 1, 116, 512), COMM_SUCCESS);
  EXPECT_EQ(port.sent.back(), hex("FF FF FD 00 01 09 00 03 74 00 00 02 00 00 CA 89"));
  uint8_t tricky[] = {0xFF, 0xFF, 0xFD, 0x00};
  EXPECT_EQ(v2->writeTxOnly(&port, 1, 116, 4, tricky), COMM_SUCCESS);
  EXPECT_EQ(port.sent.back(), hex("FF FF FD 00 01 0A 00 03 74 00 FF FF FD FD 00 21 E7"));
}

/// The status packet that a device would send for `parameters`, made by the sender's own stuffing and CRC.
Bytes status2(PacketHandler* handler, uint8_t id, const Bytes& parameters) {
  MemoryPort wire;
  Bytes packet(8 + 1 + parameters.size() + 2);
  packet[4] = id;
  packet[5] = static_cast<uint8_t>(parameters.size() + 4);
  packet[6] = static_cast<uint8_t>((parameters.size() + 4) >> 8);
  packet[7] = INST_STATUS;
  std::copy(parameters.begin(), parameters.end(), packet.begin() + 9);
  EXPECT_EQ(handler->txPacket(&wire, packet.data()), COMM_SUCCESS);
  return wire.sent.back();
}

TEST_F(Sdk, Protocol2StuffingIsTransparent) {
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    Bytes data(1 + random() % 60);
    for (auto& byte : data) byte = std::array<uint8_t, 4>{0xFF, 0xFF, 0xFD, 0x01}[random() % 4];
    port.answer = [&](const Bytes&) { return hex("FF FF FD") + status2(v2, 3, data); };
    Bytes received(data.size());
    ASSERT_EQ(v2->readTxRx(&port, 3, 100, static_cast<uint16_t>(data.size()), received.data()), COMM_SUCCESS);
    ASSERT_EQ(received, data);
  }
}

TEST_F(Sdk, BroadcastPingFindsEveryDeviceDespiteADamagedReply) {
  port.answer = [&](const Bytes&) {
    Bytes bad = status2(v2, 5, {1, 2, 3});
    bad.back() ^= 1;
    return status2(v2, 9, {1, 2, 3}) + bad + status2(v2, 4, {1, 2, 3});
  };
  std::vector<uint8_t> ids;
  EXPECT_EQ(v2->broadcastPing(&port, ids), COMM_SUCCESS);
  EXPECT_EQ(ids, (std::vector<uint8_t>{4, 9}));
  port.answer = [](const Bytes&) { return Bytes(); };
  EXPECT_EQ(v2->broadcastPing(&port, ids), COMM_RX_TIMEOUT);
}

TEST_F(Sdk, GroupSyncWriteKeepsTheOrderAndTakesChanges) {
  dynamixel::GroupSyncWrite group(&port, v1, 30, 2);
  EXPECT_EQ(group.txPacket(), COMM_NOT_AVAILABLE);
  uint8_t a[] = {0, 0}, b[] = {0xA3, 0x05}, c[] = {0x5D, 0x0A};
  EXPECT_TRUE(group.addParam(13, a));
  EXPECT_TRUE(group.addParam(14, b));
  EXPECT_FALSE(group.addParam(14, b));
  EXPECT_TRUE(group.changeParam(13, c));
  EXPECT_FALSE(group.changeParam(15, c));
  EXPECT_EQ(group.txPacket(), COMM_SUCCESS);
  EXPECT_EQ(port.sent.back(), hex("FF FF FE 0A 83 1E 02 0D 5D 0A 0E A3 05 2A"));
  group.removeParam(13);
  group.removeParam(14);
  EXPECT_EQ(group.txPacket(), COMM_NOT_AVAILABLE);
}

// As ROBOTIS' own: one silent device, and nothing of the whole read is available.
TEST_F(Sdk, GroupBulkReadGivesNothingIfADeviceIsSilent) {
  dynamixel::GroupBulkRead group(&port, v1);
  EXPECT_TRUE(group.addParam(200, 38, 12));
  EXPECT_TRUE(group.addParam(13, 36, 4));
  EXPECT_TRUE(group.addParam(14, 36, 4));
  reply("FF FF C8 0E 00 00 02 08 02 FC 01 04 02 F9 01 80 02 9E FF FF 0D 06 20 5D 0A 00 00 65");
  EXPECT_EQ(group.txRxPacket(), COMM_RX_TIMEOUT);
  EXPECT_EQ(port.sent.back(), hex("FF FF FE 0C 92 00 0C C8 26 04 0D 24 04 0E 24 FE"));
  for (const uint8_t id : {200, 13, 14}) EXPECT_FALSE(group.isAvailable(id, id == 200 ? 48 : 36, 2)) << int(id);
  EXPECT_EQ(group.getData(13, 36, 2), 0u);
  group.removeParam(14);
  reply("FF FF C8 0E 00 00 02 08 02 FC 01 04 02 F9 01 80 02 9E FF FF 0D 06 20 5D 0A 00 00 65");
  EXPECT_EQ(group.txRxPacket(), COMM_SUCCESS);
  EXPECT_TRUE(group.isAvailable(200, 48, 2));
  EXPECT_EQ(group.getData(200, 48, 2), 640u);
  EXPECT_EQ(group.getData(13, 36, 2), 2653u);
  EXPECT_FALSE(group.isAvailable(13, 36, 6));
  uint8_t error = 0;
  EXPECT_TRUE(group.getError(13, &error));
  EXPECT_EQ(error, 0x20);
  EXPECT_FALSE(group.getError(200, &error));
}

TEST_F(Sdk, GroupSyncReadAndBulkWriteSpeakProtocol2) {
  dynamixel::GroupSyncRead read(&port, v2, 132, 4);
  EXPECT_TRUE(read.addParam(1));
  EXPECT_TRUE(read.addParam(2));
  port.answer = [&](const Bytes&) { return status2(v2, 1, {0xA6, 0, 0, 0}) + status2(v2, 2, {0x1F, 8, 0, 0}); };
  EXPECT_EQ(read.txRxPacket(), COMM_SUCCESS);
  EXPECT_EQ(port.sent.back(), hex("FF FF FD 00 FE 09 00 82 84 00 04 00 01 02 CE FA"));
  EXPECT_EQ(read.getData(1, 132, 4), 166u);
  EXPECT_EQ(read.getData(2, 132, 4), 2079u);

  dynamixel::GroupBulkWrite write(&port, v2);
  uint8_t a[] = {0xA0, 0}, b[] = {0x50};
  EXPECT_TRUE(write.addParam(1, 32, 2, a));
  EXPECT_TRUE(write.addParam(2, 31, 1, b));
  EXPECT_EQ(write.txPacket(), COMM_SUCCESS);
  EXPECT_EQ(port.sent.back(), hex("FF FF FD 00 FE 10 00 93 01 20 00 02 00 A0 00 02 1F 00 01 00 50 B7 68"));
}

TEST_F(Sdk, ArbitraryBytesNeverHarm) {
  std::mt19937 random(2026);
  const std::vector<Bytes> valid = {hex("FF FF 0D 04 00 5D 0A 87"), hex("FF FF C8 0E 00 00 02 08 02 FC 01 04 02 F9 01"),
                                    hex("FF FF FD 00 01 08 00 55 00 A6 00 00 00 8C C0"),
                                    hex("FF FF FD 00 01 FD 03 55 FF FF FD FD 00 21 E7")};
  Bytes buffer;
  for (size_t i = hl_testing::count(20'000, 10'000'000); i > 0; --i) {
    Bytes bytes = valid[random() % valid.size()] + valid[random() % valid.size()];
    for (size_t n = random() % 6; n > 0; --n) bytes[random() % bytes.size()] = static_cast<uint8_t>(random());
    bytes.resize(random() % (bytes.size() + 1));
    port.chunk = static_cast<int>(1 + random() % 16);
    for (auto* handler : {v1, v2}) {
      port.incoming.assign(bytes.begin(), bytes.end());
      port.setPacketTimeout(1.0);
      buffer.assign(handler == v1 ? 250 : 1024, 0);  // exactly what the parser may fill: sanitizers see more
      while (handler->rxPacket(&port, buffer.data()) == COMM_SUCCESS) {
      }
    }
  }
}

/// A device on a pseudo-terminal that answers each packet of `script.size()` requests with the given bytes.
class PtyDevice {
 public:
  explicit PtyDevice(std::vector<Bytes> script) : script_(std::move(script)) {
    char name[64] = {};
    int slave = -1;
    if (openpty(&master_, &slave, name, nullptr, nullptr) != 0) throw std::runtime_error("openpty failed");
    name_ = name;
    slave_ = slave;  // kept open, so that the line does not hang up before the host opens it
    termios raw{};
    tcgetattr(slave, &raw);
    cfmakeraw(&raw);
    tcsetattr(slave, TCSANOW, &raw);
    thread_ = std::thread([this] { run(); });
  }
  ~PtyDevice() {
    stop_ = true;
    thread_.join();
    unplug();
  }
  const char* name() const { return name_.c_str(); }
  void unplug() {
    if (master_ >= 0) close(master_);
    if (slave_ >= 0) close(slave_);
    master_ = slave_ = -1;
  }
  void finish() {
    if (thread_.joinable()) {
      stop_ = true;
      thread_.join();
      thread_ = std::thread([] {});
    }
  }

 private:
  void run() {
    Bytes request(512);
    size_t next = 0;
    while (!stop_) {
      pollfd p{master_, POLLIN, 0};
      if (poll(&p, 1, 20) <= 0 || !(p.revents & POLLIN)) continue;
      if (read(master_, request.data(), request.size()) <= 0) continue;
      if (next >= script_.size()) continue;
      const Bytes& reply = script_[next++];
      for (size_t i = 0; i < reply.size(); i += 4) {  // in pieces, as a USB adapter delivers
        const size_t n = std::min<size_t>(4, reply.size() - i);
        if (write(master_, reply.data() + i, n) != static_cast<ssize_t>(n)) return;
      }
    }
  }

  std::vector<Bytes> script_;
  std::string name_;
  int master_ = -1;
  int slave_ = -1;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// The real port, but patient: a loaded test machine must not look like a silent device.
class PatientPort : public dynamixel::PortHandlerLinux {
 public:
  using PortHandlerLinux::PortHandlerLinux;
  void setPacketTimeout(uint16_t) override { PortHandlerLinux::setPacketTimeout(10'000.0); }
};

TEST(Pty, RepliesArriveThroughARealPort) {
  PtyDevice device({hex("FF FF 0D 04 00 5D 0A 87"), hex("00 FF FF FF 0D 02 00 F0")});
  PatientPort port(device.name());
  ASSERT_TRUE(port.setBaudRate(1000000));
  EXPECT_EQ(port.getBaudRate(), 1000000);
  auto* handler = PacketHandler::getPacketHandler(1.0f);
  uint16_t position = 0;
  EXPECT_EQ(handler->read2ByteTxRx(&port, 13, 36, &position), COMM_SUCCESS);
  EXPECT_EQ(position, 2653);
  EXPECT_EQ(handler->ping(&port, 13), COMM_SUCCESS);
}

TEST(Pty, WaitingForASilentDeviceSleepsAndEnds) {
  PtyDevice device({});
  std::unique_ptr<dynamixel::PortHandler> port(dynamixel::PortHandler::getPortHandler(device.name()));
  ASSERT_TRUE(port->openPort());
  ASSERT_TRUE(port->setBaudRate(1000000));
  const auto cpu = [] {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
  };
  const double before = cpu();
  const auto start = std::chrono::steady_clock::now();
  uint8_t packet[250];
  port->setPacketTimeout(300.0);
  EXPECT_EQ(PacketHandler::getPacketHandler(1.0f)->rxPacket(port.get(), packet), COMM_RX_TIMEOUT);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(300));
  EXPECT_LT(cpu() - before, 100.0) << "waiting must sleep, not spin";
  EXPECT_EQ(PacketHandler::getPacketHandler(1.0f)->ping(port.get(), 1), COMM_RX_TIMEOUT);
}

TEST(Pty, UnpluggingIsALostPortNotATimeout) {
  PtyDevice device({});
  PatientPort port(device.name());
  ASSERT_TRUE(port.setBaudRate(57600));
  device.finish();
  device.unplug();
  uint8_t packet[250];
  port.setPacketTimeout(uint16_t{10});
  EXPECT_EQ(PacketHandler::getPacketHandler(1.0f)->rxPacket(&port, packet), COMM_RX_FAIL);
  EXPECT_EQ(PacketHandler::getPacketHandler(1.0f)->ping(&port, 1), COMM_TX_FAIL);
}

TEST(Port, RefusesUnknownRatesAndMissingDevices) {
  dynamixel::PortHandlerLinux port("/dev/no_such_port");
  EXPECT_FALSE(port.openPort());
  EXPECT_FALSE(port.setBaudRate(123456));
  uint8_t byte = 0;
  EXPECT_EQ(port.readPort(&byte, 1), -1);
  EXPECT_EQ(port.writePort(&byte, 1), -1);
  EXPECT_STREQ(port.getPortName(), "/dev/no_such_port");
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Bytes that nobody sent: mutations of valid packets in both directions, 10^7 of each in the long run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "emulated_robot.hpp"
#include "hl_testing/isolation.hpp"

namespace hl_hardware_cm730 {
namespace {

/// Mutated copies of valid packets, made without allocation so that ten million take seconds.
class Mutator {
 public:
  Mutator(std::vector<Bytes> valid, uint32_t seed) : valid_(std::move(valid)), random_(seed) {}

  uint32_t random(uint32_t below) { return static_cast<uint32_t>((uint64_t{random_()} * below) >> 32); }

  const Bytes& next() {
    bytes_ = valid_[random(static_cast<uint32_t>(valid_.size()))];
    for (uint32_t n = random(5); n > 0; --n) bytes_[random(size())] = static_cast<uint8_t>(random(256));
    switch (random(8)) {
      case 0:
        bytes_.resize(random(size()));  // cut off
        break;
      case 1:
        for (auto& byte : bytes_) byte = static_cast<uint8_t>(random(256));  // noise
        break;
      case 2:
      case 3:
      case 4:
        repair();  // nonsense with a good check sum gets further
        break;
      default:
        break;
    }
    return bytes_;
  }

 private:
  uint32_t size() const { return static_cast<uint32_t>(bytes_.size()); }
  void repair() {
    if (bytes_.size() > 6 && bytes_[3] + 4u == bytes_.size()) bytes_.back() = checksum(bytes_.data(), bytes_.size());
    if (bytes_.size() > 10 && bytes_[2] == 0xFD && bytes_[3] == 0x00) {
      put_word(&bytes_[5], static_cast<int>(bytes_.size()) - 7);
      put_word(&bytes_[bytes_.size() - 2], crc16(bytes_.data(), bytes_.size() - 2));
    }
  }

  std::vector<Bytes> valid_;
  Bytes bytes_;
  std::mt19937 random_;
};

size_t inputs() {
  return hl_testing::count(20'000, 10'000'000);
}

TEST(Fuzz, TheParserSurvivesAnyBytes) {
  Mutator mutator(
      {packet1(13, 0, {0x5D, 0x0A}), packet1(200, 0, Bytes(21, 7)),
       packet2(3, instruction::kStatus, {0, 0xFF, 0xFF, 0xFD, 1}),
       packet1(kBroadcast, instruction::kSyncWrite, Bytes(100, 0xFF)), packet2(3, instruction::kWrite, Bytes(60, 0xFF)),
       packet2(kBroadcast, instruction::kStatus, Bytes(240, 0xFD))},
      2026);
  PacketParser parser;
  for (size_t i = inputs(); i > 0; --i) {
    const Bytes& bytes = mutator.next();
    parser.feed(bytes.data(), bytes.size());
    Packet packet;
    while (parser.next(packet)) ASSERT_LE(packet.size, Packet::kCapacity);
    ASSERT_LT(parser.pending(), 400u) << "nothing may pile up";
  }
}

/// Servos that stay where they are, so that only the bus costs time.
class StillServos : public ServoPhysics {
 public:
  explicit StillServos(size_t count) : states_(count) {}
  void step(double, const std::vector<ServoCommand>&) override {}
  const std::vector<ServoState>& servos() const override { return states_; }
  const BodyState& body() const override { return body_; }

 private:
  std::vector<ServoState> states_;
  BodyState body_;
};

TEST(Fuzz, TheEmulatorSurvivesAnyBytesFromTheHost) {
  EmulatorConfig config = EmulatorConfig::darwin();
  config.servos[0].protocol = Protocol::V2;
  config.servos[1].model = servo_model("XL-320").value();
  Emulator emulator(config, std::make_shared<StillServos>(config.servos.size()));
  const Bytes power = packet1(200, instruction::kWrite, {kBoardPower, 1});
  Mutator mutator(
      {packet1(13, instruction::kWrite, {30, 0, 8}), packet1(200, instruction::kRead, {0, 80}),
       packet1(kBroadcast, instruction::kBulkRead, {0, 4, 1, 36, 4, 2, 36}),
       packet1(kBroadcast, instruction::kSyncWrite, {30, 2, 1, 0, 8, 2, 0, 8}),
       packet2(1, instruction::kRead, {0, 0, 100, 0}), packet2(1, instruction::kWrite, {116, 0, 1, 2, 3, 4}),
       packet2(kBroadcast, instruction::kBulkRead, {1, 132, 0, 4, 0, 2, 132, 0, 4, 0}),
       packet2(kBroadcast, instruction::kBulkWrite, {1, 116, 0, 4, 0, 1, 2, 3, 4}),
       packet2(kBroadcast, instruction::kSyncRead, {132, 0, 4, 0, 1, 2}),
       packet2(kBroadcast, instruction::kFastSyncRead, {132, 0, 4, 0, 1, 2}),
       packet2(kBroadcast, instruction::kFastBulkRead, {1, 132, 0, 4, 0, 2, 37, 0, 2, 0}),
       packet2(1, instruction::kReboot), packet2(2, instruction::kWrite, {30, 0, 1, 2}),
       packet1(7, instruction::kRegWrite, {30, 1, 2}), packet1(kBroadcast, instruction::kAction)},
      5);
  for (size_t i = 0; i < inputs(); ++i) {
    if (i % 1000 == 0) {  // what the nonsense switched off
      emulator.advance_to(emulator.now() + 0.3);
      emulator.transmit(power.data(), power.size());
    }
    const Bytes& bytes = mutator.next();
    emulator.transmit(bytes.data(), bytes.size());
    emulator.replies().clear();
    emulator.advance_to(emulator.now() + 1e-4);
  }
  EXPECT_GT(emulator.counters().instructions, inputs() / 10) << "most of it must get past the parser";
}

/// The emulated line, until somebody babbles on it.
class BabblingPort : public BusPort {
 public:
  explicit BabblingPort(BusPort& line) : line_(line), time_(line.now()) {}

  void babble(bool on) {
    babbling_ = on;
    heard_.clear();
    on ? void(time_ = line_.now()) : line_.sleep_until(time_);
  }

  bool open() override { return babbling_ || line_.open(); }
  void close() override {}
  std::string error() const override { return ""; }
  double now() const override { return babbling_ ? time_ : line_.now(); }
  void sleep_until(double time) override {
    if (!babbling_) return line_.sleep_until(time);
    time_ = std::max(time_, time);
  }
  bool write(const uint8_t* bytes, size_t size) override {
    if (!babbling_) return line_.write(bytes, size);
    time_ += static_cast<double>(size) * kSecondsPerByte;
    for (uint32_t n = 1 + mutator_.random(3); n > 0; --n) {
      const Bytes& babble = mutator_.next();
      heard_.insert(heard_.end(), babble.begin(), babble.end());
      ++said;
    }
    return true;
  }
  int read(uint8_t* bytes, size_t capacity, double deadline) override {
    if (!babbling_) return line_.read(bytes, capacity, deadline);
    if (heard_.empty()) {
      time_ = std::max(time_, deadline);
      return 0;
    }
    const size_t count = std::min<size_t>({capacity, heard_.size(), 1 + mutator_.random(64)});
    std::copy(heard_.begin(), heard_.begin() + static_cast<std::ptrdiff_t>(count), bytes);
    heard_.erase(heard_.begin(), heard_.begin() + static_cast<std::ptrdiff_t>(count));
    time_ += static_cast<double>(count) * kSecondsPerByte;
    return static_cast<int>(count);
  }
  void discard_input() override { babbling_ ? heard_.clear() : line_.discard_input(); }

  size_t said = 0;  // packets

 private:
  static std::vector<Bytes> answers() {
    std::vector<Bytes> valid{packet1(200, 0, Bytes(21, 7)),
                             packet1(200, 0),
                             packet1(200, 0, {0x00, 0x73, 0x13}),
                             packet1(200, 0, {1}),
                             packet1(111, 0, Bytes(8, 9)),
                             packet1(13, 0x24, {1, 2, 3, 4}),
                             packet2(13, instruction::kStatus, {0, 30, 0, 41})};
    Bytes together;  // of the fast servos 16 to 20
    for (uint8_t id = 16; id <= 20; ++id)
      for (const uint8_t byte : Bytes{0, id, 0, 0, 0, 0, 0, 8, 0, 0, 1, 2}) together.push_back(byte);
    together.resize(together.size() - 2);
    valid.push_back(packet2(kBroadcast, instruction::kStatus, together));
    for (uint8_t id = 16; id <= 20; ++id) {
      valid.push_back(packet2(id, instruction::kStatus, {0x80, 0, 0, 0, 0, 0, 8, 0, 0}));
      valid.push_back(packet2(id, instruction::kStatus, Bytes(22, 0)));
      valid.push_back(packet2(id, instruction::kStatus, {0, 0x20}));
    }
    for (uint8_t id = 1; id <= 20; ++id) {
      valid.push_back(packet1(id, 0, {0x00, 0x08, 0, 0}));
      valid.push_back(packet1(id, 0, {0x00, 0x08, 0, 0, 0, 0, 120, 35}));
    }
    return valid;
  }

  BusPort& line_;
  bool babbling_ = false;
  double time_;
  Bytes heard_;
  Mutator mutator_{answers(), 77};
};

TEST(Fuzz, TheDriverSurvivesAnyBytesFromTheBus) {
  EmulatorConfig config = EmulatorConfig::darwin();
  for (size_t i = 15; i < 20; ++i) config.servos[i].model = servo_model("XM430-W350").value();
  EmulatedRobot robot(config);
  BabblingPort port(robot.port);
  auto params = EmulatedRobot::params(robot.config);
  params.fast_read = true;
  BusDriver driver(port, EmulatedRobot::specs(robot.config), params);
  while (driver.state() != BusState::Running) driver.cycle();
  for (size_t i = 0; i < driver.size(); ++i) driver.command(i).torque = true;
  for (size_t until = 0; until < inputs();) {
    port.babble(true);
    for (until += 10'000; port.said < until;) {
      driver.cycle();
      driver.take_events();
      for (size_t i = 0; i < driver.size(); ++i) ASSERT_TRUE(std::abs(driver.joint(i).position) < 1000.0);
    }
    port.babble(false);  // and it is well again, whatever it has heard
    int cycles = 0;
    while (driver.state() != BusState::Running && cycles++ < 20) driver.cycle();
    ASSERT_EQ(driver.state(), BusState::Running);
  }
}

}  // namespace
}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
// The emulator is checked by a host that knows nothing of it: the Dynamixel SDK.
#include <dynamixel_sdk/dynamixel_sdk.h>
#include <gtest/gtest.h>

#include "emulated_robot.hpp"

namespace hl_hardware_cm730 {
namespace {

/// The SDK's port in bus time.
class SdkPort : public dynamixel::PortHandler {
 public:
  explicit SdkPort(Emulator& emulator) : port_(emulator) { port_.open(); }
  bool openPort() override { return true; }
  void closePort() override {}
  void clearPort() override { port_.discard_input(); }
  void setPortName(const char*) override {}
  char* getPortName() override { return name_; }
  bool setBaudRate(const int) override { return true; }
  int getBaudRate() override { return 1000000; }
  int getBytesAvailable() override { return 0; }
  int readPort(uint8_t* packet, int length) override {
    return port_.read(packet, static_cast<size_t>(length), deadline_);
  }
  int writePort(uint8_t* packet, int length) override {
    return port_.write(packet, static_cast<size_t>(length)) ? length : -1;
  }
  void setPacketTimeout(uint16_t length) override { setPacketTimeout(length * 0.01 + 5.0); }
  void setPacketTimeout(double msec) override { deadline_ = port_.now() + msec * 1e-3; }
  bool isPacketTimeout() override { return port_.now() >= deadline_; }
  EmulatedPort& port() { return port_; }

 private:
  EmulatedPort port_;
  double deadline_ = 0.0;
  char name_[9] = "emulated";
};

class Emulated : public testing::Test {
 protected:
  explicit Emulated(EmulatorConfig config = EmulatorConfig::darwin())
      : robot(std::move(config)), host(robot.emulator) {}

  void power_on() {
    ASSERT_EQ(v1->write1ByteTxRx(&host, 200, kBoardPower, 1), COMM_SUCCESS);
    host.port().sleep_until(host.port().now() + 0.3);
  }

  EmulatedRobot robot;
  SdkPort host;
  dynamixel::PacketHandler* v1 = dynamixel::PacketHandler::getPacketHandler(1.0f);
  dynamixel::PacketHandler* v2 = dynamixel::PacketHandler::getPacketHandler(2.0f);
};

TEST_F(Emulated, ServosAreSilentUntilTheBoardPowersThem) {
  uint16_t model = 0;
  EXPECT_EQ(v1->ping(&host, 200, &model), COMM_SUCCESS);
  EXPECT_EQ(model, 0x7300);
  EXPECT_EQ(v1->ping(&host, 1), COMM_RX_TIMEOUT);
  power_on();
  for (uint8_t id = 1; id <= 20; ++id) {
    EXPECT_EQ(v1->ping(&host, id, &model), COMM_SUCCESS);
    EXPECT_EQ(model, 29);
  }
  EXPECT_EQ(v1->ping(&host, 111, &model), COMM_SUCCESS);
  EXPECT_EQ(model, fsr_register::kModelNumber);
  EXPECT_EQ(v1->ping(&host, 21), COMM_RX_TIMEOUT);
  EXPECT_EQ(v2->ping(&host, 1), COMM_RX_TIMEOUT) << "protocol 1.0 firmware does not hear protocol 2.0";
}

TEST_F(Emulated, AServoMovesToItsGoal) {
  power_on();
  uint8_t torque = 1;
  EXPECT_EQ(v1->read1ByteTxRx(&host, 13, servo_register::kTorqueEnable, &torque), COMM_SUCCESS);
  EXPECT_EQ(torque, 0);
  EXPECT_EQ(v1->write2ByteTxRx(&host, 13, servo_register::kGoalPosition, 2653), COMM_SUCCESS);
  EXPECT_EQ(v1->read1ByteTxRx(&host, 13, servo_register::kTorqueEnable, &torque), COMM_SUCCESS);
  EXPECT_EQ(torque, 1) << "a goal switches torque on";
  uint16_t before = 0, after = 0;
  v1->read2ByteTxRx(&host, 13, servo_register::kPresentPosition, &before);
  host.port().sleep_until(host.port().now() + 1.0);
  v1->read2ByteTxRx(&host, 13, servo_register::kPresentPosition, &after);
  EXPECT_LT(before, 2653);
  EXPECT_NEAR(after, 2653, 3);
}

TEST_F(Emulated, BulkReadAnswersInOrderAndStopsAtASilentDevice) {
  power_on();
  dynamixel::GroupBulkRead group(&host, v1);
  group.addParam(200, 38, 12);
  for (uint8_t id = 1; id <= 3; ++id) group.addParam(id, 36, 4);
  EXPECT_EQ(group.txRxPacket(), COMM_SUCCESS);
  EXPECT_EQ(group.getData(200, 48, 2), 640u) << "1 g on the z axis";
  robot.emulator.faults().device[2].mute = true;
  EXPECT_EQ(group.txRxPacket(), COMM_RX_TIMEOUT);
  // ROBOTIS' SDK gives nothing of a read that was not answered by all, though device 1 has answered.
  for (const uint8_t id : {200, 1, 2, 3}) EXPECT_FALSE(group.isAvailable(id, id == 200 ? 48 : 36, 2)) << int(id);
  uint16_t position = 0;
  EXPECT_EQ(v1->read2ByteTxRx(&host, 1, 36, &position), COMM_SUCCESS);
}

TEST_F(Emulated, RegWriteWaitsForAction) {
  power_on();
  uint8_t goal[] = {0x5D, 0x0A};
  EXPECT_EQ(v1->regWriteTxRx(&host, 13, 30, 2, goal), COMM_SUCCESS);
  EXPECT_NE(robot.emulator.peek(13, 31), 0x0A);
  EXPECT_EQ(v1->action(&host, BROADCAST_ID), COMM_SUCCESS);
  EXPECT_EQ(robot.emulator.peek(13, 31), 0x0A);
}

TEST_F(Emulated, StatusErrorsTellWhatWasWrong) {
  power_on();
  uint8_t error = 0;
  v1->write2ByteTxRx(&host, 13, servo_register::kCcwLimit, 3000);
  v1->write2ByteTxRx(&host, 13, servo_register::kGoalPosition, 3500, &error);
  EXPECT_EQ(error, error_bit::kAngleLimit);
  v1->write2ByteTxRx(&host, 13, servo_register::kPresentPosition, 1, &error);
  EXPECT_EQ(error, error_bit::kRange);
  Bytes odd(250);
  odd[2] = 13;
  odd[3] = 2;
  odd[4] = 0x40;
  Bytes answer(250);
  v1->txRxPacket(&host, odd.data(), answer.data(), &error);
  EXPECT_EQ(error, error_bit::kInstruction);
  robot.emulator.faults().device[13].temperature = 95.0;
  v1->ping(&host, 13, &error);
  EXPECT_EQ(error, error_bit::kOverheating);
  robot.emulator.faults().voltage = 8.0;
  robot.emulator.poke(13, servo_register::kMinVoltage, 90);
  v1->ping(&host, 13, &error);
  EXPECT_EQ(error, error_bit::kOverheating | error_bit::kVoltage);
  Bytes damaged = packet1(14, instruction::kPing);
  damaged.back() ^= 1;
  host.clearPort();
  host.writePort(damaged.data(), static_cast<int>(damaged.size()));
  host.setPacketTimeout(5.0);
  EXPECT_EQ(v1->rxPacket(&host, answer.data()), COMM_SUCCESS);
  EXPECT_EQ(answer[4] & error_bit::kChecksum, error_bit::kChecksum);
}

TEST_F(Emulated, TheWireTakesTenMicrosecondsPerByteAndTheReturnDelay) {
  power_on();
  const double start = host.port().now();
  EXPECT_EQ(v1->ping(&host, 13), COMM_SUCCESS);
  EXPECT_NEAR(host.port().now() - start, 12 * 10e-6 + 500e-6, 1e-7);
  v1->write1ByteTxRx(&host, 13, common_register::kReturnDelay, 0);
  const double again = host.port().now();
  EXPECT_EQ(v1->ping(&host, 13), COMM_SUCCESS);
  EXPECT_NEAR(host.port().now() - again, 12 * 10e-6, 1e-7);
}

TEST_F(Emulated, SpeakingWhileADeviceAnswersIsACollision) {
  power_on();
  const Bytes ping = packet1(13, instruction::kPing);
  host.port().write(ping.data(), ping.size());
  host.port().write(ping.data(), ping.size());
  EXPECT_EQ(robot.emulator.counters().collisions, 1u);
}

TEST_F(Emulated, ButtonsImuAndFeet) {
  power_on();
  robot.emulator.press(false, true);
  robot.physics->body_mutable().gyro = {0.5, -1.0, 2.0};
  uint8_t buttons = 0;
  v1->read1ByteTxRx(&host, 200, 30, &buttons);
  EXPECT_EQ(buttons, 2);
  uint16_t z = 0, y = 0, x = 0;
  v1->read2ByteTxRx(&host, 200, 38, &z);
  v1->read2ByteTxRx(&host, 200, 40, &y);
  v1->read2ByteTxRx(&host, 200, 42, &x);
  EXPECT_GT(z, 512);
  EXPECT_GT(y, 512) << "the board's y axis is the body's negative one";
  EXPECT_LT(x, 512);
  uint16_t cell = 0;
  v1->read2ByteTxRx(&host, 112, 26, &cell);
  EXPECT_EQ(cell, 3750) << "30 N on eight cells, in mN";
}

class EmulatedNewFirmware : public Emulated {
 protected:
  EmulatedNewFirmware() : Emulated(config()) {}
  static EmulatorConfig config() {
    EmulatorConfig c = EmulatorConfig::darwin();
    c.servos[0].protocol = c.servos[1].protocol = Protocol::V2;
    c.firmware = BoardFirmware::NimbRo;
    return c;
  }
};

TEST_F(EmulatedNewFirmware, SpeaksProtocol2) {
  power_on();
  uint16_t model = 0;
  EXPECT_EQ(v1->ping(&host, 200, &model), COMM_SUCCESS);
  EXPECT_EQ(model, 0x7301);
  EXPECT_EQ(v1->ping(&host, 1), COMM_RX_TIMEOUT);
  EXPECT_EQ(v2->ping(&host, 1, &model), COMM_SUCCESS);
  EXPECT_EQ(model, 30);
  EXPECT_EQ(v2->write1ByteTxRx(&host, 1, 64, 1), COMM_SUCCESS);
  dynamixel::GroupSyncWrite write(&host, v2, 116, 4);
  uint8_t goal[] = {0x5D, 0x0A, 0, 0};
  write.addParam(1, goal);
  write.addParam(2, goal);
  EXPECT_EQ(write.txPacket(), COMM_SUCCESS);
  host.port().sleep_until(host.port().now() + 1.0);
  dynamixel::GroupSyncRead read(&host, v2, 132, 4);
  read.addParam(1);
  read.addParam(2);
  EXPECT_EQ(read.txRxPacket(), COMM_SUCCESS);
  EXPECT_NEAR(read.getData(1, 132, 4), 2653, 3);
  EXPECT_EQ(read.getData(2, 132, 4), 2048u) << "no torque, no motion";
}

TEST(Faults, LinesAreCheckedAndHealed) {
  Faults faults;
  EXPECT_EQ(faults.apply("mute 13"), "");
  EXPECT_TRUE(faults.device[13].mute);
  EXPECT_EQ(faults.apply("delay 4 0.01"), "");
  EXPECT_EQ(faults.apply("heal 13"), "");
  EXPECT_FALSE(faults.device[13].mute);
  EXPECT_GT(faults.device[4].delay, 0.0);
  EXPECT_EQ(faults.apply("heal"), "");
  EXPECT_EQ(faults.device[4].delay, 0.0);
  for (const char* line : {"", "mute", "mute 300", "mute x", "corrupt_reply 2", "voltage -1", "explode 3", "delay 3"}) {
    EXPECT_NE(faults.apply(line), "") << line;
  }
}

}  // namespace
}  // namespace hl_hardware_cm730

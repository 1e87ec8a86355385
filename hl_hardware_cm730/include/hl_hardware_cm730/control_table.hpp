// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <hl_description/geometry.hpp>
#include <optional>
#include <string>

#include "hl_hardware_cm730/servo_table.hpp"

/// Register addresses and the meaning of their values (control tables of the CM-730, the MX servos, the FSR boards).
namespace hl_hardware_cm730 {

using hl_description::kGravity;

constexpr double kPi = 3.14159265358979323846;

namespace common_register {  // the same on every device
constexpr uint8_t kModel = 0;
constexpr uint8_t kFirmware = 2;
constexpr uint8_t kId = 3;
constexpr uint8_t kBaud = 4;
constexpr uint8_t kReturnDelay = 5;  // 2 us
constexpr uint8_t kReturnLevel = 16;
constexpr uint8_t kFirstRam = 24;  // below it is EEPROM
}  // namespace common_register

namespace servo_register {  // MX-28, MX-64, MX-106, protocol 1.0 firmware
constexpr uint8_t kCwLimit = 6;
constexpr uint8_t kCcwLimit = 8;
constexpr uint8_t kTemperatureLimit = 11;
constexpr uint8_t kMinVoltage = 12;
constexpr uint8_t kMaxVoltage = 13;
constexpr uint8_t kMaxTorque = 14;
constexpr uint8_t kAlarmLed = 17;
constexpr uint8_t kShutdown = 18;
constexpr uint8_t kTorqueEnable = 24;
constexpr uint8_t kLed = 25;
constexpr uint8_t kDGain = 26;
constexpr uint8_t kIGain = 27;
constexpr uint8_t kPGain = 28;
constexpr uint8_t kGoalPosition = 30;
constexpr uint8_t kMovingSpeed = 32;
constexpr uint8_t kTorqueLimit = 34;
constexpr uint8_t kPresentPosition = 36;
constexpr uint8_t kPresentSpeed = 38;
constexpr uint8_t kPresentLoad = 40;
constexpr uint8_t kVoltage = 42;
constexpr uint8_t kTemperature = 43;
constexpr uint8_t kRegistered = 44;
constexpr uint8_t kMoving = 46;
constexpr uint8_t kLock = 47;
constexpr uint8_t kTableSize = 74;
}  // namespace servo_register

namespace fsr_register {
constexpr uint8_t kCell1 = 26;  // four words, mN
constexpr uint8_t kCentreX = 34;
constexpr uint8_t kCentreY = 35;
constexpr uint8_t kVoltage = 42;
constexpr uint16_t kModelNumber = 0x0154;
/// Numbers of the cells at the front left, front right, back left and back right of the left and of the right foot.
/// They count clockwise, and the left board is mounted the other way round than the right one; so far all drivers
/// agree. Which cell is the first is not documented, and they differ: this is the order of NUbots' driver for the
/// DARwIn-OP.
constexpr int kCellAt[2][4] = {{3, 4, 2, 1}, {1, 2, 4, 3}};
}  // namespace fsr_register

/// The two firmwares a CM-730 may run.
enum class BoardFirmware : uint8_t { Stock, NimbRo };

/// Where the board keeps what the driver reads every cycle. `first`..`first + size` is one block.
struct BoardMap {
  BoardFirmware firmware;
  uint16_t model;
  uint8_t first, size;        // block of a cycle: buttons, voltage, gyro, accelerometer
  uint8_t buttons, voltage;   // addresses
  uint8_t gyro[3], accel[3];  // addresses of body x, y, z
  int gyro_sign[3], accel_sign[3];
  bool centred;       // raw values are 0..1023 about 512; otherwise signed 16 bit about 0
  double full_scale;  // raw value, from the centre, at the end of a sensor's range
};

constexpr uint8_t kBoardPower = 24;     // servo supply
constexpr uint8_t kBoardLedPanel = 25;  // bits 0..2
constexpr uint8_t kBoardLedHead = 26;   // 15 bit colour
constexpr uint8_t kBoardLedEye = 28;
constexpr uint8_t kBoardTableSize = 81;

/// Stock firmware: gyro is stored Z, Y, X; the accelerometer's x axis points right, its y axis forward.
constexpr BoardMap kStockBoard{BoardFirmware::Stock, 0x7300,       30,           21,           30,   50,
                               {42, 40, 38},         {46, 44, 48}, {-1, -1, +1}, {+1, -1, +1}, true, 512.0};
/// NimbRo firmware: signed values in body axes. Their scale depends on the sensors that a board carries; assumed is
/// that 32768 is the end of the range that the driver is told (`gyro_range`, `accel_range`).
constexpr BoardMap kNimbroBoard{BoardFirmware::NimbRo, 0x7301,       30,           14,           30,    31,
                                {32, 34, 36},          {38, 40, 42}, {+1, +1, +1}, {+1, +1, +1}, false, 32768.0};

constexpr const BoardMap& board_map(BoardFirmware firmware) {
  return firmware == BoardFirmware::Stock ? kStockBoard : kNimbroBoard;
}

/// A servo of servos.yaml whose registers the driver knows; these are the first, servo_model() finds the others.
enum class ServoModel : uint8_t { Mx28, Mx64, Mx106 };

struct ServoData {
  std::string name;
  uint16_t number;          // model register
  const ServoTable* table;  // its registers
  double stall_torque;      // N m at 12 V
  double no_load_speed;     // rad/s at 12 V
  double stall_current;     // A
};

const ServoData& data(ServoModel model);
std::optional<ServoModel> servo_model(const std::string& name);  // "MX-28", ...
std::string known_servos();                                      // all names, for messages
std::string model_name(uint16_t number);                         // of any known device, else "unknown model 1234"

// ---- values -------------------------------------------------------------------------------------------------------

constexpr int kTicksPerTurn = 4096;
constexpr int kCentreTick = 2048;
constexpr double kRadPerTick = 2.0 * kPi / kTicksPerTurn;
constexpr double kRadPerSecondPerLsb = 0.114 * 2.0 * kPi / 60.0;
constexpr int kFullScale = 1023;  // of speed, load and torque registers

/// Speed and load carry their sign in bit 10.
inline int signed10(int raw) {
  return raw & 0x400 ? -(raw & 0x3FF) : raw & 0x3FF;
}
inline int raw10(int value) {
  return std::min(std::abs(value), kFullScale) | (value < 0 ? 0x400 : 0);
}

constexpr int word(const uint8_t* bytes) {
  return bytes[0] | bytes[1] << 8;
}
inline void put_word(uint8_t* bytes, int value) {
  bytes[0] = static_cast<uint8_t>(value);
  bytes[1] = static_cast<uint8_t>(value >> 8);
}

/// 15 bit colour of the head and eye lamps; components 0..1.
inline int lamp_colour(double red, double green, double blue) {
  const auto five = [](double c) { return static_cast<int>(std::lround(std::clamp(c, 0.0, 1.0) * 31.0)); };
  return five(red) | five(green) << 5 | five(blue) << 10;
}

}  // namespace hl_hardware_cm730

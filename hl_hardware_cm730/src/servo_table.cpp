// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/servo_table.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "hl_hardware_cm730/control_table.hpp"

namespace hl_hardware_cm730 {
namespace {

constexpr double kRpm = 2.0 * kPi / 60.0;
constexpr double kDeliveredP = 32.0, kDeliveredSlope = 32.0;

constexpr ServoTable kMx = [] {
  ServoTable t{};
  t.name = "MX";
  t.protocol = Protocol::V1;
  t.size = servo_register::kTableSize;
  t.first_ram = common_register::kFirstRam;
  t.id = common_register::kId;
  t.return_delay = common_register::kReturnDelay;
  t.baud = common_register::kBaud;
  t.return_level = {common_register::kReturnLevel, 1};
  t.torque_enable = {servo_register::kTorqueEnable, 1};
  t.d_gain = {servo_register::kDGain, 1};
  t.i_gain = {servo_register::kIGain, 1};
  t.p_gain = {servo_register::kPGain, 1};
  t.goal_position = {servo_register::kGoalPosition, 2};
  t.speed_limit = {servo_register::kMovingSpeed, 2};
  t.torque_limit = {servo_register::kTorqueLimit, 2};
  t.position = {servo_register::kPresentPosition, 2};
  t.velocity = {servo_register::kPresentSpeed, 2};
  t.load = {servo_register::kPresentLoad, 2};
  t.voltage = {servo_register::kVoltage, 1};
  t.temperature = {servo_register::kTemperature, 1};
  t.ticks_per_turn = kTicksPerTurn;
  t.centre = kCentreTick;
  t.last_tick = kTicksPerTurn - 1;
  t.velocity_unit = kRadPerSecondPerLsb;
  t.sign_in_bit_10 = true;
  t.full_torque = kFullScale;
  t.load_unit = 1.0 / kFullScale;
  t.p_unit = 1.0;
  t.bulk_read = true;
  return t;
}();

/// 300 degrees in 1024 steps; no gains and no bulk read.
constexpr ServoTable kAx = [] {
  ServoTable t = kMx;
  t.name = "AX";
  t.size = 50;
  t.d_gain = t.i_gain = {};
  t.p_gain = {servo_register::kPGain, 1};  // slope, clockwise; the other one follows
  t.ticks_per_turn = 1024.0 * 360.0 / 300.0;
  t.centre = 512;
  t.last_tick = 1023;
  t.velocity_unit = 0.111 * kRpm;
  t.compliance = true;
  t.bulk_read = false;
  return t;
}();

/// XL430, and MX-28 with firmware for protocol 2.0.
constexpr ServoTable kXLoad = [] {
  ServoTable t{};
  t.name = "X-load";
  t.protocol = Protocol::V2;
  t.size = 147;
  t.first_ram = 64;
  t.id = 7;
  t.baud = 8;
  t.return_delay = 9;
  t.operating_mode = {11, 1};
  t.return_level = {68, 1};
  t.torque_enable = {64, 1};
  t.hardware_error = {70, 1};
  t.d_gain = {80, 2};
  t.i_gain = {82, 2};
  t.p_gain = {84, 2};
  t.torque_limit = {100, 2};  // goal PWM
  t.speed_limit = {112, 4};   // profile velocity
  t.goal_position = {116, 4};
  t.load = {126, 2};
  t.velocity = {128, 4};
  t.position = {132, 4};
  t.voltage = {144, 2};
  t.temperature = {146, 1};
  t.ticks_per_turn = 4096;
  t.centre = 2048;
  t.last_tick = 4095;
  t.velocity_unit = 0.229 * kRpm;
  t.full_torque = 885;
  t.load_unit = 1e-3;
  t.p_unit = 800.0 / 32.0;
  t.bulk_read = true;
  return t;
}();

/// XM, XH: they measure the current.
constexpr ServoTable kXCurrent = [] {
  ServoTable t = kXLoad;
  t.name = "X-current";
  t.load_is_current = true;
  t.load_unit = 2.69e-3;
  return t;
}();

/// MX-64, MX-106 with firmware for protocol 2.0.
constexpr ServoTable kMx2Current = [] {
  ServoTable t = kXCurrent;
  t.name = "MX2-current";
  t.load_unit = 3.36e-3;
  t.p_unit = 850.0 / 32.0;
  return t;
}();

constexpr ServoTable kXl320 = [] {
  ServoTable t{};
  t.name = "XL320";
  t.protocol = Protocol::V2;
  t.size = 54;
  t.first_ram = 24;
  t.id = 3;
  t.baud = 4;
  t.return_delay = 5;
  t.operating_mode = {};  // register 11 has other meanings
  t.return_level = {17, 1};
  t.torque_enable = {24, 1};
  t.d_gain = {27, 1};
  t.i_gain = {28, 1};
  t.p_gain = {29, 1};
  t.goal_position = {30, 2};
  t.speed_limit = {32, 2};
  t.torque_limit = {35, 2};
  t.position = {37, 2};
  t.velocity = {39, 2};
  t.load = {41, 2};
  t.voltage = {45, 1};
  t.temperature = {46, 1};
  t.hardware_error = {50, 1};
  t.ticks_per_turn = 1024.0 * 360.0 / 300.0;
  t.centre = 512;
  t.last_tick = 1023;
  t.velocity_unit = 0.111 * kRpm;
  t.sign_in_bit_10 = true;
  t.full_torque = 1023;
  t.load_unit = 1.0 / 1023.0;
  t.p_unit = 1.0;
  t.bulk_read = true;
  return t;
}();

Block span(std::initializer_list<Register> registers) {
  uint16_t first = 0xFFFF;
  int end = 0;
  for (const Register& r : registers) {
    first = std::min(first, r.address);
    end = std::max(end, r.address + r.size);
  }
  return {first, static_cast<uint16_t>(end - first)};
}

int signed_raw(const ServoTable& table, int value, int most) {
  value = std::clamp(value, -most, most);
  return table.sign_in_bit_10 ? raw10(value) : value;
}

}  // namespace

Block ServoTable::fast(bool with_velocity) const {
  return with_velocity ? span({position, velocity}) : span({position});
}

Block ServoTable::slow() const {
  return span({position, velocity, load, voltage, temperature});
}

const ServoTable* servo_table(const std::string& name) {
  for (const ServoTable* table : {&kMx, &kAx, &kXLoad, &kXCurrent, &kMx2Current, &kXl320})
    if (name == table->name) return table;
  return nullptr;
}

int register_value(const uint8_t* bytes, uint8_t size) {
  if (size == 1) return bytes[0];
  if (size == 2) return word(bytes);
  return static_cast<int>(static_cast<uint32_t>(word(bytes)) | static_cast<uint32_t>(word(bytes + 2)) << 16);
}

void put_register(uint8_t* bytes, uint8_t size, int value) {
  for (uint8_t i = 0; i < size; ++i) bytes[i] = static_cast<uint8_t>(static_cast<uint32_t>(value) >> (8 * i));
}

double position_of(const ServoTable& table, int raw) {
  return (raw - table.centre) * 2.0 * kPi / table.ticks_per_turn;
}

int raw_position(const ServoTable& table, double rad) {
  const double ticks = std::round(rad * table.ticks_per_turn / (2.0 * kPi)) + table.centre;
  return static_cast<int>(std::clamp(ticks, 0.0, static_cast<double>(table.last_tick)));
}

double velocity_of(const ServoTable& table, int raw) {
  return (table.sign_in_bit_10 ? signed10(raw) : raw) * table.velocity_unit;
}

int raw_velocity(const ServoTable& table, double rad_per_second) {
  return signed_raw(table, static_cast<int>(std::lround(rad_per_second / table.velocity_unit)), 1023);
}

double load_of(const ServoTable& table, int raw, double stall_current) {
  const int value = table.sign_in_bit_10 ? signed10(raw) : static_cast<int16_t>(raw);
  return value * table.load_unit / (table.load_is_current ? stall_current : 1.0);
}

int raw_load(const ServoTable& table, double share, double stall_current) {
  const double unit = table.load_unit / (table.load_is_current ? stall_current : 1.0);
  return signed_raw(table, static_cast<int>(std::lround(share / unit)), table.sign_in_bit_10 ? 1023 : 32767);
}

int raw_speed_limit(const ServoTable& table, double rad_per_second) {
  if (!(rad_per_second > 0.0)) return 0;
  return std::clamp(static_cast<int>(std::lround(rad_per_second / table.velocity_unit)), 1, kFullScale);
}

int raw_torque_limit(const ServoTable& table, double share) {
  return std::clamp(static_cast<int>(std::lround(share * table.full_torque)), 0, table.full_torque);
}

int raw_p_gain(const ServoTable& table, double p) {
  if (table.compliance)
    return std::clamp(static_cast<int>(std::lround(kDeliveredSlope * kDeliveredP / std::max(p, 1.0))), 1, 254);
  const int most = table.p_gain.size == 1 ? 254 : 16383;
  return std::clamp(static_cast<int>(std::lround(p * table.p_unit)), 0, most);
}

double p_of(const ServoTable& table, int raw) {
  return table.compliance ? kDeliveredSlope * kDeliveredP / std::max(raw, 1) : raw / table.p_unit;
}

}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
// Control tables: what the host reads is measured then, what it writes takes effect at once.
#include <algorithm>
#include <cmath>

#include "emulator_device.hpp"

namespace hl_hardware_cm730 {
namespace {

namespace reg = servo_register;
namespace reg2 = servo2_register;

bool writable1(size_t address) {
  if (address < 3 || (address >= reg::kPresentPosition && address <= reg::kMoving)) return false;
  return true;
}

void put_double_word(uint8_t* bytes, int value) {
  put_word(bytes, value & 0xFFFF);
  put_word(bytes + 2, value >> 16);
}

int double_word(const uint8_t* bytes) {
  return static_cast<int>(static_cast<uint32_t>(word(bytes)) | static_cast<uint32_t>(word(bytes + 2)) << 16);
}

}  // namespace

/// RAM as after power-on; the goal is where the servo stands.
void Emulator::power_cycle_servos() {
  for (auto& device : devices_) {
    if (device->kind != Device::Kind::Servo) continue;
    Device& servo = *device;
    servo.overloaded = false;
    const int ticks = ticks_from_position(physics_->servos()[servo.index].position);
    if (servo.protocol == Protocol::V1) {
      std::fill(servo.table.begin() + common_register::kFirstRam, servo.table.end(), 0);
      servo.table[reg::kPGain] = 32;
      put_word(&servo.table[reg::kGoalPosition], ticks);
      put_word(&servo.table[reg::kTorqueLimit], word(&servo.table[reg::kMaxTorque]));
    } else {
      std::fill(servo.table.begin() + reg2::kTorqueEnable, servo.table.end(), 0);
      put_word(&servo.table[reg2::kPositionP], 850);
      put_double_word(&servo.table[reg2::kGoalPosition], ticks);
    }
    apply_registers(servo);
  }
}

void Emulator::apply_registers(Device& device) {
  if (device.kind != Device::Kind::Servo) return;
  ServoCommand& command = commands_[device.index];
  const auto& table = device.table;
  if (device.protocol == Protocol::V2) {
    command.torque = table[reg2::kTorqueEnable] != 0;
    command.p = word(&table[reg2::kPositionP]) * 32 / 850;
    command.goal = position_from_ticks(double_word(&table[reg2::kGoalPosition]));
    return;
  }
  command.torque = table[reg::kTorqueEnable] != 0 && !device.overloaded;
  command.d = table[reg::kDGain];
  command.i = table[reg::kIGain];
  command.p = table[reg::kPGain];
  command.goal = position_from_ticks(word(&table[reg::kGoalPosition]));
  command.speed_limit = word(&table[reg::kMovingSpeed]) * kRadPerSecondPerLsb;
  command.torque_limit = static_cast<double>(word(&table[reg::kTorqueLimit])) / kFullScale;
}

bool Emulator::reply_read(Device& device, size_t address, size_t size) {
  if (address + size > device.table_size || size == 0) return reply(device, error_bit::kRange, nullptr, 0);
  refresh(device);
  return reply(device, 0, &device.table[address], size);
}

void Emulator::read_board(Device& device) {
  const BoardMap& map = board_map(config_.firmware);
  const BodyState& body = physics_->body();
  device.table[map.buttons] = static_cast<uint8_t>((mode_ ? 1 : 0) | (start_ ? 2 : 0));
  device.table[map.voltage] = static_cast<uint8_t>(std::lround(supply() * 10.0));
  const auto put = [&](uint8_t address, double value) {
    const double low = map.centred ? 0.0 : -32768.0;
    const double high = map.centred ? 1023.0 : 32767.0;
    put_word(&device.table[address],
             static_cast<int>(std::lround(std::clamp(value + (map.centred ? 512.0 : 0.0), low, high))));
  };
  for (size_t axis = 0; axis < 3; ++axis) {
    put(map.gyro[axis], map.gyro_sign[axis] * body.gyro[axis] / config_.gyro_range * map.full_scale);
    put(map.accel[axis], map.accel_sign[axis] * body.accel[axis] / config_.accel_range * map.full_scale);
  }
}

void Emulator::refresh(Device& device) {
  auto& table = device.table;
  if (device.kind == Device::Kind::Board) return read_board(device);
  if (device.kind == Device::Kind::Foot) {
    const auto& cells = physics_->body().feet[device.index];
    double sum = 0.0;
    for (size_t i = 0; i < 4; ++i) {
      const auto number = static_cast<size_t>(fsr_register::kCellAt[device.index][i] - 1);
      put_word(&table[fsr_register::kCell1 + 2 * number], static_cast<int>(std::clamp(cells[i] * 1e3, 0.0, 65535.0)));
      sum += cells[i];
    }
    // front left, front right, back left, back right; x from the inner to the outer edge, y as the board is mounted
    const bool left = device.index == 0;
    const double outer = sum > 0.0 ? ((left ? cells[0] + cells[2] : cells[1] + cells[3]) / sum) : 0.0;
    const double front = sum > 0.0 ? (cells[0] + cells[1]) / sum : 0.0;
    table[fsr_register::kCentreX] = sum > 0.5 ? static_cast<uint8_t>(std::lround(outer * 254.0)) : 255;
    table[fsr_register::kCentreY] =
        sum > 0.5 ? static_cast<uint8_t>(std::lround((left ? front : 1.0 - front) * 254.0)) : 255;
    table[fsr_register::kVoltage] = static_cast<uint8_t>(std::lround(supply() * 10.0));
    return;
  }
  const ServoState& state = physics_->servos()[device.index];
  const auto celsius = static_cast<uint8_t>(std::clamp(temperature(device), 0.0, 255.0));
  const int ticks = static_cast<int>(std::lround(state.position / kRadPerTick)) + kCentreTick;
  const int load = static_cast<int>(std::lround(state.load * kFullScale));
  if (device.protocol == Protocol::V2) {
    put_word(&table[reg2::kPresentLoad], load);
    put_double_word(&table[reg2::kPresentVelocity],
                    static_cast<int>(std::lround(state.velocity / (0.229 * 2.0 * kPi / 60.0))));
    put_double_word(&table[reg2::kPresentPosition], ticks);
    put_word(&table[reg2::kVoltage], static_cast<int>(std::lround(supply() * 10.0)));
    table[reg2::kTemperature] = celsius;
    table[reg2::kHardwareError] = device.overloaded ? 0x20 : 0;
    return;
  }
  put_word(&table[reg::kPresentPosition], std::clamp(ticks, 0, kTicksPerTurn - 1));
  put_word(&table[reg::kPresentSpeed], raw10(static_cast<int>(std::lround(state.velocity / kRadPerSecondPerLsb))));
  put_word(&table[reg::kPresentLoad], raw10(load));
  table[reg::kVoltage] = static_cast<uint8_t>(std::lround(supply() * 10.0));
  table[reg::kTemperature] = celsius;
  table[reg::kMoving] = std::abs(state.velocity) > kRadPerSecondPerLsb;
  table[reg::kRegistered] = device.registered.empty() ? 0 : 1;
}

uint8_t Emulator::write(Device& device, size_t address, const uint8_t* bytes, size_t size) {
  if (size == 0 || address + size > device.table_size) return error_bit::kRange;
  auto& table = device.table;
  if (device.kind == Device::Kind::Servo && device.protocol == Protocol::V1) {
    for (size_t i = 0; i < size; ++i) {
      if (!writable1(address + i)) return error_bit::kRange;
      if (address + i < common_register::kFirstRam && table[reg::kLock]) return error_bit::kInstruction;
    }
    const auto covers = [&](size_t at) { return address <= at && at + 2 <= address + size; };
    const auto value = [&](size_t at) { return word(bytes + (at - address)); };
    if (covers(reg::kGoalPosition)) {
      const int goal = value(reg::kGoalPosition);
      if (goal < word(&table[reg::kCwLimit]) || goal > word(&table[reg::kCcwLimit])) return error_bit::kAngleLimit;
    }
    for (const size_t at : {size_t{reg::kMovingSpeed}, size_t{reg::kTorqueLimit}, size_t{reg::kMaxTorque}}) {
      if (covers(at) && value(at) > kFullScale) return error_bit::kRange;
    }
    if (address <= reg::kTorqueEnable && reg::kTorqueEnable < address + size &&
        bytes[reg::kTorqueEnable - address] > 1) {
      return error_bit::kRange;
    }
    std::copy(bytes, bytes + size, table.begin() + static_cast<std::ptrdiff_t>(address));
    if (covers(reg::kGoalPosition)) {
      table[reg::kTorqueEnable] = 1;  // as the real ones do
      ++counters_.goal_writes;
    }
    if (device.overloaded && covers(reg::kTorqueLimit) && !faults_.device[device.id].overload) {
      device.overloaded = false;  // the torque limit restored brings it back
    }
    if (device.overloaded) table[reg::kTorqueEnable] = 0;
  } else {
    if (address < 2) return error_bit::kRange;
    std::copy(bytes, bytes + size, table.begin() + static_cast<std::ptrdiff_t>(address));
    if (device.kind == Device::Kind::Board && address <= kBoardPower && kBoardPower < address + size) {
      const bool on = table[kBoardPower] != 0;
      if (!on) {
        powered_at_ = -1.0;
        power_cycle_servos();
      } else if (powered_at_ < 0.0) {
        powered_at_ = now_;
      }
    }
  }
  const uint8_t id = table[device.id_register()];
  if (id != device.id) {
    if (by_id_[device.id] == &device) by_id_[device.id] = nullptr;
    device.id = id;
    by_id_[id] = &device;
  }
  apply_registers(device);
  return 0;
}

}  // namespace hl_hardware_cm730

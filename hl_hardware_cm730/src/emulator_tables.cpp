// SPDX-License-Identifier: Apache-2.0
// Control tables: what the host reads is measured then, what it writes takes effect at once.
#include <algorithm>
#include <cmath>

#include "emulator_device.hpp"

namespace hl_hardware_cm730 {
namespace {

namespace reg = servo_register;

constexpr double kDeliveredP = 32.0;

bool writable1(size_t address) {
  if (address < 3 || (address >= reg::kPresentPosition && address <= reg::kMoving)) return false;
  return true;
}

}  // namespace

/// As after power-on; the goal is where the servo stands.
void Emulator::reset_ram(Device& servo) {
  const ServoTable& table = *servo.registers;
  servo.overloaded = false;
  std::fill(servo.table.begin() + table.first_ram, servo.table.end(), 0);
  servo.set(table.p_gain, raw_p_gain(table, kDeliveredP));
  if (table.compliance) {  // margins before the slopes, which are the same to both sides
    servo.table[reg::kDGain] = servo.table[reg::kIGain] = 1;
    servo.table[table.p_gain.address + 1u] = servo.table[table.p_gain.address];
  }
  servo.set(table.goal_position, raw_position(table, physics_->servos()[servo.index].position));
  servo.set(table.torque_limit,
            table.protocol == Protocol::V1 ? word(&servo.table[reg::kMaxTorque]) : table.full_torque);
  if (table.return_level.address >= table.first_ram) servo.set(table.return_level, 2);
  apply_registers(servo);
}

void Emulator::power_cycle_servos() {
  for (auto& device : devices_) {
    if (device->kind == Device::Kind::Servo) reset_ram(*device);
  }
}

void Emulator::apply_registers(Device& device) {
  if (device.kind != Device::Kind::Servo) return;
  ServoCommand& command = commands_[device.index];
  const ServoTable& table = *device.registers;
  command.torque = device.value(table.torque_enable) != 0 && !device.overloaded;
  command.d = device.value(table.d_gain);
  command.i = device.value(table.i_gain);
  command.p = static_cast<int>(std::lround(p_of(table, device.value(table.p_gain))));
  command.goal = position_of(table, device.value(table.goal_position));
  command.speed_limit = device.value(table.speed_limit) * table.velocity_unit;
  command.torque_limit = static_cast<double>(device.value(table.torque_limit)) / table.full_torque;
}

bool Emulator::reply_read(Device& device, size_t address, size_t size) {
  if (address + size > device.table_size || size == 0)
    return reply(device, device.protocol == Protocol::V1 ? error_bit::kRange : error2::kRange, nullptr, 0);
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
  const ServoTable& r = *device.registers;
  device.set(r.position, raw_position(r, state.position));
  device.set(r.velocity, raw_velocity(r, state.velocity));
  device.set(r.load, raw_load(r, state.load, device.stall_current));
  device.set(r.voltage, static_cast<int>(std::lround(supply() * 10.0)));
  device.set(r.temperature, static_cast<int>(std::clamp(temperature(device), 0.0, 255.0)));
  if (device.protocol == Protocol::V2) {
    device.set(r.hardware_error, device.overloaded ? error_bit::kOverload : 0);
    return;
  }
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
  wrote(device);
  return 0;
}

/// A servo of protocol 2.0: what it does not accept it names, and leaves as it was.
uint8_t Emulator::write2(Device& device, size_t address, const uint8_t* bytes, size_t size) {
  const ServoTable& r = *device.registers;
  if (size == 0) return error2::kLength;
  const size_t end = address + size;
  const auto touches = [&](size_t from, size_t to) { return address < to && from < end; };
  const Block measured = r.slow();
  if (address < r.id || end > device.table_size || touches(measured.address, measured.address + measured.size) ||
      touches(r.hardware_error.address, r.hardware_error.address + 1u) ||
      (address < r.first_ram && device.value(r.torque_enable) != 0))
    return error2::kAccess;
  for (const Register* whole : {&r.goal_position, &r.speed_limit, &r.torque_limit, &r.p_gain, &r.i_gain, &r.d_gain}) {
    const size_t from = whole->address, to = from + whole->size;
    if (touches(from, to) && (address > from || end < to)) return error2::kLength;
  }
  const auto written = [&](const Register& one) {  // the new value, or the old one
    const bool inside = address <= one.address && one.address + one.size <= end;
    return inside ? register_value(bytes + (one.address - address), one.size) : device.value(one);
  };
  const int goal = written(r.goal_position), torque = written(r.torque_enable);
  if (goal < 0 || goal > r.last_tick) return error2::kLimit;
  if (torque > 1 || written(r.torque_limit) > r.full_torque || written(r.speed_limit) < 0) return error2::kRange;
  if (torque == 1 && device.overloaded) return error2::kAccess;
  std::copy(bytes, bytes + size, device.table.begin() + static_cast<std::ptrdiff_t>(address));
  if (touches(r.goal_position.address, r.goal_position.address + 1u)) ++counters_.goal_writes;
  wrote(device);
  return 0;
}

/// It may have got another id.
void Emulator::wrote(Device& device) {
  const uint8_t id = device.table[device.id_register()];
  if (id != device.id) {
    if (by_id_[device.id] == &device) by_id_[device.id] = nullptr;
    device.id = id;
    by_id_[id] = &device;
  }
  apply_registers(device);
}

}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/emulator.hpp"

#include <algorithm>
#include <cmath>

namespace hl_hardware_cm730 {
namespace {

constexpr double kResync = 0.1;    // s between two bytes after which a device gives up a packet
constexpr double kBoot = 0.1;      // s a servo needs after power-on
constexpr double kBrownOut = 6.0;  // V below which nothing works
constexpr double kRoomTemperature = 35.0;
constexpr double kCollisionGrace = 1e-9;

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

struct Emulator::Device {
  enum class Kind { Board, Servo, Foot };

  Kind kind = Kind::Servo;
  Protocol protocol = Protocol::V1;
  size_t index = 0;  // of the servo, or of the foot
  uint8_t delay_as_delivered = 0;
  uint8_t id = 0;
  std::array<uint8_t, 256> table{};
  size_t table_size = reg::kTableSize;
  Bytes registered;  // address, data
  bool overloaded = false;

  size_t delay_register() const { return protocol == Protocol::V1 ? common_register::kReturnDelay : 9; }
  size_t id_register() const { return protocol == Protocol::V1 ? common_register::kId : 7; }
};

EmulatorConfig EmulatorConfig::darwin() {
  EmulatorConfig config;
  for (int id = 1; id <= 20; ++id)
    config.servos.push_back({static_cast<uint8_t>(id), ServoModel::Mx28, Protocol::V1, 250});
  return config;
}

Emulator::Emulator(const EmulatorConfig& config, std::shared_ptr<ServoPhysics> physics)
    : config_(config), physics_(std::move(physics)), commands_(config.servos.size()) {
  const auto add = [&](Device::Kind kind, uint8_t id, uint16_t model, uint8_t firmware) -> Device& {
    devices_.push_back(std::make_unique<Device>());
    Device& device = *devices_.back();
    device.kind = kind;
    device.id = id;
    put_word(device.table.data(), model);
    device.table[common_register::kFirmware] = firmware;
    device.table[common_register::kId] = id;
    device.table[common_register::kBaud] = 1;
    device.table[common_register::kReturnLevel] = 2;
    by_id_[id] = &device;
    return device;
  };
  Device& board = add(Device::Kind::Board, config_.board_id, board_map(config_.firmware).model, 0x13);
  board.table_size = kBoardTableSize;
  for (size_t i = 0; i < config_.servos.size(); ++i) {
    const auto& spec = config_.servos[i];
    Device& servo = add(Device::Kind::Servo, spec.id, data(spec.model).number, 0x29);
    servo.index = i;
    servo.protocol = spec.protocol;
    servo.delay_as_delivered = spec.return_delay;
    if (spec.protocol == Protocol::V2) {
      servo.table.fill(0);
      put_word(servo.table.data(), data(spec.model).number + 1);
      servo.table[6] = 0x29;
      servo.table[7] = spec.id;
      servo.table[8] = 3;  // 1 Mbaud
      servo.table_size = 148;
    } else {
      put_word(&servo.table[reg::kCcwLimit], kTicksPerTurn - 1);
      servo.table[reg::kTemperatureLimit] = 80;
      servo.table[reg::kMinVoltage] = 60;
      servo.table[reg::kMaxVoltage] = 160;
      put_word(&servo.table[reg::kMaxTorque], kFullScale);
      servo.table[reg::kAlarmLed] = servo.table[reg::kShutdown] = error_bit::kOverload | error_bit::kOverheating;
      servo.table[22] = 1;
    }
    servo.table[servo.delay_register()] = spec.return_delay;
  }
  for (size_t foot = 0; foot < 2; ++foot) {
    if (config_.foot_ids[foot] == 0) continue;
    Device& device = add(Device::Kind::Foot, config_.foot_ids[foot], fsr_register::kModelNumber, 0x11);
    device.index = foot;
    device.table_size = 48;
  }
  power_cycle_servos();
}

Emulator::~Emulator() = default;

double Emulator::chance() {
  if (seed_ != faults_.seed) random_.seed(seed_ = faults_.seed);
  return std::uniform_real_distribution<double>(0.0, 1.0)(random_);
}

double Emulator::supply() const {
  return faults_.voltage > 0.0 ? faults_.voltage : config_.voltage;
}

Emulator::Device* Emulator::find(uint8_t id) {
  return by_id_[id];
}
const Emulator::Device* Emulator::find(uint8_t id) const {
  return by_id_[id];
}

uint8_t Emulator::peek(uint8_t id, uint8_t address) const {
  const Device* device = find(id);
  return device ? device->table[address] : 0;
}

void Emulator::poke(uint8_t id, uint8_t address, uint8_t value) {
  Device* device = find(id);
  if (!device) return;
  device->table[address] = value;
  apply_registers(*device);
}

bool Emulator::powered() const {
  return powered_at_ >= 0.0 && now_ >= powered_at_ + kBoot && supply() >= kBrownOut;
}

bool Emulator::reachable(const Device& device) const {
  if (faults_.stuck || faults_.device[device.id].absent || supply() < kBrownOut) return false;
  return device.kind == Device::Kind::Board || powered();
}

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

void Emulator::run_physics(double until) {
  while (physics_time_ + config_.step <= until) {
    physics_->step(config_.step, commands_);
    physics_time_ += config_.step;
  }
}

void Emulator::advance_to(double time) {
  if (time <= now_) return;
  now_ = time;
  const bool low = supply() < kBrownOut;
  if (low && !brown_out_) {
    if (Device* board = find(config_.board_id)) board->table[kBoardPower] = 0;
    powered_at_ = -1.0;
    power_cycle_servos();
  }
  brown_out_ = low;
  for (auto& device : devices_) {
    if (device->kind != Device::Kind::Servo || !faults_.device[device->id].overload || device->overloaded) continue;
    device->overloaded = true;  // the servo's own protection
    if (device->protocol == Protocol::V1) {
      put_word(&device->table[reg::kTorqueLimit], 0);
      device->table[reg::kTorqueEnable] = 0;
    }
    apply_registers(*device);
  }
  run_physics(now_);
}

void Emulator::transmit(const uint8_t* bytes, size_t size) {
  double collision_end = 0.0;
  if (line_free_ > now_ + kCollisionGrace) {
    ++counters_.collisions;
    collision_end = line_free_;
    while (!replies_.empty() && replies_.back().time > now_) replies_.pop_back();
    line_free_ = now_;
  }
  for (size_t i = 0; i < size; ++i) {
    if (now_ - last_byte_ > kResync) parser_.clear();
    advance_to(now_ + kSecondsPerByte);
    last_byte_ = now_;
    line_free_ = std::max(line_free_, now_);
    uint8_t byte = bytes[i];
    if (now_ < collision_end) byte = static_cast<uint8_t>(byte ^ 0xA5);
    if (faults_.corrupt_request > 0.0 && chance() < faults_.corrupt_request) {
      byte = static_cast<uint8_t>(byte ^ (1u << (random_() % 8)));
    }
    if (faults_.stuck) continue;
    parser_.feed(&byte, 1);
    Packet packet;
    const uint64_t bad = parser_.counters().bad_checksums;
    while (parser_.next(packet)) {
      ++counters_.instructions;
      packet.protocol == Protocol::V1 ? execute1(packet) : execute2(packet);
    }
    if (parser_.counters().bad_checksums != bad) {
      if (Device* device = find(parser_.counters().last_bad_id)) {
        if (device->protocol == Protocol::V1) reply(*device, error_bit::kChecksum, nullptr, 0);
      }
    }
  }
}

uint8_t Emulator::status_error(const Device& device) const {
  if (device.kind != Device::Kind::Servo) return 0;
  uint8_t error = 0;
  const double voltage = supply() * 10.0;
  if (device.protocol == Protocol::V2) return device.overloaded ? 0x80 : 0;
  if (voltage < device.table[reg::kMinVoltage] || voltage > device.table[reg::kMaxVoltage])
    error |= error_bit::kVoltage;
  if (faults_.device[device.id].temperature > device.table[reg::kTemperatureLimit]) error |= error_bit::kOverheating;
  if (device.overloaded) error |= error_bit::kOverload;
  return error;
}

bool Emulator::reply(Device& device, uint8_t error, const uint8_t* parameters, size_t size) {
  if (!reachable(device) || faults_.device[device.id].mute) return false;
  const auto& fault = faults_.device[device.id];
  scratch_.clear();
  if (faults_.noise > 0.0 && chance() < faults_.noise) scratch_.push_back(static_cast<uint8_t>(random_()));
  error = static_cast<uint8_t>(error | status_error(device));
  if (device.protocol == Protocol::V1) {
    append_packet1(scratch_, device.id, error, parameters, size);
  } else {
    Bytes body;
    body.reserve(size + 1);
    body.push_back(error);
    body.insert(body.end(), parameters, parameters + size);
    append_packet2(scratch_, device.id, instruction::kStatus, body.data(), body.size());
  }
  if (fault.twin) scratch_.back() = static_cast<uint8_t>(scratch_.back() & 0x5A);  // two drivers: zeros win
  const bool truncated = faults_.truncate_reply > 0.0 && chance() < faults_.truncate_reply;

  double time = std::max(now_, line_free_) + device.table[device.delay_register()] * 2e-6 + fault.delay;
  for (size_t i = 0; i < scratch_.size(); ++i) {
    time += kSecondsPerByte;
    uint8_t byte = scratch_[i];
    if (faults_.corrupt_reply > 0.0 && chance() < faults_.corrupt_reply) {
      byte = static_cast<uint8_t>(byte ^ (1u << (random_() % 8)));
    }
    if (!truncated || i < scratch_.size() / 2) replies_.push_back({time, byte});
  }
  line_free_ = time;
  return true;
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
      put_word(&table[fsr_register::kCell1 + 2 * i], static_cast<int>(std::clamp(cells[i] * 1000.0, 0.0, 65535.0)));
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
  const double hot = faults_.device[device.id].temperature;
  const int temperature = static_cast<int>(hot > 0.0 ? hot : kRoomTemperature);
  const int ticks = static_cast<int>(std::lround(state.position / kRadPerTick)) + kCentreTick;
  const int load = static_cast<int>(std::lround(state.load * kFullScale));
  if (device.protocol == Protocol::V2) {
    put_word(&table[reg2::kPresentLoad], load);
    put_double_word(&table[reg2::kPresentVelocity],
                    static_cast<int>(std::lround(state.velocity / (0.229 * 2.0 * kPi / 60.0))));
    put_double_word(&table[reg2::kPresentPosition], ticks);
    put_word(&table[reg2::kVoltage], static_cast<int>(std::lround(supply() * 10.0)));
    table[reg2::kTemperature] = static_cast<uint8_t>(temperature);
    table[reg2::kHardwareError] = device.overloaded ? 0x20 : 0;
    return;
  }
  put_word(&table[reg::kPresentPosition], std::clamp(ticks, 0, kTicksPerTurn - 1));
  put_word(&table[reg::kPresentSpeed], raw10(static_cast<int>(std::lround(state.velocity / kRadPerSecondPerLsb))));
  put_word(&table[reg::kPresentLoad], raw10(load));
  table[reg::kVoltage] = static_cast<uint8_t>(std::lround(supply() * 10.0));
  table[reg::kTemperature] = static_cast<uint8_t>(temperature);
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

void Emulator::execute1(const Packet& packet) {
  const uint8_t* p = packet.parameters.data();
  const size_t n = packet.size;
  const auto listens = [&](Device* device) { return device && device->protocol == Protocol::V1 && reachable(*device); };

  if (packet.code == instruction::kSyncWrite) {
    if (packet.id != kBroadcast || n < 2) return;
    const size_t size = p[1];
    for (size_t i = 2; i + 1 + size <= n; i += 1 + size) {
      Device* device = find(p[i]);
      if (listens(device)) write(*device, p[0], p + i + 1, size);
    }
    return;
  }
  if (packet.code == instruction::kBulkRead) {
    if (packet.id != kBroadcast) return;
    for (size_t i = 1; i + 3 <= n; i += 3) {
      Device* device = find(p[i + 1]);
      // Every device waits for its predecessor's answer, so the first silent one ends the chain.
      if (!listens(device) || !reply_read(*device, p[i + 2], p[i])) return;
    }
    return;
  }

  const auto execute = [&](Device& device, bool answer) {
    const uint8_t level = device.table[common_register::kReturnLevel];
    uint8_t error = 0;
    switch (packet.code) {
      case instruction::kPing:
        if (answer) reply(device, 0, nullptr, 0);
        return;
      case instruction::kRead:
        if (!answer || level < 1) return;
        if (n != 2) {
          reply(device, error_bit::kInstruction, nullptr, 0);
        } else {
          reply_read(device, p[0], p[1]);
        }
        return;
      case instruction::kWrite:
        error = n < 2 ? error_bit::kInstruction : write(device, p[0], p + 1, n - 1);
        break;
      case instruction::kRegWrite:
        if (n < 2) {
          error = error_bit::kInstruction;
        } else {
          device.registered.assign(p, p + n);
        }
        break;
      case instruction::kAction:
        if (!device.registered.empty()) {
          error = write(device, device.registered[0], device.registered.data() + 1, device.registered.size() - 1);
          device.registered.clear();
        } else {
          error = error_bit::kInstruction;
        }
        break;
      case instruction::kReset:
        if (packet.id == kBroadcast) return;
        break;  // ids and rates stay: an emulated bus whose devices vanish helps nobody
      case instruction::kReboot:
        break;
      default:
        error = error_bit::kInstruction;
    }
    if (answer && level >= 2) reply(device, error, nullptr, 0);
  };
  if (packet.id == kBroadcast) {
    for (auto& device : devices_) {
      if (listens(device.get())) execute(*device, false);
    }
  } else if (listens(find(packet.id))) {
    execute(*find(packet.id), true);
  }
}

void Emulator::execute2(const Packet& packet) {
  if (packet.status) return;
  const uint8_t* p = packet.parameters.data();
  const size_t n = packet.size;
  const auto listens = [&](Device* device) { return device && device->protocol == Protocol::V2 && reachable(*device); };
  constexpr uint8_t kFail = 0x01, kInstructionError = 0x02, kLengthError = 0x05;

  switch (packet.code) {
    case instruction::kSyncWrite:
      if (n < 4) return;
      for (size_t i = 4, size = static_cast<size_t>(word(p + 2)); i + 1 + size <= n; i += 1 + size) {
        if (listens(find(p[i]))) write(*find(p[i]), static_cast<size_t>(word(p)), p + i + 1, size);
      }
      return;
    case instruction::kBulkWrite:
      for (size_t i = 0; i + 5 <= n;) {
        const auto size = static_cast<size_t>(word(p + i + 3));
        if (i + 5 + size > n) return;
        if (listens(find(p[i]))) write(*find(p[i]), static_cast<size_t>(word(p + i + 1)), p + i + 5, size);
        i += 5 + size;
      }
      return;
    case instruction::kSyncRead:
      for (size_t i = 4; i < n; ++i) {
        Device* device = find(p[i]);
        if (!listens(device) || !reply_read(*device, static_cast<size_t>(word(p)), static_cast<size_t>(word(p + 2)))) {
          return;
        }
      }
      return;
    case instruction::kBulkRead:
      for (size_t i = 0; i + 5 <= n; i += 5) {
        Device* device = find(p[i]);
        if (!listens(device) ||
            !reply_read(*device, static_cast<size_t>(word(p + i + 1)), static_cast<size_t>(word(p + i + 3)))) {
          return;
        }
      }
      return;
    default:
      break;
  }

  const auto execute = [&](Device& device, bool answer) {
    uint8_t error = 0;
    const uint8_t identity[] = {device.table[0], device.table[1], device.table[6]};
    switch (packet.code) {
      case instruction::kPing:
        reply(device, 0, identity, sizeof(identity));
        return;
      case instruction::kRead:
        if (!answer) return;
        if (n != 4) {
          reply(device, kLengthError, nullptr, 0);
        } else {
          reply_read(device, static_cast<size_t>(word(p)), static_cast<size_t>(word(p + 2)));
        }
        return;
      case instruction::kWrite:
        error = n < 3 ? kLengthError : (write(device, static_cast<size_t>(word(p)), p + 2, n - 2) ? kFail : 0);
        break;
      case instruction::kReboot:
        break;
      default:
        error = kInstructionError;
    }
    if (answer) reply(device, error, nullptr, 0);
  };
  if (packet.id == kBroadcast) {
    for (auto& device : devices_) {
      if (listens(device.get())) execute(*device, false);
    }
  } else if (listens(find(packet.id))) {
    execute(*find(packet.id), true);
  }
}

}  // namespace hl_hardware_cm730

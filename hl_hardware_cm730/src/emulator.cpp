// SPDX-License-Identifier: Apache-2.0
// The wire, its time, and the supply.
#include <algorithm>
#include <cmath>

#include "emulator_device.hpp"

namespace hl_hardware_cm730 {
namespace {

constexpr double kResync = 0.1;     // s between two bytes after which a device gives up a packet
constexpr double kBoot = 0.1;       // s a servo needs after power-on
constexpr double kBrownOut = 6.0;   // V below which nothing works
constexpr double kSameTime = 1e-9;  // s

namespace reg = servo_register;

}  // namespace

EmulatorConfig EmulatorConfig::darwin() {
  EmulatorConfig config;
  for (int id = 1; id <= 20; ++id)
    config.servos.push_back({static_cast<uint8_t>(id), ServoModel::Mx28, Protocol::V1, 250});
  return config;
}

Emulator::Emulator(const EmulatorConfig& config, std::shared_ptr<ServoPhysics> physics)
    : config_(config), physics_(std::move(physics)), commands_(config.servos.size()) {
  Device& board = add_device(config_.board_id, board_map(config_.firmware).model, 0x13);
  board.kind = Device::Kind::Board;
  board.table_size = kBoardTableSize;
  for (size_t i = 0; i < config_.servos.size(); ++i) add_servo(i);
  for (size_t foot = 0; foot < 2; ++foot) {
    if (config_.foot_ids[foot] == 0) continue;
    Device& device = add_device(config_.foot_ids[foot], fsr_register::kModelNumber, 0x11);
    device.kind = Device::Kind::Foot;
    device.index = foot;
    device.table_size = 48;
  }
  power_cycle_servos();
}

Emulator::Device& Emulator::add_device(uint8_t id, uint16_t model, uint8_t firmware) {
  devices_.push_back(std::make_unique<Device>());
  Device& device = *devices_.back();
  device.id = id;
  put_word(device.table.data(), model);
  device.table[common_register::kFirmware] = firmware;
  device.table[common_register::kId] = id;
  device.table[common_register::kBaud] = 1;
  device.table[common_register::kReturnLevel] = 2;
  by_id_[id] = &device;
  return device;
}

/// A servo with the registers as it is delivered.
void Emulator::add_servo(size_t index) {
  const auto& spec = config_.servos[index];
  ServoModel model = spec.model;
  if (spec.protocol == Protocol::V2 && data(model).table->protocol == Protocol::V1)
    model = servo_model(data(model).name + "(2.0)").value();
  Device& servo = add_device(spec.id, data(model).number, 0x29);
  servo.kind = Device::Kind::Servo;
  servo.index = index;
  servo.registers = data(model).table;
  servo.protocol = servo.registers->protocol;
  servo.table_size = servo.registers->size;
  servo.stall_current = data(model).stall_current;
  servo.delay_as_delivered = spec.return_delay;
  if (servo.protocol == Protocol::V2) {
    servo.table.fill(0);
    put_word(servo.table.data(), data(model).number);
    servo.table[servo.registers->id - 1u] = 0x2D;  // firmware
    servo.table[servo.registers->id] = spec.id;
    servo.table[servo.registers->baud] = 3;  // 1 Mbaud
    servo.set(servo.registers->operating_mode, 3);
    if (servo.registers->return_level.address < servo.registers->first_ram) servo.set(servo.registers->return_level, 2);
  } else {
    put_word(&servo.table[reg::kCcwLimit], servo.registers->last_tick);
    servo.table[reg::kTemperatureLimit] = 80;
    servo.table[reg::kMinVoltage] = 60;
    servo.table[reg::kMaxVoltage] = 160;
    put_word(&servo.table[reg::kMaxTorque], kFullScale);
    servo.table[reg::kAlarmLed] = servo.table[reg::kShutdown] = error_bit::kOverload | error_bit::kOverheating;
    servo.table[22] = 1;
  }
  servo.table[servo.delay_register()] = spec.return_delay;
}

Emulator::~Emulator() = default;

double Emulator::chance() {
  if (seed_ != faults_.seed) random_.seed(seed_ = faults_.seed);
  return std::uniform_real_distribution<double>(0.0, 1.0)(random_);
}

double Emulator::supply() const {
  if (faults_.voltage > 0.0) return faults_.voltage;
  const double measured = physics_->body().voltage;
  return measured > 0.0 ? measured : config_.voltage;
}

double Emulator::temperature(const Device& servo) const {
  const double fault = faults_.device[servo.id].temperature;
  return fault > 0.0 ? fault : physics_->servos()[servo.index].temperature;
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

double Emulator::started_at() const {
  return powered_at_ < 0.0 ? powered_at_ : powered_at_ + kBoot;
}

bool Emulator::powered() const {
  return powered_at_ >= 0.0 && now_ >= started_at() && supply() >= kBrownOut;
}

bool Emulator::reachable(const Device& device) const {
  if (faults_.stuck || faults_.device[device.id].absent || supply() < kBrownOut || now_ < device.starts_at)
    return false;
  return device.kind == Device::Kind::Board || powered();
}

void Emulator::run_physics(double until) {
  while (physics_time_ + config_.step <= until + kSameTime) {
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
    if (device->kind != Device::Kind::Servo || device->overloaded) continue;
    if (!faults_.device[device->id].overload && !physics_->servos()[device->index].shut_down) continue;
    device->overloaded = true;  // the servo's own protection
    device->set(device->registers->torque_enable, 0);
    if (device->protocol == Protocol::V1) put_word(&device->table[reg::kTorqueLimit], 0);
    apply_registers(*device);
  }
  run_physics(now_);
}

void Emulator::transmit(const uint8_t* bytes, size_t size) {
  double collision_end = 0.0;
  if (line_free_ > now_ + kSameTime) {
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
  if (device.protocol == Protocol::V2) return device.overloaded ? error2::kAlert : 0;
  if (voltage < device.table[reg::kMinVoltage] || voltage > device.table[reg::kMaxVoltage])
    error |= error_bit::kVoltage;
  if (temperature(device) > device.table[reg::kTemperatureLimit]) error |= error_bit::kOverheating;
  if (device.overloaded) error |= error_bit::kOverload;
  return error;
}

bool Emulator::reply(Device& device, uint8_t error, const uint8_t* parameters, size_t size) {
  if (!reachable(device) || faults_.device[device.id].mute) return false;
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
  send(device);
  return true;
}

void Emulator::send(Device& device) {
  const auto& fault = faults_.device[device.id];
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
}

/// Protocol 2.0: one packet, to which every device adds its error, id, data and the check sum so far; its length is
/// that of all. The first one that stays silent ends it.
void Emulator::reply_together(const std::vector<Wanted>& wanted) {
  size_t length = 1;
  for (const Wanted& one : wanted) length += one.block.size + 4u;
  Bytes whole{0xFF,
              0xFF,
              0xFD,
              0x00,
              kBroadcast,
              static_cast<uint8_t>(length),
              static_cast<uint8_t>(length >> 8),
              instruction::kStatus};
  size_t sent = 0;
  for (const Wanted& one : wanted) {
    Device* device = find(one.id);
    if (!device || device->protocol != Protocol::V2 || !reachable(*device) || faults_.device[device->id].mute ||
        one.block.address + one.block.size > device->table_size)
      return;
    refresh(*device);
    whole.push_back(status_error(*device));
    whole.push_back(device->id);
    const auto first = device->table.begin() + one.block.address;
    whole.insert(whole.end(), first, first + one.block.size);
    const uint16_t crc = crc16(whole.data(), whole.size());
    whole.push_back(static_cast<uint8_t>(crc));
    whole.push_back(static_cast<uint8_t>(crc >> 8));
    scratch_.assign(whole.begin() + static_cast<std::ptrdiff_t>(sent), whole.end());
    sent = whole.size();
    send(*device);
  }
}

}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
// What devices do when a packet has arrived, protocol 1.0 and 2.0.
#include "emulator_device.hpp"

namespace hl_hardware_cm730 {
namespace {

constexpr double kRestart = 0.25;  // s a servo needs

}  // namespace

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
      if (!listens(device) || (device->registers && !device->registers->bulk_read)) return;
      if (!reply_read(*device, p[i + 2], p[i])) return;
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
  const auto block_at = [p](size_t i) {
    return Block{static_cast<uint16_t>(word(p + i)), static_cast<uint16_t>(word(p + i + 2))};
  };
  std::vector<Wanted> wanted;

  switch (packet.code) {
    case instruction::kSyncWrite:
      if (n < 4) return;
      for (size_t i = 4, size = static_cast<size_t>(word(p + 2)); i + 1 + size <= n; i += 1 + size) {
        if (listens(find(p[i]))) write2(*find(p[i]), static_cast<size_t>(word(p)), p + i + 1, size);
      }
      return;
    case instruction::kBulkWrite:
      for (size_t i = 0; i + 5 <= n;) {
        const auto size = static_cast<size_t>(word(p + i + 3));
        if (i + 5 + size > n) return;
        if (listens(find(p[i]))) write2(*find(p[i]), static_cast<size_t>(word(p + i + 1)), p + i + 5, size);
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
    case instruction::kFastSyncRead:
      for (size_t i = 4; i < n; ++i) wanted.push_back({p[i], block_at(0)});
      return reply_together(wanted);
    case instruction::kFastBulkRead:
      for (size_t i = 0; i + 5 <= n; i += 5) wanted.push_back({p[i], block_at(i + 1)});
      return reply_together(wanted);
    default:
      break;
  }

  const auto execute = [&](Device& device, bool answer) {
    const int level = device.value(device.registers->return_level);
    uint8_t error = 0;
    const uint8_t identity[] = {device.table[0], device.table[1], device.table[device.registers->id - 1u]};
    switch (packet.code) {
      case instruction::kPing:
        reply(device, 0, identity, sizeof(identity));
        return;
      case instruction::kRead:
        if (!answer || level < 1) return;
        if (n != 4) {
          reply(device, error2::kLength, nullptr, 0);
        } else {
          reply_read(device, static_cast<size_t>(word(p)), static_cast<size_t>(word(p + 2)));
        }
        return;
      case instruction::kWrite:
        error = n < 3 ? error2::kLength : write2(device, static_cast<size_t>(word(p)), p + 2, n - 2);
        break;
      case instruction::kReboot:
        if (answer && level >= 2) reply(device, 0, nullptr, 0);
        device.starts_at = now_ + kRestart;
        reset_ram(device);
        return;
      default:
        error = error2::kInstruction;
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

}  // namespace hl_hardware_cm730

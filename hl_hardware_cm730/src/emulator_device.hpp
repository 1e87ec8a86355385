// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_hardware_cm730/emulator.hpp"

namespace hl_hardware_cm730 {

/// One device of the emulated bus: its control table and what its firmware remembers beside it.
struct Emulator::Device {
  enum class Kind { Board, Servo, Foot };

  Kind kind = Kind::Servo;
  Protocol protocol = Protocol::V1;
  const ServoTable* registers = nullptr;  // of a servo
  double stall_current = 1.0;             // A, of a servo
  double starts_at = 0.0;                 // s, after a restart of its own
  size_t index = 0;                       // of the servo, or of the foot
  uint8_t delay_as_delivered = 0;
  uint8_t id = 0;
  std::array<uint8_t, 256> table{};
  size_t table_size = servo_register::kTableSize;
  Bytes registered;  // address, data
  bool overloaded = false;

  size_t delay_register() const { return registers ? registers->return_delay : common_register::kReturnDelay; }
  size_t id_register() const { return registers ? registers->id : common_register::kId; }
  int value(const Register& r) const { return r.size == 0 ? 0 : register_value(&table[r.address], r.size); }
  void set(const Register& r, int value) { put_register(&table[r.address], r.size, value); }
};

}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_hardware_cm730/emulator.hpp"

namespace hl_hardware_cm730 {

/// One device of the emulated bus: its control table and what its firmware remembers beside it.
struct Emulator::Device {
  enum class Kind { Board, Servo, Foot };

  Kind kind = Kind::Servo;
  Protocol protocol = Protocol::V1;
  size_t index = 0;  // of the servo, or of the foot
  uint8_t delay_as_delivered = 0;
  uint8_t id = 0;
  std::array<uint8_t, 256> table{};
  size_t table_size = servo_register::kTableSize;
  Bytes registered;  // address, data
  bool overloaded = false;

  size_t delay_register() const { return protocol == Protocol::V1 ? common_register::kReturnDelay : 9; }
  size_t id_register() const { return protocol == Protocol::V1 ? common_register::kId : 7; }
};

}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hl_hardware_cm730/protocol.hpp"

/// Control tables of servo families as data: where a register lies and in which unit its value is. The driver and the
/// emulator know no addresses of protocol 2.0 but these.
namespace hl_hardware_cm730 {

struct Register {
  uint16_t address = 0;
  uint8_t size = 0;  // 0: the family has no such register
};

/// Registers that are read at once.
struct Block {
  uint16_t address = 0, size = 0;
  bool operator==(const Block& other) const { return address == other.address && size == other.size; }
};

struct ServoTable {
  const char* name;  // in servos.yaml
  Protocol protocol;
  uint16_t size;       // bytes of the table
  uint16_t first_ram;  // below it is EEPROM, which a servo keeps while it holds torque
  uint16_t id, return_delay, baud;
  Register return_level, operating_mode;
  Register torque_enable, hardware_error;
  Register d_gain, i_gain, p_gain;  // one after the other
  Register goal_position, speed_limit, torque_limit;
  Register position, velocity, load, voltage, temperature;
  double ticks_per_turn;
  int centre, last_tick;
  double velocity_unit;  // rad/s
  bool sign_in_bit_10;   // of velocity and load; otherwise two's complement
  int full_torque;       // of the torque limit
  double load_unit;      // share of the stall torque, or A if `load_is_current`
  bool load_is_current;
  double p_unit;    // of the P register per unit of robot.yaml, where 32 is what a servo is delivered with
  bool compliance;  // it has no gains but slopes, which are the larger the softer it is; `p_gain` is the first of them
  bool bulk_read;   // otherwise it has to be read alone

  Block fast(bool with_velocity) const;  // position, and velocity
  Block slow() const;                    // position, velocity, load, voltage, temperature
};

/// Nothing if the driver does not know these registers.
const ServoTable* servo_table(const std::string& name);

/// Little endian, of 1, 2 or 4 bytes; the last as two's complement.
int register_value(const uint8_t* bytes, uint8_t size);
void put_register(uint8_t* bytes, uint8_t size, int value);

// Values of registers in SI units, and back. `stall_current` in A.
double position_of(const ServoTable& table, int raw);
int raw_position(const ServoTable& table, double rad);  // within the range of the register
double velocity_of(const ServoTable& table, int raw);
int raw_velocity(const ServoTable& table, double rad_per_second);
double load_of(const ServoTable& table, int raw, double stall_current);
int raw_load(const ServoTable& table, double share, double stall_current);
int raw_speed_limit(const ServoTable& table, double rad_per_second);  // 0: none
int raw_torque_limit(const ServoTable& table, double share);
int raw_p_gain(const ServoTable& table, double p);
double p_of(const ServoTable& table, int raw);

}  // namespace hl_hardware_cm730

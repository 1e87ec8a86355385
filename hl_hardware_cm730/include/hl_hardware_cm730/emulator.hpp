// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "hl_hardware_cm730/control_table.hpp"
#include "hl_hardware_cm730/protocol.hpp"
#include "hl_hardware_cm730/servo_physics.hpp"

namespace hl_hardware_cm730 {

/// What can go wrong on purpose. Everything may be changed at any time.
struct Faults {
  struct Device {
    bool mute = false;         // listens, but never answers
    bool absent = false;       // unplugged from the bus: neither
    double delay = 0.0;        // s added before every answer
    double temperature = 0.0;  // degrees Celsius instead of the model's, 0 = none
    bool overload = false;     // shuts itself off, as if blocked
    bool twin = false;         // a second device with the same id answers at the same time
  };
  std::array<Device, 256> device{};
  double corrupt_reply = 0.0;    // probability per byte on the way to the host
  double corrupt_request = 0.0;  // probability per byte on the way to the devices
  double truncate_reply = 0.0;   // probability per packet that its second half is lost
  double noise = 0.0;            // probability per packet of a stray byte before it
  bool stuck = false;            // the line is held: nobody hears anything
  bool unplugged = false;        // the USB cable
  double voltage = 0.0;          // V instead of the model's, 0 = none; below 6 V the servos lose their memory
  uint32_t seed = 1;             // of the random faults

  /// One line such as "mute 13", "corrupt_reply 0.001", "heal"; empty if it was understood, else what is wrong.
  std::string apply(const std::string& line);
};

struct EmulatorConfig {
  struct Servo {
    uint8_t id = 1;
    ServoModel model = ServoModel::Mx28;
    Protocol protocol = Protocol::V1;  // V2: an MX with the other firmware; later models have no choice
    uint8_t return_delay = 250;        // register value as delivered; 2 us
  };
  std::vector<Servo> servos;  // 20 on a usual robot
  uint8_t board_id = 200;
  BoardFirmware firmware = BoardFirmware::Stock;
  std::array<uint8_t, 2> foot_ids{112, 111};  // left, right; 0 = no such board
  double gyro_range = 1600.0 * kPi / 180.0;   // rad/s at full scale
  double accel_range = 4.0 * kGravity;        // m/s^2 at full scale
  double voltage = 12.0;                      // V
  double step = 2e-3;                         // s, of the physics

  static EmulatorConfig darwin();  // 20 MX-28, ids 1..20
};

/// A CM-730 with servos and foot boards on a half-duplex wire of 1 Mbaud, byte by byte and in bus time: the only clock
/// is the one that the caller and the bytes on the wire advance.
class Emulator {
 public:
  struct Byte {
    double time;  // when it has left the wire towards the host
    uint8_t value;
  };

  struct Counters {
    uint64_t instructions = 0;
    uint64_t collisions = 0;   // the host spoke while a device did
    uint64_t goal_writes = 0;  // goal positions that reached a servo
  };

  Emulator(const EmulatorConfig& config, std::shared_ptr<ServoPhysics> physics);
  ~Emulator();
  Emulator(const Emulator&) = delete;
  Emulator& operator=(const Emulator&) = delete;

  double now() const { return now_; }
  void advance_to(double time);  // lets time pass on an idle wire; never backwards

  /// Bytes from the host, the first of which enters the wire now (or when the previous one has left it). The clock
  /// stands at the end of the last byte afterwards; answers lie ahead of it.
  void transmit(const uint8_t* bytes, size_t size);

  /// Answers in the order of time, some of them in the future.
  std::deque<Byte>& replies() { return replies_; }

  /// When the servos whose supply was switched on have started; in the past if they have, or if there is no supply.
  double started_at() const;

  Faults& faults() { return faults_; }
  const Counters& counters() const { return counters_; }
  void press(bool mode, bool start) { mode_ = mode, start_ = start; }
  uint8_t peek(uint8_t id, uint8_t address) const;  // a register as it is, for tests and displays
  void poke(uint8_t id, uint8_t address, uint8_t value);
  ServoPhysics& physics() { return *physics_; }

 private:
  struct Device;

  Device& add_device(uint8_t id, uint16_t model, uint8_t firmware);
  void add_servo(size_t index);
  Device* find(uint8_t id);
  const Device* find(uint8_t id) const;
  void execute1(const Packet& packet);
  void execute2(const Packet& packet);
  bool reachable(const Device& device) const;
  bool powered() const;
  void read_board(Device& device);
  bool reply(Device& device, uint8_t error, const uint8_t* data, size_t size);  // false: it stayed silent
  void send(Device& device);                                                    // what is in scratch_
  struct Wanted {
    uint8_t id;
    Block block;
  };
  void reply_together(const std::vector<Wanted>& wanted);
  bool reply_read(Device& device, size_t address, size_t size);  // false: it stayed silent
  uint8_t write(Device& device, size_t address, const uint8_t* data, size_t size);
  uint8_t write2(Device& device, size_t address, const uint8_t* data, size_t size);
  void wrote(Device& device);
  void reset_ram(Device& servo);
  uint8_t status_error(const Device& device) const;
  void power_cycle_servos();
  void refresh(Device& device);
  void apply_registers(Device& device);
  void run_physics(double until);
  double supply() const;
  double temperature(const Device& servo) const;
  double chance();

  EmulatorConfig config_;
  std::shared_ptr<ServoPhysics> physics_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::array<Device*, 256> by_id_{};
  std::vector<ServoCommand> commands_;
  PacketParser parser_;
  std::deque<Byte> replies_;
  Bytes scratch_;
  Faults faults_;
  Counters counters_;
  std::mt19937 random_;
  uint32_t seed_ = 1;
  double now_ = 0.0;
  double physics_time_ = 0.0;
  double line_free_ = 0.0;  // when the last scheduled byte has left the wire
  double last_byte_ = 0.0;  // of the host
  bool mode_ = false, start_ = false;
  bool brown_out_ = false;
  double powered_at_ = -1.0;  // when the servos' supply came on
};

}  // namespace hl_hardware_cm730

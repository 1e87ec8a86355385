// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hl_hardware_cm730/bus_port.hpp"
#include "hl_hardware_cm730/control_table.hpp"
#include "hl_hardware_cm730/protocol.hpp"

namespace hl_hardware_cm730 {

struct ServoSpec {
  std::string joint;
  uint8_t id = 0;
  ServoModel model = ServoModel::Mx28;
  double direction = 1.0;            // -1: the servo turns the other way than the joint
  double offset = 0.0;               // rad, added to a goal on its way to the servo, after the direction
  double lower = -kPi, upper = kPi;  // rad, of the joint
  int p = 32;                        // 32 is what a servo is delivered with, in whatever unit its register is
  int i = 0, d = 0;                  // gain registers

  double servo_from_joint(double position) const { return direction * position + offset; }    // rad
  double joint_from_servo(double position) const { return direction * (position - offset); }  // rad
  const ServoTable& table() const { return *data(model).table; }
};

/// What the caller wants of one joint; the driver writes what has changed.
struct JointCommand {
  double position = 0.0;      // rad
  double speed_limit = 0.0;   // rad/s, 0 = none
  double torque_limit = 1.0;  // 0..1 of the stall torque
  double stiffness = 1.0;     // 0..1 of the P gain in the servo's specification
  bool torque = false;
};

struct JointReading {
  double position = 0.0, velocity = 0.0;  // rad, rad/s
  double load = 0.0;                      // -1..1 of the stall torque
  double voltage = -1.0;                  // V, -1 = not read yet
  double temperature = -1.0;              // degrees Celsius, -1 = not read yet
  double stamp = -1.0;                    // s, port time of the last position
  double slow_stamp = -1.0;               // s, of load, voltage and temperature
  uint8_t error = 0;                      // error bits of the last answer
  bool fresh = false;                     // read in the last cycle
  bool missing = false;                   // dropped from the chain
  bool overloaded = false;                // switched itself off; needs recover()
  bool torque = false;                    // as commanded and, so far as known, true
};

struct BoardReading {
  std::array<double, 3> gyro{};   // rad/s, body axes
  std::array<double, 3> accel{};  // m/s^2, specific force in body axes
  double voltage = -1.0;          // V
  bool mode_button = false, start_button = false;
  bool fresh = false, missing = false;
  double stamp = -1.0;
};

struct FootReading {
  std::array<double, 4> cells{};  // N, in the board's order
  bool present = false, fresh = false;
  double stamp = -1.0;
};

struct BusCounters {
  uint64_t cycles = 0;
  uint64_t incomplete_cycles = 0;  // something expected was not read
  uint64_t bad_checksums = 0;
  uint64_t skipped_bytes = 0;  // noise
  uint64_t silences = 0;       // a device did not answer in time
  uint64_t follow_ups = 0;     // second requests within a cycle, behind a silent device
  uint64_t drops = 0, readmissions = 0;
  uint64_t rests = 0;  // the whole bus was silent and got a pause
  uint64_t port_losses = 0, port_openings = 0;
  uint64_t power_losses = 0;  // the servos' supply was found off
};

enum class BusState : uint8_t { Disconnected, Resting, Running };

/// Drives the bus: one call of cycle() writes the goals, reads everything, and heals what it can.
///
/// A cycle is a single write of sync-write packets and one bulk-read request, so the USB adapter turns round once; once
/// more if servos of protocol 2.0 are on the bus, too.
class BusDriver {
 public:
  struct Params {
    uint8_t board_id = 200;
    std::array<uint8_t, 2> foot_ids{0, 0};     // left, right; 0 = none
    double gyro_range = 1600.0 * kPi / 180.0;  // rad/s at full scale; 500 deg/s on other boards
    double accel_range = 4.0 * kGravity;       // m/s^2 at full scale
    double reply_gap = 3e-3;      // s of silence after which a device counts as silent: adapter latency, return delay
    int drop_after = 3;           // silent cycles after which a device leaves the chain
    double prod_period = 0.25;    // s between two pings to missing devices
    int readmit_after = 2;        // answered pings after which it comes back
    int rest_after = 5;           // cycles without any answer after which the bus gets a rest
    double rest_time = 0.15;      // s; devices forget a half-received packet after 0.1 s
    double reopen_period = 0.5;   // s between attempts to open a lost port
    double power_on_delay = 0.3;  // s the servos need after their supply is switched on
    double torque_ramp = 1.0;     // s from limp to full torque
    double farewell = 1.5;        // s that servos still get goals if all fell silent: they may listen, in mid-step
    double return_speed = 2.0;    // rad/s at which a servo that comes (back) moves from where it stands to its goal
    bool read_speed = true;       // false: velocity is the difference of positions, and the cycle shorter
    bool fast_read = false;       // protocol 2.0: all answer in one packet; needs firmware that can (X: 45)
    uint8_t return_delay = 0;     // 2 us
    uint8_t return_level = 2;
    std::optional<std::string> validate() const;  // the first bad value, in words
  };

  struct Answer {
    enum class Result : uint8_t { Ok, Silent, Damaged, Lost };
    Result result = Result::Silent;
    uint8_t error = 0;
    Bytes data;
    bool ok() const { return result == Result::Ok; }
  };

  BusDriver(BusPort& port, std::vector<ServoSpec> servos, const Params& params);

  /// One exchange, or one step towards getting the bus back. True if a complete or partial exchange took place.
  bool cycle();

  BusState state() const { return state_; }
  size_t size() const { return servos_.size(); }
  const ServoSpec& spec(size_t joint) const { return servos_[joint].spec; }
  JointCommand& command(size_t joint) { return servos_[joint].command; }
  const JointReading& joint(size_t joint) const { return servos_[joint].reading; }
  const BoardReading& board() const { return board_reading_; }
  const FootReading& foot(size_t side) const { return feet_[side].reading; }
  const BusCounters& counters() const { return counters_; }
  std::optional<BoardFirmware> firmware() const { return firmware_; }

  /// What is wrong and what to do about it, as found when the bus was set up last.
  const std::vector<std::string>& problems() const { return problems_; }
  /// What happened since the last call: losses, drops, recoveries.
  std::vector<std::string> take_events();

  // For experts and services; only between cycles.
  Answer ping(uint8_t id);
  Answer read(uint8_t id, uint8_t address, uint8_t size);
  Answer write(uint8_t id, uint8_t address, const Bytes& data);
  // protocol 2.0
  bool ping2(uint8_t id, uint16_t& model);
  Answer read2(uint8_t id, uint16_t address, uint16_t size);
  Answer write2(uint8_t id, uint16_t address, const Bytes& data);
  /// Empty if done, else why not.
  std::string recover(size_t joint);
  std::string change_id(uint8_t old_id, uint8_t new_id);

 private:
  // Board, servos and feet share the chain; `slot` tells them apart.
  struct Link {
    uint8_t id = 0;
    int misses = 0, answers = 0, damages = 0;
    bool dropped = false, received = false;
  };
  struct Servo {
    ServoSpec spec;
    JointCommand command;
    JointReading reading;
    Link link;
    double ramp_start = 0.0;  // s, when torque was switched on
    double goal = 0.0;        // rad, written; the command, or on the way there
    bool returning = true;    // it moves slowly from where it stood
    bool alert = false;       // protocol 2.0: its hardware error register has something to say
    bool refresh = false;     // protocol 2.0: all settings are written again
    double dropped_at = 0.0;  // s, when it left the chain
    int written_torque = -1, written_p = -1, written_speed = -1, written_limit = -1;
  };
  struct Foot {
    Link link;
    FootReading reading;
  };
  struct Request {
    Link* link;
    Block block;
    int slot;  // number of the servo, or one of those below
  };
  static constexpr int kBoardSlot = -1;
  static constexpr int foot_slot(size_t side) { return -2 - static_cast<int>(side); }

  bool set_up();
  bool set_up_board();
  bool set_up_servo(Servo& servo);
  bool set_up_servo1(Servo& servo);
  bool set_up_servo2(Servo& servo);
  void starts(Servo& servo, bool holds, double goal);
  void set_up_feet();
  static void start_where_it_stands(Servo& servo);
  bool write_if_different(uint8_t id, uint8_t address, uint8_t is, uint8_t wanted);
  bool exchange();
  void advance_goals();
  void append_writes();
  void append_refresh();
  void append_writes2(const ServoTable& table);
  bool reachable(const Servo& servo, bool goal) const;
  static int p_gain(const Servo& servo);
  static int goal_ticks(const Servo& servo);
  int torque_limit(Servo& servo);
  void build_requests();
  Protocol protocol_of(const Request& request) const;
  bool read_alone(const Request& request) const;
  size_t chain_end(size_t first) const;
  enum class Asking : uint8_t { OneByOne, Together };
  bool read_chain(size_t begin, size_t end);
  bool request_rest(size_t first, size_t end, bool with_writes, Asking asking);
  void append_read1(size_t first, size_t end);
  void append_read2(size_t first, size_t end, Asking asking);
  bool fits_together(size_t first, size_t end) const;
  bool receive(size_t first, size_t end, size_t& last, bool& damaged);
  bool take_together(size_t first, size_t end, const Packet& packet);
  void take(const Request& request, uint8_t error, const uint8_t* bytes);
  bool take_servo(Servo& servo, const Block& block, uint8_t error, const uint8_t* bytes);
  void report_overload(Servo& servo);
  void look_into_alerts();
  void account(bool anything);
  void prod();
  void check_power();
  void lose_port();
  void event(std::string text) { events_.push_back(std::move(text)); }
  std::string name(const Request& request) const;
  Answer transact(const Bytes& packet, uint8_t id, size_t expected);
  Answer ping(const Servo& servo);
  std::string recover2(Servo& servo);
  static bool accept(const void* self, uint8_t id, size_t parameters);

  BusPort& port_;
  Params params_;
  std::vector<Servo> servos_;
  Link board_;
  BoardReading board_reading_;
  std::array<Foot, 2> feet_;
  std::optional<BoardFirmware> firmware_;
  BusState state_ = BusState::Disconnected;
  std::vector<size_t> order_;               // of the servos in the chain: unreliable ones last
  std::vector<const ServoTable*> tables2_;  // of protocol 2.0 on this bus
  std::vector<Request> requests_;           // of this cycle
  size_t slow_turn_ = 0;
  size_t prod_turn_ = 0;
  size_t refresh_turn_ = 0;
  int silent_cycles_ = 0;
  int servo_silence_ = 0;  // cycles in which the board answered and no servo did
  bool all_servos_silent_ = false;
  int failed_pings_ = 0;
  double next_attempt_ = 0.0;
  double next_prod_ = 0.0;
  double last_exchange_ = 0.0;
  bool was_lost_ = false;
  Bytes tx_;
  Bytes group_;
  PacketParser parser_;
  BusCounters counters_;
  std::vector<std::string> problems_;
  std::vector<std::string> events_;
  std::string last_open_error_;
};

}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hl_network/bytes.hpp"

/// The UDP protocol between FUmanoid robots and the workstation FUremote, state of 2009: 25 operations, big endian, one
/// message per datagram. Where the protocol is silent, README says what was decided.
namespace hl_remote::fumanoid {

constexpr std::uint16_t kPort = 11011;
constexpr std::size_t kMaxPayload = 65464;
constexpr std::int16_t kUnknown = 32767;  // of a coordinate

enum class Operation : std::uint16_t {
  Log,
  Status,
  ReadySet,
  SetRole,
  DisableMotors,
  EnableMotors,
  PlayMotion,
  GetMotorStatus,
  GetStrategies,
  GetRoles,
  Abort,
  StartGame,
  StopGame,
  SetWalkingSpeed,
  SetMotorId,
  SetMotor,
  SetLogLevel,
  ImageCapture,
  Reboot,
  GoToPosition,
  LimitTeam,
  TimeSync,
  GetBehaviors,
  GetMotorOffsets,
  SetMotorOffsets,
};
constexpr std::uint16_t kOperations = 25;

enum class LogLevel : std::uint8_t { Debug, Info, Warning, Error };
enum class Subsystem : std::uint8_t { General, Behavior, Comm, Motion, MotorBus, Role, Strategy, Vision };
enum class Direction { Request, Answer };

// From the robot.

struct Log {
  LogLevel level = LogLevel::Info;
  Subsystem subsystem = Subsystem::General;
  std::string text;
};

/// Broadcast every 500 ms. Lengths in cm (the source gives no unit), angles in degrees.
struct Status {
  std::uint8_t robot = 0, version = 4;
  std::int16_t orientation = 0;
  std::uint32_t strategy = 0, role = 0, behavior = 0, motion = 0;
  std::int16_t x = kUnknown, y = kUnknown, ball_x = kUnknown, ball_y = kUnknown;
  std::uint8_t battery = 255;      // %, 255 = unknown
  std::uint8_t competition = 0;    // 0 test, 1 competition
  std::uint8_t game_state = 0;     // 0 stopped, 1 ready, 2 set, 3 playing
  std::uint8_t goalkeeper = 255;   // robot, 255 = none
  std::uint8_t opponent_goal = 0;  // 0 blue, 1 yellow
  std::uint8_t own_kickoff = 0;
  std::uint8_t kickoff_mode = 0;  // 0 none, 1 regular, 2 penalty, 3 free
  std::uint8_t team_colour = 0;   // 0 magenta, 1 cyan
  std::uint8_t log_level = 0;
  std::uint32_t unix_time = 0;
  std::uint32_t motion_data = 0, behavior_data = 0;
  std::uint16_t role_data = 0;
  std::uint8_t strategy_data = 0;
  std::uint16_t seconds_since_go = 0;
};

struct MotorStatus {
  std::uint8_t motor = 0, voltage_decivolt = 0, temperature = 0, torque = 0;
  std::uint16_t position = 0, speed = 0;  // 0..1023
  std::uint16_t load = 0;                 // bits 0-9 value, bit 10: clockwise
  std::uint8_t error = 0;                 // Dynamixel bits
};

struct Named {
  std::uint32_t id = 0;
  std::string name;
};

/// Answer to GetStrategies, GetRoles or GetBehaviors.
struct Names {
  Operation which = Operation::GetRoles;
  std::vector<Named> entries;
};

struct Image {
  std::vector<std::uint8_t> jpeg;
};

struct TimeRequest {};

// From the workstation.

struct ReadySet {
  std::uint32_t strategy = 0, role = 0;
  std::uint8_t mode = 0, opponent_goal = 0, state = 0, goalie = 0, team_colour = 0;
};

struct SetRole {
  std::uint32_t role = 0;
};

struct SwitchMotors {
  bool on = false;
  std::vector<std::uint8_t> motors;  // none: all
};

struct Move {
  std::vector<std::int16_t> positions;
  std::int16_t duration_ms = 0;
};

struct PlayMotion {
  std::vector<Move> moves;  // all with the same number of positions
};

struct MotorStatusRequest {
  std::uint8_t motor = 0;
};

/// A request without content: GetStrategies, GetRoles, GetBehaviors, GetMotorOffsets, Abort, StartGame, StopGame.
struct Plain {
  Operation operation = Operation::Abort;
};

/// Starts walking; all 0 = on the spot. Signed here: the source leaves walking backwards undefined.
struct SetWalkingSpeed {
  std::int8_t forward = 0, sideward = 0, rotation = 0;
};

struct SetMotorId {
  std::uint8_t old_id = 0, new_id = 0;  // old 254 = all
};

struct SetMotor {
  std::uint8_t motor = 0;
  std::optional<std::uint8_t> torque;
  std::optional<std::uint16_t> goal;  // 0..1023, only with torque
};

struct SetLogLevel {
  LogLevel level = LogLevel::Debug;
};

struct ImageCapture {
  std::uint8_t start = 0, count = 0;  // count 0 = until stopped
  std::uint16_t interval_ms = 0;
};

struct Reboot {};

struct GoToPosition {
  std::int16_t x = 0, y = 0, angle = 0;
};

struct LimitTeam {
  std::vector<std::uint8_t> robots;  // at least one
};

struct TimeAnswer {
  std::uint32_t local_seconds = 0;
};

struct MotorOffset {
  std::uint8_t motor = 0;
  std::int16_t offset = 0;  // -1023..1023
};

/// Answer to GetMotorOffsets, or the order SetMotorOffsets.
struct MotorOffsets {
  Direction direction = Direction::Answer;
  std::vector<MotorOffset> offsets;
};

using Message = std::variant<Log, Status, MotorStatus, Names, Image, TimeRequest, ReadySet, SetRole, SwitchMotors,
                             PlayMotion, MotorStatusRequest, Plain, SetWalkingSpeed, SetMotorId, SetMotor, SetLogLevel,
                             ImageCapture, Reboot, GoToPosition, LimitTeam, TimeAnswer, MotorOffsets>;

/// Nothing if it is no message of this protocol: unknown operation, wrong length, a value outside its range.
std::optional<Message> read(hl_network::Bytes datagram);

/// The datagram; empty if the message does not fit (too long, moves of different size, a name with a NUL).
std::vector<std::uint8_t> write(const Message& message);

/// A motion as FUremote saves it: one move a line, comma separated, the duration last; "-1" ends it.
std::string write_motion_text(const std::vector<Move>& moves);

struct MotionText {
  std::vector<Move> moves;
  std::string error;  // with the line, if it is no motion
};
MotionText read_motion_text(const std::string& text);

}  // namespace hl_remote::fumanoid

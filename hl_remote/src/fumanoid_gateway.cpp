// SPDX-License-Identifier: Apache-2.0
#include "hl_remote/fumanoid_gateway.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hl_remote {
namespace {

using namespace fumanoid;  // NOLINT(google-build-using-namespace): its words are the words of this file

constexpr double kTicks = 1024.0, kMiddle = 512.0;
constexpr double kRange = 300.0 * M_PI / 180.0;           // rad
constexpr double kSpeedTick = 0.111 * 2.0 * M_PI / 60.0;  // rad/s, of the RX series
constexpr double kCentimetre = 0.01;                      // m
constexpr double kDegree = M_PI / 180.0;
constexpr double kForget = 10.0;       // s of silence after which a workstation gets no more logs
constexpr double kFullSpeed = 127.0;   // of a walking speed
constexpr double kTimeInterval = 5.0;  // s between questions for the time
constexpr double kYear1970 = 365.0 * 86400.0;
constexpr std::size_t kMaxWorkstations = 8;

std::uint32_t id_of(const std::string& name, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  return found == names.end() ? 0 : static_cast<std::uint32_t>(found - names.begin()) + 1;
}

const std::string* name_of(std::uint32_t id, const std::vector<std::string>& names) {
  return id >= 1 && id <= names.size() ? &names[id - 1] : nullptr;
}

Names listed(Operation which, const std::vector<std::string>& names) {
  Names list{which, {}};
  for (std::size_t i = 0; i < names.size(); ++i) list.entries.push_back({static_cast<std::uint32_t>(i + 1), names[i]});
  return list;
}

std::int16_t centimetres(double metres) {
  return static_cast<std::int16_t>(std::lround(std::clamp(metres / kCentimetre, -32768.0, 32766.0)));
}

template <class Integer>
Integer limited(double value, double high) {
  return static_cast<Integer>(std::lround(std::clamp(value, 0.0, high)));
}

}  // namespace

double radians_from_ticks(int ticks) {
  return (ticks - kMiddle) * kRange / kTicks;
}

int ticks_from_radians(double angle) {
  return static_cast<int>(std::lround(angle * kTicks / kRange + kMiddle));
}

/// One message being worked on: from whom, what is known, what comes of it.
struct FumanoidGateway::Turn {
  Workstation& workstation;
  const Inputs& inputs;
  double now;
  Outputs out;
};

std::optional<std::string> FumanoidGateway::Params::validate() const {
  if (robot < 0 || robot > 254) return "robot is " + std::to_string(robot) + "; it must lie in 0..254";
  if (!(status_interval >= 0.05)) return "status_interval must be at least 0.05 s";
  if (!(orders_per_second >= 1.0)) return "orders_per_second must be at least 1";
  if (!(walk_limit > 0.0)) return "walk_limit must be positive, in seconds";
  for (const double speed : {max_forward, max_sideward, max_rotation})
    if (!(speed >= 0.0)) return "the speeds must not be negative";
  if (motors.size() > 255) return "more than 255 motors do not fit a motion";
  return std::nullopt;
}

FumanoidGateway::FumanoidGateway(const Params& params) : params_(params) {
  if (const auto error = params.validate()) throw std::invalid_argument(*error);
}

FumanoidGateway::Workstation* FumanoidGateway::workstation(const hl_network::Endpoint& from, double now) {
  if (std::find(params_.allowed.begin(), params_.allowed.end(), from.address) == params_.allowed.end()) return nullptr;
  const bool is_new = workstations_.count(from.address) == 0;
  if (is_new && workstations_.size() >= kMaxWorkstations) return nullptr;
  Workstation& known = workstations_[from.address];
  if (is_new) known.tokens = params_.orders_per_second;
  known.tokens =
      std::min(known.tokens + (now - known.last_message_time) * params_.orders_per_second, params_.orders_per_second);
  known.endpoint = from;
  known.last_message_time = now;
  return &known;
}

FumanoidGateway::Outputs FumanoidGateway::receive(hl_network::Bytes datagram, const hl_network::Endpoint& from,
                                                  const Inputs& inputs, double now) {
  const auto message = read(datagram);
  if (!message) {
    ++statistics_.malformed;
    return {};
  }
  if (std::holds_alternative<Status>(*message) || std::holds_alternative<Log>(*message)) return {};  // other robots
  Workstation* const known = workstation(from, now);
  if (known == nullptr) {
    ++statistics_.refused_address;
    return {};
  }
  if (inputs.match) {
    ++statistics_.refused_match;
    return {};
  }
  if (known->tokens < 1.0) {
    ++statistics_.refused_other;
    return {};
  }
  known->tokens -= 1.0;
  ++statistics_.orders;
  Turn turn{*known, inputs, now, {}};
  std::visit([&](const auto& content) { handle(turn, content); }, *message);
  return std::move(turn.out);
}

void FumanoidGateway::answer(Turn& turn, const Message& message) const {
  auto bytes = write(message);
  if (!bytes.empty()) turn.out.datagrams.push_back({turn.workstation.endpoint, std::move(bytes)});
}

void FumanoidGateway::refuse(Turn& turn, const std::string& reason) {
  ++statistics_.refused_other;
  answer(turn, Log{LogLevel::Warning, Subsystem::Comm, reason});
}

bool FumanoidGateway::may_move_motors(Turn& turn) {
  if (!turn.inputs.record) refuse(turn, "motors obey in RECORD only: start the recorder");
  return turn.inputs.record;
}

const FumanoidGateway::Motor* FumanoidGateway::motor(std::uint8_t id) const {
  const auto found =
      std::find_if(params_.motors.begin(), params_.motors.end(), [id](const Motor& one) { return one.id == id; });
  return found == params_.motors.end() ? nullptr : &*found;
}

double FumanoidGateway::angle(const Motor& motor, int ticks) const {
  const auto offset = offsets_.find(motor.id);
  return radians_from_ticks(ticks + (offset == offsets_.end() ? 0 : offset->second));
}

// --- Questions -----------------------------------------------------------------------------------------------------

void FumanoidGateway::handle(Turn& turn, const MotorStatusRequest& request) {
  const auto found = turn.inputs.motors.find(request.motor);
  if (found == turn.inputs.motors.end()) return refuse(turn, "no motor " + std::to_string(request.motor) + " answers");
  const MotorReading& reading = found->second;
  const auto offset = offsets_.find(request.motor);
  MotorStatus status;
  status.motor = request.motor;
  status.voltage_decivolt = limited<std::uint8_t>(reading.voltage * 10.0, 255.0);
  status.temperature = limited<std::uint8_t>(reading.temperature, 255.0);
  status.torque = reading.torque ? 1 : 0;
  const int ticks = ticks_from_radians(reading.position) - (offset == offsets_.end() ? 0 : offset->second);
  status.position = limited<std::uint16_t>(ticks, 1023.0);
  status.speed = limited<std::uint16_t>(std::abs(reading.speed) / kSpeedTick, 1023.0);
  status.load = limited<std::uint16_t>(std::abs(reading.load) * 1023.0, 1023.0);
  if (reading.load > 0.0) status.load = static_cast<std::uint16_t>(status.load | 0x0400U);
  status.error = reading.error;
  answer(turn, status);
}

void FumanoidGateway::handle(Turn& turn, const Plain& plain) {
  const Inputs& inputs = turn.inputs;
  switch (plain.operation) {
    case Operation::GetStrategies:
      return answer(turn, listed(plain.operation, inputs.strategies));
    case Operation::GetRoles:
      return answer(turn, listed(plain.operation, inputs.roles));
    case Operation::GetBehaviors:
      return answer(turn, listed(plain.operation, inputs.behaviors));
    case Operation::GetMotorOffsets: {
      MotorOffsets all{Direction::Answer, {}};
      for (const Motor& one : params_.motors) {
        const auto ordered = offsets_.find(one.id);
        const double ticks = one.offset * kTicks / kRange + (ordered == offsets_.end() ? 0 : ordered->second);
        all.offsets.push_back({one.id, static_cast<std::int16_t>(std::lround(std::clamp(ticks, -1023.0, 1023.0)))});
      }
      return answer(turn, all);
    }
    case Operation::Abort:
      walk_.reset();
      ordered_game_state_ = 0;
      turn.out.orders.emplace_back(StopEverything{});
      return;
    case Operation::StartGame:
      ordered_game_state_ = 3;
      go_at_ = turn.now;
      turn.out.orders.emplace_back(HoldRobot{false});
      return;
    case Operation::StopGame:
      walk_.reset();
      ordered_game_state_ = 0;
      turn.out.orders.emplace_back(HoldRobot{true});
      return;
    default:
      return;
  }
}

void FumanoidGateway::handle(Turn& turn, const ImageCapture& order) {
  Capture& capture = turn.workstation.capture;
  capture.on = order.start == 1;
  capture.left = order.count;
  capture.interval = order.interval_ms * 1e-3;
  capture.next_at = turn.now;
}

void FumanoidGateway::handle(Turn&, const SetLogLevel& order) {
  log_level_ = order.level;
}

void FumanoidGateway::handle(Turn& turn, const TimeAnswer& answer) {
  clock_correction_ = answer.local_seconds - turn.inputs.unix_time;
}

// --- Play ----------------------------------------------------------------------------------------------------------

void FumanoidGateway::handle(Turn& turn, const ReadySet& order) {
  if (order.strategy != 0 && name_of(order.strategy, turn.inputs.strategies) == nullptr)
    return refuse(turn, "no strategy " + std::to_string(order.strategy));
  if (order.role != 0 && name_of(order.role, turn.inputs.roles) == nullptr)
    return refuse(turn, "no role " + std::to_string(order.role));
  ready_set_ = order;
  ordered_game_state_ = order.state == 0 ? 1 : 2;
  walk_.reset();
  turn.out.orders.emplace_back(HoldRobot{true});
  if (order.role != 0) turn.out.orders.emplace_back(ChooseRole{*name_of(order.role, turn.inputs.roles)});
}

void FumanoidGateway::handle(Turn& turn, const SetRole& order) {
  const std::string* const name = name_of(order.role, turn.inputs.roles);
  if (order.role != 0 && name == nullptr) return refuse(turn, "no role " + std::to_string(order.role));
  turn.out.orders.emplace_back(ChooseRole{name == nullptr ? "" : *name});
}

void FumanoidGateway::handle(Turn& turn, const SetWalkingSpeed& order) {
  walk_ = Walk{order.forward / kFullSpeed * params_.max_forward, order.sideward / kFullSpeed * params_.max_sideward,
               order.rotation / kFullSpeed * params_.max_rotation};
  walk_until_ = turn.now + params_.walk_limit;
  turn.out.orders.emplace_back(*walk_);
}

void FumanoidGateway::handle(Turn& turn, const GoToPosition& order) {
  walk_.reset();
  turn.out.orders.emplace_back(GoTo{{order.x * kCentimetre, order.y * kCentimetre, order.angle * kDegree}});
}

void FumanoidGateway::handle(Turn& turn, const fumanoid::LimitTeam& order) {
  turn.out.orders.emplace_back(LimitTeam{order.robots});
}

void FumanoidGateway::handle(Turn& turn, const Reboot&) {
  turn.out.orders.emplace_back(ShutDown{});
}

// --- Motors --------------------------------------------------------------------------------------------------------

void FumanoidGateway::handle(Turn& turn, const SwitchMotors& order) {
  if (!may_move_motors(turn)) return;
  SwitchTorque torque{{}, order.on};
  for (const std::uint8_t id : order.motors) {
    const Motor* const one = motor(id);
    if (one == nullptr) return refuse(turn, "no motor " + std::to_string(id));
    torque.joints.push_back(one->joint);
  }
  turn.out.orders.emplace_back(std::move(torque));
}

void FumanoidGateway::handle(Turn& turn, const PlayMotion& order) {
  if (!may_move_motors(turn)) return;
  PlayPoses motion;
  double at = 0.0;
  for (const Move& move : order.moves) {
    if (move.positions.size() != params_.motors.size())
      return refuse(turn, "a motion of " + std::to_string(move.positions.size()) + " motors; this robot has " +
                              std::to_string(params_.motors.size()));
    if (move.duration_ms < 0) return refuse(turn, "a move lasts less than nothing");
    PlayPoses::Pose pose;
    at += std::max<double>(move.duration_ms, 1.0) * 1e-3;
    pose.at = at;
    for (std::size_t i = 0; i < move.positions.size(); ++i) {
      if (move.positions[i] < 0 || move.positions[i] > 1023)
        return refuse(turn, "position " + std::to_string(move.positions[i]) + " is not in 0..1023");
      pose.joints[params_.motors[i].joint] = angle(params_.motors[i], move.positions[i]);
    }
    motion.poses.push_back(std::move(pose));
  }
  if (!motion.poses.empty()) turn.out.orders.emplace_back(std::move(motion));
}

void FumanoidGateway::handle(Turn& turn, const SetMotor& order) {
  if (!may_move_motors(turn)) return;
  const Motor* const one = motor(order.motor);
  if (one == nullptr) return refuse(turn, "no motor " + std::to_string(order.motor));
  if (order.torque) turn.out.orders.emplace_back(SwitchTorque{{one->joint}, *order.torque == 1});
  if (!order.goal) return;
  constexpr double kMoveTime = 0.5;  // s; a single motor is set by hand
  turn.out.orders.emplace_back(PlayPoses{{{{{one->joint, angle(*one, *order.goal)}}, kMoveTime}}});
}

void FumanoidGateway::handle(Turn& turn, const SetMotorId& order) {
  if (!may_move_motors(turn)) return;
  if (order.old_id == 254) return refuse(turn, "one motor at a time gets a new id");
  turn.out.orders.emplace_back(ChangeServoId{order.old_id, order.new_id});
}

void FumanoidGateway::handle(Turn& turn, const MotorOffsets& offsets) {
  if (offsets.direction == Direction::Answer) return;
  if (!may_move_motors(turn)) return;
  for (const MotorOffset& offset : offsets.offsets)
    if (motor(offset.motor) == nullptr) return refuse(turn, "no motor " + std::to_string(offset.motor));
  for (const MotorOffset& offset : offsets.offsets) offsets_[offset.motor] = offset.offset;
}

// --- What goes out by itself ---------------------------------------------------------------------------------------

Status FumanoidGateway::status(const Inputs& inputs, double now) const {
  Status status;
  status.robot = static_cast<std::uint8_t>(params_.robot);
  status.strategy = ready_set_.strategy;
  status.role = id_of(inputs.role, inputs.roles);
  status.behavior = id_of(inputs.behavior, inputs.behaviors);
  if (inputs.pose) {
    status.orientation = static_cast<std::int16_t>(std::lround(std::remainder(inputs.pose->yaw / kDegree, 360.0)));
    status.x = centimetres(inputs.pose->x);
    status.y = centimetres(inputs.pose->y);
  }
  if (inputs.ball) {
    status.ball_x = centimetres(inputs.ball->x);
    status.ball_y = centimetres(inputs.ball->y);
  }
  if (inputs.battery) status.battery = limited<std::uint8_t>(*inputs.battery * 100.0, 100.0);
  status.competition = inputs.match ? 1 : 0;
  const bool ordered = !inputs.match && ordered_game_state_;
  status.game_state = ordered ? *ordered_game_state_ : inputs.game_state;
  status.goalkeeper = ordered && ready_set_.goalie != 0 ? ready_set_.goalie : inputs.goalkeeper;
  status.opponent_goal = ready_set_.opponent_goal;
  status.own_kickoff = (ordered ? ready_set_.mode < 3 : inputs.own_kickoff) ? 1 : 0;
  constexpr std::uint8_t kModes[] = {1, 3, 2};  // kick-off, free kick, penalty: another order than in READYSET
  status.kickoff_mode = ordered ? kModes[ready_set_.mode % 3] : 0;
  status.team_colour = ordered ? ready_set_.team_colour : inputs.cyan ? 1 : 0;
  status.log_level = static_cast<std::uint8_t>(log_level_);
  status.unix_time = limited<std::uint32_t>(inputs.unix_time + clock_correction_, 4294967295.0);
  status.seconds_since_go = go_at_ < 0.0 ? std::uint16_t{0} : limited<std::uint16_t>(now - go_at_, 65535.0);
  return status;
}

FumanoidGateway::Outputs FumanoidGateway::step(const Inputs& inputs, double now) {
  Outputs out;
  if (inputs.match) {
    walk_.reset();
    for (auto& [address, one] : workstations_) one.capture.on = false;
  }
  if (walk_ && now <= walk_until_) {
    out.orders.emplace_back(*walk_);
  } else if (walk_) {
    walk_.reset();  // silence means stop, also for a workstation that is gone
  }
  if (now >= next_status_) {
    next_status_ = now + params_.status_interval;
    out.datagrams.push_back({std::nullopt, write(status(inputs, now))});
  }
  if (inputs.unix_time < kYear1970 && clock_correction_ == 0.0 && !inputs.match && now >= next_time_request_) {
    next_time_request_ = now + kTimeInterval;
    out.datagrams.push_back({std::nullopt, write(TimeRequest{})});
  }
  return out;
}

std::vector<FumanoidGateway::Outgoing> FumanoidGateway::log(LogLevel level, Subsystem subsystem,
                                                            const std::string& text, double now) {
  std::vector<Outgoing> result;
  if (level < log_level_) return result;
  constexpr std::size_t kLongest = 1000;  // bytes; one datagram without fragments
  const auto bytes = write(Log{level, subsystem, text.substr(0, kLongest)});
  for (const auto& [address, one] : workstations_)
    if (now - one.last_message_time <= kForget) result.push_back({one.endpoint, bytes});
  return result;
}

bool FumanoidGateway::wants_images(double now) const {
  return std::any_of(workstations_.begin(), workstations_.end(), [now](const auto& entry) {
    constexpr double kWarmUp = 2.0;  // s; somebody must begin to make pictures
    return entry.second.capture.on && entry.second.capture.next_at <= now + kWarmUp;
  });
}

std::vector<FumanoidGateway::Outgoing> FumanoidGateway::image(const std::vector<std::uint8_t>& jpeg, double now) {
  std::vector<Outgoing> result;
  for (auto& [address, one] : workstations_) {
    Capture& capture = one.capture;
    if (!capture.on || now < capture.next_at) continue;
    auto bytes = write(Image{jpeg});
    if (bytes.empty()) continue;  // larger than a datagram
    result.push_back({one.endpoint, std::move(bytes)});
    capture.next_at = now + capture.interval;
    if (capture.left > 0 && --capture.left == 0) capture.on = false;
  }
  return result;
}

}  // namespace hl_remote

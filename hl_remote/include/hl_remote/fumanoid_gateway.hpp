// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hl_network/udp_socket.hpp"
#include "hl_remote/fumanoid.hpp"

namespace hl_remote {

/// The robot's side of FUmanoid's protocol: tells how the robot is, answers questions, and turns orders of allowed
/// workstations into orders for the suite's own nodes. In a match it only tells.
class FumanoidGateway {
 public:
  struct Motor {
    std::uint8_t id = 0;
    std::string joint;
    double offset = 0.0;  // rad, of the robot's configuration
  };

  struct Params {
    int robot = 1;                       // number told in the status
    std::vector<std::uint32_t> allowed;  // addresses that may ask and order; none: nobody
    std::vector<Motor> motors;           // in the order of a motion's columns
    double status_interval = 0.5;        // s
    double orders_per_second = 50.0;     // of one workstation; more are dropped
    double walk_limit = 3.0;             // s that a walking speed holds unless it is sent again
    double max_forward = 0.2;            // m/s at a speed of 127
    double max_sideward = 0.1;           // m/s
    double max_rotation = 0.8;           // rad/s
    std::optional<std::string> validate() const;
  };

  struct MotorReading {
    double position = 0.0, speed = 0.0;  // rad, rad/s
    double load = 0.0;                   // -1..1 of what it can, positive clockwise
    double voltage = 0.0;                // V
    double temperature = 0.0;            // degrees Celsius
    bool torque = false;
    std::uint8_t error = 0;
  };

  struct Place {
    double x = 0.0, y = 0.0, yaw = 0.0;  // m, rad, on the field
  };

  struct Inputs {
    std::optional<Place> pose, ball;
    std::optional<double> battery;  // 0..1
    bool match = false;             // a referee is heard: only the status goes out
    bool record = false;            // the HCM is in RECORD: motors may be moved
    std::uint8_t game_state = 0;    // 0 stopped, 1 ready, 2 set, 3 playing
    std::uint8_t goalkeeper = 255;
    bool own_kickoff = false;
    bool cyan = false;
    std::string role, behavior;                             // by the names of the lists; empty = none
    std::vector<std::string> strategies, roles, behaviors;  // ids are places in these lists, from 1
    std::map<std::uint8_t, MotorReading> motors;
    double unix_time = 0.0;  // s
  };

  // Orders to the suite.
  struct ChooseRole {
    std::string role;  // empty: the tactics choose
  };
  struct StopEverything {};
  struct HoldRobot {
    bool hold = true;  // false: it may play
  };
  struct SwitchTorque {
    std::vector<std::string> joints;  // none: all
    bool on = false;
  };
  struct PlayPoses {
    struct Pose {
      std::map<std::string, double> joints;  // rad
      double at = 0.0;                       // s from now
    };
    std::vector<Pose> poses;
  };
  struct Walk {
    double forward = 0.0, sideward = 0.0, rotation = 0.0;  // m/s, rad/s
  };
  struct GoTo {
    Place place;
  };
  struct ChangeServoId {
    std::uint8_t old_id = 0, new_id = 0;
  };
  struct ShutDown {};
  struct LimitTeam {
    std::vector<std::uint8_t> robots;
  };
  using Order = std::variant<ChooseRole, StopEverything, HoldRobot, SwitchTorque, PlayPoses, Walk, GoTo, ChangeServoId,
                             ShutDown, LimitTeam>;

  struct Outgoing {
    std::optional<hl_network::Endpoint> to;  // nothing: everybody
    std::vector<std::uint8_t> datagram;
  };

  struct Outputs {
    std::vector<Outgoing> datagrams;
    std::vector<Order> orders;
  };

  /// Throws std::invalid_argument if a parameter is bad.
  explicit FumanoidGateway(const Params& params);

  /// One datagram of anybody; what is to be done at once.
  Outputs receive(hl_network::Bytes datagram, const hl_network::Endpoint& from, const Inputs& inputs, double now);

  /// To be called some twenty times per second: status, walking, pictures. `now` in s, never going back.
  Outputs step(const Inputs& inputs, double now);

  /// A line of the robot's log, to the workstations heard lately.
  std::vector<Outgoing> log(fumanoid::LogLevel level, fumanoid::Subsystem subsystem, const std::string& text,
                            double now);

  /// Somebody waits for a picture.
  bool wants_images(double now) const;
  /// The newest picture; sent to those whose interval is over.
  std::vector<Outgoing> image(const std::vector<std::uint8_t>& jpeg, double now);

  struct Statistics {
    std::uint64_t orders = 0, refused_address = 0, refused_match = 0, refused_other = 0, malformed = 0;
  };
  const Statistics& statistics() const { return statistics_; }

 private:
  struct Capture {
    bool on = false;
    int left = 0;  // pictures; 0 = until stopped
    double interval = 0.0, next_at = 0.0;
  };
  struct Workstation {
    hl_network::Endpoint endpoint;
    double last_message_time = 0.0, tokens = 0.0;
    Capture capture;
  };
  struct Turn;  // one message being worked on

  Workstation* workstation(const hl_network::Endpoint& from, double now);
  void answer(Turn& turn, const fumanoid::Message& message) const;
  void refuse(Turn& turn, const std::string& reason);
  bool may_move_motors(Turn& turn);
  const Motor* motor(std::uint8_t id) const;
  double angle(const Motor& motor, int ticks) const;
  fumanoid::Status status(const Inputs& inputs, double now) const;

  void handle(Turn& turn, const fumanoid::MotorStatusRequest& request);
  void handle(Turn& turn, const fumanoid::Plain& plain);
  void handle(Turn& turn, const fumanoid::ReadySet& order);
  void handle(Turn& turn, const fumanoid::SetRole& order);
  void handle(Turn& turn, const fumanoid::SwitchMotors& order);
  void handle(Turn& turn, const fumanoid::PlayMotion& order);
  void handle(Turn& turn, const fumanoid::SetWalkingSpeed& order);
  void handle(Turn& turn, const fumanoid::SetMotorId& order);
  void handle(Turn& turn, const fumanoid::SetMotor& order);
  void handle(Turn& turn, const fumanoid::SetLogLevel& order);
  void handle(Turn& turn, const fumanoid::ImageCapture& order);
  void handle(Turn& turn, const fumanoid::Reboot& order);
  void handle(Turn& turn, const fumanoid::GoToPosition& order);
  void handle(Turn& turn, const fumanoid::LimitTeam& order);
  void handle(Turn& turn, const fumanoid::TimeAnswer& answer);
  void handle(Turn& turn, const fumanoid::MotorOffsets& offsets);
  /// What robots say to workstations, and team mates to each other, is no order.
  template <class Other>
  void handle(Turn&, const Other&) {}

  Params params_;
  std::map<std::uint32_t, Workstation> workstations_;  // by address
  fumanoid::LogLevel log_level_ = fumanoid::LogLevel::Debug;
  fumanoid::ReadySet ready_set_;                    // the last one, told in the status
  std::optional<std::uint8_t> ordered_game_state_;  // 0 stopped .. 3 playing, as ordered
  std::map<std::uint8_t, std::int16_t> offsets_;    // ticks, ordered here; added to goals, taken off readings
  std::optional<Walk> walk_;
  double walk_until_ = 0.0, go_at_ = -1.0;
  double next_status_ = 0.0, next_time_request_ = 0.0;
  double clock_correction_ = 0.0;  // s, from a workstation
  Statistics statistics_;
};

/// Positions of these motors: 1024 steps in 300 degrees, 512 in the middle.
double radians_from_ticks(int ticks);
int ticks_from_radians(double angle);  // not limited to 0..1023

}  // namespace hl_remote

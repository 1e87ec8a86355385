// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hl_hcm {

/// Inner states; several of them look the same from outside (RobotControlState).
enum class State {
  Startup,      // waits for sensors and torque
  StartupRamp,  // soft start into walk-ready
  Controllable,
  Walking,
  WalkStopping,  // the body is wanted for something else, the walk finishes its steps
  Settling,      // a source ended or vanished: gently into walk-ready
  Animation,
  Kicking,
  Falling,
  Fallen,
  Helpless,        // cannot get up alone, called for help
  GettingUp,       // first part: the animation
  GettingUpCheck,  // second part: stands? then into walk-ready
  PenaltyIn,
  Penalty,
  PenaltyOut,
  Record,
  MotorOff,
  ShutdownSit,
  Off,
  Stopped,  // emergency stop
  HardwareProblem,
  PickedUp,
};
constexpr std::size_t kStateCount = 23;

const char* name_of(State state);
/// The constant of humanoid_league_msgs/RobotControlState; the node ties the numbers to the message.
constexpr std::uint8_t robot_control_state(State state) {
  switch (state) {
    case State::Controllable:
      return 0;  // CONTROLLABLE
    case State::Falling:
      return 1;  // FALLING
    case State::Fallen:
    case State::Helpless:
      return 2;  // FALLEN
    case State::GettingUp:
    case State::GettingUpCheck:
      return 3;  // GETTING_UP
    case State::Settling:
    case State::Animation:
      return 4;  // ANIMATION_RUNNING
    case State::Startup:
    case State::StartupRamp:
      return 5;  // STARTUP
    case State::ShutdownSit:
      return 6;  // SHUTDOWN
    case State::Penalty:
      return 7;  // PENALTY
    case State::PenaltyIn:
    case State::PenaltyOut:
      return 8;  // PENALTY_ANIMATION
    case State::Record:
      return 9;  // RECORD
    case State::Walking:
    case State::WalkStopping:
      return 10;  // WALKING
    case State::MotorOff:
    case State::Stopped:
      return 11;  // MOTOR_OFF
    case State::Off:
      return 12;  // HCM_OFF
    case State::HardwareProblem:
      return 13;  // HARDWARE_PROBLEM
    case State::PickedUp:
      return 14;  // PICKED_UP
    case State::Kicking:
      return 15;  // KICKING
  }
  return 5;  // STARTUP; no state is left over
}
const char* robot_control_state_name(State state);

enum class OwnAnimation { None, Running, Succeeded, Failed };

/// All a transition may look at; filled anew for every step.
struct Situation {
  double time = 0.0;  // s in this state
  // orders
  bool paused = false;
  bool emergency = false;
  bool shutdown = false;
  bool record = false;
  // hardware
  bool joints_ok = false;  // joint states are fresh and no leg joint is missing
  bool imu_ok = false;
  bool blind = false;       // too long without the IMU to go on walking
  bool hardware_ok = true;  // no error reported
  bool torque_on = false;
  bool torque_lost = false;  // reported off for a while
  bool hot = false;          // some joint is too hot to be asked for more
  // body
  bool falling = false;
  bool lying = false;
  bool upright = false;
  double still = 0.0;  // s without notable motion
  bool lifted = false;
  // sources
  bool walk_goals = false;  // walking asks for joints
  bool walk_ended = false;  // walking says it has come to a stop
  bool animation_request = false;
  bool animation_goals = false;  // an animation has begun
  bool animation_ended = false;  // its last goal came
  bool kick_goals = false;
  // the HCM's own doings
  bool ramp_done = false;
  OwnAnimation own_animation = OwnAnimation::None;
  bool animation_server = false;
  int attempts = 0;          // to get up that failed
  bool rolled_over = false;  // lay on its side when getting up began, lies on front or back now
  // limits (copied from the parameters, so that conditions are pure functions)
  int max_attempts = 3;
  double still_time = 0.3, help_pause = 20.0, animation_timeout = 15.0, fall_timeout = 2.0, walk_stop_timeout = 4.0,
         startup_timeout = 10.0, server_timeout = 5.0;
};

/// What happens on the way from one state to another.
enum class Action : unsigned {
  None = 0,
  HoldPose = 1u << 0,
  RampToWalkready = 1u << 1,
  SoftStart = 1u << 2,  // from the measured pose, slowly, into walk-ready
  RampToPenalty = 1u << 3,
  ProtectivePose = 1u << 4,
  TorqueOn = 1u << 5,
  TorqueOff = 1u << 6,
  PlayGetUp = 1u << 7,
  PlaySitDown = 1u << 8,
  CancelAnimation = 1u << 9,
  CountAttempt = 1u << 10,
  ForgetAttempts = 1u << 11,
  CallForHelp = 1u << 12,
  Warn = 1u << 13,  // say it on diagnostics as a warning
};
constexpr Action operator|(Action a, Action b) {
  return static_cast<Action>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool contains(Action set, Action action) {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(action)) != 0;
}
std::string names_of(Action actions);

struct Transition {
  State from, to;
  const char* reason;  // the condition in words
  bool (*condition)(const Situation&);
  Action actions;
};

/// The table: for each state its transitions, the most important first.
const std::vector<Transition>& transitions();

class StateMachine {
 public:
  State state() const { return state_; }
  /// Takes the first transition whose condition holds; nullptr if none does.
  const Transition* step(const Situation& situation);
  void set(State state) { state_ = state; }  // for tests of single transitions

 private:
  State state_ = State::Startup;
};

/// The table as a Graphviz drawing and as rows of a Markdown table.
std::string state_diagram_dot();
std::string transition_table_markdown();

}  // namespace hl_hcm

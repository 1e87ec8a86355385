// SPDX-License-Identifier: Apache-2.0
#include "state_traits.hpp"

namespace hl_hcm {

Source body_source(State state) {
  switch (state) {
    case State::Walking:
    case State::WalkStopping:
      return Source::Walking;
    case State::Animation:
    case State::GettingUp:
    case State::ShutdownSit:
      return Source::Animation;
    case State::Kicking:
      return Source::Kick;
    case State::Record:
      return Source::Record;
    case State::StartupRamp:
    case State::Settling:
    case State::Falling:
    case State::GettingUpCheck:
    case State::PenaltyIn:
    case State::Penalty:
    case State::PenaltyOut:
    case State::PickedUp:
      return Source::Hcm;
    default:
      return Source::None;
  }
}

bool on_one_foot(State state) {
  return state == State::Walking || state == State::WalkStopping || state == State::Kicking;
}

double lean_of(State state) {
  const bool moves_trunk = state == State::GettingUp || state == State::GettingUpCheck || state == State::Animation ||
                           state == State::ShutdownSit;
  return moves_trunk ? 1.3 : 1.0;
}

bool head_is_free(State state) {
  return state == State::Controllable || state == State::Walking || state == State::WalkStopping ||
         state == State::Settling || state == State::Animation || state == State::Kicking;
}

const char* advice_for(State state) {
  switch (state) {
    case State::Startup:
      return "waits for joint_states, imu/data and torque";
    case State::HardwareProblem:
      return "check joint_states, imu/data and hardware_state";
    case State::Helpless:
      return "put the robot on its feet, or check the animation server";
    case State::Stopped:
      return "release the emergency stop (service emergency_stop, stop: false)";
    case State::Off:
      return "wake it (service shutdown_robot, restart: true)";
    case State::MotorOff:
      return "send an order or switch the torque on";
    default:
      return "";
  }
}

}  // namespace hl_hcm

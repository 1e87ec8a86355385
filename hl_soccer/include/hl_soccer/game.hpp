// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace hl_soccer {

enum class GamePhase : std::uint8_t { Initial, Ready, Set, Playing, Finished };

enum class SetPlay : std::uint8_t {
  None,
  PenaltyShoot,  // shoot-out
  Overtime,
  Timeout,
  DirectFreeKick,
  IndirectFreeKick,
  PenaltyKick,  // in the game
  CornerKick,
  GoalKick,
  ThrowIn,
  Unknown = 255
};

enum class SetPlayPhase : std::uint8_t {
  None,
  Called,   // ball is being placed: freeze
  Prepare,  // kicker positions itself, opponents move away
  Execute   // kicker may play
};

enum class KickOff : std::uint8_t { None, Own, Rival, DroppedBall };

struct PlayerState {
  int number = 0;
  bool penalized = false;
  double seconds_till_unpenalized = 0.0;
};

/// The referee's word, seen from the own team: the message GameState without ROS; values of the enumerations are those
/// of the message.
struct GameState {
  double stamp = 0.0;  // s, when the packet arrived
  bool referee_connected = false;
  GamePhase phase = GamePhase::Initial;
  SetPlay set_play = SetPlay::None;
  SetPlayPhase set_play_phase = SetPlayPhase::None;
  bool own_set_play = false;
  bool stopped = false;
  bool first_half = true;
  KickOff kick_off = KickOff::None;
  int own_score = 0, rival_score = 0;
  double seconds_remaining = 0.0;            // of the half; negative in added time
  double secondary_seconds_remaining = 0.0;  // of READY, set play, timeout or break; 0 = no such clock runs
  int players_per_team = 0;                  // 0 = unknown
  int own_team = 0, own_player = 0;          // 0 = unknown
  bool own_color_blue = true;
  bool goalkeeper = false;
  bool penalized = false;
  double seconds_till_unpenalized = 0.0;
  bool allowed_to_move = false;
  int message_budget = -1;                              // team messages left; -1 = the protocol knows none
  std::vector<PlayerState> own_players, rival_players;  // by number, from 1; empty = unknown
};

/// What the HCM says of the body; values are those of the message RobotControlState.
enum class BodyState : std::uint8_t {
  Controllable,
  Falling,
  Fallen,
  GettingUp,
  AnimationRunning,
  Startup,
  Shutdown,
  Penalty,
  PenaltyAnimation,
  Record,
  Walking,
  MotorOff,
  HcmOff,
  HardwareProblem,
  PickedUp,
  Kicking
};

/// On the ground, or on its way there or back.
inline bool is_down(BodyState body) {
  return body == BodyState::Falling || body == BodyState::Fallen || body == BodyState::GettingUp;
}

}  // namespace hl_soccer

// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "hl_game_controller/control_packet.hpp"

namespace hl_game_controller {

std::string_view text(DecodeError error) {
  switch (error) {
    case DecodeError::None:
      return "a control packet";
    case DecodeError::NotAControlPacket:
      return "not a control packet (no 'RGme' at the start)";
    case DecodeError::UnknownVersion:
      return "a control packet of a version this program does not know (8 to 12, 19, 20)";
    case DecodeError::WrongSize:
      return "a control packet whose size does not fit its version";
  }
  return "unknown";
}

std::string_view name(State state) {
  constexpr std::array<std::string_view, 5> kNames{"INITIAL", "READY", "SET", "PLAYING", "FINISHED"};
  return kNames[static_cast<std::size_t>(state)];
}

std::string_view name(SetPlay set_play) {
  switch (set_play) {
    case SetPlay::None:
      return "none";
    case SetPlay::DirectFreeKick:
      return "direct free kick";
    case SetPlay::IndirectFreeKick:
      return "indirect free kick";
    case SetPlay::PenaltyKick:
      return "penalty kick";
    case SetPlay::CornerKick:
      return "corner kick";
    case SetPlay::GoalKick:
      return "goal kick";
    case SetPlay::ThrowIn:
      return "throw-in";
  }
  return "unknown";
}

std::string_view name(Penalty penalty) {
  switch (penalty) {
    case Penalty::None:
      return "none";
    case Penalty::Substitute:
      return "substitute";
    case Penalty::Manual:
      return "manual";
    case Penalty::BallManipulation:
      return "ball manipulation";
    case Penalty::PhysicalContact:
      return "pushing";
    case Penalty::IllegalAttack:
      return "illegal attack";
    case Penalty::IllegalDefense:
      return "illegal defence";
    case Penalty::PickupOrIncapable:
      return "pick-up or incapable";
    case Penalty::Service:
      return "service";
    case Penalty::IllegalPositioning:
      return "illegal positioning";
    case Penalty::MotionInSet:
      return "motion in SET";
    case Penalty::MotionInStop:
      return "motion while stopped";
    case Penalty::LocalGameStuck:
      return "local game stuck";
    case Penalty::LeavingTheField:
      return "leaving the field";
    case Penalty::Cautioned:
      return "cautioned";
    case Penalty::SentOff:
      return "sent off";
    case Penalty::Unknown:
      break;
  }
  return "unknown";
}

}  // namespace hl_game_controller

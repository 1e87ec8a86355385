// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/slot_rules.hpp"

namespace hl_behavior {
namespace {

constexpr auto kRun = SlotRule::Run;
constexpr auto kWait = SlotRule::Wait;
constexpr auto kFail = SlotRule::Fail;
constexpr SlotRules kCleared = {LegOwner::Body, SlotRule::Clear, SlotRule::Clear, SlotRule::Clear};

constexpr SlotRules by_move(SlotRule kick) {
  return {LegOwner::Move, kRun, kick, kRun};
}
constexpr SlotRules by_kick(SlotRule head) {
  return {LegOwner::Kick, kWait, kRun, head};
}
constexpr SlotRules by_body(SlotRule kick, SlotRule head) {
  return {LegOwner::Body, kWait, kick, head};
}
constexpr SlotRules kStopping = {LegOwner::Nobody, kWait, kWait, kRun};  // the walk comes to its end first

// clang-format off
constexpr SlotRules kTable[kBodyClasses][kKickStages] = {
  //            None                   Pending                PendingDive            InWalk                 Striking               Committed              Diving
  /*Ready*/    {by_move(kRun),         by_kick(kRun),         by_kick(kRun),         by_move(kWait),        by_kick(kRun),         by_kick(kRun),         by_kick(kWait)},
  /*Walking*/  {by_move(kRun),         kStopping,             by_kick(kRun),         by_move(kRun),         by_kick(kRun),         by_kick(kRun),         by_kick(kWait)},
  /*Kicking*/  {by_body(kRun, kRun),   by_body(kWait, kRun),  by_body(kWait, kRun),  by_body(kWait, kRun),  by_kick(kRun),         by_kick(kRun),         by_kick(kWait)},
  /*Animating*/{by_body(kRun, kWait),  by_body(kWait, kWait), by_body(kWait, kWait), by_body(kWait, kWait), by_body(kFail, kWait), by_body(kFail, kWait), by_kick(kWait)},
  /*Down*/     {by_body(kRun, kWait),  by_body(kWait, kWait), by_body(kWait, kWait), by_body(kFail, kWait), by_body(kFail, kWait), by_body(kFail, kWait), by_kick(kWait)},
  /*Removed*/  {kCleared,              kCleared,              kCleared,              kCleared,              kCleared,              kCleared,              kCleared},
  /*Off*/      {by_body(kRun, kWait),  by_body(kWait, kWait), by_body(kWait, kWait), by_body(kFail, kWait), by_body(kFail, kWait), by_body(kFail, kWait), by_body(kFail, kWait)},
};
// clang-format on

}  // namespace

const SlotRules& slot_rules(BodyClass body, KickStage kick) {
  return kTable[static_cast<int>(body)][static_cast<int>(kick)];
}

BodyClass body_class(hl_soccer::BodyState state) {
  using hl_soccer::BodyState;
  switch (state) {
    case BodyState::Controllable:
      return BodyClass::Ready;
    case BodyState::Walking:
      return BodyClass::Walking;
    case BodyState::Kicking:
      return BodyClass::Kicking;
    case BodyState::AnimationRunning:
      return BodyClass::Animating;
    case BodyState::Falling:
    case BodyState::Fallen:
    case BodyState::GettingUp:
      return BodyClass::Down;
    case BodyState::Penalty:
    case BodyState::PenaltyAnimation:
    case BodyState::PickedUp:
      return BodyClass::Removed;
    case BodyState::Startup:
    case BodyState::Shutdown:
    case BodyState::Record:
    case BodyState::MotorOff:
    case BodyState::HcmOff:
    case BodyState::HardwareProblem:
      return BodyClass::Off;
  }
  return BodyClass::Off;
}

}  // namespace hl_behavior

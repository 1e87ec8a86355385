// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "hl_behavior/slot_rules.hpp"

using namespace hl_behavior;
using hl_soccer::BodyState;

namespace {

struct Cell {
  BodyClass body;
  KickStage kick;
};

std::vector<Cell> all_cells() {
  std::vector<Cell> cells;
  for (int b = 0; b < kBodyClasses; ++b)
    for (int k = 0; k < kKickStages; ++k) cells.push_back({static_cast<BodyClass>(b), static_cast<KickStage>(k)});
  return cells;
}

bool uses_legs(KickStage stage) {
  return stage != KickStage::None && stage != KickStage::InWalk;
}

TEST(SlotRules, TheLegsHaveAtMostOneOwner) {
  for (const auto& cell : all_cells()) {
    const auto& rules = slot_rules(cell.body, cell.kick);
    const bool move = rules.move == SlotRule::Run;
    const bool kick = rules.kick == SlotRule::Run && uses_legs(cell.kick);
    EXPECT_FALSE(move && kick) << static_cast<int>(cell.body) << " " << static_cast<int>(cell.kick);
    EXPECT_EQ(move, rules.legs == LegOwner::Move);
    if (kick) {
      EXPECT_EQ(rules.legs, LegOwner::Kick);
    }
  }
}

TEST(SlotRules, OnlyAHealthyBodyWalks) {
  for (const auto& cell : all_cells()) {
    const bool may = cell.body == BodyClass::Ready || cell.body == BodyClass::Walking;
    if (!may) {
      EXPECT_NE(slot_rules(cell.body, cell.kick).move, SlotRule::Run);
    }
  }
}

TEST(SlotRules, AStandingKickWaitsUntilTheWalkHasStopped) {
  EXPECT_EQ(slot_rules(BodyClass::Walking, KickStage::Pending).kick, SlotRule::Wait);
  EXPECT_EQ(slot_rules(BodyClass::Walking, KickStage::Pending).move, SlotRule::Wait);
  EXPECT_EQ(slot_rules(BodyClass::Ready, KickStage::Pending).kick, SlotRule::Run);
  EXPECT_EQ(slot_rules(BodyClass::Ready, KickStage::None).move, SlotRule::Run);
}

TEST(SlotRules, AKickInWalkLeavesTheWalkRunning) {
  const auto& rules = slot_rules(BodyClass::Walking, KickStage::InWalk);
  EXPECT_EQ(rules.move, SlotRule::Run);
  EXPECT_EQ(rules.kick, SlotRule::Run);
}

TEST(SlotRules, TheHeadIsFreeExceptInAnimationsAndOnTheGround) {
  for (const auto& cell : all_cells()) {
    const auto& rules = slot_rules(cell.body, cell.kick);
    const bool body_free =
        cell.body == BodyClass::Ready || cell.body == BodyClass::Walking || cell.body == BodyClass::Kicking;
    if (cell.body == BodyClass::Removed) continue;
    EXPECT_EQ(rules.head == SlotRule::Run, body_free && cell.kick != KickStage::Diving)
        << static_cast<int>(cell.body) << " " << static_cast<int>(cell.kick);
  }
}

TEST(SlotRules, ARemovedRobotIsCleared) {
  for (const auto& cell : all_cells()) {
    const auto& rules = slot_rules(cell.body, cell.kick);
    const bool cleared =
        rules.move == SlotRule::Clear && rules.kick == SlotRule::Clear && rules.head == SlotRule::Clear;
    EXPECT_EQ(cleared, cell.body == BodyClass::Removed);
  }
}

TEST(SlotRules, AFallEndsAKickButNotADive) {
  EXPECT_EQ(slot_rules(BodyClass::Down, KickStage::Striking).kick, SlotRule::Fail);
  EXPECT_EQ(slot_rules(BodyClass::Down, KickStage::Committed).kick, SlotRule::Fail);
  EXPECT_EQ(slot_rules(BodyClass::Down, KickStage::Diving).kick, SlotRule::Run);
  EXPECT_EQ(slot_rules(BodyClass::Down, KickStage::Pending).kick, SlotRule::Wait);
}

TEST(SlotRules, EveryBodyStateHasItsClass) {
  const std::pair<BodyState, BodyClass> expected[] = {{BodyState::Controllable, BodyClass::Ready},
                                                      {BodyState::Falling, BodyClass::Down},
                                                      {BodyState::Fallen, BodyClass::Down},
                                                      {BodyState::GettingUp, BodyClass::Down},
                                                      {BodyState::AnimationRunning, BodyClass::Animating},
                                                      {BodyState::Startup, BodyClass::Off},
                                                      {BodyState::Shutdown, BodyClass::Off},
                                                      {BodyState::Penalty, BodyClass::Removed},
                                                      {BodyState::PenaltyAnimation, BodyClass::Removed},
                                                      {BodyState::Record, BodyClass::Off},
                                                      {BodyState::Walking, BodyClass::Walking},
                                                      {BodyState::MotorOff, BodyClass::Off},
                                                      {BodyState::HcmOff, BodyClass::Off},
                                                      {BodyState::HardwareProblem, BodyClass::Off},
                                                      {BodyState::PickedUp, BodyClass::Removed},
                                                      {BodyState::Kicking, BodyClass::Kicking}};
  for (const auto& [state, body] : expected) EXPECT_EQ(body_class(state), body) << static_cast<int>(state);
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>

#include "hl_behavior/skill.hpp"
#include "hl_soccer/belief.hpp"

namespace hl_behavior {

using hl_soccer::Action;
using hl_soccer::OffensiveSide;
using hl_soccer::Role;

/// One thing a decision rests on: a number with its unit, or a word. All texts are static.
struct Reason {
  const char* name = "";
  double value = 0.0;
  const char* unit = "";
  const char* word = nullptr;  // instead of the number

  std::string text() const;  // of the value
};

/// The reasons of one decision, in the order they were found; the oldest stay when it is full.
class Reasons {
 public:
  void add(const char* name, double value, const char* unit) { add({name, value, unit, nullptr}); }
  void add(const char* name, const char* word) { add({name, 0.0, "", word}); }
  const Reason* begin() const { return reasons_.data(); }
  const Reason* end() const { return reasons_.data() + count_; }
  std::size_t size() const { return count_; }
  const Reason* find(const char* name) const;

 private:
  void add(const Reason& reason) {
    if (count_ < reasons_.size()) reasons_[count_++] = reason;
  }
  std::array<Reason, 24> reasons_;
  std::size_t count_ = 0;
};

/// What the robot shall do now, and why.
struct Decision {
  Role role = Role::Idling;
  Action action = Action::Undefined;
  OffensiveSide side = OffensiveSide::Unspecified;
  const char* row = "";  // of the tactics' table
  std::optional<MoveSkill> move;
  std::optional<HeadSkill> head;
  std::optional<KickSkill> kick;
  std::array<std::uint32_t, kSlots> task_orders{};  // of a task, by slot: as for the executor; 0 = tactics
  const char* say = nullptr;                        // nullptr = nothing
  std::optional<double> time_to_ball;               // s, told to the team mates
  Reasons reasons;
};

const char* name_of(Role role);
const char* name_of(Action action);

}  // namespace hl_behavior

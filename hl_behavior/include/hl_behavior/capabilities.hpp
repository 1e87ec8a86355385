// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hl_behavior/skill.hpp"
#include "hl_description/field.hpp"

namespace hl_behavior {

/// One parameter of a skill as tasks and people write it. Types are those of RTDL: `number`, `int`, `text`, or a kind
/// of thing (`Place`, `Player`, `HeadMode`, ...).
struct SkillParameter {
  const char* name;
  const char* type;
  bool required = true;  // the last ones may be left out
};

/// How a skill ends that nobody stops.
enum class SkillEnding : std::uint8_t {
  ByItself,     // completed or failed
  Lasting,      // never: it is what the slot does until it is wanted otherwise
  AfterSeconds  // when the time of its parameter `seconds` is over, or its typical duration
};

/// A value for a parameter: whatever of it is known now.
struct SkillArgument {
  std::string name;               // of the parameter
  std::optional<double> number;   // SI
  std::string text;               // a word, or the name of a thing
  std::optional<Vector2d> place;  // m, map; of a thing that has one
  std::optional<double> heading;  // rad, map; of a place that has one
};

/// What making a skill may need to know besides its arguments.
struct SkillContext {
  std::optional<Pose2> pose;                  // map from base_footprint; missing = unknown
  Pose2 start;                                // the same when the skill was first asked for
  std::optional<Vector2d> ball;               // m, map; missing = unknown
  Vector2d ball_velocity = Vector2d::Zero();  // m/s, map
  hl_description::Field field;
  double kick_distance = 3.1;  // m, of the hardest kick
};

/// The skill with its numbers filled in, or why it cannot be made now.
using MadeSkill = std::variant<Skill, std::string>;

/// A skill as others see it: what `list_behaviors` offers, what RTDL calls, and how one is made. This table is the only
/// one: the catalogue of RTDL is generated from it.
struct Capability {
  const char* name;
  Slot slot;
  std::vector<SkillParameter> parameters;
  bool can_fail;
  double typical_duration;  // s, for a way of 2 m or one kick
  SkillEnding ending;
  double time_limit;  // s, well beyond; 0 = none
  const char* meaning;
  MadeSkill (*make)(const std::vector<SkillArgument>& arguments, const SkillContext& context);
};
const std::vector<Capability>& capabilities();
const Capability* capability(const std::string& name);

}  // namespace hl_behavior

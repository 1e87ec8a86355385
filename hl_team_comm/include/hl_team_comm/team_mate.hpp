// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "hl_team_comm/mitecom.hpp"

namespace hl_team_comm {

enum class Role : std::uint8_t { Idling = 0, Other = 1, Striker = 2, Supporter = 3, Defender = 4, Goalie = 5 };
enum class Action : std::uint8_t { Undefined = 0, Positioning = 1, GoingToBall = 2, TryingToScore = 3, Waiting = 4 };
enum class Activity : std::uint8_t { Inactive = 0, Active = 1, Penalized = 2 };
enum class OffensiveSide : std::uint8_t { Unspecified = 0, Left = 1, Middle = 2, Right = 3 };

/// A position with how much it is believed, 0..1.
struct BelievedPoint {
  double x = 0.0;  // m
  double y = 0.0;  // m
  float belief = 0.0F;
};

/// What one robot tells its team, in SI units.
struct TeamMate {
  Role role = Role::Idling;
  Action action = Action::Undefined;
  Activity activity = Activity::Inactive;
  std::optional<BelievedPoint> position;                   // on the field
  double orientation = 0.0;                                // rad, goes with `position`
  std::optional<BelievedPoint> ball;                       // relative to the robot
  std::optional<BelievedPoint> opponent_goal;              // relative to the robot
  std::array<std::optional<BelievedPoint>, 4> opponents;   // on the field
  std::array<std::optional<BelievedPoint>, 3> team_mates;  // on the field
  std::optional<double> walking_speed;                     // m/s
  std::optional<double> time_to_ball;                      // s
  std::optional<double> kicking_distance;                  // m
  OffensiveSide offensive_side = OffensiveSide::Unspecified;
};

/// Writes a team mate into the values of `message`. Lengths beyond 1 km and non-finite numbers are left out.
void write(const TeamMate& mate, mitecom::Message& message);

/// Reads what a message says. Codes outside their enumeration become the first one; keys that an older numbering
/// gave another meaning are left out.
TeamMate read(const mitecom::Message& message);

}  // namespace hl_team_comm

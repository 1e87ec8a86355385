// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hl_match/match.hpp"

namespace hl_match {

// What one body does when ordered about, in physics or without joints (`world.fast`): the same trials fit the fast
// motion and judge it.

struct WalkSample {
  bool fell = false;
  double way = 0.0;        // m or rad in the commanded direction, until the order to stop
  double counted = 0.0;    // the same by odometry
  double stop_way = 0.0;   // m or rad from the order to stop until it stands
  double stop_time = 0.0;  // s
};
/// Walks at a constant command for `seconds`, then stops.
WalkSample walk_sample(const Match::Params& world, const hl_walking::Velocity& command, double seconds,
                       std::uint64_t seed);

struct KickSample {
  bool kicked = false;
  double contact = 0.0, time = 0.0;  // s from the order
  double distance = 0.0;             // m
  double direction = 0.0;            // rad, to the side of the kicking foot
};
/// A kick straight ahead from the stand at `speed` (share of the hardest), ball a little off as `seed` says.
KickSample kick_sample(const Match::Params& world, double speed, std::uint64_t seed);
/// A kick in walk.
KickSample walk_kick_sample(const Match::Params& world, std::uint64_t seed);

struct FallSample {
  std::string direction;  // empty = did not fall
  double time = 0.0;      // s from the HCM's word until it stands
};
/// Thrown over in a direction (rad, own axes).
FallSample fall_sample(const Match::Params& world, double direction, std::uint64_t seed);

struct ContactSample {
  double contact = 0.0;  // s in which both touched
  int falls = 0;
  double distance = 0.0;  // m between them when they first touched; 0 = never
};
/// Two robots walk against each other.
ContactSample contact_sample(const Match::Params& world, std::uint64_t seed);

/// Highest speed of a ball that a robot walks against, over the robot's speed.
double push_sample(const Match::Params& world, std::uint64_t seed);

}  // namespace hl_match

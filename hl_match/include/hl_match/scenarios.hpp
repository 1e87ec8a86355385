// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <hl_walking/random_command.hpp>
#include <optional>
#include <string>

#include "hl_match/lone_robot.hpp"

namespace hl_match {

/// One robot alone, ordered about: the walk, the kick and getting up as a whole robot does them, through controller and
/// HCM. `world` gives robot and field; players, referee and ball are set here.

struct WalkTrial {
  double duration = 10.0;                                // s
  double settled = 0.0;                                  // s after which the way counts
  std::function<hl_walking::Velocity(double)> velocity;  // commanded, over time
  double push = 0.0;                                     // N, horizontal, for 0.1 s every 2 s, in changing directions
  double friction = 0.9;
  double command_delay = 0.0;  // s
  double mass_factor = 1.0;
  std::uint64_t seed = 1;
  std::function<void(const LoneRobot& robot, double time)> watch;  // after every tick
};
struct WalkResult {
  bool fell = false;
  double time = 0.0;              // s of the way: until the fall, or the whole trial
  hl_description::Pose2 way;      // from the start: m, m, rad (turns are counted on)
  hl_description::Pose2 counted;  // the same by odometry
  double heat = 0.0;              // mean square of the load of the leg servos, 0..1
};
WalkResult walk(const Match::Params& world, const WalkTrial& trial);

using hl_walking::random_command;  // for `velocity`

struct KickResult {
  bool kicked = false, fell = false;
  double distance = 0.0;  // m that the ball went
  double error = 0.0;     // rad, of its direction
};
/// How a kick's distance is found: by watching until the ball rests, or from its speed soon after the kick.
enum class Roll { Watched, Predicted };
/// A standing kick at a ball 9 cm ahead of the toes of one foot, a little off and up to 9 degrees aside as `seed` says.
KickResult kick(const Match::Params& world, std::uint64_t seed, Roll roll = Roll::Watched);

struct GetUpResult {
  bool stands = false;
  double time = 0.0;  // s from the moment it is left alone
};
/// Lies on `side`, arms along the body, all joints a little off.
GetUpResult get_up(const Match::Params& world, hl_hcm::Direction side, std::uint64_t seed);

struct PushResult {
  bool fell = false;     // the truth: something else than feet and hands touched the ground
  bool noticed = false;  // the HCM said so
  double lead = 0.0;     // s from the HCM's word to the ground
  bool stands = false;   // again, within 20 s
};
/// Pushed so hard from a side that it may fall.
PushResult push_over(const Match::Params& world, std::uint64_t seed);

}  // namespace hl_match

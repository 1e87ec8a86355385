// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <hl_animation/animation.hpp>
#include <string>

#include "hl_match/lone_robot.hpp"

namespace hl_match {

/// `world` with this animation in its robot's library, in place of the one of the same name.
Match::Params with_animation(const Match::Params& world, const hl_animation::Animation& animation);

/// How an animation went.
struct MotionResult {
  bool played = false;       // the HCM let it play to its end
  bool as_declared = false;  // and afterwards the robot was in the posture that the animation declares
  double time = 0.0;         // s from its first goal to its last
  double alignment = 0.0;    // cosine between the trunk and how it should lie or stand afterwards, mean
  double height = 0.0;       // of the trunk against standing, mean afterwards
  double saturation = 0.0;   // share of joint samples at the stall torque
  double balance = 0.0;      // m, mean distance of the centre of mass from the middle of the feet late in the motion
  double ball = 0.0;         // m that the ball went
};

/// A whole robot plays one animation of its library from the posture it starts in. One that starts lying is played by
/// the HCM, which has nothing else to get up with from that side. Before a kick (`kick_...`) a ball lies a hand's
/// breadth ahead of the toe it uses, a little off as `seed` says. `watch` is called after every tick of the motion and
/// some time after it.
MotionResult perform(const Match::Params& world, const std::string& name, std::uint64_t seed,
                     const std::function<void(const LoneRobot&)>& watch = {});

}  // namespace hl_match

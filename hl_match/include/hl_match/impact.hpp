// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <hl_animation/animation.hpp>
#include <optional>

#include "hl_match/lone_robot.hpp"

namespace hl_match {

constexpr std::array<hl_hcm::Direction, 4> kSides{hl_hcm::Direction::Front, hl_hcm::Direction::Back,
                                                  hl_hcm::Direction::Left, hl_hcm::Direction::Right};

/// `world` with an HCM that takes a fall for one only when all is over: its robot falls stiffly.
Match::Params without_fall_reactions(const Match::Params& world);
/// `world` with another protective pose: the goals of the first keyframe.
Match::Params with_protective_pose(const Match::Params& world, hl_hcm::Direction side,
                                   const hl_animation::Animation& pose);
/// The side for which an animation holds a protective pose: its name is fall_front, fall_back, fall_left or fall_right
/// and it means to go down. Nothing for every other.
std::optional<hl_hcm::Direction> protects(const hl_animation::Animation& animation);

/// How hard a fall was. Accelerations and forces are means over 8 ms, the largest of the whole fall.
struct Impact {
  bool fell = false;
  double head_acceleration = 0.0;  // m/s^2
  double hip_acceleration = 0.0;   // m/s^2, of base_link, between the hips
  double head_force = 0.0;         // N, ground on head and neck
  double trunk_force = 0.0;        // N, ground on trunk and hips
  std::optional<double> lead;      // s from the HCM's alarm until something else than a foot touches the ground
};

/// A whole robot that stands is pushed over to `side`: 0.75 to 1.3 m/s within 0.1 s, up to 17 degrees off, as `seed`
/// says. `afterwards` may go on with the robot that lies there.
Impact push_down(const Match::Params& world, hl_hcm::Direction side, std::uint64_t seed,
                 const std::function<void(LoneRobot&)>& afterwards = {},
                 const std::function<void(const LoneRobot&)>& watch = {});

}  // namespace hl_match

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "hl_description/field.hpp"

namespace hl_simulation {

/// What stands around the field in pictures, chosen by a seed: walls of some colour with pictures and windows,
/// spectators, another field, bags and shoes near the line, a referee, poles. Seed 0 is the plain hall.
/// Bodies of people and poles on or near the turf are called "person_N" and "pole_N".
struct Surroundings {
  std::string geoms;                                                // MJCF for the worldbody
  std::array<double, 3> wall{.62, .64, .66}, floor{.35, .36, .38};  // colours, 0..1
};

/// `moved`: seed of where every second spectator has gone; 0: nowhere.
Surroundings surroundings(const hl_description::Field& field, std::uint64_t seed, std::uint64_t moved = 0);

/// Colours of turf and ball for a seed.
struct Shades {
  std::array<double, 3> turf{44, 112, 46};  // 0..255
  double wear = 0.12;                       // of the lines, 0..1
  double grain = 1.0;                       // how rough the turf looks
};
Shades shades(std::uint64_t seed);

}  // namespace hl_simulation

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "hl_simulation/renderer.hpp"

namespace hl_simulation {

/// What a real camera does to a picture; all zero or one: nothing.
struct CameraEffects {
  double exposure = 1.0;                         // factor of brightness, cut at white
  std::array<double, 3> white_balance{1, 1, 1};  // factors of red, green, blue
  double vignetting = 0.0;                       // share of brightness lost in the corners
  double noise = 0.0;                            // standard deviation, 0..255
  double soft = 0.0;                             // px, standard deviation of the lens's blur
  double motion_x = 0.0, motion_y = 0.0;         // px the picture moves while the shutter is open
  double rolling_x = 0.0;                        // px the last row is shifted against the first
  double distortion = 0.0;                       // k1 of the lens, about the picture's middle
  double focal_length = 577.0;                   // px, for the distortion

  std::optional<std::string> validate() const;
  /// Somewhere between a good and a bad camera of a walking robot; without distortion and rolling shutter, which move
  /// things in the picture.
  static CameraEffects random(std::uint64_t seed);
};

/// In the order light takes: lens, motion, exposure, noise. The same seed gives the same noise.
void apply(const CameraEffects& effects, std::uint64_t seed, Image& image);

}  // namespace hl_simulation

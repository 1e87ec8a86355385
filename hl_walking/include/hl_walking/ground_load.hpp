// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include "hl_walking/body.hpp"

namespace hl_walking {

/// Where the weight of one foot acts.
struct FootLoad {
  double force = 0.0;                                 // N
  std::optional<Eigen::Vector2d> centre_of_pressure;  // m, in the sole; empty if it does not press or is not known
};

/// From force cells at `cells` (m, in the sole) that read `forces` (N); nothing if one of them is broken.
std::optional<FootLoad> load_from_cells(const std::array<Eigen::Vector2d, 4>& cells,
                                        const std::array<double, 4>& forces);

/// Vertical force on each foot (N, left and right, negative while a leg hangs) from the torques (N m) of its hip, knee
/// and ankle pitch: three torques, three unknowns, so the place of the pressure does not matter. For a robot without
/// force cells. Nothing if a leg is so straight that the torques say nothing.
std::optional<std::array<double, 2>> load_from_joints(WalkingBody& body, const Joints& measured, const Joints& torque);

/// The ZMP of both feet together, in the sole of `support` (m), by the measured joints; nothing if no foot presses or
/// no pressure is known.
std::optional<Eigen::Vector2d> measured_zmp(const WalkingBody& body, const Joints& measured, Side support,
                                            const std::array<FootLoad, 2>& feet);

}  // namespace hl_walking

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <vector>

#include "hl_simulation/robot_spec.hpp"

namespace hl_simulation {

/// A flat box of paint, in the frame of the body that wears it.
struct PaintedStroke {
  Eigen::Vector3d centre, size;  // m; edges
};

/// The strokes of a digit (0..9) on a sheet in team colour, on its side away from the body; none where no number would
/// be worn: on anything but an upright sheet across the body's x axis.
/// `outward`: 1 for a chest, -1 for a back.
std::vector<PaintedStroke> number_on(const Shape& sheet, int digit, double outward);

}  // namespace hl_simulation

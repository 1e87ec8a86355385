// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <vector>

namespace hl_world_model {

/// What a camera sees of the ground: corners in base_footprint, counter-clockwise, no farther than `range` (m); empty
/// if it sees none. `camera`: optical frame (x right, y down, z ahead) in base_footprint; fields of view in rad.
std::vector<Eigen::Vector2d> ground_view(const Eigen::Isometry3d& camera, double horizontal_fov, double vertical_fov,
                                         double range);

}  // namespace hl_world_model

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "hl_localization/field_map.hpp"
#include "hl_localization/pose_filter.hpp"

namespace hl_localization {

/// The robot's pose from two known places and where they are seen (m, base_footprint): triangle by the law of cosines,
/// the side by which of the two is the left one, the heading from the first. Nothing if the three lie in one line or
/// the measured sides make no triangle by more than noise.
std::optional<Pose2> pose_from_two(const Eigen::Vector2d& place_a, const Eigen::Vector2d& seen_a,
                                   const Eigen::Vector2d& place_b, const Eigen::Vector2d& seen_b);

/// Poses from which the sighting may have been made, one of each pair of opposite ones: from both posts of a goal, from
/// a crossing whose lines are known, from the circle or a post with a second mark. Appended to `poses`.
void candidates(const Sighting& sighting, const FieldMap& map, std::vector<Pose2>& poses);

}  // namespace hl_localization

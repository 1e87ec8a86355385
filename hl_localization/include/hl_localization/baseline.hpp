// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_localization/field_map.hpp"
#include "hl_soccer/ground_noise.hpp"
#include "hl_soccer/percepts.hpp"

namespace hl_localization {

/// What the localisation is compared with: the odometry alone, or corrected by the closed form from two landmarks,
/// whose places on the field the last pose tells.
class Baseline {
 public:
  Baseline(const hl_description::Field& field, const hl_soccer::GroundNoise& noise) : map_(field), noise_(noise) {}

  void start(const Pose2& pose, const Pose2& odometry) { map_from_odom_ = pose * odometry.inverse(); }
  /// The two marks of the picture that are farthest apart; `odometry` of the picture's stamp.
  void see(const hl_soccer::Percepts& percepts, const Pose2& odometry);
  Pose2 pose(const Pose2& odometry) const { return map_from_odom_ * odometry; }

 private:
  FieldMap map_;
  hl_soccer::GroundNoise noise_;
  Pose2 map_from_odom_;
};

}  // namespace hl_localization

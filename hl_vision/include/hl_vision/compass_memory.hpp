// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>

#include "hl_description/geometry.hpp"
#include "hl_vision/expected_views.hpp"

namespace hl_vision {

/// Evidence for the heading from the pictures of the last seconds, by the direction that they showed: a head that looks
/// around sees more than any one picture. Directions are those of odom; a direction that is looked at again replaces
/// what it said before.
class CompassMemory {
 public:
  static constexpr int kSectors = 24;  // of directions, 15 degrees each
  static constexpr int kColumns = Panorama::kBearings / kSectors;

  /// What all sectors say together.
  struct Sum {
    Eigen::ArrayXf evidence = Eigen::ArrayXf::Zero(Panorama::kBearings);  // of turns of base_footprint in map
    Eigen::ArrayXf contours = evidence;                                   // the part of it that no light changes
    Eigen::ArrayXXf sectors;                                              // turns x sectors; their sum is `evidence`
  };

  void forget() { sectors_ = {}; }
  /// Forgets first if the odometry jumped or time ran backwards. `memory`: s after which little is left of a look.
  void add(const PictureEvidence& picture, const hl_description::Pose2& odometry, double stamp, double memory);
  Sum sum() const;

 private:
  struct Sector {
    Eigen::ArrayXf evidence, contours;  // of turns of odom in map
    double stamp = 0.0;                 // s
    float share = 0.0f;                 // of its columns that were seen
  };
  double left(const Sector& sector) const;  // of what it said, 0..1

  std::array<Sector, kSectors> sectors_;
  hl_description::Pose2 odometry_;
  double stamp_ = -1e300, memory_ = 0.0;
};

}  // namespace hl_vision

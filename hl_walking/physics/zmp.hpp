// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_description/support_polygon.hpp>
#include <optional>
#include <vector>

#include "trial.hpp"

namespace hl_walking {

/// One tick of a walk in physics: the zero-moment point by plan and by the ground's forces, on the ground of the world,
/// m.
struct ZmpSample {
  double time = 0.0;  // s
  Eigen::Vector2d planned, measured, com;
  double planned_margin = 0.0, measured_margin = 0.0;  // m inside the edge of the support polygon, negative outside
  bool both_feet = false;                              // on the ground
  std::array<Eigen::Vector2d, 4> sole;                 // corners of the support foot by plan
  int steps = 0;
};

/// The support polygon is the hull of the soles of the feet that really press; nothing while none does.
std::optional<ZmpSample> sample_zmp(const Body& body, const hl_simulation::Simulation& sim, const Output& out);

/// Samples of a straight walk between two times, s.
std::vector<ZmpSample> record_zmp(Laboratory& laboratory, const WalkConfig& config, double speed, double from,
                                  double to, std::uint64_t seed);

/// Part of the samples, 0..1, whose measured ZMP is at least `margin` (m) inside.
double share_inside(const std::vector<ZmpSample>& samples, double margin);

}  // namespace hl_walking

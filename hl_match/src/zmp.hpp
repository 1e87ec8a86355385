// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <hl_walking/params.hpp>
#include <string>
#include <vector>

#include "hl_match/match.hpp"

namespace hl_match {

/// One tick of a walk in physics: the zero-moment point by plan and by the ground's forces, on the ground of the world,
/// m.
struct ZmpSample {
  double time = 0.0;  // s
  Eigen::Vector2d planned, measured, com;
  double planned_margin = 0.0, measured_margin = 0.0;  // m inside the edge of the support polygon, negative outside
  std::array<Eigen::Vector2d, 4> sole;                 // corners of the support foot by plan
  int steps = 0;
};

/// Samples of a straight walk between two times, s. The support polygon is the hull of the soles of the feet that
/// really press.
std::vector<ZmpSample> record_zmp(const Match::Params& world, double speed, double from, double to, std::uint64_t seed);

/// Part of the samples, 0..1, whose measured ZMP is at least `margin` (m) inside.
double share_inside(const std::vector<ZmpSample>& samples, double margin);

/// Draws the samples, SVG. Throws std::runtime_error if the file cannot be written.
void draw_zmp(const std::vector<ZmpSample>& samples, const std::string& path);

}  // namespace hl_match

// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/wall_map.hpp"

#include <algorithm>
#include <cmath>

namespace hl_vision {
namespace {

// Scatter of brightness and hues (logarithms) that still counts as the same thing, squared: to weigh the channels.
constexpr std::array<float, Panorama::kChannels> kVariance{0.06f, 0.01f, 0.01f};
constexpr float kEnoughInCommon = 30.0f;  // cells
constexpr double kSharp = 4.0;            // m, from which what a place saw counts less

double reach(double half_length, double half_width, const Eigen::Vector2d& from, double bearing) {
  const double c = std::cos(bearing), s = std::sin(bearing);
  const double along_x = std::abs(c) < 1e-9 ? 1e9 : ((c > 0 ? half_length : -half_length) - from.x()) / c;
  const double along_y = std::abs(s) < 1e-9 ? 1e9 : ((s > 0 ? half_width : -half_width) - from.y()) / s;
  return std::max(0.1, std::min(along_x, along_y));
}

}  // namespace

WallMap::Hit WallMap::hit(const Eigen::Vector2d& from, double height, double bearing, double elevation) const {
  const double distance = reach(half_length(), half_width(), from, bearing);
  const Eigen::Vector2d at = from + distance * Eigen::Vector2d(std::cos(bearing), std::sin(bearing));
  return {std::atan2(at.y(), at.x()), (height + elevation * distance - kEye) / at.norm(), distance};
}

void WallMap::paint(const std::vector<RecordedPlace>& places) {
  std::fill(cells_.begin(), cells_.end(), Cell());
  std::vector<std::vector<Cell>> looks;  // of each place
  std::vector<Cell> sums(cells_.size());
  for (const RecordedPlace& place : places) {
    std::vector<Cell> seen = painted_from(place);
    // Exposure and white balance were others there: what several places saw tells the difference.
    std::array<float, Panorama::kChannels> difference{};
    float common = 0.0f;
    for (std::size_t n = 0; n < seen.size(); ++n) {
      if (seen[n].weight <= 0.0f || sums[n].weight <= 0.0f) continue;
      for (std::size_t c = 0; c < Panorama::kChannels; ++c)
        difference[c] += seen[n].weight * (seen[n].value[c] - sums[n].value[c] / sums[n].weight);
      common += seen[n].weight;
    }
    for (std::size_t n = 0; n < seen.size(); ++n) {
      for (std::size_t c = 0; c < Panorama::kChannels; ++c) {
        if (common > kEnoughInCommon) seen[n].value[c] -= difference[c] / common;
        sums[n].value[c] += seen[n].weight * seen[n].value[c];
      }
      sums[n].weight += seen[n].weight;
    }
    looks.push_back(std::move(seen));
  }
  double apart = 0.0, shared = 0.0;
  for (std::size_t n = 0; n < cells_.size(); ++n) {
    const float sum = sums[n].weight;
    if (sum < 0.05f) continue;
    Cell& cell = cells_[n];
    for (std::size_t c = 0; c < Panorama::kChannels; ++c) cell.value[c] = sums[n].value[c] / sum;
    float spread = 0.0f;
    int witnesses = 0;
    for (const auto& look : looks) {
      if (look[n].weight <= 0.0f) continue;
      ++witnesses;
      for (std::size_t c = 0; c < Panorama::kChannels; ++c) {
        const float d = look[n].value[c] - cell.value[c];
        spread += look[n].weight / sum * d * d / kVariance[c];
      }
    }
    // Where the places disagree something stands in front of the wall: of little use from a third place.
    cell.weight = std::min(1.0f, 2.0f * sum) / (1.0f + spread);
    if (witnesses > 1) {
      apart += static_cast<double>(std::min(1.0f, spread));
      shared += 1.0;
    }
  }
  disagreement_ = shared > kEnoughInCommon ? apart / shared : 1.0;
}

std::vector<WallMap::Cell> WallMap::painted_from(const RecordedPlace& place) const {
  std::vector<Cell> seen(cells_.size());
  for (int column = 0; column < kColumns; ++column) {
    const double theta = (column + 0.5) * kColumnStep;
    const double far = reach(half_length(), half_width(), Eigen::Vector2d::Zero(), theta);
    const Eigen::Vector2d to = far * Eigen::Vector2d(std::cos(theta), std::sin(theta)) - place.position;
    const double distance = std::max(0.1, to.norm()), bearing = std::atan2(to.y(), to.x());
    for (int row = 0; row < kRows; ++row) {
      const double z = kEye + (kLowest + (row + 0.5) * kRowStep) * far;
      Cell& cell = seen[static_cast<std::size_t>(column) * kRows + static_cast<std::size_t>(row)];
      if (z < 0.0 || !place.panorama.sample(bearing, (z - place.height) / distance, cell.value, cell.weight)) {
        cell.weight = 0.0f;
        continue;
      }
      cell.weight *= static_cast<float>(std::min(1.0, kSharp / distance));  // the nearer place sees it more sharply
    }
  }
  return seen;
}

Panorama WallMap::seen_from(const Eigen::Vector2d& position, double height) const {
  Panorama seen;
  for (int b = 0; b < Panorama::kBearings; ++b) {
    const double bearing = (b + 0.5) * Panorama::kBearingStep;
    for (int e = 0; e < Panorama::kElevations; ++e) {
      const double elevation = Panorama::kLowest + (e + 0.5) * Panorama::kElevationStep;
      const Hit at = hit(position, height, bearing, elevation);
      if (height + elevation * at.distance < 0.0) continue;  // the floor in front of the wall
      const double row = (at.elevation - kLowest) / kRowStep - 0.5;
      if (row < -0.5 || row > kRows - 0.5) continue;
      const double column = at.bearing / kColumnStep - 0.5;
      const int c0 = static_cast<int>(std::floor(column)),
                r0 = std::clamp(static_cast<int>(std::floor(row)), 0, kRows - 2);
      const auto fc = static_cast<float>(column - c0), fr = static_cast<float>(std::clamp(row - r0, 0.0, 1.0));
      float sum = 0.0f;
      std::array<float, Panorama::kChannels> value{};
      for (int dc = 0; dc < 2; ++dc) {
        for (int dr = 0; dr < 2; ++dr) {
          const int wrapped = ((c0 + dc) % kColumns + kColumns) % kColumns;
          const Cell& cell = cells_[static_cast<std::size_t>(wrapped) * kRows + static_cast<std::size_t>(r0 + dr)];
          const float w = (dc ? fc : 1.0f - fc) * (dr ? fr : 1.0f - fr) * cell.weight;
          sum += w;
          for (std::size_t c = 0; c < Panorama::kChannels; ++c) value[c] += w * cell.value[c];
        }
      }
      if (sum < 0.02f) continue;
      const int at_cell = Panorama::cell(b, e);
      seen.weights[at_cell] = sum;
      for (std::size_t c = 0; c < Panorama::kChannels; ++c) seen.values[c][at_cell] = value[c] / sum;
    }
  }
  return seen;
}

}  // namespace hl_vision

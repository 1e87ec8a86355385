// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hl_description/field.hpp"
#include "hl_vision/panorama.hpp"

namespace hl_vision {

/// A panorama that was recorded on the field: directions are those of the map.
struct RecordedPlace {
  Eigen::Vector2d position = Eigen::Vector2d::Zero();  // m, map, of the camera
  double height = 0.5;                                 // m, of the camera
  Panorama panorama;
};

/// What surrounds the field, thought of as painted on four walls `gap` m beyond the turf: so panoramas of a few places
/// tell how it looks from every other one. True for a hall's walls; people who stand nearer are blurred, as they
/// should be.
class WallMap {
 public:
  WallMap(const hl_description::Field& field, double gap) : field_(field), gap_(gap) {}

  void paint(const std::vector<RecordedPlace>& places);
  /// How it would look from `position`.
  Panorama seen_from(const Eigen::Vector2d& position, double height) const;

  double gap() const { return gap_; }
  /// How well the places agree on what they painted, mean over what at least two of them saw: 0 they do, 1 not at all.
  /// Nothing to say (1) if they saw little in common.
  double disagreement() const { return disagreement_; }

 private:
  struct Hit {
    double bearing, elevation;  // of the place on the wall, as seen from the field's centre
    double distance;            // m, from the eye
  };
  Hit hit(const Eigen::Vector2d& from, double height, double bearing, double elevation) const;
  double half_length() const { return 0.5 * field_.length + field_.border + gap_; }
  double half_width() const { return 0.5 * field_.width + field_.border + gap_; }

  static constexpr int kColumns = 240, kRows = 32;
  static constexpr double kColumnStep = 2.0 * M_PI / kColumns;  // rad
  static constexpr double kLowest = -0.08, kRowStep = 0.02;     // tangent of the elevation from the field's centre
  static constexpr double kEye = 0.5;                           // m, height of that look
  struct Cell {
    std::array<float, Panorama::kChannels> value{};
    float weight = 0.0f;  // 0..1
  };
  std::vector<Cell> painted_from(const RecordedPlace& place) const;

  hl_description::Field field_;
  double gap_, disagreement_ = 1.0;
  std::vector<Cell> cells_ = std::vector<Cell>(static_cast<std::size_t>(kColumns) * kRows);
};

}  // namespace hl_vision

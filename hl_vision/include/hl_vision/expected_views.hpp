// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <optional>
#include <vector>

#include "hl_description/field.hpp"
#include "hl_vision/panorama.hpp"
#include "hl_vision/wall_map.hpp"

namespace hl_vision {

/// What one picture says about the robot's heading, for each column of directions that it shows: logarithms of "this
/// turn" against "any turn", turns x columns.
struct PictureEvidence {
  int first = 0;             // cell of the first column's bearing, in the frame of the picture
  Eigen::ArrayXXf columns;   // all that was compared
  Eigen::ArrayXXf contours;  // what no light changes: the part of it that comes from edges between directions
};

/// How the surroundings should look from a grid of places, and which turn of a picture fits.
class ExpectedViews {
 public:
  /// About where the robot is. The field is symmetric: the place opposite is held for as likely.
  struct Place {
    Eigen::Vector2d position = Eigen::Vector2d::Zero();  // m, map
    double deviation = 0.5;                              // m
  };

  /// `gap`: m between turf and walls; 0: that at which the places agree best.
  void build(const std::vector<RecordedPlace>& places, const hl_description::Field& field, double gap);
  double gap() const { return gap_; }
  /// `noise`: how much the surroundings may differ from the record, against what is usual.
  PictureEvidence compare(const Panorama& seen, const std::optional<Place>& about, double noise) const;

 private:
  /// What is compared: the values themselves, and how they change from one direction to the next. Light changes the
  /// former, things that stand elsewhere the latter.
  static constexpr std::size_t kKinds = 2;
  struct Features {
    std::array<Eigen::ArrayXf, Panorama::kChannels> values;
    Eigen::ArrayXf weights;
  };
  static std::array<Features, kKinds> features_of(const Panorama& panorama);
  struct View {  // cells by elevation, then bearing; twice around, so that every turn is one piece of memory
    Eigen::Vector2d position;
    bool coarse = false;  // looked at without an idea of the place, too
    std::array<Features, kKinds> features;
  };
  struct SeenCell {
    Eigen::Index at;  // of the turn 0 in a view
    int column;
    std::array<float, Panorama::kChannels> values;
    float weight;
  };
  using SeenCells = std::array<std::vector<SeenCell>, kKinds>;  // by column
  static void compare(const SeenCells& seen, const View& view, double noise, PictureEvidence& evidence);

  double gap_ = 0.0;
  std::vector<View> views_;
};

}  // namespace hl_vision

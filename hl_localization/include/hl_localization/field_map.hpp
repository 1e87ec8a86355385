// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <vector>

#include "hl_description/field.hpp"
#include "hl_description/geometry.hpp"

namespace hl_localization {

using hl_description::Pose2;

/// The field looks the same from the other side: the pose that sees exactly what `pose` sees.
Pose2 opposite(const Pose2& pose);

/// What of the field can be recognised, in map.
class FieldMap {
 public:
  enum class Kind { Post, CrossingL, CrossingT, CrossingX, CircleCentre };

  struct Landmark {
    Kind kind = Kind::Post;
    Eigen::Vector2d place = Eigen::Vector2d::Zero();
    std::vector<double> arms;  // rad, directions of the lines that meet here
  };

  struct Line {
    Eigen::Vector2d from, along, normal;  // along and normal are unit vectors
    double length = 0.0;
  };

  explicit FieldMap(const hl_description::Field& field);

  const hl_description::Field& field() const { return field_; }
  const std::vector<Landmark>& landmarks() const { return landmarks_; }
  const std::vector<Line>& lines() const { return lines_; }

  /// How far outside the turf a place is, m; 0 = on it.
  double outside(const Eigen::Vector2d& place) const;

 private:
  hl_description::Field field_;
  std::vector<Landmark> landmarks_;
  std::vector<Line> lines_;
};

}  // namespace hl_localization

// SPDX-License-Identifier: Apache-2.0
#include "hl_localization/field_map.hpp"

#include <algorithm>
#include <cmath>

namespace hl_localization {
namespace {

using Eigen::Vector2d;
using hl_description::Field;

constexpr double kShortestArm = 0.3;  // m

FieldMap::Kind kind_of(Field::Crossing type) {
  switch (type) {
    case Field::Crossing::L:
      return FieldMap::Kind::CrossingL;
    case Field::Crossing::T:
      return FieldMap::Kind::CrossingT;
    default:
      return FieldMap::Kind::CrossingX;
  }
}

}  // namespace

Pose2 opposite(const Pose2& pose) {
  return {-pose.x, -pose.y, hl_description::wrap_angle(pose.yaw + M_PI)};
}

FieldMap::FieldMap(const Field& field) : field_(field) {
  for (const Field::Line& line : field.lines()) {
    const double length = (line.to - line.from).norm();
    const Vector2d along = (line.to - line.from) / length;
    lines_.push_back({line.from, along, {-along.y(), along.x()}, length});
  }
  for (const double side : {1.0, -1.0}) {
    for (const double hand : {1.0, -1.0}) {
      landmarks_.push_back(
          {Kind::Post, {side * 0.5 * field.length, hand * 0.5 * (field.goal_width + field.post_diameter)}, {}});
    }
  }
  for (const Field::Intersection& crossing : field.intersections()) {
    Landmark landmark{kind_of(crossing.type), crossing.position, {}};
    for (const Line& line : lines_) {
      const Vector2d offset = crossing.position - line.from;
      const double along = offset.dot(line.along);
      if (std::abs(offset.dot(line.normal)) > field.line_width || along < -field.line_width ||
          along > line.length + field.line_width) {
        continue;
      }
      if (along > kShortestArm) landmark.arms.push_back(std::atan2(-line.along.y(), -line.along.x()));
      if (line.length - along > kShortestArm) landmark.arms.push_back(std::atan2(line.along.y(), line.along.x()));
    }
    landmarks_.push_back(landmark);
  }
  landmarks_.push_back({Kind::CircleCentre, Vector2d::Zero(), {}});
}

double FieldMap::outside(const Vector2d& place) const {
  const double x = std::abs(place.x()) - 0.5 * field_.length - field_.border,
               y = std::abs(place.y()) - 0.5 * field_.width - field_.border;
  return std::max({0.0, x, y});
}

}  // namespace hl_localization

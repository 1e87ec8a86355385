// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <opencv2/core/types.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_description/field.hpp"
#include "hl_soccer/percepts.hpp"

namespace hl_vision {

/// Everything below: pixels of the picture that was handed in, x right, y down, origin in the upper left corner;
/// confidence 0..1.

struct BallInImage {
  cv::Point2d center;
  double diameter = 0.0;
  double confidence = 0.0;
};

struct PostInImage {
  cv::Point2d foot;  // where its centre line meets the ground
  cv::Point2d top;   // at the bar, or on the border of the picture
  double width = 0.0;
  double confidence = 0.0;
};

struct BarInImage {
  cv::Point2d left, right;  // ends of its centre line
  double width = 0.0;
  double confidence = 0.0;
};

struct GoalInImage {
  PostInImage left;                  // or the only one seen
  std::optional<PostInImage> right;  // nothing: not seen
  cv::Point2d center;                // of the goal at the ground; with one post a guess
  double confidence = 0.0;
};

struct ObstacleInImage {
  hl_soccer::ObstacleKind kind = hl_soccer::ObstacleKind::Undefined;
  cv::Rect box;
  std::optional<int> number;  // on a robot's body
  double confidence = 0.0;
};

struct SegmentInImage {
  cv::Point2d from, to;  // on the centre of the field line
  double from_width = 0.0, to_width = 0.0;
  double confidence = 0.0;
};

struct CrossingInImage {
  hl_description::Field::Crossing type = hl_description::Field::Crossing::L;
  cv::Point2d position;
  std::vector<cv::Point2d> arms;  // a point on each line that starts here
  double confidence = 0.0;
};

/// The penalty mark: a small cross.
struct MarkInImage {
  cv::Point2d center;
  std::vector<cv::Point2d> arms;  // ends of its bars
  double confidence = 0.0;
};

struct CircleInImage {
  cv::Point2d left, middle, right;  // of the arc that was seen
  cv::Point2d center;
  double confidence = 0.0;
};

}  // namespace hl_vision

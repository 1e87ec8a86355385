// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <optional>

#include "hl_vision/camera_view.hpp"
#include "hl_vision/field_border.hpp"
#include "hl_vision/field_colour.hpp"

namespace hl_vision {

/// What all detectors share of one picture; pixels of the (possibly shrunk) working picture.
struct Frame {
  cv::Mat bgr, luma, classes;
  std::optional<CameraView> view;  // nothing: the camera's pose is not known
  FieldBorder border;
  cv::Mat not_field;  // integral picture: pixels that are neither field nor own body
  cv::Mat body;       // integral picture: pixels of the own body
  double field_brightness = 0.0;
  double ball_radius = 0.07;                                 // m
  double line_width = 0.05;                                  // m
  double post_diameter = 0.1;                                // m
  double goal_width = 2.6;                                   // m
  double goal_depth = 0.6;                                   // m
  double goal_area_length = 1.0, penalty_area_length = 2.0;  // m; 0: there is none
  double goal_height = 1.2;                                  // m, below the bar
  double circle_radius = 0.725;                              // m, to the centre of the line
  double mark_length = 0.25;                                 // m, of the bars of the penalty mark

  int width() const { return bgr.cols; }
  int height() const { return bgr.rows; }
  std::uint8_t at(int x, int y) const { return classes.at<std::uint8_t>(y, x); }

  /// Pixels per metre of what stands at `pixel`. Without the camera's pose a guess: the horizon a little above the
  /// field's border, the camera at a robot's height; good to a factor of two.
  double scale(const cv::Point2d& pixel) const {
    if (view) return view->pixels_per_metre(pixel);
    constexpr double kGuessedHeight = 0.6;  // m
    return (pixel.y - border.row(pixel.x) + kHorizonAbove * height()) / kGuessedHeight;
  }
  static constexpr double kHorizonAbove = 0.04;  // of the picture's height, horizon above the border, guessed
};

/// Sum of an integral picture (int) over a rectangle, cut to the picture.
inline int box_sum(const cv::Mat& integral, int x0, int y0, int x1, int y1) {
  x0 = std::clamp(x0, 0, integral.cols - 1);
  x1 = std::clamp(x1, 0, integral.cols - 1);
  y0 = std::clamp(y0, 0, integral.rows - 1);
  y1 = std::clamp(y1, 0, integral.rows - 1);
  const int *top = integral.ptr<int>(y0), *bottom = integral.ptr<int>(y1);
  return bottom[x1] - bottom[x0] - top[x1] + top[x0];
}

}  // namespace hl_vision

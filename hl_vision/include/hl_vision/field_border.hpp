// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <opencv2/core.hpp>
#include <vector>

namespace hl_vision {

/// The upper edge of the field in a picture: convex, since the field is.
class FieldBorder {
 public:
  FieldBorder() = default;
  /// From the classes of the pixels; nothing above `top(column)` is field. `known()` is false without a field.
  static FieldBorder find(const cv::Mat& classes, const std::function<double(double)>& top);

  bool known() const { return !corners_.empty(); }
  double row(double column) const;                                      // px; below the picture where there is no field
  const std::vector<cv::Point2d>& corners() const { return corners_; }  // from left to right
  /// Row at which the field begins in this column, without the hull over things that stand in the way.
  double raw_row(double column) const;

 private:
  int rows_ = 0;
  double spacing_ = 1.0;
  std::vector<double> raw_, hull_;  // row for every `spacing_` px
  std::vector<cv::Point2d> corners_;
};

}  // namespace hl_vision

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <opencv2/core.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_vision/camera_view.hpp"

namespace hl_vision {

/// The camera's own numbers from pictures of a chess board; says what is still missing.
class IntrinsicsCalibration {
 public:
  struct Params {
    int columns = 8, rows = 6;  // inner corners of the board
    double square = 0.025;      // m, edge of a square
    int pictures = 20;          // wanted
    std::optional<std::string> validate() const;
  };
  struct Look {
    bool board = false;  // a whole board is in the picture
    bool taken = false;  // and it shows something new
    std::string advice;  // what to do next
    std::vector<cv::Point2f> corners;
  };
  struct Result {
    Lens lens;
    double error = 0.0;                           // px, root mean square of the reprojection
    std::array<double, 4> deviation{0, 0, 0, 0};  // of fx, fy, cx, cy; px
    std::string reason;                           // why it cannot be trusted; empty: it can
  };

  explicit IntrinsicsCalibration(const Params& params) : params_(params) {}

  Look look(const cv::Mat& bgr);
  std::size_t pictures() const { return corners_.size(); }
  /// What is still missing, in words; empty: enough.
  std::string missing() const;
  Result solve() const;
  /// Where corners were seen so far, and what is missing, drawn.
  cv::Mat coverage() const;

 private:
  struct Shape {  // of a board in the picture, 0..1
    double x, y, size, skew;
  };
  Shape shape(const std::vector<cv::Point2f>& corners) const;

  Params params_;
  cv::Size size_;
  std::vector<std::vector<cv::Point2f>> corners_;
  std::vector<Shape> shapes_;
};

/// ROS's camera calibration file (what camera_info_manager and `calibration_file` of the camera read).
std::string calibration_text(const Lens& lens, const std::string& camera_name);

}  // namespace hl_vision

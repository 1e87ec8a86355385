// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <opencv2/core.hpp>
#include <string>

#include "hl_vision/camera_view.hpp"
#include "hl_vision/field_colour.hpp"

namespace hl_vision {

/// How the surroundings look from one place: brightness and two hues (all logarithms, so that light and white balance
/// are only offsets) by direction and elevation. A cell with weight 0 was not seen.
struct Panorama {
  static constexpr int kBearings = 120, kElevations = 16, kChannels = 3;
  static constexpr int kCells = kBearings * kElevations;
  static constexpr double kLowest = -0.18, kElevationStep = 0.03;  // tangent of the elevation
  static constexpr double kBearingStep = 2.0 * M_PI / kBearings;   // rad, counter-clockwise; bin 0 begins at 0

  std::array<Eigen::ArrayXf, kChannels> values{Eigen::ArrayXf::Zero(kCells), Eigen::ArrayXf::Zero(kCells),
                                               Eigen::ArrayXf::Zero(kCells)};
  Eigen::ArrayXf weights = Eigen::ArrayXf::Zero(kCells);  // 0..1

  static int cell(int bearing, int elevation) {
    return ((bearing % kBearings + kBearings) % kBearings) * kElevations + elevation;
  }
  /// What is seen in a direction, between the cells; false if it is not known.
  bool sample(double bearing, double elevation, std::array<float, kChannels>& value, float& weight) const;
  /// Weighted mean of both.
  void add(const Panorama& other);
};

/// Reads the part of a picture that lies above the field's border. The field's colour is learned from the pictures.
class PanoramaReader {
 public:
  struct Outputs {
    Panorama panorama;   // directions in the frame of the view, turned by `yaw`
    double above = 0.0;  // share of the picture above the border
    std::string reason;  // why there is nothing; empty: all is well
  };

  PanoramaReader() : colour_(FieldColour::Params{}) {}
  Outputs read(const cv::Mat& bgr, const CameraView& view, double yaw = 0.0);

 private:
  FieldColour colour_;
  cv::Mat small_, classes_;
};

}  // namespace hl_vision

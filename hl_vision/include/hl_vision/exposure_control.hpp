// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <string>

#include "hl_vision/field_colour.hpp"

namespace hl_vision {

/// Slow control of the camera's exposure: the field keeps its brightness whatever the light, and windows or a dark wall
/// behind it do not matter, as they do for the camera's own automatic. Where no field is seen the whole picture counts.
class ExposureControl {
 public:
  struct Inputs {
    cv::Mat bgr;            // 8 bit, three channels
    double exposure = 0.0;  // at which it was taken, in the device's unit
  };
  struct Params {
    bool on = false;
    double brightness = 75.0;           // wanted of the field, 0..255: white lines are hardly saturated
    double least = 1.0, most = 1000.0;  // in the device's unit
    double period = 0.5;                // s between two changes: a change shows some pictures later
    double gain = 0.6;                  // share of the error that is corrected at once
    double tolerance = 0.08;            // share of the brightness that is left alone: no flicker
    std::optional<std::string> validate() const;
  };

  explicit ExposureControl(const Params& params) : params_(params), colour_(whole_picture_counts()) {}
  void set_params(const Params& params) { params_ = params; }
  const Params& params() const { return params_; }

  /// Where to begin if the device does not say what it has.
  double middle() const;
  /// The exposure to set now; nothing: as it is.
  std::optional<double> step(const Inputs& inputs, double now);

 private:
  static FieldColour::Params whole_picture_counts();

  Params params_;
  FieldColour colour_;
  cv::Mat small_;
  double last_ = -1e9;  // s, of the last look
};

}  // namespace hl_vision

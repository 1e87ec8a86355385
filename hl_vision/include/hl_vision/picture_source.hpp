// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <opencv2/core.hpp>
#include <optional>
#include <string>

#include "hl_vision/camera_view.hpp"

namespace hl_vision {

/// Where pictures come from: a V4L2 device, a video file, a bag, or a folder of pictures in the order of their names.
class PictureSource {
 public:
  struct Settings {
    int width = 640, height = 480;                              // px, wanted of a device
    double rate = 15.0;                                         // Hz, wanted of a device
    double exposure = -1.0, gain = -1.0, white_balance = -1.0;  // -1: left to the device
    bool repeat = true;                                         // files: begin anew at the end
  };

  virtual ~PictureSource() = default;
  virtual bool device() const = 0;  // gives pictures at its own pace
  /// The next picture. What is wrong, in words; nothing if all is well.
  virtual std::optional<std::string> read(cv::Mat& bgr) = 0;
  virtual void apply(const Settings& settings) = 0;  // exposure, gain and white balance, while running
  virtual double exposure() const = 0;               // in the device's unit; 0 or less: not known
  virtual double age() const { return 0.0; }         // s since the last picture was taken; 0: not known

  /// Throws std::runtime_error that names what is missing, busy or cannot be read.
  static std::unique_ptr<PictureSource> open(const std::string& source, const Settings& settings);
};

/// Age of a picture, s, by the driver's stamp (ms, monotonic clock); 0 if that stamp can be none of this clock.
double age_of_picture(double stamp_ms, double monotonic_now);

/// The lens from a camera calibration in ROS's format. Throws std::runtime_error that names file and fault.
Lens calibration_from_text(const std::string& yaml, const std::string& file_name);
Lens calibration_from_file(const std::string& path);

}  // namespace hl_vision

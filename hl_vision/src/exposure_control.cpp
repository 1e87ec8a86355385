// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/exposure_control.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

namespace hl_vision {
namespace {

constexpr int kWorkingWidth = 160;    // px
constexpr double kLargestStep = 3.0;  // factor of one change: brightness beyond saturation is not known

}  // namespace

std::optional<std::string> ExposureControl::Params::validate() const {
  const auto bad = [](const char* what, double value) {
    return std::string(what) + " but is " + std::to_string(value);
  };
  if (!(brightness >= 20.0 && brightness <= 200.0))
    return bad("exposure_control.brightness must be in 20..200", brightness);
  if (!(least > 0.0)) return bad("exposure_control.least must be above 0", least);
  if (!(most > least)) return bad("exposure_control.most must be above exposure_control.least", most);
  if (!(period >= 0.05 && period <= 60.0)) return bad("exposure_control.period (s) must be in 0.05..60", period);
  if (!(gain > 0.0 && gain <= 1.0)) return bad("exposure_control.gain must be above 0 and at most 1", gain);
  if (!(tolerance >= 0.0 && tolerance <= 0.5)) return bad("exposure_control.tolerance must be in 0..0.5", tolerance);
  return std::nullopt;
}

FieldColour::Params ExposureControl::whole_picture_counts() {
  FieldColour::Params params;
  params.learning_rate = 1.0;  // of this picture alone
  return params;
}

double ExposureControl::middle() const {
  return std::sqrt(params_.least * params_.most);
}

std::optional<double> ExposureControl::step(const Inputs& inputs, double now) {
  if (!params_.on || inputs.bgr.type() != CV_8UC3 || inputs.bgr.empty()) return std::nullopt;
  if (now >= last_ && now - last_ < params_.period) return std::nullopt;
  last_ = now;
  const int height = std::max(1, inputs.bgr.rows * kWorkingWidth / inputs.bgr.cols);
  cv::resize(inputs.bgr, small_, cv::Size(kWorkingWidth, height), 0, 0, cv::INTER_AREA);
  const bool field = colour_.learn(small_, [](double) { return 0.0; });
  const cv::Scalar mean = cv::mean(small_);
  const double seen = std::max(1.0, field ? colour_.brightness() : (mean[0] + mean[1] + mean[2]) / 3.0);
  const double error = params_.brightness / seen;
  if (std::abs(error - 1.0) <= params_.tolerance) return std::nullopt;
  const double factor = std::clamp(std::pow(error, params_.gain), 1.0 / kLargestStep, kLargestStep);
  const double before = inputs.exposure > 0.0 ? inputs.exposure : middle();
  const double next = std::clamp(before * factor, params_.least, params_.most);
  if (next == inputs.exposure) return std::nullopt;
  return next;
}

}  // namespace hl_vision

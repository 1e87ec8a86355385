// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/mounting_drift.hpp"

#include <algorithm>
#include <cmath>

namespace hl_vision {
namespace {

constexpr std::size_t kFrames = 10;       // pictures of one lesson
constexpr double kBetween = 0.5;          // s between them, so that they are of different steps
constexpr std::size_t kLeastPoints = 20;  // on lines, of a picture
constexpr std::size_t kMostPoints = 40;
constexpr double kSure = 0.006;     // rad, deviation up to which an answer counts
constexpr double kExpected = 0.02;  // rad, drift that is expected of each angle

}  // namespace

std::optional<std::string> MountingDrift::Params::validate() const {
  const auto bad = [](const char* what, double value) {
    return std::string(what) + " but is " + std::to_string(value);
  };
  if (!(most >= 0.0 && most <= 0.15)) return bad("drift.most (rad) must be in 0..0.15", most);
  if (!(gain > 0.0 && gain <= 1.0)) return bad("drift.gain must be above 0 and at most 1", gain);
  return std::nullopt;
}

void MountingDrift::set_params(const Params& params) {
  params_ = params;
  pitch_ = std::clamp(pitch_, -params_.most, params_.most);
  roll_ = std::clamp(roll_, -params_.most, params_.most);
}

Mounting MountingDrift::corrected(const Mounting& calibration) const {
  Mounting result = calibration;
  result.tilt.x() += pitch_;
  result.tilt.z() += roll_;
  return result;
}

bool MountingDrift::at_bound() const {
  return params_.learn && std::max(std::abs(pitch_), std::abs(roll_)) > 0.99 * params_.most;
}

bool MountingDrift::step(const Inputs& inputs, double now) {
  if (!params_.learn || std::abs(now - last_) < kBetween) return false;
  if (inputs.frame.line_points.size() < kLeastPoints || !(std::abs(now - inputs.pose.stamp) <= params_.oldest_pose) ||
      !(inputs.pose.place_deviation <= params_.place_deviation) ||
      !(inputs.pose.heading_deviation <= params_.heading_deviation))
    return false;
  last_ = now;
  MountingCalibration::Frame frame = inputs.frame;
  const std::size_t every = (frame.line_points.size() + kMostPoints - 1) / kMostPoints;
  std::vector<cv::Point2d> some;
  for (std::size_t n = 0; n < frame.line_points.size(); n += every) some.push_back(frame.line_points[n]);
  frame.line_points = std::move(some);
  frame.pose = static_cast<int>(poses_.size());
  frames_.push_back(std::move(frame));
  poses_.push_back({inputs.pose.pose, false});
  if (frames_.size() < kFrames) return false;

  MountingCalibration::Params search;
  search.deviation.setConstant(1e-6);
  search.deviation[3] = search.deviation[5] = kExpected;
  search.pose_deviation = {0.15, 0.15, 0.1};
  search.starts = 1;
  const auto answer = MountingCalibration(search, field_).solve(frames_, poses_);
  frames_.clear();
  poses_.clear();
  if (!answer.reason.empty() || std::max(answer.deviation[3], answer.deviation[5]) > kSure) return false;
  const auto learn = [&](double& known, double found) {
    known = std::clamp(known + params_.gain * (found - known), -params_.most, params_.most);
  };
  learn(pitch_, answer.mounting.tilt.x());
  learn(roll_, answer.mounting.tilt.z());
  ++lessons_;
  return true;
}

}  // namespace hl_vision

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <random>

#include "hl_vision/camera_view.hpp"

namespace hl_vision {

struct View {
  cv::Mat bgr;
  CameraView camera;
};

/// Turf with lines, balls, posts and robots, drawn coarsely.
inline View drawn(unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const double pitch = uniform(0.15, 0.5);
  const CameraView camera({}, ground_from_up({0.0, -std::cos(pitch), -std::sin(pitch)}, 0.5));
  cv::Mat bgr(480, 640, CV_8UC3, cv::Scalar(110, 105, 100));
  for (int y = std::max(0, static_cast<int>(camera.horizon(320) + 45)); y < 480; ++y)
    bgr.row(y).setTo(cv::Scalar(50, 115, 48));
  const auto paint = [&](const Eigen::Vector2d& from, const Eigen::Vector2d& to) {
    for (int n = 0; n < 200; ++n) {
      const Eigen::Vector2d at = from + (to - from) * n / 200.0;
      const auto p = camera.project(at);
      if (p)
        cv::circle(bgr, *p, std::max(1, static_cast<int>(0.025 * camera.pixels_per_metre(*p))),
                   cv::Scalar(225, 230, 228), -1);
    }
  };
  for (int n = 0; n < 5; ++n) {
    const double x = uniform(0.6, 4.0);
    n % 2 ? paint({x, -2.0}, {x, 2.0}) : paint({0.5, x - 2.0}, {5.0, x - 2.0});
  }
  for (int n = 0; n < 6; ++n) {
    const Eigen::Vector3d at(uniform(0.5, 4.0), uniform(-1.5, 1.5), 0.07);
    const auto p = camera.project(at);
    if (p)
      cv::circle(bgr, *p, static_cast<int>(0.5 * camera.ball_diameter(*p, 0.07)),
                 n % 2 ? cv::Scalar(230, 230, 230) : cv::Scalar(40, 40, 60), -1);
    const auto low = camera.project(Eigen::Vector3d(at.x(), at.y() + 0.6, 0.0)),
               high = camera.project(Eigen::Vector3d(at.x(), at.y() + 0.45, 0.5));
    if (low && high) cv::rectangle(bgr, *low, *high, n % 2 ? cv::Scalar(60, 60, 60) : cv::Scalar(240, 240, 240), -1);
  }
  cv::Mat noise(bgr.size(), CV_8UC3);
  cv::randu(noise, 0, 12);
  bgr += noise;
  return {bgr, camera};
}

}  // namespace hl_vision

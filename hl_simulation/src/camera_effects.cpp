// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/camera_effects.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <random>

namespace hl_simulation {
namespace {

void move_blur(cv::Mat& picture, double dx, double dy) {
  const double length = std::hypot(dx, dy);
  if (length < 0.5) return;
  const int steps = std::min(31, 2 * static_cast<int>(std::ceil(0.5 * length)) + 1), half = steps / 2;
  const int size = 2 * static_cast<int>(std::ceil(0.5 * length)) + 3;
  cv::Mat kernel(size, size, CV_32F, cv::Scalar(0));
  for (int n = -half; n <= half; ++n) {
    const int x = size / 2 + static_cast<int>(std::lround(n * dx / steps)),
              y = size / 2 + static_cast<int>(std::lround(n * dy / steps));
    kernel.at<float>(y, x) += 1.0f / static_cast<float>(steps);
  }
  cv::filter2D(picture, picture, -1, kernel, cv::Point(-1, -1), 0, cv::BORDER_REPLICATE);
}

/// Bends and shears: for each pixel of the result, where it comes from.
void warp(cv::Mat& picture, const CameraEffects& e) {
  if (e.distortion == 0.0 && e.rolling_x == 0.0) return;
  cv::Mat from_x(picture.size(), CV_32F), from_y(picture.size(), CV_32F);
  const double cx = 0.5 * picture.cols, cy = 0.5 * picture.rows;
  for (int y = 0; y < picture.rows; ++y) {
    for (int x = 0; x < picture.cols; ++x) {
      const double xd = (x - cx) / e.focal_length, yd = (y - cy) / e.focal_length;
      double xu = xd, yu = yd;
      for (int n = 0; n < 5; ++n) {
        const double radial = 1.0 + e.distortion * (xu * xu + yu * yu);
        xu = xd / radial;
        yu = yd / radial;
      }
      from_x.at<float>(y, x) =
          static_cast<float>(cx + e.focal_length * xu - e.rolling_x * (static_cast<double>(y) / picture.rows - 0.5));
      from_y.at<float>(y, x) = static_cast<float>(cy + e.focal_length * yu);
    }
  }
  cv::remap(picture.clone(), picture, from_x, from_y, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
}

}  // namespace

std::optional<std::string> CameraEffects::validate() const {
  const auto bad = [](const char* what, double value) {
    return std::string(what) + " but is " + std::to_string(value);
  };
  if (!(exposure > 0.0 && exposure <= 20.0)) return bad("exposure must be above 0 and at most 20", exposure);
  for (const double factor : white_balance) {
    if (!(factor > 0.0 && factor <= 5.0)) return bad("white_balance must be above 0 and at most 5", factor);
  }
  if (!(vignetting >= 0.0 && vignetting <= 1.0)) return bad("vignetting must be in 0..1", vignetting);
  if (!(noise >= 0.0 && noise <= 100.0)) return bad("noise must be in 0..100", noise);
  if (!(soft >= 0.0 && soft <= 20.0)) return bad("soft (px) must be in 0..20", soft);
  if (!(std::hypot(motion_x, motion_y) <= 100.0))
    return bad("motion (px) must be in 0..100", std::hypot(motion_x, motion_y));
  if (!(std::abs(rolling_x) <= 200.0)) return bad("rolling_x (px) must be in -200..200", rolling_x);
  if (!(std::abs(distortion) <= 1.0)) return bad("distortion must be in -1..1", distortion);
  if (!(focal_length > 1.0)) return bad("focal_length (px) must be above 1", focal_length);
  return std::nullopt;
}

CameraEffects CameraEffects::random(std::uint64_t seed) {
  std::mt19937_64 random(seed * 6364136223846793005ull + 1442695040888963407ull);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  CameraEffects e;
  e.exposure = std::exp(uniform(-0.5, 0.5));
  for (double& factor : e.white_balance) factor = uniform(0.86, 1.16);
  e.vignetting = uniform(0.0, 0.35);
  e.noise = uniform(0.0, 9.0);
  e.soft = uniform(0.3, 1.0);
  if (uniform(0.0, 1.0) < 0.35) {
    e.motion_x = uniform(-9.0, 9.0);
    e.motion_y = uniform(-5.0, 5.0);
  }
  return e;
}

void apply(const CameraEffects& e, std::uint64_t seed, Image& image) {
  cv::Mat picture(image.height, image.width, CV_8UC3, image.rgb.data());
  warp(picture, e);
  if (e.soft > 0.0) cv::GaussianBlur(picture, picture, cv::Size(), e.soft);
  move_blur(picture, e.motion_x, e.motion_y);
  std::vector<float> noise(65536);
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal(0.0f, static_cast<float>(e.noise));
  if (e.noise > 0.0) {
    for (float& n : noise) n = normal(random);
  }
  const double cx = 0.5 * image.width, cy = 0.5 * image.height, corner = cx * cx + cy * cy;
  std::size_t at = 0;
  for (int y = 0; y < image.height; ++y) {
    auto* p = picture.ptr<std::uint8_t>(y);
    if (e.noise > 0.0) at = random() % noise.size();
    for (int x = 0; x < image.width; ++x) {
      const double light = e.exposure * (1.0 - e.vignetting * ((x - cx) * (x - cx) + (y - cy) * (y - cy)) / corner);
      for (std::size_t c = 0; c < 3; ++c, ++p) {
        const float value = static_cast<float>(*p * light * e.white_balance[c]) + noise[at];
        at = (at + 1) % noise.size();
        *p = static_cast<std::uint8_t>(std::clamp(value, 0.0f, 255.0f));
      }
    }
  }
}

}  // namespace hl_simulation

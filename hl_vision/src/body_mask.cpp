// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/body_mask.hpp"

#include <cmath>
#include <opencv2/imgproc.hpp>

namespace hl_vision {
namespace {

constexpr double kNearest = 0.03;  // m ahead of the lens
constexpr int kSlices = 8;         // discs along a limb

/// Outline of a ball in the picture, appended to `outline`.
void add_disc(const Lens& lens, const Eigen::Vector3d& centre, double radius, std::vector<cv::Point>& outline) {
  const double x = lens.cx + lens.fx * centre.x() / centre.z(), y = lens.cy + lens.fy * centre.y() / centre.z();
  const double r = lens.fx * radius / centre.z();
  for (int n = 0; n < 8; ++n) {
    const double angle = n * M_PI / 4.0;
    const double u = x + 1.08 * r * std::cos(angle), v = y + 1.08 * r * std::sin(angle);
    if (std::abs(u) < 1e5 && std::abs(v) < 1e5)
      outline.emplace_back(static_cast<int>(std::lround(u)), static_cast<int>(std::lround(v)));
  }
}

}  // namespace

cv::Mat body_mask(const Lens& lens, const std::vector<Limb>& limbs) {
  cv::Mat mask(lens.height, lens.width, CV_8U, cv::Scalar(0));
  for (const Limb& limb : limbs) {
    std::vector<cv::Point> outline, hull;
    for (int n = 0; n <= kSlices; ++n) {
      const Eigen::Vector3d p = limb.from + (limb.to - limb.from) * n / kSlices;
      if (p.allFinite() && p.z() > kNearest && limb.radius > 0.0) add_disc(lens, p, limb.radius, outline);
    }
    if (outline.size() < 3) continue;
    cv::convexHull(outline, hull);
    cv::fillConvexPoly(mask, hull, cv::Scalar(255));
  }
  return mask;
}

}  // namespace hl_vision

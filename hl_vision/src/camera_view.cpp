// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/camera_view.hpp"

#include <algorithm>
#include <cmath>

namespace hl_vision {
namespace {

constexpr int kUndistortSteps = 6;      // halves the error at least once per step for lenses below 100 degrees
constexpr double kNearHorizon = 0.004;  // slope of a ray against the ground below which a place means nothing

Eigen::Vector2d distort(const std::array<double, 5>& d, double x, double y) {
  const double r2 = x * x + y * y, radial = 1.0 + r2 * (d[0] + r2 * (d[1] + r2 * d[4]));
  return {x * radial + 2.0 * d[2] * x * y + d[3] * (r2 + 2.0 * x * x),
          y * radial + d[2] * (r2 + 2.0 * y * y) + 2.0 * d[3] * x * y};
}

}  // namespace

std::optional<std::string> Lens::validate() const {
  const auto bad = [](const char* what, double value) {
    return std::string(what) + " but is " + std::to_string(value);
  };
  if (width < 16 || width > 8192) return bad("width (px) must be in 16..8192", width);
  if (height < 16 || height > 8192) return bad("height (px) must be in 16..8192", height);
  if (!(fx > 10.0 && fx < 1e5)) return bad("fx (px) must be in 10..100000", fx);
  if (!(fy > 10.0 && fy < 1e5)) return bad("fy (px) must be in 10..100000", fy);
  if (!(std::abs(cx) < 2.0 * width)) return bad("cx (px) must lie near the picture", cx);
  if (!(std::abs(cy) < 2.0 * height)) return bad("cy (px) must lie near the picture", cy);
  for (const double k : distortion) {
    if (!(std::abs(k) < 20.0)) return bad("distortion coefficients must be in -20..20", k);
  }
  return std::nullopt;
}

bool Lens::distorted() const {
  return std::any_of(distortion.begin(), distortion.end(), [](double k) { return k != 0.0; });
}

Lens Lens::shrunk(double factor) const {
  Lens lens = *this;
  lens.width = static_cast<int>(width / factor);
  lens.height = static_cast<int>(height / factor);
  lens.fx /= factor;
  lens.fy /= factor;
  lens.cx /= factor;
  lens.cy /= factor;
  return lens;
}

CameraView::CameraView(const Lens& lens, const Eigen::Isometry3d& ground_from_camera)
    : lens_(lens), ground_from_camera_(ground_from_camera), camera_from_ground_(ground_from_camera.inverse()) {}

Eigen::Vector3d CameraView::ray(const cv::Point2d& pixel) const {
  const double x0 = (pixel.x - lens_.cx) / lens_.fx, y0 = (pixel.y - lens_.cy) / lens_.fy;
  double x = x0, y = y0;
  if (lens_.distorted()) {
    for (int n = 0; n < kUndistortSteps; ++n) {
      const Eigen::Vector2d seen = distort(lens_.distortion, x, y);
      x += x0 - seen.x();
      y += y0 - seen.y();
    }
  }
  return {x, y, 1.0};
}

std::optional<Eigen::Vector2d> CameraView::on_plane(const cv::Point2d& pixel, double height) const {
  const Eigen::Vector3d direction = ground_from_camera_.linear() * ray(pixel);
  const double above = ground_from_camera_.translation().z() - height;
  if (!(above > 0.0) || !(direction.z() < -kNearHorizon * direction.norm())) return std::nullopt;
  const Eigen::Vector2d from = ground_from_camera_.translation().head<2>();
  return from + direction.head<2>() * (-above / direction.z());
}

std::optional<cv::Point2d> CameraView::project(const Eigen::Vector3d& point) const {
  const Eigen::Vector3d p = camera_from_ground_ * point;
  if (!(p.z() > 0.01)) return std::nullopt;
  Eigen::Vector2d q(p.x() / p.z(), p.y() / p.z());
  if (lens_.distorted()) {
    if (q.norm() > 3.0) return std::nullopt;  // the polynomial means nothing so far outside
    q = distort(lens_.distortion, q.x(), q.y());
  }
  return cv::Point2d(q.x() * lens_.fx + lens_.cx, q.y() * lens_.fy + lens_.cy);
}

bool CameraView::contains(const cv::Point2d& pixel) const {
  return pixel.x >= 0.0 && pixel.y >= 0.0 && pixel.x < lens_.width && pixel.y < lens_.height;
}

double CameraView::pixels_per_metre(const cv::Point2d& pixel, double height) const {
  const Eigen::Vector3d in_camera = ray(pixel);
  const Eigen::Vector3d direction = ground_from_camera_.linear() * in_camera;
  const double above = ground_from_camera_.translation().z() - height;
  if (!(above > 0.0) || !(direction.z() < -kNearHorizon * direction.norm())) return 0.0;
  const double depth = -above / direction.z();  // along the optical axis, since the ray has z = 1
  return lens_.fx / depth;
}

double CameraView::ball_diameter(const cv::Point2d& pixel, double radius) const {
  // Off the axis a ball looks larger by the secant of the angle (geometric mean of both half axes of its ellipse).
  const Eigen::Vector3d direction = ray(pixel);
  return 2.0 * radius * pixels_per_metre(pixel, radius) * std::sqrt(direction.norm());
}

double CameraView::horizon(double column) const {
  const Eigen::Vector3d up = camera_from_ground_.linear().col(2);
  if (std::abs(up.y()) < 1e-6) return up.z() > 0.0 ? 1e6 : -1e6;
  const double y = -(up.x() * (column - lens_.cx) / lens_.fx + up.z()) / up.y();
  return std::clamp(lens_.cy + lens_.fy * y, -1e6, 1e6);
}

CameraView CameraView::shrunk(double factor) const {
  return CameraView(lens_.shrunk(factor), ground_from_camera_);
}

Eigen::Isometry3d ground_from_up(const Eigen::Vector3d& up, double height) {
  const Eigen::Vector3d z = up.normalized();
  Eigen::Vector3d x = Eigen::Vector3d::UnitZ() - z.z() * z;  // where the camera looks, along the ground
  if (x.norm() < 1e-6) x = -(Eigen::Vector3d::UnitY() - z.y() * z);
  x.normalize();
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.linear().row(0) = x;
  pose.linear().row(1) = z.cross(x);
  pose.linear().row(2) = z;
  pose.translation().z() = height;
  return pose;
}

}  // namespace hl_vision

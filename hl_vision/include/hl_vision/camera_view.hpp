// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <opencv2/core/types.hpp>
#include <optional>
#include <string>

namespace hl_vision {

/// The camera itself: a pinhole and the "plumb_bob" distortion of ROS.
struct Lens {
  int width = 640, height = 480;                              // px
  double fx = 577.3, fy = 577.3;                              // px
  double cx = 320.0, cy = 240.0;                              // px
  std::array<double, 5> distortion{0.0, 0.0, 0.0, 0.0, 0.0};  // k1, k2, p1, p2, k3

  std::optional<std::string> validate() const;
  bool distorted() const;
  /// The same camera with a picture shrunk by `factor`.
  Lens shrunk(double factor) const;
};

/// A camera over flat ground: which pixel shows which place, and how large things look there.
class CameraView {
 public:
  /// `ground_from_camera`: the optical frame (x right, y down, z ahead) in a frame whose plane z = 0 is the ground.
  CameraView(const Lens& lens, const Eigen::Isometry3d& ground_from_camera);

  const Lens& lens() const { return lens_; }
  const Eigen::Isometry3d& ground_from_camera() const { return ground_from_camera_; }
  double height() const { return ground_from_camera_.translation().z(); }  // m

  /// Direction of a pixel in the optical frame, z = 1.
  Eigen::Vector3d ray(const cv::Point2d& pixel) const;
  /// Where the ray of a pixel meets the plane z = `height`; nothing at or above the horizon.
  std::optional<Eigen::Vector2d> on_plane(const cv::Point2d& pixel, double height = 0.0) const;
  /// Pixel of a point in the ground frame; nothing if it is behind the camera.
  std::optional<cv::Point2d> project(const Eigen::Vector3d& point) const;
  std::optional<cv::Point2d> project(const Eigen::Vector2d& ground) const {
    return project(Eigen::Vector3d(ground.x(), ground.y(), 0.0));
  }
  bool contains(const cv::Point2d& pixel) const;

  /// Pixels per metre of something upright that stands where `pixel` shows the ground; 0 at or above the horizon.
  double pixels_per_metre(const cv::Point2d& pixel, double height = 0.0) const;
  /// Diameter in pixels of a ball of `radius` (m) on the ground whose centre is seen at `pixel`; 0 above the horizon.
  double ball_diameter(const cv::Point2d& pixel, double radius) const;
  /// Row of the horizon in a column; may lie outside the picture. Far away (+-1e6) if the camera looks straight up or
  /// down or is turned on its side.
  double horizon(double column) const;

  /// The view of a picture shrunk by `factor`.
  CameraView shrunk(double factor) const;

 private:
  Lens lens_;
  Eigen::Isometry3d ground_from_camera_, camera_from_ground_;
};

/// The pose of a camera of which only the direction up (in its optical frame) and the height are known; x of the ground
/// frame points where the camera looks.
Eigen::Isometry3d ground_from_up(const Eigen::Vector3d& up, double height);

}  // namespace hl_vision

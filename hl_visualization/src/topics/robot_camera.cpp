// SPDX-License-Identifier: Apache-2.0
#include "robot_camera.hpp"

#include <tf2/exceptions.h>

#include <algorithm>
#include <cmath>

namespace hl_visualization {
namespace {

constexpr double kRestart = 1.0;  // s: a larger step back of the transforms' stamps is a restart

}  // namespace

RobotCamera::RobotCamera(RobotTopics& topics) : topics_(topics) {
  using namespace hl_node;
  topics_.subscribe<tf2_msgs::msg::TFMessage>(topics::kTf, 0.0,
                                              [this](const tf2_msgs::msg::TFMessage& m) { on_transforms(m, false); });
  topics_.subscribe<tf2_msgs::msg::TFMessage>(topics::kTfStatic, 0.0,
                                              [this](const tf2_msgs::msg::TFMessage& m) { on_transforms(m, true); });
  topics_.subscribe<sensor_msgs::msg::CameraInfo>(topics::kCameraCameraInfo, 0.0,
                                                  [this](const sensor_msgs::msg::CameraInfo& m) { on_info(m); });
}

void RobotCamera::on_info(const sensor_msgs::msg::CameraInfo& info) {
  hl_vision::Lens lens;
  lens.width = static_cast<int>(std::min(info.width, 100000U));
  lens.height = static_cast<int>(std::min(info.height, 100000U));
  lens.fx = info.k[0];
  lens.fy = info.k[4];
  lens.cx = info.k[2];
  lens.cy = info.k[5];
  for (std::size_t i = 0; i < std::min<std::size_t>(5, info.d.size()); ++i) lens.distortion[i] = info.d[i];
  if (const auto fault = lens.validate()) {
    topics_.complain("camera_info: " + *fault);
    return;
  }
  lens_ = lens;
}

void RobotCamera::on_transforms(const tf2_msgs::msg::TFMessage& message, bool still) {
  for (const auto& transform : message.transforms) {
    const double stamp = seconds(transform.header.stamp);
    if (!still && stamp < newest_ - kRestart) {
      buffer_.clear();  // or it would keep the transforms of before the restart
      newest_ = stamp;
    }
    if (!still) newest_ = std::max(newest_, stamp);
    try {
      buffer_.setTransform(transform, "view", still);
    } catch (const tf2::TransformException& error) {
      topics_.complain(std::string("tf: ") + error.what());
    }
  }
}

std::optional<Eigen::Isometry3d> RobotCamera::pose_of(const std::string& frame, std::int64_t stamp) const {
  const std::string ground = "base_footprint";
  auto time = tf2::TimePoint(std::chrono::nanoseconds(stamp));
  if (stamp != 0 && !buffer_.canTransform(ground, frame, time)) time = tf2::TimePointZero;
  if (!buffer_.canTransform(ground, frame, time)) return std::nullopt;
  try {
    const auto t = buffer_.lookupTransform(ground, frame, time);
    const auto& q = t.transform.rotation;
    const auto& p = t.transform.translation;
    if (!finite(q.w, q.x, q.y, q.z, p.x, p.y, p.z)) return std::nullopt;
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.linear() = Eigen::Quaterniond(q.w, q.x, q.y, q.z).normalized().toRotationMatrix();
    pose.translation() = Eigen::Vector3d(p.x, p.y, p.z);
    return pose;
  } catch (const tf2::TransformException&) {
    return std::nullopt;
  }
}

std::optional<hl_vision::CameraView> RobotCamera::view(std::int64_t stamp) const {
  const auto pose = pose_of("camera_optical_frame", stamp);
  if (!pose) return std::nullopt;
  return hl_vision::CameraView(lens_, *pose);
}

std::vector<Point2> RobotCamera::field_of_view(double reach) const {
  const auto camera = view(0);
  if (!camera) return {};
  // Around the border of the picture; where it looks over the horizon, the ground ends at `reach`.
  std::vector<Point2> outline;
  const double w = lens_.width - 1.0, h = lens_.height - 1.0;
  constexpr int kSteps = 8;
  const auto corner = [&](int i) {
    const double s = static_cast<double>(i % kSteps) / kSteps;
    switch (i / kSteps) {
      case 0:
        return cv::Point2d(0, h * (1 - s));
      case 1:
        return cv::Point2d(w * s, 0);
      case 2:
        return cv::Point2d(w, h * s);
      default:
        return cv::Point2d(w * (1 - s), h);
    }
  };
  const Eigen::Isometry3d& pose = camera->ground_from_camera();
  for (int i = 0; i < 4 * kSteps; ++i) {
    const cv::Point2d pixel = corner(i);
    const auto hit = camera->on_plane(pixel);
    Eigen::Vector2d place;
    if (hit && hit->norm() < reach) {
      place = *hit;
    } else {
      const Eigen::Vector3d ray = pose.linear() * camera->ray(pixel);
      if (ray.head<2>().norm() < 1e-6) continue;
      place = pose.translation().head<2>() + reach * ray.head<2>().normalized();
    }
    outline.push_back({place.x(), place.y()});
  }
  return outline;
}

}  // namespace hl_visualization

// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/neck.hpp"

#include <algorithm>
#include <cmath>

namespace hl_behavior {
namespace {

using hl_description::ModelError;
using hl_description::RobotModel;

std::size_t link_of_joint(const RobotModel& model, const std::string& joint) {
  const int index = static_cast<int>(model.joint(joint));
  for (std::size_t i = 0; i < model.links().size(); ++i)
    if (model.links()[i].joint == index) return i;
  throw ModelError("no link is moved by joint '" + joint + "'");
}

/// `to` in the frame of `from` (an ancestor; -1 = the root) with every joint on the way at zero.
Eigen::Isometry3d between(const RobotModel& model, int from, std::size_t to) {
  Eigen::Isometry3d transform = Eigen::Isometry3d::Identity();
  for (int link = static_cast<int>(to); link != from && link >= 0;) {
    const auto& piece = model.links()[static_cast<std::size_t>(link)];
    if (piece.parent < 0) break;
    transform = piece.origin * transform;
    link = piece.parent;
  }
  return transform;
}

}  // namespace

Neck Neck::from_model(const RobotModel& model, const std::string& pan_joint, const std::string& tilt_joint,
                      const std::string& camera_link) {
  Neck neck;
  const std::size_t pan = link_of_joint(model, pan_joint), tilt = link_of_joint(model, tilt_joint);
  const std::size_t camera = model.link(camera_link);
  neck.base_from_pan_ = between(model, -1, pan);
  neck.pan_from_tilt_ = between(model, static_cast<int>(pan), tilt);
  neck.tilt_from_camera_ = between(model, static_cast<int>(tilt), camera);
  neck.pan_axis_ = model.links()[pan].axis;
  neck.tilt_axis_ = model.links()[tilt].axis;
  neck.pan_limits_ = model.limits(model.joint(pan_joint));
  neck.tilt_limits_ = model.limits(model.joint(tilt_joint));
  return neck;
}

Eigen::Isometry3d Neck::camera(const Angles& angles) const {
  return base_from_pan_ * Eigen::AngleAxisd(angles.pan, pan_axis_) * pan_from_tilt_ *
         Eigen::AngleAxisd(angles.tilt, tilt_axis_) * tilt_from_camera_;
}

Neck::Angles Neck::aim(const Eigen::Vector3d& point) const {
  if (!point.allFinite()) return {};
  // The joints are nearly at right angles: what is left of the error in the camera's own axes goes to the joint that
  // turns about that axis, and shrinks fast.
  Angles angles;
  const double pan_sign = pan_axis_.z() >= 0.0 ? 1.0 : -1.0, tilt_sign = tilt_axis_.y() <= 0.0 ? 1.0 : -1.0;
  for (int i = 0; i < 8; ++i) {
    const Eigen::Vector3d seen = camera(angles).inverse() * point;
    const Eigen::Vector3d from_pan = base_from_pan_.inverse() * point;
    if (i == 0) {
      angles.pan = pan_limits_.clamp(pan_sign * std::atan2(from_pan.y(), from_pan.x()));
      continue;
    }
    const double up = std::atan2(seen.z(), std::hypot(seen.x(), seen.y()));
    const double left = std::atan2(seen.y(), seen.x());
    angles.tilt = tilt_limits_.clamp(angles.tilt + tilt_sign * up);
    if (std::abs(left) < 0.3) angles.pan = pan_limits_.clamp(angles.pan + pan_sign * left);
  }
  return angles;
}

}  // namespace hl_behavior

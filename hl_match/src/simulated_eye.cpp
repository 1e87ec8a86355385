// SPDX-License-Identifier: Apache-2.0
#include "simulated_eye.hpp"

#include <cmath>

namespace hl_match {

using hl_vision::CameraView;

SimulatedEye::SimulatedEye(const hl_simulation::WorldSpec& world, bool shadows)
    : simulation_(std::make_unique<hl_simulation::Simulation>(world)) {
  hl_simulation::Renderer::Params params;
  params.samples = 4;
  params.shadows = shadows;
  renderer_ = std::make_unique<hl_simulation::Renderer>(world, params);
}

hl_simulation::Robot& SimulatedEye::place(const Look& look) {
  hl_simulation::Robot& robot = simulation_->robot(0);
  const hl_simulation::RobotSpec& spec = robot.spec();
  hl_simulation::Placement place(look.x, look.y, look.yaw);
  place.roll = look.roll;
  place.pitch = look.pitch;
  place.joints = spec.walk_ready_positions();
  place.joints[static_cast<std::size_t>(spec.joint_index("HeadPan"))] = look.pan;
  place.joints[static_cast<std::size_t>(spec.joint_index("HeadTilt"))] = look.tilt;
  robot.place(place);
  return robot;
}

Eigen::Isometry3d SimulatedEye::camera_on_robot(const Look& look) {
  const hl_simulation::Robot& robot = place(look);
  return robot.pose().inverse() * robot.frame_pose(robot.spec().camera.frame);
}

SimulatedEye::Picture SimulatedEye::look(const Look& look, const hl_simulation::CameraEffects& effects,
                                         std::uint64_t seed) {
  const hl_simulation::Robot& robot = place(look);
  const hl_simulation::RobotSpec& spec = robot.spec();
  renderer_->update(*simulation_);
  hl_simulation::Image image;
  renderer_->robot_camera(0, image);
  apply(effects, seed, image);
  const cv::Mat rgb(image.height, image.width, CV_8UC3, image.rgb.data());
  cv::Mat bgr(rgb.size(), CV_8UC3);
  cv::mixChannels({rgb}, {bgr}, {0, 2, 1, 1, 2, 0});
  hl_vision::Lens lens;
  lens.width = image.width;
  lens.height = image.height;
  lens.fx = lens.fy = 0.5 * image.width / std::tan(0.5 * spec.camera.horizontal_fov);
  lens.cx = 0.5 * image.width;
  lens.cy = 0.5 * image.height;
  Eigen::Isometry3d footprint = Eigen::Isometry3d::Identity();
  footprint.translate(Eigen::Vector3d(look.x, look.y, 0.0))
      .rotate(Eigen::AngleAxisd(look.yaw, Eigen::Vector3d::UnitZ()));
  return {bgr, CameraView(lens, footprint.inverse() * robot.frame_pose(spec.camera.frame))};
}

double SimulatedEye::above_border(const Look& look, const CameraView& view) const {
  const auto& field = simulation_->world().field;
  constexpr int kStep = 8;  // px
  const Eigen::Rotation2Dd turn(look.yaw);
  int above = 0, all = 0;
  for (int y = kStep / 2; y < view.lens().height; y += kStep) {
    for (int x = kStep / 2; x < view.lens().width; x += kStep, ++all) {
      const auto seen = view.on_plane({static_cast<double>(x), static_cast<double>(y)});
      if (!seen) {
        ++above;
        continue;
      }
      const Eigen::Vector2d at = Eigen::Vector2d(look.x, look.y) + turn * *seen;
      above +=
          std::abs(at.x()) > 0.5 * field.length + field.border || std::abs(at.y()) > 0.5 * field.width + field.border;
    }
  }
  return static_cast<double>(above) / all;
}

CameraView as_known(const CameraView& view, double deviation, std::mt19937_64& random) {
  std::normal_distribution<double> error(0.0, deviation);
  Eigen::Isometry3d pose = view.ground_from_camera();
  const double roll = error(random), pitch = error(random);
  pose.linear() = pose.linear() * (Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitX()) *
                                   Eigen::AngleAxisd(roll, Eigen::Vector3d::UnitZ()))
                                      .toRotationMatrix();
  return CameraView(view.lens(), pose);
}

}  // namespace hl_match

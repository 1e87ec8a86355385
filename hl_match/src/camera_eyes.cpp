// SPDX-License-Identifier: Apache-2.0
#include "camera_eyes.hpp"

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cmath>

namespace hl_match {
namespace {

constexpr double kDelay = 0.05;  // s from the picture until it has been understood; less than the nodes' vision_delay

hl_vision::BallNetwork network() {
  return hl_vision::BallNetwork::from_file(ament_index_cpp::get_package_share_directory("hl_vision") +
                                           "/config/ball.weights");
}

hl_vision::Lens lens_of(const hl_simulation::CameraSpec& camera) {
  hl_vision::Lens lens;
  lens.width = camera.width;
  lens.height = camera.height;
  lens.fx = lens.fy = 0.5 * camera.width / std::tan(0.5 * camera.horizontal_fov);
  lens.cx = 0.5 * camera.width;
  lens.cy = 0.5 * camera.height;
  return lens;
}

}  // namespace

CameraEyes::CameraEyes(Match& match, std::size_t robot)
    : match_(match),
      robot_(robot),
      renderer_(match.simulation().world(), {}),
      detection_({}, match.params().field, network()),
      transform_({}, match.params().field) {}

void CameraEyes::look(bool expose) {
  if (exposed_) develop();
  if (!expose) return;
  exposed_.emplace();
  exposed_->stamp = match_.time();
  renderer_.update(match_.simulation());
  renderer_.robot_camera(robot_, exposed_->image);
}

/// One tick after the picture the walk has taken in what the sensors said at its moment.
void CameraEyes::develop() {
  Picture picture = std::move(*exposed_);
  exposed_.reset();
  const auto& files = *match_.params().files;
  const auto& positions = match_.orders(robot_).sensors.positions;
  if (!positions) return;
  const auto& camera_spec = match_.params().spec->camera;
  files.model.forward(*positions, posture_);
  const Eigen::Isometry3d camera = posture_.links[files.model.link(camera_spec.frame)];
  std::vector<hl_vision::Limb> limbs;
  for (const auto& capsule : files.config.capsules) {
    const Eigen::Isometry3d link = camera.inverse() * posture_.links[files.model.link(capsule.link)];
    limbs.push_back({link * capsule.from, link * capsule.to, capsule.radius});
  }
  const hl_vision::CameraView view(lens_of(camera_spec), match_.player(robot_).mover().carriage().base * camera);
  const cv::Mat rgb(picture.image.height, picture.image.width, CV_8UC3, picture.image.rgb.data());
  cv::Mat bgr(rgb.size(), CV_8UC3);
  cv::mixChannels({rgb}, {bgr}, {0, 2, 1, 1, 2, 0});
  auto seen = detection_.step({bgr, view, limbs}, picture.stamp);
  Answer answer{picture.stamp + kDelay, transform_.step({seen, view, picture.stamp}, picture.stamp).percepts};
  last_ = Look{picture.stamp, bgr, std::move(seen), answer.percepts};
  // Messages between the nodes carry no covariance; whoever hears them has a model of the noise.
  if (answer.percepts.ball) answer.percepts.ball->covariance.setZero();
  for (auto& obstacle : answer.percepts.obstacles) obstacle.covariance.setZero();
  answers_.push_back(std::move(answer));
}

std::vector<hl_soccer::Percepts> CameraEyes::take(double now) {
  std::vector<hl_soccer::Percepts> known;
  for (; !answers_.empty() && answers_.front().known <= now + 1e-6; answers_.pop_front())
    known.push_back(std::move(answers_.front().percepts));
  return known;
}

void CameraEyes::forget() {
  exposed_.reset();
  answers_.clear();
}

}  // namespace hl_match

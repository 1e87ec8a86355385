// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/body.hpp"

#include <algorithm>

namespace hl_walking {
namespace {

using hl_description::LegKinematics;
using hl_description::RobotModel;

std::size_t link_of_joint(const RobotModel& model, std::size_t joint) {
  const auto& links = model.links();
  const auto link =
      std::find_if(links.begin(), links.end(), [&](const auto& l) { return l.joint == static_cast<int>(joint); });
  return static_cast<std::size_t>(link - links.begin());
}

/// The rectangle that fits both feet, the right one mirrored.
FootPlate plate_of(const RobotModel& model) {
  const auto& outline = model.foot_outline(Side::Left);  // front left, front right, back right, back left
  return {std::min(outline[0].x(), outline[1].x()), -std::max(outline[2].x(), outline[3].x()),
          -std::max(outline[1].y(), outline[2].y()), std::min(outline[0].y(), outline[3].y())};
}

}  // namespace

WalkingBody::WalkingBody(const RobotModel& model, const Joints& ready)
    : model_(model),
      ready_(ready),
      legs_{LegKinematics(model, Side::Left), LegKinematics(model, Side::Right)},
      plate_(plate_of(model)) {
  if (ready_.size() != static_cast<Eigen::Index>(model_.dof())) {
    throw hl_description::ModelError("walk-ready pose has " + std::to_string(ready_.size()) + " joints but the model " +
                                     std::to_string(model_.dof()));
  }
  model_.forward(ready_, posture_);
  for (const Side side : {Side::Left, Side::Right}) {
    const auto s = static_cast<std::size_t>(side);
    shoulder_[s] = model_.joint(std::string(hl_description::joint_prefix(side)) + "ShoulderPitch");
    const std::size_t arm = link_of_joint(model_, shoulder_[s]);
    // A turn about +y takes a hanging arm backward.
    shoulder_sign_[s] = (posture_.links[arm].linear() * model_.links()[arm].axis).y() > 0.0 ? -1.0 : 1.0;
    for (std::size_t k = 0; k < 6; ++k) leg_links_[s][k] = link_of_joint(model_, legs_[s].joints()[k]);
  }
}

bool WalkingBody::solve_leg(Side side, const Eigen::Isometry3d& sole, Joints& joints) const {
  const auto solution = leg(side).solve(sole, leg(side).read(joints));
  if (solution.reach == LegKinematics::Reach::Invalid) return false;
  leg(side).write(solution.angles, joints);
  return solution.exact();
}

Eigen::Vector3d WalkingBody::com(const Joints& joints) {
  model_.forward(joints, posture_);
  return model_.center_of_mass(posture_);
}

std::array<double, 6> WalkingBody::leg_torque(Side side, const Eigen::Vector3d& point,
                                              const Eigen::Vector3d& force) const {
  std::array<double, 6> torque{};
  for (std::size_t k = 0; k < 6; ++k) {
    const std::size_t link = leg_links_[static_cast<std::size_t>(side)][k];
    const Eigen::Isometry3d& frame = posture_.links[link];
    const Eigen::Vector3d axis = frame.linear() * model_.links()[link].axis;
    torque[k] = -axis.dot((point - frame.translation()).cross(force));
  }
  return torque;
}

}  // namespace hl_walking

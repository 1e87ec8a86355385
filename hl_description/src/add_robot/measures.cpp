// SPDX-License-Identifier: Apache-2.0
#include "measures.hpp"

#include <cmath>
#include <string>

#include "hl_description/leg_kinematics.hpp"

namespace hl_description {
namespace {

constexpr double kBend = 0.887;  // of the stretched leg between hip and ankle while standing: knees at 55 degrees
constexpr double kLean = 0.087;  // rad, of the trunk to the front while standing

}  // namespace

Measures measure(const RobotModel& model) {
  const LegKinematics leg(model, Side::Left);
  const auto& outline = model.foot_outline(Side::Left);  // front left, front right, back right, back left
  Measures m;
  m.leg = leg.thigh() + leg.shank();
  m.hip_y = std::abs(leg.hip().y());
  m.foot_length = outline[0].x() - outline[2].x();
  m.foot_width = outline[0].y() - outline[1].y();
  m.foot_x = 0.5 * (outline[0].x() + outline[2].x());
  m.foot_y = 0.5 * (outline[0].y() + outline[1].y());
  m.foot_inner = -outline[1].y();
  m.stand_height = kBend * m.leg + leg.ankle_height() - leg.hip().z();
  m.pitch_torque = model.limits(model.joint("LKnee")).effort;
  m.roll_torque = model.limits(model.joint("LAnkleRoll")).effort;
  m.mass = model.mass();
  return m;
}

Eigen::VectorXd stand(const RobotModel& model, const Eigen::VectorXd& arms) {
  const Measures m = measure(model);
  Eigen::VectorXd pose = model.clamp(arms);
  const Eigen::AngleAxisd level(-kLean, Eigen::Vector3d::UnitY());
  double ahead = 0.0;  // m, of the soles
  for (int step = 0; step < 30; ++step) {
    for (const Side side : {Side::Left, Side::Right}) {
      const LegKinematics leg(model, side);
      Eigen::Isometry3d sole = Eigen::Isometry3d::Identity();
      sole.linear() = level.toRotationMatrix();
      sole.translation() = level * Eigen::Vector3d(ahead, sign(side) * 1.04 * m.hip_y, -m.stand_height);
      const auto solution = leg.solve(sole);
      if (step == 29 && !solution.exact())
        throw ModelError(std::string("the ") + (side == Side::Left ? "left" : "right") +
                         " leg cannot stand with bent knees within its limits");
      leg.write(solution.angles, pose);
    }
    const Posture posture = model.forward(pose);
    const Eigen::Vector3d com = level.inverse() * model.center_of_mass(posture);
    ahead += 0.7 * (com.x() - (ahead + m.foot_x));
  }
  return pose;
}

}  // namespace hl_description

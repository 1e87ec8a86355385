// SPDX-License-Identifier: Apache-2.0
#include "hl_description/leg_kinematics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace hl_description {
namespace {

constexpr std::array<const char*, 6> names = {"HipYaw", "HipRoll", "HipPitch", "Knee", "AnklePitch", "AnkleRoll"};

Eigen::Matrix3d rotation_x(double a) {
  return Eigen::AngleAxisd(a, Eigen::Vector3d::UnitX()).toRotationMatrix();
}
Eigen::Matrix3d rotation_y(double a) {
  return Eigen::AngleAxisd(a, Eigen::Vector3d::UnitY()).toRotationMatrix();
}
Eigen::Matrix3d rotation_z(double a) {
  return Eigen::AngleAxisd(a, Eigen::Vector3d::UnitZ()).toRotationMatrix();
}

double wrap(double angle) {
  return angle > M_PI ? angle - 2 * M_PI : angle <= -M_PI ? angle + 2 * M_PI : angle;
}

}  // namespace

LegKinematics::LegKinematics(const RobotModel& model, Side side) : side_(side) {
  const std::string prefix = joint_prefix(side);
  const std::array<Eigen::Vector3d, 6> axes = {Eigen::Vector3d::UnitZ(), Eigen::Vector3d::UnitX(),
                                               Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitY(),
                                               Eigen::Vector3d::UnitY(), Eigen::Vector3d::UnitX()};
  const auto joints = model.chain(model.sole(side));
  const auto refuse = [&](const std::string& why) {
    throw ModelError(
        "robot '" + model.name() + "', " + (side == Side::Left ? "left" : "right") + " leg: " + why +
        "; the analytic leg kinematics needs yaw, roll and pitch axes that meet in the hip, a knee straight"
        " below it and pitch and roll axes that meet in the ankle straight below the knee, above the sole");
  };
  if (joints.size() != 6) refuse("has " + std::to_string(joints.size()) + " joints instead of 6");

  const Posture zero = model.forward(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(model.dof())));
  std::array<Eigen::Vector3d, 6> origins;
  for (std::size_t i = 0; i < 6; ++i) {
    joints_[i] = joints[i];
    if (model.joint_names()[joints[i]] != prefix + names[i])
      refuse("joint " + std::to_string(i + 1) + " is '" + model.joint_names()[joints[i]] + "' instead of '" + prefix +
             names[i] + "'");
    limits_[i] = model.limits(joints[i]);
    for (std::size_t link = 0; link < model.links().size(); ++link) {
      if (model.links()[link].joint != static_cast<int>(joints[i])) continue;
      origins[i] = zero.links[link].translation();
      sign_[i] = (zero.links[link].linear() * model.links()[link].axis).dot(axes[i]);
    }
    if (std::abs(std::abs(sign_[i]) - 1.0) > 1e-9)
      refuse("axis of " + prefix + names[i] + " is not parallel to the body's axes");
    sign_[i] = sign_[i] < 0 ? -1.0 : 1.0;
  }
  const Eigen::Vector3d sole = zero.links[model.sole(side)].translation();
  hip_ = origins[1];
  thigh_ = origins[2].z() - origins[3].z();
  shank_ = origins[3].z() - origins[4].z();
  ankle_ = origins[4].z() - sole.z();
  const auto below = [](const Eigen::Vector3d& a, const Eigen::Vector3d& b) { return (a - b).head<2>().norm() < 1e-9; };
  if (!below(origins[0], origins[1]) || (origins[1] - origins[2]).norm() > 1e-9) refuse("hip axes do not meet");
  if (!below(origins[2], origins[3]) || !below(origins[3], origins[4]) || thigh_ <= 0 || shank_ <= 0)
    refuse("it is not straight at zero");
  if ((origins[4] - origins[5]).norm() > 1e-9 || !below(origins[5], sole) || ankle_ < 0)
    refuse("ankle axes do not meet above the sole");

  // Knee flexion is positive about +y.
  knee_max_ = sign_[3] > 0 ? limits_[3].upper : -limits_[3].lower;
  reach_min_ = std::sqrt(thigh_ * thigh_ + shank_ * shank_ + 2 * thigh_ * shank_ * std::cos(knee_max_));
}

LegKinematics::Angles LegKinematics::geometric(const Eigen::Matrix3d& foot, const Eigen::Vector3d& v, double knee,
                                               double up) const noexcept {
  const double ankle_roll = std::atan2(up * v.y(), up * v.z());
  const double in_plane =
      std::atan2(v.x(), up * std::hypot(v.y(), v.z()));  // of the ankle-to-hip line, after undoing the roll
  const double straight =
      std::atan2(-thigh_ * std::sin(knee), shank_ + thigh_ * std::cos(knee));  // the same at ankle pitch 0
  const double ankle_pitch = wrap(straight - in_plane);
  const Eigen::Matrix3d hip =
      foot * rotation_x(-ankle_roll) * rotation_y(-(knee + ankle_pitch));  // = Rz(yaw) Rx(roll) Ry(pitch)
  return {std::atan2(-hip(0, 1), hip(1, 1)),
          std::atan2(hip(2, 1), std::hypot(hip(0, 1), hip(1, 1))),
          std::atan2(-hip(2, 0), hip(2, 2)),
          knee,
          ankle_pitch,
          ankle_roll};
}

double LegKinematics::violation(const Angles& servo) const noexcept {
  double worst = 0.0;
  for (std::size_t i = 0; i < 6; ++i) worst = std::max(worst, std::abs(servo[i] - limits_[i].clamp(servo[i])));
  return worst;
}

LegKinematics::Solution LegKinematics::solve(const Eigen::Isometry3d& sole) const noexcept {
  Solution best;
  if (!sole.matrix().allFinite()) return best;
  const Eigen::Matrix3d foot = sole.linear();
  const Eigen::Vector3d ankle = sole * Eigen::Vector3d(0, 0, ankle_);
  Eigen::Vector3d v = foot.transpose() * (hip_ - ankle);
  double length = v.norm();
  if (length < 1e-9) v = Eigen::Vector3d::UnitZ();  // ankle in the hip: any direction will do

  const double longest = thigh_ + shank_, tolerance = 1e-9;
  Reach reach = Reach::Exact;
  if (length > longest + tolerance) reach = Reach::TooFar;
  if (length < reach_min_ - tolerance) reach = Reach::TooNear;
  length = std::clamp(length, reach_min_, longest);
  const double cosine = (length * length - thigh_ * thigh_ - shank_ * shank_) / (2 * thigh_ * shank_);
  const double flexion = std::acos(std::clamp(cosine, -1.0, 1.0));

  // The knee may be bent or, within a few degrees, overstretched; the hip may be above or below the sole's plane.
  double smallest = 1e9;
  for (const double knee : {flexion, -flexion}) {
    for (const double up : {1.0, -1.0}) {
      Angles angles = geometric(foot, v, knee, up);
      for (std::size_t i = 0; i < 6; ++i) angles[i] *= sign_[i];
      const double excess = violation(angles);
      if (excess < smallest) {
        smallest = excess;
        best.angles = angles;
      }
      if (excess <= tolerance) {
        best.reach = reach;
        for (std::size_t i = 0; i < 6; ++i) best.angles[i] = limits_[i].clamp(best.angles[i]);
        return best;
      }
    }
  }
  for (std::size_t i = 0; i < 6; ++i) best.angles[i] = limits_[i].clamp(best.angles[i]);
  best.reach = reach == Reach::Exact ? Reach::JointLimit : reach;
  return best;
}

Eigen::Isometry3d LegKinematics::forward(const Angles& angles) const noexcept {
  Angles a = angles;
  for (std::size_t i = 0; i < 6; ++i) a[i] *= sign_[i];
  const Eigen::Matrix3d thigh = rotation_z(a[0]) * rotation_x(a[1]) * rotation_y(a[2]);
  const Eigen::Matrix3d shank = thigh * rotation_y(a[3]);
  Eigen::Isometry3d sole = Eigen::Isometry3d::Identity();
  sole.linear() = shank * rotation_y(a[4]) * rotation_x(a[5]);
  sole.translation() = hip_ - thigh_ * thigh.col(2) - shank_ * shank.col(2) - ankle_ * sole.linear().col(2);
  return sole;
}

void LegKinematics::write(const Angles& angles, Eigen::VectorXd& positions) const noexcept {
  for (std::size_t i = 0; i < 6; ++i) positions[static_cast<Eigen::Index>(joints_[i])] = angles[i];
}

LegKinematics::Angles LegKinematics::read(const Eigen::VectorXd& positions) const noexcept {
  Angles angles;
  for (std::size_t i = 0; i < 6; ++i) angles[i] = positions[static_cast<Eigen::Index>(joints_[i])];
  return angles;
}

}  // namespace hl_description

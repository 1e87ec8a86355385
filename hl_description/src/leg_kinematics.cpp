// SPDX-License-Identifier: Apache-2.0
#include "hl_description/leg_kinematics.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace hl_description {
namespace {

constexpr double kTolerance = 1e-4;  // m, rad: as exactly as people write a URDF

constexpr int kSteps = 30, kStepsNear = 8;      // of a search, and of one that begins beside its goal
constexpr int kStarts = 16;                     // of the search, where the first guess leads nowhere
constexpr double kSpread = 1.1673039782614187;  // root of x^7 = x + 1: its powers fill six dimensions evenly

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
    throw ModelError("robot '" + model.name() + "', " + (side == Side::Left ? "left" : "right") + " leg: " + why +
                     "; a leg has hip yaw, roll and pitch, knee, ankle pitch and roll, in this order");
  };
  if (joints.size() != 6) refuse("has " + std::to_string(joints.size()) + " joints instead of 6");

  const Posture zero = model.forward(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(model.dof())));
  for (std::size_t i = 0; i < 6; ++i) {
    joints_[i] = joints[i];
    if (model.joint_names()[joints[i]] != prefix + names[i])
      refuse("joint " + std::to_string(i + 1) + " is '" + model.joint_names()[joints[i]] + "' instead of '" + prefix +
             names[i] + "'");
    limits_[i] = model.limits(joints[i]);
    for (std::size_t link = 0; link < model.links().size(); ++link) {
      if (model.links()[link].joint != static_cast<int>(joints[i])) continue;
      chain_.origins[i] = zero.links[link].translation();
      chain_.axes[i] = zero.links[link].linear() * model.links()[link].axis;
    }
    sign_[i] = chain_.axes[i].dot(axes[i]) < 0 ? -1.0 : 1.0;
  }
  chain_.sole = zero.links[model.sole(side)];
  const auto& origins = chain_.origins;
  const Eigen::Vector3d sole = chain_.sole.translation();
  hip_ = origins[1];
  thigh_ = origins[2].z() - origins[3].z();
  shank_ = origins[3].z() - origins[4].z();
  ankle_ = origins[4].z() - sole.z();

  // Axes may be written with a few digits, and a joint's origin may lie anywhere on its axis.
  const auto near = [](double a, double b) { return std::abs(a - b) < kTolerance; };
  bool standard = thigh_ > 0.0 && shank_ > 0.0 && ankle_ >= 0.0;
  for (std::size_t i = 1; i < 6; ++i)
    standard = standard && std::abs(chain_.axes[i].dot(axes[i])) > 1.0 - 0.5 * kTolerance * kTolerance;
  hip_.x() = origins[2].x();
  const Eigen::Vector3d ankle(origins[4].x(), origins[5].y(), origins[4].z());
  standard = standard && near(origins[1].z(), origins[2].z()) && near(origins[4].z(), origins[5].z()) &&
             near(hip_.x(), origins[3].x()) && near(hip_.x(), ankle.x()) && near(ankle.x(), sole.x()) &&
             near(ankle.y(), sole.y()) && (chain_.sole.linear() - Eigen::Matrix3d::Identity()).norm() < kTolerance;
  aside_ = ankle.y() - hip_.y();
  first_axis_ = sign_[0] * chain_.axes[0];
  first_point_ = origins[0] + first_axis_ * first_axis_.dot(hip_ - origins[0]);
  const bool meeting = near(aside_, 0.0) && (first_point_ - hip_).norm() < kTolerance &&
                       first_axis_.z() > 1.0 - 0.5 * kTolerance * kTolerance;
  way_ = !standard ? Way::AsBuilt : meeting ? Way::Meeting : Way::FirstJoint;
  if (!standard) {  // a leg of about these lengths gives the first guess
    thigh_ = std::max((origins[2] - origins[3]).norm(), 1e-3);
    shank_ = std::max((origins[3] - origins[4]).norm(), 1e-3);
  }

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
  if (!sole.matrix().allFinite()) return Solution();
  switch (way_) {
    case Way::Meeting:
      return solve_meeting(sole);
    case Way::FirstJoint:
    case Way::AsBuilt:
      return solve_as_built(sole);
  }
  return Solution();
}

LegKinematics::Solution LegKinematics::solve(const Eigen::Isometry3d& sole, const Angles& near) const noexcept {
  if (way_ != Way::AsBuilt || !sole.matrix().allFinite()) return solve(sole);
  Angles angles = near;
  if (refine(sole, kStepsNear, angles)) return {angles, Reach::Exact};
  const Solution guess = solve_first_joint(sole);
  angles = guess.angles;
  if (refine(sole, kStepsNear, angles)) return {angles, Reach::Exact};
  return {guess.angles, guess.reach == Reach::Exact ? Reach::JointLimit : guess.reach};
}

LegKinematics::Solution LegKinematics::solve_meeting(const Eigen::Isometry3d& sole) const noexcept {
  Solution best;
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

/// Angles of the other joints, servo direction, and how well they fit.
struct LegKinematics::Rest {
  std::array<Angles, 2> angles;  // knee bent and overstretched
  double skew = 0.0;             // sine of the angle between where the foot's x axis is and where it can be
  Reach reach = Reach::Exact;
};

LegKinematics::Rest LegKinematics::rest_of(double first, const Eigen::Isometry3d& sole, double up) const noexcept {
  Rest rest;
  const Eigen::Matrix3d foot = sole.linear();
  const Eigen::Vector3d ankle = sole * Eigen::Vector3d(0, 0, ankle_);
  const Eigen::Matrix3d turned = Eigen::AngleAxisd(first, first_axis_).toRotationMatrix();
  const Eigen::Vector3d way = turned.transpose() * (ankle - first_point_) + first_point_ - hip_;
  const double from_x_axis = std::hypot(way.y(), way.z());
  const double across = from_x_axis > 1e-9 ? std::asin(std::clamp(aside_ / from_x_axis, -1.0, 1.0)) : 0.0;
  const double roll = std::atan2(way.y(), -way.z()) - (up > 0.0 ? M_PI - across : across);
  const Eigen::Matrix3d hip = turned * rotation_x(roll);
  rest.skew = hip.col(1).dot(foot.col(0));
  const double down = -up * std::sqrt(std::max(0.0, from_x_axis * from_x_axis - aside_ * aside_));
  const double direction = std::atan2(-way.x(), down);
  double length = std::hypot(way.x(), down);
  const double longest = thigh_ + shank_, tolerance = 1e-9;
  if (length > longest + tolerance) rest.reach = Reach::TooFar;
  if (length < reach_min_ - tolerance) rest.reach = Reach::TooNear;
  length = std::clamp(length, reach_min_, longest);
  const double cosine = (length * length - thigh_ * thigh_ - shank_ * shank_) / (2 * thigh_ * shank_);
  const double flexion = std::acos(std::clamp(cosine, -1.0, 1.0));
  const Eigen::Matrix3d below = hip.transpose() * foot;  // = Ry(hip pitch + knee + ankle pitch) Rx(ankle roll)
  const double pitch = std::atan2(-below(2, 0), below(0, 0));
  const double ankle_roll = std::atan2(-below(1, 2), below(1, 1));
  for (std::size_t bent = 0; bent < 2; ++bent) {
    const double knee = bent == 0 ? flexion : -flexion;
    const double hip_pitch = direction - std::atan2(shank_ * std::sin(knee), thigh_ + shank_ * std::cos(knee));
    rest.angles[bent] = {first, wrap(roll), wrap(hip_pitch), knee, wrap(pitch - hip_pitch - knee), ankle_roll};
    for (std::size_t i = 0; i < 6; ++i) rest.angles[bent][i] *= sign_[i];
  }
  return rest;
}

void LegKinematics::consider(const Rest& rest, Solution& best, double& smallest) const noexcept {
  for (const Angles& angles : rest.angles) {
    const double excess = violation(angles) + (std::abs(rest.skew) < 1e-6 ? 0.0 : std::abs(rest.skew));
    if (excess >= smallest) continue;
    smallest = excess;
    best.angles = angles;
    best.reach = excess > 1e-9 && rest.reach == Reach::Exact ? Reach::JointLimit : rest.reach;
  }
}

/// With the first joint's angle everything else follows; its angle is where the foot's x axis is at right angles to the
/// pitch axes. Every change of sign within the joint's range is looked at, with the ankle below the hip, then above it.
LegKinematics::Solution LegKinematics::solve_first_joint(const Eigen::Isometry3d& sole) const noexcept {
  const double a = sign_[0] * limits_[0].lower, b = sign_[0] * limits_[0].upper;
  const double low = std::min(a, b), high = std::max(a, b);
  Solution best;
  double smallest = 1e9;
  constexpr int kIntervals = 12;
  for (const double up : {-1.0, 1.0}) {
    double from = low, skew_from = rest_of(low, sole, up).skew, flattest = low, least = std::abs(skew_from);
    for (int i = 1; i <= kIntervals; ++i) {
      const double to = low + (high - low) * i / kIntervals, skew_to = rest_of(to, sole, up).skew;
      if (std::abs(skew_to) < least) least = std::abs(skew_to), flattest = to;
      if (skew_from * skew_to <= 0.0) {  // regula falsi, Illinois
        double x0 = from, f0 = skew_from, x1 = to, f1 = skew_to, x = x1, f = f1;
        for (int step = 0; step < 40 && std::abs(f) > 1e-14 && f1 != f0; ++step) {
          x = (x0 * f1 - x1 * f0) / (f1 - f0);
          f = rest_of(x, sole, up).skew;
          if (f * f1 <= 0.0) {
            x0 = x1;
            f0 = f1;
          } else {
            f0 *= 0.5;
          }
          x1 = x;
          f1 = f;
        }
        consider(rest_of(x, sole, up), best, smallest);
      }
      from = to;
      skew_from = skew_to;
    }
    if (smallest > 1e-9) consider(rest_of(flattest, sole, up), best, smallest);
    if (smallest <= 1e-9) break;
  }
  for (std::size_t i = 0; i < 6; ++i) best.angles[i] = limits_[i].clamp(best.angles[i]);
  return best;
}

/// The way for legs that no equation fits; also what is left to do where two roots lie together.
bool LegKinematics::refine(const Eigen::Isometry3d& sole, int steps, Angles& angles) const noexcept {
  Angles refined = angles;
  if (!chain_.refine(sole, steps, refined)) return false;
  for (double& angle : refined) angle = std::remainder(angle, 2.0 * M_PI);
  if (violation(refined) > 1e-9) return false;
  for (std::size_t i = 0; i < 6; ++i) angles[i] = limits_[i].clamp(refined[i]);
  return true;
}

LegKinematics::Solution LegKinematics::solve_as_built(const Eigen::Isometry3d& sole) const noexcept {
  const Solution guess = solve_first_joint(sole);
  if (way_ == Way::FirstJoint && guess.exact() && (forward(guess.angles).matrix() - sole.matrix()).norm() < 1e-7)
    return guess;
  Angles angles = guess.angles;
  if (refine(sole, kSteps, angles)) return {angles, Reach::Exact};
  const bool hopeless = guess.reach == Reach::TooFar || guess.reach == Reach::TooNear;
  for (int n = 1; n <= kStarts && !hopeless; ++n) {  // spread evenly over the joints' ranges
    double share = 1.0;
    for (std::size_t i = 0; i < 6; ++i) {
      share /= kSpread;
      angles[i] = limits_[i].lower + (limits_[i].upper - limits_[i].lower) * std::fmod(0.5 + n * share, 1.0);
    }
    if (refine(sole, kSteps, angles)) return {angles, Reach::Exact};
  }
  return {guess.angles, guess.reach == Reach::Exact ? Reach::JointLimit : guess.reach};
}

Eigen::Isometry3d LegKinematics::forward(const Angles& angles) const noexcept {
  if (way_ != Way::Meeting) return chain_.forward(angles);
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

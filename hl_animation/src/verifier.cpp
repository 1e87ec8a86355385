// SPDX-License-Identifier: Apache-2.0
#include "hl_animation/verifier.hpp"

#include <array>
#include <cmath>
#include <hl_description/geometry.hpp>
#include <hl_description/self_collision.hpp>
#include <hl_description/support_polygon.hpp>

#include "hl_animation/trajectory.hpp"

namespace hl_animation {
namespace {

using hl_description::kGravity;
using hl_description::RobotModel;
using Kind = Finding::Kind;

constexpr double kPositionSlack = 1e-6;  // rad, for the rounding of degrees
constexpr double kSpeedShare = 1.0;      // of the no-load speed

/// Keeps the worst finding of each kind and place.
class Findings {
 public:
  void add(const Finding& finding, double excess) {
    auto& worst = worst_[{static_cast<int>(finding.kind), finding.what}];
    if (worst.second >= excess && !worst.first.what.empty()) return;
    worst = {finding, excess};
  }

  std::vector<Finding> all() const {
    std::vector<Finding> result;
    for (const auto& [key, entry] : worst_) result.push_back(entry.first);
    return result;
  }

 private:
  std::map<std::pair<int, std::string>, std::pair<Finding, double>> worst_;
};

/// Links that a joint carries when base_link stands still.
std::vector<std::size_t> carried_links(const RobotModel& model, std::size_t joint) {
  std::vector<bool> carried(model.links().size(), false);
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const auto& link = model.links()[i];
    carried[i] =
        link.joint == static_cast<int>(joint) || (link.parent >= 0 && carried[static_cast<std::size_t>(link.parent)]);
    if (carried[i] && link.mass > 0.0) result.push_back(i);
  }
  return result;
}

/// Torque to hold the carried links against gravity and to accelerate them, trunk upright, other joints at rest.
double limb_torque(const RobotModel& model, const hl_description::Posture& posture, std::size_t joint,
                   const std::vector<std::size_t>& links, double acceleration) {
  std::size_t joint_link = 0;
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    if (model.links()[i].joint == static_cast<int>(joint)) joint_link = i;
  }
  const auto& frame = posture.links[joint_link];
  const Eigen::Vector3d axis = frame.linear() * model.links()[joint_link].axis;
  double gravity = 0.0;
  double inertia = 0.0;
  for (const auto i : links) {
    const auto& link = model.links()[i];
    const Eigen::Vector3d arm = posture.links[i] * link.com - frame.translation();
    gravity += axis.dot(arm.cross(Eigen::Vector3d(0.0, 0.0, -kGravity * link.mass)));
    inertia += link.mass * axis.cross(arm).squaredNorm() +
               axis.dot(posture.links[i].linear() * link.inertia * posture.links[i].linear().transpose() * axis);
  }
  return std::abs(gravity) + inertia * std::abs(acceleration);
}

}  // namespace

std::string name(Finding::Kind kind) {
  constexpr std::array<const char*, 7> kNames{"unknown joint", "position limit", "velocity limit", "acceleration limit",
                                              "torque limit",  "self-collision", "balance"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::optional<std::string> Verifier::Params::validate() const {
  if (!(sample_time > 0.0)) return "sample_time must be positive";
  if (!(max_acceleration > 0.0)) return "max_acceleration must be positive";
  if (!(torque_share > 0.0)) return "torque_share must be positive";
  return std::nullopt;
}

Verifier::Verifier(const RobotModel& model, const hl_description::RobotConfig& config, const Params& params)
    : model_(model), config_(config), params_(params) {}

std::map<std::string, double> Verifier::start_pose(Posture start) const {
  const bool lying = start == Posture::LyingFront || start == Posture::LyingBack;  // on the side with bent legs
  const auto pose = config_.pose(model_, lying ? "zero" : "walkready");
  std::map<std::string, double> positions;
  for (std::size_t i = 0; i < model_.dof(); ++i)
    positions[model_.joint_names()[i]] = pose[static_cast<Eigen::Index>(i)];
  if (lying) {
    for (const auto& [joint, position] : lying_pose()) positions[joint] = position;
  }
  return positions;
}

namespace {

/// One look at the motion at a time: what it does wrong then.
class Inspection {
 public:
  Inspection(const RobotModel& model, const hl_description::RobotConfig& config, const Verifier::Params& params,
             const Animation& animation, const std::map<std::string, double>& start)
      : model_(model),
        params_(params),
        animation_(animation),
        trajectory_(animation, start),
        collision_(model, config.capsules),
        positions_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(model.dof()))) {
    for (const auto& joint : trajectory_.joints()) {
      joints_.push_back(model_.joint(joint));
      carried_.push_back(carried_links(model_, joints_.back()));
    }
    for (const auto& [joint, position] : start) {
      if (const auto index = model_.joint_index(joint)) positions_[static_cast<Eigen::Index>(*index)] = position;
    }
  }

  double duration() const { return trajectory_.duration(); }

  void look(double time, Findings& findings) {
    time_ = time;
    while (keyframe_ + 1 < animation_.keyframes.size() && time > trajectory_.left(keyframe_)) ++keyframe_;
    for (std::size_t i = 0; i < joints_.size(); ++i)
      positions_[static_cast<Eigen::Index>(joints_[i])] = trajectory_.at(i, time).position;
    model_.forward(positions_, posture_);
    for (std::size_t i = 0; i < joints_.size(); ++i) look_at_joint(i, findings);
    look_for_collisions(findings);
    look_at_balance(findings);
  }

 private:
  int number() const { return static_cast<int>(keyframe_) + 1; }

  void look_at_joint(std::size_t i, Findings& findings) const {
    const auto point = trajectory_.at(i, time_);
    const auto& limits = model_.limits(joints_[i]);
    const auto& joint = trajectory_.joints()[i];
    const auto limit = [&](Kind kind, double value, double allowed, const char* unit) {
      if (std::abs(value) > allowed)
        findings.add({kind, time_, number(), joint, value, allowed, unit}, std::abs(value) - allowed);
    };
    if (!limits.contains(point.position, kPositionSlack)) {
      const double bound = point.position > limits.upper ? limits.upper : limits.lower;
      findings.add({Kind::PositionLimit, time_, number(), joint, point.position, bound, "rad"},
                   std::abs(point.position - bound));
    }
    limit(Kind::VelocityLimit, point.velocity, kSpeedShare * limits.velocity, "rad/s");
    limit(Kind::AccelerationLimit, point.acceleration, params_.max_acceleration, "rad/s^2");
    limit(Kind::TorqueLimit, limb_torque(model_, posture_, joints_[i], carried_[i], point.acceleration),
          params_.torque_share * limits.effort, "N m");
  }

  void look_for_collisions(Findings& findings) {
    collision_.distances(posture_, pairs_);
    for (const auto& pair : pairs_) {
      if (pair.distance >= params_.min_clearance) continue;
      findings.add(
          {Kind::SelfCollision, time_, number(), collision_.link_name(pair.a) + " and " + collision_.link_name(pair.b),
           pair.distance, params_.min_clearance, "m"},
          params_.min_clearance - pair.distance);
    }
  }

  void look_at_balance(Findings& findings) const {
    const Support support = animation_.keyframes[keyframe_].support;
    if (support == Support::None) return;
    const auto foot = support == Support::Right ? hl_description::Side::Right : hl_description::Side::Left;
    const auto ground = hl_description::base_footprint(model_, posture_, foot);
    const auto feet = support == Support::Both   ? hl_description::Support::Both
                      : support == Support::Left ? hl_description::Support::Left
                                                 : hl_description::Support::Right;
    const auto polygon = hl_description::support_polygon(model_, posture_, feet, ground);
    const Eigen::Vector3d com = ground.inverse() * model_.center_of_mass(posture_);
    const double margin = polygon.margin(com.head<2>());
    if (margin >= params_.min_margin) return;
    findings.add({Kind::Balance, time_, number(), "centre of mass", margin, params_.min_margin, "m"},
                 params_.min_margin - margin);
  }

  const RobotModel& model_;
  const Verifier::Params& params_;
  const Animation& animation_;
  const JointCurves trajectory_;
  const hl_description::SelfCollision collision_;
  std::vector<hl_description::SelfCollision::Pair> pairs_;
  std::vector<std::size_t> joints_;
  std::vector<std::vector<std::size_t>> carried_;
  Eigen::VectorXd positions_;
  hl_description::Posture posture_;
  std::size_t keyframe_ = 0;
  double time_ = 0.0;
};

}  // namespace

std::vector<Finding> Verifier::verify(const Animation& animation, const std::map<std::string, double>& start) const {
  Findings findings;
  for (std::size_t k = 0; k < animation.keyframes.size(); ++k) {
    for (const auto& [joint, position] : animation.keyframes[k].goals) {
      if (!model_.joint_index(joint))
        findings.add({Kind::UnknownJoint, 0.0, static_cast<int>(k) + 1, joint, 0.0, 0.0, ""}, 1.0);
    }
  }
  if (!findings.all().empty()) return findings.all();
  Inspection inspection(model_, config_, params_, animation, start);
  for (double time = 0.0; time <= inspection.duration(); time += params_.sample_time) inspection.look(time, findings);
  return findings.all();
}

}  // namespace hl_animation

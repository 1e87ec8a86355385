// SPDX-License-Identifier: Apache-2.0
#include "hl_animation/verifier.hpp"

#include <array>
#include <cmath>
#include <hl_description/self_collision.hpp>
#include <hl_description/support_polygon.hpp>

#include "hl_animation/trajectory.hpp"

namespace hl_animation {
namespace {

using hl_description::RobotModel;
using Kind = Finding::Kind;

constexpr double kGravity = 9.81;        // m/s^2
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

std::vector<Finding> Verifier::verify(const Animation& animation, const std::map<std::string, double>& start) const {
  Findings findings;
  for (std::size_t k = 0; k < animation.keyframes.size(); ++k) {
    for (const auto& [joint, position] : animation.keyframes[k].goals) {
      if (!model_.joint_index(joint)) {
        findings.add({Kind::UnknownJoint, 0.0, static_cast<int>(k) + 1, joint, 0.0, 0.0, ""}, 1.0);
      }
    }
  }
  if (!findings.all().empty()) return findings.all();

  const Trajectory trajectory(animation, start);
  const hl_description::SelfCollision collision(model_, config_.capsules);
  std::vector<hl_description::SelfCollision::Pair> pairs;
  std::vector<std::size_t> joints;
  std::vector<std::vector<std::size_t>> carried;
  for (const auto& joint : trajectory.joints()) {
    joints.push_back(model_.joint(joint));
    carried.push_back(carried_links(model_, joints.back()));
  }
  Eigen::VectorXd positions = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(model_.dof()));
  for (const auto& [joint, position] : start) {
    if (const auto index = model_.joint_index(joint)) positions[static_cast<Eigen::Index>(*index)] = position;
  }
  hl_description::Posture posture;
  std::size_t keyframe = 0;
  for (double time = 0.0; time <= trajectory.duration(); time += params_.sample_time) {
    while (keyframe + 1 < animation.keyframes.size() && time > trajectory.left(keyframe)) ++keyframe;
    const int number = static_cast<int>(keyframe) + 1;
    const auto limit = [&](Kind kind, const std::string& what, double value, double allowed, const char* unit) {
      if (std::abs(value) > allowed)
        findings.add({kind, time, number, what, value, allowed, unit}, std::abs(value) - allowed);
    };
    for (std::size_t i = 0; i < joints.size(); ++i) {
      positions[static_cast<Eigen::Index>(joints[i])] = trajectory.at(i, time).position;
    }
    model_.forward(positions, posture);
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const auto point = trajectory.at(i, time);
      const auto& limits = model_.limits(joints[i]);
      const auto& joint = trajectory.joints()[i];
      if (!limits.contains(point.position, kPositionSlack)) {
        const double bound = point.position > limits.upper ? limits.upper : limits.lower;
        findings.add({Kind::PositionLimit, time, number, joint, point.position, bound, "rad"},
                     std::abs(point.position - bound));
      }
      limit(Kind::VelocityLimit, joint, point.velocity, kSpeedShare * limits.velocity, "rad/s");
      limit(Kind::AccelerationLimit, joint, point.acceleration, params_.max_acceleration, "rad/s^2");
      limit(Kind::TorqueLimit, joint, limb_torque(model_, posture, joints[i], carried[i], point.acceleration),
            params_.torque_share * limits.effort, "N m");
    }
    collision.distances(posture, pairs);
    for (const auto& pair : pairs) {
      if (pair.distance >= params_.min_clearance) continue;
      findings.add(
          {Kind::SelfCollision, time, number, collision.link_name(pair.a) + " and " + collision.link_name(pair.b),
           pair.distance, params_.min_clearance, "m"},
          params_.min_clearance - pair.distance);
    }
    const Support support = animation.keyframes[keyframe].support;
    if (support == Support::None) continue;
    const auto foot = support == Support::Right ? hl_description::Side::Right : hl_description::Side::Left;
    const auto ground = hl_description::base_footprint(model_, posture, foot);
    const auto feet = support == Support::Both   ? hl_description::Support::Both
                      : support == Support::Left ? hl_description::Support::Left
                                                 : hl_description::Support::Right;
    const auto polygon = hl_description::support_polygon(model_, posture, feet, ground);
    const Eigen::Vector3d com = ground.inverse() * model_.center_of_mass(posture);
    const double margin = polygon.margin(com.head<2>());
    if (margin < params_.min_margin) {
      findings.add({Kind::Balance, time, number, "centre of mass", margin, params_.min_margin, "m"},
                   params_.min_margin - margin);
    }
  }
  return findings.all();
}

}  // namespace hl_animation

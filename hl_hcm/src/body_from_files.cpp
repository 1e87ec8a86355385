// SPDX-License-Identifier: Apache-2.0
#include "hl_hcm/body_from_files.hpp"

#include <hl_description/leg_kinematics.hpp>
#include <hl_description/robot_config.hpp>

namespace hl_hcm {
namespace {

/// Both feet under the body as in the walk-ready pose, a little wider, one as far ahead of the other as they are.
class FeetDown {
 public:
  FeetDown(const hl_description::RobotModel& model, const JointArray& ready)
      : legs_{{{model, hl_description::Side::Left}, {model, hl_description::Side::Right}}}, ready_(soles(ready)) {}

  void operator()(JointArray& goals) const {
    const auto present = soles(goals);
    const double ahead = 0.5 * (present[0].translation().x() - present[1].translation().x());  // m, of the left foot
    for (std::size_t side : {0, 1}) {
      Eigen::Isometry3d sole = ready_[side];
      const double sign = side == 0 ? 1.0 : -1.0;
      sole.translation().x() += sign * ahead;
      sole.translation().y() += sign * kSpread;
      const auto solution = legs_[side].solve(sole);
      if (solution.reach == hl_description::LegKinematics::Reach::Invalid) return;
      for (std::size_t i = 0; i < solution.angles.size(); ++i) goals[legs_[side].joints()[i]] = solution.angles[i];
    }
  }

 private:
  static constexpr double kSpread = 0.03;  // m outwards: a walk that is cut off sways aside
  std::array<Eigen::Isometry3d, 2> soles(const JointArray& goals) const {
    std::array<Eigen::Isometry3d, 2> result;
    for (std::size_t side : {0, 1}) {
      hl_description::LegKinematics::Angles angles;
      for (std::size_t i = 0; i < angles.size(); ++i) angles[i] = goals[legs_[side].joints()[i]];
      result[side] = legs_[side].forward(angles);
    }
    return result;
  }

  std::array<hl_description::LegKinematics, 2> legs_;
  std::array<Eigen::Isometry3d, 2> ready_;
};

JointArray pose(const JointSet& joints, const std::map<std::string, double>& angles, double otherwise) {
  JointArray result = absent_joints();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const auto found = angles.find(joints.joints[j].name);
    result[j] = found == angles.end() ? otherwise : found->second;
  }
  return result;
}

}  // namespace

HcmBody body_from_files(const std::string& urdf_file, const std::string& robot_config_file) {
  const auto model = hl_description::RobotModel::from_file(urdf_file);
  const auto config = hl_description::RobotConfig::from_file(robot_config_file);
  config.check(model);
  HcmBody body;
  body.joints = hl_joints::joint_set(model, config);
  body.walkready = pose(body.joints, config.poses.at("walkready"), 0.0);
  const auto penalty = config.poses.find("penalty");
  body.penalty = penalty == config.poses.end() ? body.walkready : pose(body.joints, penalty->second, 0.0);
  for (const Direction direction : {Direction::Front, Direction::Back, Direction::Left, Direction::Right}) {
    const auto found = config.poses.find(std::string("fall_") + name_of(direction));
    if (found != config.poses.end())
      body.protective[static_cast<std::size_t>(direction)] = pose(body.joints, found->second, kAbsent);
  }
  try {
    body.feet_down = FeetDown(model, body.walkready);
  } catch (const hl_description::ModelError&) {
    // Legs of another kind: a walk that is cut off goes straight to the walk-ready pose.
  }
  return body;
}

}  // namespace hl_hcm

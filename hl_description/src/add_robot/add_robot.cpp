// SPDX-License-Identifier: Apache-2.0
#include "add_robot.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "hl_description/leg_kinematics.hpp"

namespace hl_description {

std::string plain_name(const std::string& text) {
  std::string name;
  for (const char c : text) {
    const bool good = std::isalnum(static_cast<unsigned char>(c)) != 0;
    name += good ? static_cast<char>(std::tolower(static_cast<unsigned char>(c))) : '_';
  }
  return name;
}

namespace {

constexpr const char* kTuned[] = {"minibot", "darwin_op"};  // robots whose walk and motions are good

/// The known robot whose legs are most nearly as long.
std::string nearest(const Draft& draft, const BodyPlan& plan, const std::string& description) {
  const auto places = draft.places(std::vector<double>(draft.joints.size(), 0.0));
  const auto point = [&](const char* joint) {
    const DraftJoint& theirs = draft.joints[static_cast<std::size_t>(plan.joint(joint))];
    return Eigen::Vector3d(places[static_cast<std::size_t>(theirs.child)].translation());
  };
  const double leg = (point("LHipPitch") - point("LKnee")).norm() + (point("LKnee") - point("LAnklePitch")).norm();
  std::string best = kTuned[0];
  double least = 1e9;
  for (const char* robot : kTuned) {
    const LegKinematics known(RobotModel::from_file(description + "/urdf/" + robot + ".urdf"), Side::Left);
    const double difference = std::abs(std::log(std::max(leg, 1e-6) / (known.thigh() + known.shank())));
    if (difference < least) best = robot, least = difference;
  }
  return best;
}

}  // namespace

AddedRobot add_robot(const std::string& urdf, const AddOrder& order) {
  AddedRobot added;
  Findings& findings = added.findings;
  Draft draft = read_draft(urdf, findings);
  if (!draft.hangs_together()) return added;
  load_meshes(draft, order.mesh_folders, findings);
  const BodyPlan plan = find_body(draft, order.told, findings);
  if (!plan.complete()) return added;
  NormalOptions options = order.options;
  options.name = plain_name(options.name.empty() ? draft.name : options.name);
  if (options.name.empty()) findings.error(0, "the robot has no name", "<robot name=\"...\"> in the URDF, or --name");
  LikeFiles like = order.like;
  if (like.robot.empty()) {
    like.robot = nearest(draft, plan, like.description);
    findings.guess(0, "it begins with walk and motions of the " + like.robot + ", which is next in size",
                   "--like ROBOT for another one");
  }
  const RobotModel known = RobotModel::from_file(like.description + "/urdf/" + like.robot + ".urdf");
  added.robot = normal_form(draft, plan, known, options, findings);
  if (findings.any_error()) return added;
  try {
    added.files = robot_folder(added.robot, like, findings);
  } catch (const ModelError& error) {
    findings.error(0, error.what(), "tell the joints and feet with --joint and --foot, or mend the URDF");
  }
  return added;
}

}  // namespace hl_description

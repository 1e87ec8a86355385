// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "body_plan.hpp"
#include "hl_description/robot_model.hpp"
#include "urdf_draft.hpp"

namespace hl_description {

/// How a servo stands to our joint: its angle is `sign` * ours + `offset`.
struct ServoMount {
  double sign = 1.0;
  double offset = 0.0;  // rad
};

struct NormalLink {
  std::string name, parent;
  std::string joint;                                // empty: fixed to the parent
  Eigen::Vector3d place = Eigen::Vector3d::Zero();  // in base_link at joint angles zero, m; axes are those of base_link
  bool optical = false;                             // axes of a camera: z ahead, x right
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();
  JointLimits limits;
  Solid body;
  std::vector<DraftShape> visuals, collisions;
};

/// A robot with the suite's names, frames, zero pose and directions: legs straight, upper arms 45 degrees below
/// horizontal to the side, forearms ahead, all frames parallel to base_link.
struct NormalRobot {
  std::string name;
  std::vector<NormalLink> links;  // parents first
  std::map<std::string, ServoMount> servos;

  const NormalLink& link(const std::string& name) const;
  double mass() const;
  std::string urdf() const;
};

struct NormalOptions {
  std::string name;                                           // of the new robot
  std::optional<double> foot_length, foot_width, foot_depth;  // m; depth: of the floor below the ankle
};

/// `like` gives the directions of the axes, and the limits where the draft has none.
NormalRobot normal_form(const Draft& draft, const BodyPlan& plan, const RobotModel& like, const NormalOptions& options,
                        Findings& findings);

}  // namespace hl_description

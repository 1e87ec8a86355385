// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "urdf/model.h"

namespace joint_state_publisher {

/// What is known about a joint's motion: rad or m, and their first derivative; N m or N.
struct Motion {
  std::optional<double> position, velocity, effort;
};

/// A joint that moves on its own.
struct FreeJoint {
  double lower = 0.0, upper = 0.0;  // rad or m; one turn for a continuous joint
  bool continuous = false;
  bool turns = true;  // else it slides
  double zero = 0.0;  // rad or m, the position at the beginning
  Motion motion;
};

/// Position of a joint = factor x position of the parent + offset.
struct Dependence {
  std::string parent;
  double factor = 1.0, offset = 0.0;
};

/// The joints of a robot model: those that move on their own, and those that follow another one.
class JointPositions {
 public:
  struct Options {
    bool use_mimic_tags = true;
    bool use_smallest_joint_limits = true;  // the safety controller's, where the model has one
    bool publish_default_positions = true;
    bool publish_default_velocities = false;
    bool publish_default_efforts = false;
    std::map<std::string, double> zeros;
    std::map<std::string, Dependence> dependent_joints;  // beside the mimic tags
  };

  JointPositions() = default;
  JointPositions(const urdf::ModelInterface& model, const Options& options);

  const std::map<std::string, FreeJoint>& free_joints() const { return free_; }
  const std::map<std::string, Dependence>& dependent_joints() const { return dependent_; }
  /// Dependent joints whose chain of parents ends nowhere or in itself, each with the reason.
  std::vector<std::string> problems() const;

  /// Null if there is no free joint of this name.
  FreeJoint* find(const std::string& name);
  /// Of a free or a dependent joint; nothing if there is none of this name or its chain of parents leads nowhere.
  std::optional<Motion> motion(const std::string& name) const;

  /// Every free joint to its zero.
  void center();
  /// Every free joint to anywhere in its range.
  void randomize(std::mt19937& random);

 private:
  std::map<std::string, FreeJoint> free_;
  std::map<std::string, Dependence> dependent_;
};

}  // namespace joint_state_publisher

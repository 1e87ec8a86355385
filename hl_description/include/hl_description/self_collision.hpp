// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "hl_description/robot_config.hpp"
#include "hl_description/robot_model.hpp"

namespace hl_description {

/// Distances between the robot's own limbs, each modelled as capsules. Links with fewer than three joints between them
/// cannot be told from "touching by design" and are not compared.
class SelfCollision {
 public:
  struct Pair {
    std::size_t a = 0, b = 0;  // capsule indices
    double distance = 0.0;     // m between the surfaces; negative = they overlap
  };

  SelfCollision(const RobotModel& model, const std::vector<CapsuleConfig>& capsules);  // throws ModelError

  /// All compared pairs with their distances; no allocation once `pairs` was used with this object.
  void distances(const Posture& posture, std::vector<Pair>& pairs) const;
  /// The closest pair.
  Pair nearest(const Posture& posture) const;

  std::size_t size() const { return pairs_.size(); }
  const std::string& link_name(std::size_t capsule) const { return capsules_[capsule].link; }

 private:
  double distance(const Posture& posture, std::size_t a, std::size_t b) const;
  std::vector<CapsuleConfig> capsules_;
  std::vector<std::size_t> links_;  // link index of each capsule
  std::vector<Pair> pairs_;
};

/// Shortest distance between two line segments, m.
double segment_distance(const Eigen::Vector3d& a0, const Eigen::Vector3d& a1, const Eigen::Vector3d& b0,
                        const Eigen::Vector3d& b1);

}  // namespace hl_description

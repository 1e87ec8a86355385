// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "hl_description/robot_model.hpp"

namespace hl_description {

/// Sizes of a robot that parameters depend on.
struct Measures {
  double leg = 0.0;                              // m, thigh and shank
  double hip_y = 0.0;                            // m
  double foot_length = 0.0, foot_width = 0.0;    // m
  double foot_x = 0.0, foot_y = 0.0;             // m, the foot's middle ahead of the sole's origin and outwards of it
  double foot_inner = 0.0;                       // m, from the sole's origin to the inner edge
  double stand_height = 0.0;                     // m, base_link above the soles
  double pitch_torque = 0.0, roll_torque = 0.0;  // N m, of knee and ankle roll
  double mass = 0.0;                             // kg
};
Measures measure(const RobotModel& model);

/// Knees bent, trunk leaning a little, soles flat, centre of mass over the middle of the feet. Throws ModelError where
/// the legs cannot do that.
Eigen::VectorXd stand(const RobotModel& model, const Eigen::VectorXd& arms);

}  // namespace hl_description

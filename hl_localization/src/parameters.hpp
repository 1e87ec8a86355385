// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hl_localization/localization.hpp"
#include "hl_node/parameter_table.hpp"

namespace hl_localization {

struct NodeParams {
  Localization::Params core;
  std::string field_file;    // empty = the built-in field
  std::string field_preset;  // empty = the file's default
  double rate = 50.0;        // Hz
  bool publish_tf = true;

  std::optional<std::string> validate() const { return core.validate(); }
};

inline const hl_node::ParameterTable<NodeParams>& parameters() {
  using P = NodeParams;
  constexpr auto kAtStart = hl_node::Change::AtStart;
  static const hl_node::ParameterTable<P> table = {
      {"camera_height", [](P& p) -> double& { return p.core.noise.camera_height; }, 0.1, 2.0,
       "of the camera above the ground, m", kAtStart},
      {"ray_noise", [](P& p) -> double& { return p.core.noise.ray; }, 1e-4, 0.2,
       "standard deviation of each direction seen, rad", kAtStart},
      {"attitude_noise", [](P& p) -> double& { return p.core.noise.attitude; }, 1e-4, 0.2,
       "standard deviation of the camera's attitude in one picture, rad", kAtStart},
      {"lasting_noise", [](P& p) -> double& { return p.core.noise.lasting; }, 0.0, 0.2,
       "standard deviation of what stays wrong from picture to picture: the camera's mounting, rad", kAtStart},
      {"way_noise", [](P& p) -> double& { return p.core.way_noise; }, 1e-4, 1.0,
       "of the odometry, m per root of a metre", kAtStart},
      {"turn_noise", [](P& p) -> double& { return p.core.turn_noise; }, 1e-4, 1.0,
       "of the odometry, rad per root of a radian", kAtStart},
      {"way_turn_noise", [](P& p) -> double& { return p.core.way_turn_noise; }, 0.0, 1.0,
       "turn of the odometry, rad per root of a metre", kAtStart},
      {"standing_noise", [](P& p) -> double& { return p.core.standing_noise; }, 0.0, 0.5,
       "slip of the feet, m and rad per root of a second", kAtStart},
      {"fall_spread", [](P& p) -> double& { return p.core.fall_spread; }, 0.0, 2.0,
       "how far a fall moves the robot, standard deviation, m", kAtStart},
      {"fall_turn", [](P& p) -> double& { return p.core.fall_turn; }, 0.0, 3.2, "how far a fall turns the robot, rad",
       kAtStart},
      {"compass_deviation", [](P& p) -> double& { return p.core.compass_deviation; }, 0.01, 1.5,
       "standard deviation of the visual compass, rad", kAtStart},
      {"history", [](P& p) -> double& { return p.core.history; }, 0.1, 2.0, "older pictures are refused, s", kAtStart},
      {"max_hypotheses", [](P& p) -> int& { return p.core.max_hypotheses; }, 2, 64, "poses tracked at once", kAtStart},
      {"field_file", [](P& p) -> std::string& { return p.field_file; }, "field.yaml; empty: the field of 2025",
       kAtStart},
      {"field_preset", [](P& p) -> std::string& { return p.field_preset; }, "preset of that file; empty: its default",
       kAtStart},
      {"rate", [](P& p) -> double& { return p.rate; }, 5.0, 200.0, "of updates and of TF, Hz", kAtStart},
      {"publish_tf", [](P& p) -> bool& { return p.publish_tf; }, "map to odom on /tf", kAtStart},
  };
  return table;
}

}  // namespace hl_localization

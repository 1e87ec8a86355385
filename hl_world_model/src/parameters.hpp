// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_node/parameter_table.hpp"
#include "hl_world_model/personal_model.hpp"
#include "hl_world_model/team_model.hpp"

namespace hl_world_model {

struct NodeParams {
  PersonalModel::Params personal;
  TeamModel::Params team;
  double rate = 25.0;            // Hz
  double horizontal_fov = 1.01;  // rad
  double vertical_fov = 0.79;    // rad

  std::optional<std::string> validate() const {
    if (auto error = personal.validate()) return error;
    return team.validate();
  }
};

inline const hl_node::ParameterTable<NodeParams>& parameters() {
  using P = NodeParams;
  constexpr auto kAtStart = hl_node::Change::AtStart;
  static const hl_node::ParameterTable<P> table = {
      {"rolling_friction", [](P& p) -> double& { return p.personal.rolling.friction; }, 0.001, 1.0,
       "how a ball slows down, of gravity", kAtStart},
      {"rolling_drag", [](P& p) -> double& { return p.personal.rolling.drag; }, 0.0, 10.0,
       "how a ball slows down, 1/s of its speed", kAtStart},
      {"camera_height", [](P& p) -> double& { return p.personal.noise.camera_height; }, 0.1, 2.0,
       "of the camera above the ground, m", kAtStart},
      {"ray_noise", [](P& p) -> double& { return p.personal.noise.ray; }, 1e-4, 0.2,
       "standard deviation of each direction seen, rad", kAtStart},
      {"attitude_noise", [](P& p) -> double& { return p.personal.noise.attitude; }, 1e-4, 0.2,
       "standard deviation of the camera's attitude in one picture, rad", kAtStart},
      {"lasting_noise", [](P& p) -> double& { return p.personal.noise.lasting; }, 0.0, 0.2,
       "standard deviation of what stays wrong from picture to picture: the camera's mounting, rad", kAtStart},
      {"history", [](P& p) -> double& { return p.personal.history; }, 0.05, 2.0, "older pictures are refused, s",
       kAtStart},
      {"ball_memory", [](P& p) -> double& { return p.personal.ball_memory; }, 0.5, 120.0,
       "without a sight until a ball is forgotten, s", kAtStart},
      {"robot_memory", [](P& p) -> double& { return p.personal.robot_memory; }, 0.5, 120.0,
       "without a sight until a robot is forgotten, s", kAtStart},
      {"believed", [](P& p) -> double& { return p.personal.believed; }, 0.05, 0.99,
       "probability from which a ball is told", kAtStart},
      {"feet", [](P& p) -> double& { return p.personal.feet; }, 0.0, 1.0, "so near the own feet may hide the ball, m",
       kAtStart},
      {"view_margin", [](P& p) -> double& { return p.personal.view_margin; }, 0.0, 1.0,
       "so near the edge of the view nothing counts as not seen, m", kAtStart},
      {"ball_range", [](P& p) -> double& { return p.personal.ball_range; }, 0.5, 12.0,
       "farther away not seeing a thing means nothing, m", kAtStart},
      {"own_fresh", [](P& p) -> double& { return p.team.own_fresh; }, 0.0, 10.0,
       "since the last sight the own ball counts alone, s", kAtStart},
      {"ball_stale", [](P& p) -> double& { return p.team.ball_stale; }, 0.1, 20.0,
       "older words about the ball do not count, s", kAtStart},
      {"mate_stale", [](P& p) -> double& { return p.team.mate_stale; }, 0.1, 20.0,
       "older words about robots do not count, s", kAtStart},
      {"least_trust", [](P& p) -> double& { return p.team.least_trust; }, 0.0, 0.9, "a team mate below it is left out",
       kAtStart},
      {"rate", [](P& p) -> double& { return p.rate; }, 5.0, 100.0, "of the models, Hz", kAtStart},
      {"horizontal_fov", [](P& p) -> double& { return p.horizontal_fov; }, 0.0, 2.9,
       "of the camera, rad; 0: not seeing a thing means nothing", kAtStart},
      {"vertical_fov", [](P& p) -> double& { return p.vertical_fov; }, 0.0, 2.9, "of the camera, rad", kAtStart},
  };
  return table;
}

}  // namespace hl_world_model

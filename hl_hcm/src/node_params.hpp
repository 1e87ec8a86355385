// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "hl_hcm/parameters.hpp"

namespace hl_hcm {

constexpr double kLongestSilence = 0.5;  // s without motor goals

struct NodeParams {
  Hcm::Params core;
  std::string urdf_file, robot_config_file;
  double rate = 100.0;              // Hz
  double repeat = kLongestSilence;  // s
  decltype(HcmBody::get_up) get_up = HcmBody().get_up;
  std::string sit_down = HcmBody().sit_down;

  std::optional<std::string> validate() const { return core.validate(); }
};

inline const hl_node::ParameterTable<NodeParams>& node_parameters() {
  using P = NodeParams;
  constexpr auto at_start = hl_node::Change::AtStart;
  const auto get_up = [](Direction side) -> hl_node::ParameterTable<P>::Row {
    return {
        std::string("get_up.") + name_of(side),
        [side](P& p) -> std::vector<std::string>& { return p.get_up[static_cast<std::size_t>(side)]; },
        std::string("animations to get up with when lying on the ") + name_of(side) + ", in the order they are tried",
        at_start};
  };
  static const auto table =
      hl_node::ParameterTable<P>(
          {
              {"urdf_file", &P::urdf_file, "URDF of the robot, expanded", at_start},
              {"robot_config_file", &P::robot_config_file, "robot.yaml of the robot", at_start},
              {"rate", &P::rate, 20.0, 1000.0, "control rate, Hz", at_start},
              {"repeat", &P::repeat, 0.0, kLongestSilence,
               "goals that did not change are sent again after this time; 0 = in every tick, for lock-step, s",
               at_start},
              get_up(Direction::Front),
              get_up(Direction::Back),
              get_up(Direction::Left),
              get_up(Direction::Right),
              {"sit_down", &P::sit_down, "animation played before the torque goes off", at_start},
          })
          .with(&P::core, parameters());
  return table;
}

}  // namespace hl_hcm

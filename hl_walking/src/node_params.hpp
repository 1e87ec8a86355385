// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "hl_walking/config_file.hpp"
#include "hl_walking/controller.hpp"

namespace hl_walking {

struct NodeParams {
  std::string robot = "minibot";
  double rate = 100.0;  // Hz
  bool need_hcm = true, publish_tf = true;
  std::string contact_source = "auto";
  WalkConfig config;
  Controller::Params control;

  Controller::Params controller() const {
    Controller::Params params = control;
    params.contact_source = contact_source_from(contact_source).value_or(ContactSource::Auto);
    return params;
  }
  std::optional<std::string> validate() const {
    if (auto error = config.walk.validate()) return error;
    if (auto error = config.odometry.validate()) return error;
    if (auto error = config.kick.validate()) return error;
    return control.validate();
  }
};

inline const hl_node::ParameterTable<NodeParams>& node_parameters() {
  using P = NodeParams;
  constexpr auto kAtStart = hl_node::Change::AtStart;
  static const auto table =
      hl_node::ParameterTable<P>(
          {
              {"robot", &P::robot, "folder and URDF of hl_description", kAtStart},
              {"rate", &P::rate, 20.0, 1000.0, "of control ticks, Hz", kAtStart},
              {"need_hcm", &P::need_hcm, "move only if robot_state allows it", kAtStart},
              {"publish_tf", &P::publish_tf, "odom -> base_footprint -> base_link", kAtStart},
              {"contact_source", &P::contact_source, hl_node::Words{"auto", "pressure", "joint_load", "imu"},
               "what tells of a touch-down; auto: foot pressure if there is any, else joint loads, else the IMU alone"},
          })
          .with(&P::control, Controller::parameters())
          .with(&P::config, WalkConfig::parameters());
  return table;
}

}  // namespace hl_walking

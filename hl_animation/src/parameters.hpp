// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_node/parameter_table.hpp>
#include <optional>
#include <string>

#include "hl_animation/performance.hpp"

namespace hl_animation {

struct AnimationParams {
  std::string robot = "minibot", folder;
  double rate = 100.0;  // Hz
  Performance::Params performance;

  std::optional<std::string> validate() const { return performance.validate(); }
};

inline const hl_node::ParameterTable<AnimationParams>& animation_parameters() {
  using P = AnimationParams;
  constexpr auto kAtStart = hl_node::Change::AtStart;
  static const hl_node::ParameterTable<Player::Params> player({
      {"speed", &Player::Params::speed, 0.1, 5.0, "1 = as written"},
      {"stop_time", &Player::Params::stop_time, 0.01, 2.0, "to come to rest, s"},
  });
  static const auto table =
      hl_node::ParameterTable<P>(
          {
              {"robot", &P::robot, "folder of the shipped library to use", kAtStart},
              {"folder", &P::folder, "folder with animation files; empty: the shipped ones", kAtStart},
              {"rate", &P::rate, 10.0, 1000.0, "of goals while playing, Hz", kAtStart},
              {"ask_timeout", [](P& p) -> double& { return p.performance.ask_timeout; }, 0.1, 60.0,
               "to wait for the body, s"},
          })
          .with([](P& p) -> Player::Params& { return p.performance.player; }, player);
  return table;
}

struct RecorderParams {
  std::string robot = "minibot", folder = ".";
  double default_duration = 1.0;  // s

  std::optional<std::string> validate() const { return std::nullopt; }
};

inline const hl_node::ParameterTable<RecorderParams>& recorder_parameters() {
  using P = RecorderParams;
  static const hl_node::ParameterTable<P> table({
      {"robot", &P::robot, "robot whose limbs can be named", hl_node::Change::AtStart},
      {"folder", &P::folder, "folder to load from and save to", hl_node::Change::AtStart},
      {"default_duration", &P::default_duration, 0.01, 60.0, "of a keyframe without one, s"},
  });
  return table;
}

}  // namespace hl_animation

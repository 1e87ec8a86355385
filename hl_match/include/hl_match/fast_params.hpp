// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_node/parameter_table.hpp>
#include <optional>
#include <string>

namespace hl_match {

/// How a body without joints walks, kicks, falls and gets up; `fit_motion` measures the values in physics. Meaning,
/// unit and range of each stand in `parameters()`.
struct FastParams {
  struct Walk {
    double forward = 1.0, backward = 1.0, sideways = 1.0, turn = 1.0;
    double lag = 0.5, stop_lag = 0.3, stop_time = 1.0;
    double odometry_error = 0.03, turn_error = 0.02, falls = 0.0;
  } walk;
  struct Kick {
    double contact = 1.0, time = 2.0;
    double distance = 3.0, soft_distance = 1.5, distance_spread = 0.15, direction_bias = 0.0, direction_spread = 0.1;
    double walk_distance = 0.7, walk_spread = 0.3;
  } kick;
  struct Fall {
    double front = 6.0, back = 6.0, left = 8.0, right = 8.0, spread = 0.1;
    double contact_rate = 0.2, contact_distance = 0.3;
  } fall;
  struct Ball {
    double push = 1.3;
  } ball;

  static const hl_node::ParameterTable<FastParams>& parameters();
  std::optional<std::string> validate() const { return parameters().check(*this); }

  /// Throws std::runtime_error with file and the bad value or name.
  static FastParams from_file(const std::string& path);
  /// As YAML with the meaning of each value; `head` are comment lines.
  std::string yaml(const std::string& head) const;
};

}  // namespace hl_match

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "hl_node/parameter_table.hpp"

namespace hl_visualization {

struct RvizMarkersParams {
  double rate = 5.0;
  std::string field;
  double sole_length = 0.165, sole_width = 0.080;
  std::optional<std::string> validate() const { return std::nullopt; }
};

inline const hl_node::ParameterTable<RvizMarkersParams>& rviz_markers_parameters() {
  using P = RvizMarkersParams;
  using hl_node::Change;
  static const hl_node::ParameterTable<P> table = {
      {"rate", &P::rate, 1.0, 10.0, "arrays per second; a marker lives three periods", Change::AtStart},
      {"field", &P::field, "preset of hl_description's field.yaml; empty: its default", Change::AtStart},
      {"sole_length", &P::sole_length, 0.02, 0.5, "of the support polygon's soles, m"},
      {"sole_width", &P::sole_width, 0.02, 0.5, "of the support polygon's soles, m"},
  };
  return table;
}

}  // namespace hl_visualization

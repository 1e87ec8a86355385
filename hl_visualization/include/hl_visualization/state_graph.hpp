// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hl_visualization {

/// States and what leads from one to another.
struct StateGraph {
  struct Edge {
    std::size_t from = 0, to = 0;
    std::string reason;  // several are joined by " / "
  };
  std::vector<std::string> states;
  std::vector<Edge> edges;  // each pair once

  int index_of(const std::string& state) const;  // -1 = unknown
  std::size_t add_state(const std::string& state);
  void add_edge(const std::string& from, const std::string& to, const std::string& reason);
  const Edge* edge(std::size_t from, std::size_t to) const;
};

/// Layers from left to right, by the shortest way from the first state; within a layer ordered so that few edges cross.
/// Edges into states that most others lead to (an emergency stop) say nothing about the order and would cover the rest:
/// these states are `hubs`.
struct GraphLayout {
  struct Place {
    int layer = 0, row = 0;
  };
  std::vector<Place> places;  // of each state
  std::vector<bool> hub;
  int layers = 0, rows = 0;  // rows of the longest layer
  std::vector<int> length;   // rows of each layer
};

GraphLayout layout(const StateGraph& graph);

}  // namespace hl_visualization

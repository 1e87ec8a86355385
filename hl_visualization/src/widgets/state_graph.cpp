// SPDX-License-Identifier: Apache-2.0
#include "hl_visualization/state_graph.hpp"

#include <algorithm>
#include <numeric>
#include <queue>

namespace hl_visualization {
namespace {

constexpr double kHubShare = 0.4;  // of all states that lead to it
constexpr int kSweeps = 12;
constexpr int kLongestLayer = 6;

}  // namespace

int StateGraph::index_of(const std::string& state) const {
  const auto found = std::find(states.begin(), states.end(), state);
  return found == states.end() ? -1 : static_cast<int>(found - states.begin());
}

std::size_t StateGraph::add_state(const std::string& state) {
  const int known = index_of(state);
  if (known >= 0) return static_cast<std::size_t>(known);
  states.push_back(state);
  return states.size() - 1;
}

void StateGraph::add_edge(const std::string& from, const std::string& to, const std::string& reason) {
  const std::size_t a = add_state(from), b = add_state(to);
  for (Edge& edge : edges) {
    if (edge.from != a || edge.to != b) continue;
    edge.reason += " / " + reason;
    return;
  }
  edges.push_back({a, b, reason});
}

const StateGraph::Edge* StateGraph::edge(std::size_t from, std::size_t to) const {
  for (const Edge& e : edges)
    if (e.from == from && e.to == to) return &e;
  return nullptr;
}

GraphLayout layout(const StateGraph& graph) {
  const std::size_t count = graph.states.size();
  GraphLayout result;
  result.places.resize(count);
  result.hub.assign(count, false);
  if (count == 0) return result;
  std::vector<int> entering(count, 0);
  for (const auto& e : graph.edges) ++entering[e.to];
  for (std::size_t i = 0; i < count; ++i)
    result.hub[i] = count > 5 && entering[i] > kHubShare * static_cast<double>(count);

  // Layers: breadth first from the first state, without the edges into hubs.
  std::vector<int> layer(count, -1);
  std::queue<std::size_t> open;
  layer[0] = 0;
  open.push(0);
  int deepest = 0;
  while (!open.empty()) {
    const std::size_t at = open.front();
    open.pop();
    for (const auto& e : graph.edges) {
      if (e.from != at || layer[e.to] >= 0 || result.hub[e.to]) continue;
      layer[e.to] = layer[at] + 1;
      deepest = std::max(deepest, layer[e.to]);
      open.push(e.to);
    }
  }
  for (int& l : layer)
    if (l < 0) l = deepest + 1;  // hubs, and what only they lead to

  std::vector<std::vector<std::size_t>> columns(static_cast<std::size_t>(deepest) + 2);
  for (std::size_t i = 0; i < count; ++i) columns[static_cast<std::size_t>(layer[i])].push_back(i);
  // A layer that is too long is broken into two.
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (columns[c].size() <= kLongestLayer) continue;
    const auto half = static_cast<std::ptrdiff_t>((columns[c].size() + 1) / 2);
    std::vector<std::size_t> rest(columns[c].begin() + half, columns[c].end());
    columns[c].resize(static_cast<std::size_t>(half));
    columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(c) + 1, rest);
  }
  columns.erase(std::remove_if(columns.begin(), columns.end(), [](const auto& c) { return c.empty(); }), columns.end());

  // Rows: each state near the mean of its neighbours, again and again.
  std::vector<double> height(count, 0.0);
  const auto settle = [&](std::vector<std::size_t>& column) {
    for (std::size_t r = 0; r < column.size(); ++r)
      height[column[r]] = static_cast<double>(r) - static_cast<double>(column.size() - 1) / 2;
  };
  for (auto& column : columns) settle(column);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (auto& column : columns) {
      std::vector<double> aim(count, 0.0);
      for (const std::size_t s : column) {
        double sum = height[s];
        int n = 1;
        for (const auto& e : graph.edges) {
          if (result.hub[e.to]) continue;
          if (e.from == s) sum += height[e.to], ++n;
          if (e.to == s) sum += height[e.from], ++n;
        }
        aim[s] = sum / n;
      }
      std::stable_sort(column.begin(), column.end(), [&](std::size_t a, std::size_t b) { return aim[a] < aim[b]; });
      settle(column);
    }
  }
  result.layers = static_cast<int>(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    result.length.push_back(static_cast<int>(columns[c].size()));
    result.rows = std::max(result.rows, result.length.back());
    for (std::size_t r = 0; r < columns[c].size(); ++r)
      result.places[columns[c][r]] = {static_cast<int>(c), static_cast<int>(r)};
  }
  return result;
}

}  // namespace hl_visualization

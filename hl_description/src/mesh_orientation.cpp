// SPDX-License-Identifier: Apache-2.0
#include <Eigen/Geometry>
#include <algorithm>
#include <unordered_map>

#include "hl_description/mesh.hpp"

namespace hl_description {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

/// The triangles on both sides of an edge; where more than two meet, nothing can be told.
struct Edge {
  std::array<std::size_t, 2> triangles{kNobody, kNobody};
  bool crowded = false;
};

std::uint64_t key_of(std::uint32_t a, std::uint32_t b) {
  return (static_cast<std::uint64_t>(std::min(a, b)) << 32) | std::max(a, b);
}

bool runs(const Triangle& triangle, std::uint32_t from, std::uint32_t to) {
  for (std::size_t i = 0; i < 3; ++i)
    if (triangle[i] == from && triangle[(i + 1) % 3] == to) return true;
  return false;
}

void turn(Triangle& triangle) {
  std::swap(triangle[1], triangle[2]);
}

}  // namespace

Mesh oriented(Mesh mesh) {
  auto& triangles = mesh.triangles;
  std::unordered_map<std::uint64_t, Edge> edges;
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    for (std::size_t i = 0; i < 3; ++i) {
      Edge& edge = edges[key_of(triangles[t][i], triangles[t][(i + 1) % 3])];
      const bool first = edge.triangles[0] == kNobody;
      if (!first && edge.triangles[1] != kNobody) edge.crowded = true;
      edge.triangles[first ? 0 : 1] = t;
    }
  }
  std::vector<bool> reached(triangles.size(), false);
  for (std::size_t start = 0; start < triangles.size(); ++start) {
    if (reached[start]) continue;
    // All that hangs together turns the same way, and the whole so that it has something inside.
    std::vector<std::size_t> part{start};
    reached[start] = true;
    for (std::size_t n = 0; n < part.size(); ++n) {
      const std::size_t here = part[n];
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t from = triangles[here][i], to = triangles[here][(i + 1) % 3];
        const Edge& edge = edges[key_of(from, to)];
        if (edge.crowded) continue;
        const std::size_t other = edge.triangles[edge.triangles[0] == here ? 1 : 0];
        if (other == kNobody || reached[other]) continue;
        if (runs(triangles[other], from, to)) turn(triangles[other]);
        reached[other] = true;
        part.push_back(other);
      }
    }
    const Eigen::Vector3d origin = mesh.points[triangles[start][0]].cast<double>();
    double volume = 0.0;  // six times
    for (const std::size_t t : part) {
      const auto corner = [&](std::size_t i) -> Eigen::Vector3d {
        return mesh.points[triangles[t][i]].cast<double>() - origin;
      };
      volume += corner(0).dot(corner(1).cross(corner(2)));
    }
    if (volume < 0.0)
      for (const std::size_t t : part) turn(triangles[t]);
  }
  return mesh;
}

}  // namespace hl_description

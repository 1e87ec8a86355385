// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <unordered_map>

#include "hl_description/mesh.hpp"
#include "hl_description/robot_model.hpp"

namespace hl_description {

/// Collects triangles; equal corners become one point. Throws ModelError on what no robot has.
class MeshBuilder {
 public:
  static constexpr std::size_t kMost = 2'000'000;  // triangles
  static constexpr float kLargest = 1e6f;          // a coordinate; beyond it nothing is a robot's

  void add(const std::array<Eigen::Vector3f, 3>& corners) {
    if (++read_ > kMost) throw ModelError("it has more than " + std::to_string(kMost) + " triangles");
    std::array<std::uint32_t, 3> triangle{};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!corners[i].allFinite() || corners[i].cwiseAbs().maxCoeff() > kLargest)
        throw ModelError("a corner of triangle " + std::to_string(read_) + " is not a number within 1e6");
      triangle[i] = point(corners[i]);
    }
    if (triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0])
      mesh_.triangles.push_back(triangle);
  }

  Mesh take() {
    if (mesh_.triangles.empty()) throw ModelError("it has no triangles");
    return std::move(mesh_);
  }

 private:
  struct Hash {
    std::size_t operator()(const std::array<float, 3>& p) const {
      std::size_t hash = 0;
      for (const float value : p) hash = hash * 1'000'003u + std::hash<float>()(value);
      return hash;
    }
  };

  std::uint32_t point(const Eigen::Vector3f& p) {
    const auto [known, fresh] =
        known_.try_emplace({p.x(), p.y(), p.z()}, static_cast<std::uint32_t>(mesh_.points.size()));
    if (fresh) mesh_.points.push_back(p);
    return known->second;
  }

  Mesh mesh_;
  std::unordered_map<std::array<float, 3>, std::uint32_t, Hash> known_;
  std::size_t read_ = 0;  // triangles, flat ones included
};

}  // namespace hl_description

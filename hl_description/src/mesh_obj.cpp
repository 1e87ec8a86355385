// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <sstream>

#include "mesh_builder.hpp"

namespace hl_description {
namespace {

/// Index of a corner such as "7", "7/1/2" or "-1"; throws if there is no such point.
std::size_t point_of(const std::string& corner, std::size_t points) {
  const long number = std::strtol(corner.c_str(), nullptr, 10);
  const long index = number < 0 ? static_cast<long>(points) + number : number - 1;
  if (number == 0 || index < 0 || index >= static_cast<long>(points))
    throw ModelError("a face names the point '" + corner.substr(0, 40) + "' of " + std::to_string(points));
  return static_cast<std::size_t>(index);
}

}  // namespace

Mesh read_obj(const std::string& bytes) {
  std::istringstream file(bytes);
  MeshBuilder builder;
  std::vector<Eigen::Vector3f> points;
  std::vector<std::size_t> face;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    words.imbue(std::locale::classic());
    std::string word;
    words >> word;
    if (word == "v") {
      Eigen::Vector3f point;
      if (!(words >> point.x() >> point.y() >> point.z()))
        throw ModelError("point " + std::to_string(points.size() + 1) + " has less than three numbers");
      points.push_back(point);
    } else if (word == "f") {
      face.clear();
      while (words >> word) face.push_back(point_of(word, points.size()));
      for (std::size_t i = 2; i < face.size(); ++i)
        builder.add({points[face[0]], points[face[i - 1]], points[face[i]]});
    }
  }
  return builder.take();
}

}  // namespace hl_description

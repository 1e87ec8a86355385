// SPDX-License-Identifier: Apache-2.0
#include "hl_description/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unordered_map>

#include "hl_description/robot_model.hpp"
#include "mesh_builder.hpp"

namespace hl_description {
namespace {

constexpr std::size_t kHeader = 84;    // of a binary STL: 80 bytes of text, number of triangles
constexpr std::size_t kTriangle = 50;  // normal, three corners, two bytes that mean nothing
constexpr std::uintmax_t kMostBytes = 500'000'000;

[[noreturn]] void refuse(const std::string& what) {
  throw ModelError(what);
}

std::size_t count_of(const std::string& bytes) {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < 4; ++i)
    count |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[kHeader - 4 + i])) << (8 * i);
  return count;
}

Mesh read_binary(const std::string& bytes) {
  const std::size_t count = count_of(bytes);
  if (count > MeshBuilder::kMost) refuse("it claims to have " + std::to_string(count) + " triangles");
  if (bytes.size() < kHeader + kTriangle * count)
    refuse("it ends after " + std::to_string((bytes.size() - kHeader) / kTriangle) + " of " + std::to_string(count) +
           " triangles");
  MeshBuilder builder;
  for (std::size_t i = 0; i < count; ++i) {
    float values[9];  // STL is little endian, as is everything this runs on
    std::memcpy(values, bytes.data() + kHeader + kTriangle * i + 12, sizeof values);
    builder.add({Eigen::Vector3f(values), Eigen::Vector3f(values + 3), Eigen::Vector3f(values + 6)});
  }
  return builder.take();
}

Mesh read_text(const std::string& bytes) {
  std::istringstream in(bytes);
  in.imbue(std::locale::classic());
  MeshBuilder builder;
  std::array<Eigen::Vector3f, 3> corners;
  std::size_t corner = 0, triangles = 0;
  for (std::string word; in >> word;) {
    if (word == "facet") corner = 0;
    if (word != "vertex") continue;
    std::string x, y, z;
    if (!(in >> x >> y >> z)) refuse("it ends within a triangle");
    if (corner == 3) refuse("triangle " + std::to_string(triangles + 1) + " has more than three corners");
    std::size_t axis = 0;
    for (const std::string& text : {x, y, z}) {
      char* end = nullptr;
      corners[corner][static_cast<Eigen::Index>(axis++)] = std::strtof(text.c_str(), &end);
      if (*end != '\0') refuse("'" + text.substr(0, 40) + "' is not a number");
    }
    if (++corner == 3) {
      ++triangles;
      builder.add(corners);
    }
  }
  return builder.take();
}

/// Points in the same cell of a grid become their mean.
Mesh merged(const Mesh& mesh, float cell) {
  using Key = std::array<std::int32_t, 3>;
  struct Hash {
    std::size_t operator()(const Key& k) const {
      return static_cast<std::size_t>(k[0]) * 73856093u ^ static_cast<std::size_t>(k[1]) * 19349663u ^
             static_cast<std::size_t>(k[2]) * 83492791u;
    }
  };
  std::unordered_map<Key, std::uint32_t, Hash> cells;
  std::vector<std::uint32_t> cell_of(mesh.points.size());
  Mesh result;
  std::vector<float> counts;
  Eigen::Vector3f low = mesh.points.front();
  for (const auto& point : mesh.points) low = low.cwiseMin(point);
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    const Eigen::Vector3f at = ((mesh.points[i] - low) / cell).array().floor();
    const Key key{static_cast<std::int32_t>(at.x()), static_cast<std::int32_t>(at.y()),
                  static_cast<std::int32_t>(at.z())};
    const auto [known, fresh] = cells.try_emplace(key, static_cast<std::uint32_t>(result.points.size()));
    if (fresh) {
      result.points.push_back(Eigen::Vector3f::Zero());
      counts.push_back(0.0f);
    }
    cell_of[i] = known->second;
    result.points[known->second] += mesh.points[i];
    counts[known->second] += 1.0f;
  }
  for (std::size_t i = 0; i < counts.size(); ++i) result.points[i] /= counts[i];
  for (const auto& triangle : mesh.triangles) {
    std::array<std::uint32_t, 3> t{cell_of[triangle[0]], cell_of[triangle[1]], cell_of[triangle[2]]};
    if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());  // the same triangle looks the same
    result.triangles.push_back(t);
  }
  std::sort(result.triangles.begin(), result.triangles.end());
  result.triangles.erase(std::unique(result.triangles.begin(), result.triangles.end()), result.triangles.end());
  return result;
}

std::vector<std::string> folders_of(const char* variable) {
  const char* value = std::getenv(variable);
  std::vector<std::string> folders;
  std::stringstream list(value ? value : "");
  for (std::string folder; std::getline(list, folder, ':');)
    if (!folder.empty()) folders.push_back(folder);
  return folders;
}

std::optional<std::string> file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return path.string();
  return std::nullopt;
}

/// `path` or what is left of it without its first folders, in `folder`.
std::optional<std::string> beside(const std::filesystem::path& path, const std::filesystem::path& folder) {
  for (auto first = path.begin(); first != path.end(); ++first) {
    std::filesystem::path rest;
    for (auto part = first; part != path.end(); ++part) rest /= *part;
    if (rest.is_absolute()) continue;
    if (const auto found = file(folder / rest)) return found;
  }
  return std::nullopt;
}

}  // namespace

Mesh read_stl(const std::string& bytes) {
  // Some binary files begin with "solid", too: their length tells.
  const bool long_enough = bytes.size() >= kHeader;
  if (long_enough && bytes.size() == kHeader + kTriangle * count_of(bytes)) return read_binary(bytes);
  if (bytes.compare(0, 5, "solid") == 0) return read_text(bytes);
  if (!long_enough) refuse("it is too short for an STL file");
  return read_binary(bytes);
}

Mesh read_mesh_file(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto read = ending == ".stl" ? read_stl : ending == ".obj" ? read_obj : ending == ".dae" ? read_dae : nullptr;
  if (!read)
    refuse(path + ": only STL, OBJ and DAE are read; convert it, for instance with `assimp export` of assimp-utils");
  std::error_code error;
  if (std::filesystem::file_size(path, error) > kMostBytes || error) refuse(path + ": cannot be read, or is too large");
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) refuse(path + ": cannot be read");
  try {
    return oriented(read(text.str()));
  } catch (const ModelError& reason) {
    refuse(path + ": " + reason.what());
  }
}

std::string stl_of(const Mesh& mesh) {
  std::string bytes(kHeader - 4, '\0');
  const auto put = [&bytes](const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); };
  const auto count = static_cast<std::uint32_t>(mesh.triangles.size());
  put(&count, sizeof count);
  for (const auto& triangle : mesh.triangles) {
    const Eigen::Vector3f &a = mesh.points[triangle[0]], &b = mesh.points[triangle[1]], &c = mesh.points[triangle[2]];
    const Eigen::Vector3f normal = (b - a).cross(c - a).normalized();
    for (const Eigen::Vector3f& v : {normal, a, b, c}) put(v.data(), 3 * sizeof(float));
    bytes.append(2, '\0');
  }
  return bytes;
}

Mesh reduced(const Mesh& mesh, std::size_t most_triangles) {
  if (mesh.triangles.size() <= most_triangles) return mesh;
  double area = 0.0;
  for (const auto& t : mesh.triangles)
    area += 0.5 * (mesh.points[t[1]] - mesh.points[t[0]]).cross(mesh.points[t[2]] - mesh.points[t[0]]).norm();
  Eigen::Vector3f size = Eigen::Vector3f::Zero();
  for (const auto& point : mesh.points) size = size.cwiseMax((point - mesh.points[0]).cwiseAbs());
  // Cells so large that there are no more would need so many triangles on a plain surface.
  float cell = std::max(0.3f * static_cast<float>(std::sqrt(area / static_cast<double>(most_triangles + 1))),
                        1e-6f * size.maxCoeff());
  Mesh result = merged(mesh, cell);
  while (result.triangles.size() > most_triangles) result = merged(mesh, cell *= 1.2f);
  return result;
}

std::optional<std::string> find_mesh(const std::string& filename, const std::string& folder) {
  namespace fs = std::filesystem;
  const auto begins = [&](const char* text) { return filename.rfind(text, 0) == 0; };
  std::error_code ignored;
  const fs::path home = fs::absolute(folder.empty() ? "." : folder, ignored);
  if (begins("file://")) return file(filename.substr(7));
  if (!begins("package://")) {
    if (filename.find("://") != std::string::npos || filename.empty()) return std::nullopt;
    if (const auto found = file(home / filename)) return found;
    return beside(filename, home);
  }
  const std::string path = filename.substr(10);
  const std::size_t slash = path.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const std::string package = path.substr(0, slash);
  const fs::path rest = fs::path(path.substr(slash + 1)).relative_path();
  for (fs::path at = home; at.has_relative_path(); at = at.parent_path()) {
    if (at.filename() == package)
      if (const auto found = file(at / rest)) return found;
    if (const auto found = file(at / package / rest)) return found;
  }
  for (const std::string& prefix : folders_of("AMENT_PREFIX_PATH"))
    if (const auto found = file(fs::path(prefix) / "share" / package / rest)) return found;
  for (const std::string& packages : folders_of("ROS_PACKAGE_PATH"))
    if (const auto found = file(fs::path(packages) / package / rest)) return found;
  return beside(rest, home);
}

}  // namespace hl_description

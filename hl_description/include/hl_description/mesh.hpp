// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hl_description {

/// A surface of triangles; no two points are the same.
struct Mesh {
  std::vector<Eigen::Vector3f> points;                  // in the unit of the file; URDFs give the scale
  std::vector<std::array<std::uint32_t, 3>> triangles;  // indices of points, counterclockwise seen from outside
};

/// Reads an STL file, binary or text. Throws ModelError that says what is wrong with it.
Mesh read_stl(const std::string& bytes);
/// Reads an OBJ file (Wavefront): its faces, without materials. Throws ModelError that says what is wrong with it.
Mesh read_obj(const std::string& bytes);
/// Reads a DAE file (Collada): what its scene shows, in metres, axes as in the file as RViz has them. Throws ModelError
/// that says what is wrong with it.
Mesh read_dae(const std::string& bytes);
/// Reads a file and orients it; its ending tells the format: .stl, .obj or .dae. Throws ModelError that names the file.
Mesh read_mesh_file(const std::string& path);
/// As binary STL.
std::string stl_of(const Mesh& mesh);

/// The same surface, all triangles counterclockwise seen from outside, as far as the surface has an outside. Files
/// often have some turned inside out, which are not drawn.
Mesh oriented(Mesh mesh);

/// The same surface with at most so many triangles: points that are near each other become one.
Mesh reduced(const Mesh& mesh, std::size_t most_triangles);

/// The file behind the `filename` of a URDF that lies in `folder`: a path, file://, or package://, which is looked for
/// above that folder, then where packages are installed (AMENT_PREFIX_PATH, ROS_PACKAGE_PATH). Files that were
/// published apart from their package are found beside the URDF. Nothing if there is no such file.
std::optional<std::string> find_mesh(const std::string& filename, const std::string& folder);

}  // namespace hl_description

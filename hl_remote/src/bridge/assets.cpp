// SPDX-License-Identifier: Apache-2.0
#include "assets.hpp"

#include <ament_index_cpp/get_package_prefix.hpp>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <regex>

#include "static_files.hpp"

namespace hl_remote {

std::optional<std::string> read_asset(const std::string& uri, std::string& error) {
  static const std::regex kAllowed(
      R"(package://([A-Za-z0-9_]+)((?:/[A-Za-z0-9_\-][A-Za-z0-9_.\-]*)+\.(?:dae|fbx|glb|gltf|jpeg|jpg|mtl|obj|png|stl|tif|tiff|urdf|webp|xacro)))",
      std::regex::icase);
  std::smatch parts;
  if (uri.size() > 500 || !std::regex_match(uri, parts, kAllowed)) {
    error = "only package:// addresses of pictures, meshes and descriptions are served";
    return std::nullopt;
  }
  try {
    const auto file = static_file(ament_index_cpp::get_package_share_directory(parts[1]), parts[2].str());
    if (file) return file->content;
    error = "there is no such file";
  } catch (const ament_index_cpp::PackageNotFoundError&) {
    error = "there is no package " + parts[1].str();
  }
  return std::nullopt;
}

}  // namespace hl_remote

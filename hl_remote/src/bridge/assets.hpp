// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace hl_remote {

/// The file of an address like `package://hl_description/meshes/foot.stl`; only pictures, meshes and descriptions of
/// installed packages. Otherwise nothing, and why.
std::optional<std::string> read_asset(const std::string& uri, std::string& error);

}  // namespace hl_remote

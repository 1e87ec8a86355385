// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hl_behavior/rtdl/tree.hpp"

namespace hl_behavior::rtdl {

/// The tree for graphviz.
std::string draw_dot(const Document& document);

/// Boxes within boxes: sequences from top to bottom, the branches of par side by side.
std::string draw_svg(const Document& document);

}  // namespace hl_behavior::rtdl

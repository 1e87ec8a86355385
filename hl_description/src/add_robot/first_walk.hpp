// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "measures.hpp"

namespace hl_description {

/// A new robot, and the known one whose parameters it begins with.
struct Scaling {
  std::string robot, like;
  Measures now, then;
};

/// Parameters of the walk, those of the file `path` (of the known robot) scaled.
std::string walking_yaml(const Scaling& scaling, const std::string& path);
/// What `ros2 run hl_match tune walking` may change of them, and what it tries.
std::string walking_tune_yaml(const Scaling& scaling, const std::string& path);
/// Parameters of the HCM.
std::string hcm_yaml(const Scaling& scaling, const std::string& path);

}  // namespace hl_description

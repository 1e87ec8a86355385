// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_match/installed.hpp"

namespace hl_match {

/// A match of a robot that `add_robot` wrote into `workspace`; of an installed one if that is empty.
inline Match::Params match_from(const std::string& workspace, const std::string& robot) {
  if (workspace.empty()) return installed_match(robot);
  const auto folder = [&](const char* package) { return workspace + "/" + package; };
  return match_of(robot, {folder("hl_description"), folder("hl_walking"), folder("hl_hcm"), folder("hl_animation")});
}

}  // namespace hl_match

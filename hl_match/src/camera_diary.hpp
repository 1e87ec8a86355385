// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <hl_player/mind.hpp>
#include <string>

#include "camera_eyes.hpp"

namespace hl_match {

/// What a robot that sees through its camera believed and did, beside the truth: `camera_<seed>.txt`, a line twice per
/// second, and every second the picture it saw with what was recognised in it, `camera_<seed>_<s>.png`.
class CameraDiary {
 public:
  /// Throws std::runtime_error if nothing can be written into `folder`.
  CameraDiary(const std::string& folder, std::uint64_t seed);

  /// After every tick.
  void look(const Match& match, std::size_t robot, const hl_player::Mind& mind, const CameraEyes& eyes);

 private:
  std::string path_;  // without extension
  std::ofstream text_;
  double next_line_ = 0.0, next_picture_ = 0.0;  // s
  std::size_t events_ = 0;                       // of the timeline, told so far
  std::string certainty_;                        // of the own place, as told last
};

}  // namespace hl_match

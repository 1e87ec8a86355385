// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "hl_animation/animation.hpp"

namespace hl_animation {

/// Reads one animation file; a file that declares `mirrored_as` gives two. Throws AnimationError with file and line.
std::vector<Animation> load_animations(const std::string& path);
std::vector<Animation> parse_animations(const std::string& yaml, const std::string& file_name);

/// The same text while it is being edited: it may have no keyframes yet, and no twin is made.
Animation parse_draft(const std::string& yaml, const std::string& file_name);

/// The words of the files as JSON, which is YAML, too; angles in degrees, rounded to a hundredth.
std::string to_json(const Animation& animation);

/// Writes an animation in the format of the files; angles in degrees, rounded to a tenth.
std::string to_yaml(const Animation& animation);

/// Keyframes as ROS teams keep them in JSON: {"name", "author", "description", "keyframes": [{"duration", "pause",
/// "goals": {joint: degrees}}]}. Throws AnimationError.
Animation import_json(const std::string& text, const std::string& file_name);

/// FUmanoid's motion files: per line one value of 0..1023 for each motor and the delay to the next (ms), comma
/// separated, the end marked by -1. `joints` names the motors in their order; an empty name skips one.
Animation import_fumanoid(const std::string& text, const std::string& file_name,
                          const std::vector<std::string>& joints);

/// A name that can be a file name without leaving its folder: letters, digits, _ and -.
bool is_plain(const std::string& name);

/// All animations below a folder, by name. Files that cannot be used are told in `errors` and left out.
struct AnimationLibrary {
  std::map<std::string, Animation> animations;
  std::map<std::string, std::string> files;  // where each came from
  std::vector<std::string> errors;

  static AnimationLibrary from_folder(const std::string& folder);
};

}  // namespace hl_animation

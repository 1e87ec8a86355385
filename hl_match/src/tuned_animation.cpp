// SPDX-License-Identifier: Apache-2.0
#include "tuned_animation.hpp"

#include <cmath>
#include <cstdlib>

namespace hl_match {

using hl_animation::Animation;
using hl_animation::AnimationError;

Animation with_values(Animation animation, const hl_simulation::Values& values) {
  for (const auto& [name, value] : values) {
    const auto dot = name.find('.');
    const long number = std::strtol(name.c_str(), nullptr, 10);
    if (dot == std::string::npos || number < 1 || number > static_cast<long>(animation.keyframes.size())) {
      throw AnimationError("cannot set '" + name +
                           "'; names are like 2.duration or 2.Knee, keyframes count from 1 to " +
                           std::to_string(animation.keyframes.size()));
    }
    auto& keyframe = animation.keyframes[static_cast<std::size_t>(number - 1)];
    const std::string what = name.substr(dot + 1);
    const double radians = value * M_PI / 180.0;
    const bool one_side = what.rfind("Head", 0) == 0 || keyframe.goals.count(what) != 0;
    if (what == "duration") {
      keyframe.duration = value;
    } else if (what == "pause") {
      keyframe.pause = value;
    } else if (one_side) {
      keyframe.goals[what] = radians;
    } else {
      keyframe.goals["L" + what] = radians;
      keyframe.goals["R" + what] = -radians;
    }
  }
  return animation;
}

}  // namespace hl_match

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_animation/animation.hpp>
#include <hl_simulation/tuner.hpp>

namespace hl_match {

/// Sets tuned values in an animation. A value is named by its keyframe (from 1) and what it changes there: "3.duration"
/// and "3.pause" in s, "3.LKnee" in degrees, "3.Knee" in degrees for both sides symmetrically. Throws AnimationError
/// for any other name.
hl_animation::Animation with_values(hl_animation::Animation animation, const hl_simulation::Values& values);

}  // namespace hl_match

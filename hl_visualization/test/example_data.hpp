// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_visualization/behavior_view.hpp"
#include "hl_visualization/field_view.hpp"
#include "hl_visualization/hcm_view.hpp"
#include "hl_visualization/image_view.hpp"
#include "hl_visualization/relative_view.hpp"
#include "hl_visualization/team_link_view.hpp"
#include "hl_visualization/walk_view.hpp"

/// A moment of a game as each view would get it; the pictures of the README are drawn from these.
namespace example {

hl_visualization::FieldData field();
hl_visualization::RelativeData relative();
hl_visualization::ImageData image();
hl_visualization::StateGraph graph();
hl_visualization::HcmData hcm();
hl_visualization::BehaviorData behavior();
hl_visualization::WalkData walk();
hl_visualization::TeamLinkData team_link();
extern const char* const kTask;  // RTDL that `behavior` runs

}  // namespace example

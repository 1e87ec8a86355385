// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>

#include "hl_visualization/markings.hpp"

namespace hl_visualization {

/// Draws the kinds that are switched on into a BGR picture.
void draw_markings(cv::Mat& bgr, const Markings& markings, const MarkingSwitches& shown);

}  // namespace hl_visualization

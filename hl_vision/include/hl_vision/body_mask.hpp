// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <opencv2/core.hpp>
#include <vector>

#include "hl_vision/camera_view.hpp"

namespace hl_vision {

/// A limb of the own body: all points within `radius` of a piece of line, in the camera's optical frame, m.
struct Limb {
  Eigen::Vector3d from, to;
  double radius = 0.0;
};

/// Where the own body is in the picture: an 8 bit mask, 255 on the body.
cv::Mat body_mask(const Lens& lens, const std::vector<Limb>& limbs);

}  // namespace hl_vision

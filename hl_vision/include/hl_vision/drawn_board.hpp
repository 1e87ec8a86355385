// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>

#include "hl_vision/intrinsics.hpp"

namespace hl_vision {

/// A picture of a chess board, for tests: as a camera with this lens sees it, with blur and noise. `camera_from_board`:
/// x along the columns, y along the rows, origin in the first inner corner, m.
cv::Mat draw_board(const Lens& lens, const Eigen::Isometry3d& camera_from_board,
                   const IntrinsicsCalibration::Params& board, unsigned seed);

/// A pose in front of the camera as somebody would hold the board: somewhere in the picture, tilted up to 0.6 rad.
Eigen::Isometry3d hold_board(const Lens& lens, const IntrinsicsCalibration::Params& board, unsigned seed);

}  // namespace hl_vision

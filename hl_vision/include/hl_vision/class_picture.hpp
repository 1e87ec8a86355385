// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>

#include "hl_vision/detection.hpp"

namespace hl_vision {

// Colours of a class picture, BGR.
inline const cv::Scalar kFieldShown{60, 140, 60}, kWhiteShown{150, 150, 150}, kBodyShown{70, 60, 60};
inline const cv::Scalar kLineShown{255, 255, 255}, kBallShown{0, 140, 255};
inline const cv::Scalar kRedTeamShown{40, 40, 220}, kBlueTeamShown{220, 90, 30}, kObstacleShown{130, 60, 130};

/// For people: what the vision takes each pixel for. Field green, what looks white grey and white where a line was
/// found in it, ball orange, robots in their team's colour, other obstacles violet, own body dark; the rest is black.
/// Empty where no field is known. In the size of the working picture.
cv::Mat class_picture(const Detection::Outputs& found);

}  // namespace hl_vision

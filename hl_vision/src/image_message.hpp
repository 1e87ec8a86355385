// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <sensor_msgs/msg/camera_info.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <string>

#include "hl_vision/camera_view.hpp"

namespace hl_vision {

/// The picture of a message as BGR. What is wrong with the message, in words; nothing if all is well.
/// `bgr` may share the message's memory.
std::optional<std::string> to_bgr(const sensor_msgs::msg::Image& message, cv::Mat& bgr);

/// The lens of a CameraInfo. What is wrong with it, in words; nothing if all is well.
std::optional<std::string> to_lens(const sensor_msgs::msg::CameraInfo& message, Lens& lens);

}  // namespace hl_vision

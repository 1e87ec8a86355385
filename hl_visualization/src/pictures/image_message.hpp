// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <opencv2/core.hpp>
#include <optional>
#include <sensor_msgs/msg/image.hpp>
#include <string>

namespace hl_visualization {

/// The picture of a message as BGR in memory of its own. What is wrong with the message, in words; nothing if all is
/// well.
std::optional<std::string> bgr_from(const sensor_msgs::msg::Image& message, cv::Mat& bgr);

}  // namespace hl_visualization

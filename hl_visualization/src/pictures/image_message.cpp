// SPDX-License-Identifier: Apache-2.0
#include "image_message.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

namespace hl_visualization {
namespace {

struct Encoding {
  const char* name;
  int channels;
  int to_bgr;  // of cv::cvtColor; -1: is BGR already
};

constexpr Encoding kEncodings[] = {{"bgr8", 3, -1},
                                   {"rgb8", 3, cv::COLOR_RGB2BGR},
                                   {"bgra8", 4, cv::COLOR_BGRA2BGR},
                                   {"rgba8", 4, cv::COLOR_RGBA2BGR},
                                   {"mono8", 1, cv::COLOR_GRAY2BGR},
                                   {"yuv422_yuy2", 2, cv::COLOR_YUV2BGR_YUY2},
                                   {"yuv422", 2, cv::COLOR_YUV2BGR_UYVY}};
constexpr std::uint32_t kLargest = 8192;  // px

}  // namespace

std::optional<std::string> bgr_from(const sensor_msgs::msg::Image& message, cv::Mat& bgr) {
  const auto* const e = std::find_if(std::begin(kEncodings), std::end(kEncodings),
                                     [&](const Encoding& known) { return message.encoding == known.name; });
  if (e == std::end(kEncodings)) return "encoding '" + message.encoding.substr(0, 40) + "' cannot be shown";
  if (message.width < 1 || message.height < 1 || message.width > kLargest || message.height > kLargest)
    return "a picture of " + std::to_string(message.width) + " x " + std::to_string(message.height) +
           " cannot be shown";
  const std::size_t row = static_cast<std::size_t>(message.width) * static_cast<std::size_t>(e->channels);
  if (message.step < row || message.data.size() < static_cast<std::size_t>(message.step) * message.height)
    return "a picture with " + std::to_string(message.data.size()) + " bytes is shorter than its size says";
  if (e->channels == 2 && message.width % 2 != 0) return std::string("yuv422 needs an even width");
  const cv::Mat raw(static_cast<int>(message.height), static_cast<int>(message.width), CV_8UC(e->channels),
                    const_cast<std::uint8_t*>(message.data.data()), message.step);
  if (e->to_bgr < 0) {
    raw.copyTo(bgr);
  } else {
    cv::cvtColor(raw, bgr, e->to_bgr);
  }
  return std::nullopt;
}

}  // namespace hl_visualization

// SPDX-License-Identifier: Apache-2.0
#include "image_message.hpp"

#include <algorithm>
#include <opencv2/imgproc.hpp>

namespace hl_vision {
namespace {

struct Encoding {
  const char* name;
  int channels;
  int to_bgr;  // of cv::cvtColor; -1: is BGR already
};

constexpr Encoding kEncodings[] = {
    {"bgr8", 3, -1},
    {"rgb8", 3, cv::COLOR_RGB2BGR},
    {"bgra8", 4, cv::COLOR_BGRA2BGR},
    {"rgba8", 4, cv::COLOR_RGBA2BGR},
    {"mono8", 1, cv::COLOR_GRAY2BGR},
    {"yuv422_yuy2", 2, cv::COLOR_YUV2BGR_YUY2},
    {"yuv422", 2, cv::COLOR_YUV2BGR_UYVY},
};
constexpr std::uint32_t kLargest = 8192;  // px

}  // namespace

std::optional<std::string> to_bgr(const sensor_msgs::msg::Image& message, cv::Mat& bgr) {
  const auto encoding = std::find_if(std::begin(kEncodings), std::end(kEncodings),
                                     [&](const Encoding& e) { return message.encoding == e.name; });
  if (encoding == std::end(kEncodings)) {
    return "encoding '" + message.encoding.substr(0, 40) +
           "' is none of bgr8, rgb8, bgra8, rgba8, mono8, yuv422, yuv422_yuy2";
  }
  if (message.width < 1 || message.height < 1 || message.width > kLargest || message.height > kLargest) {
    return "a picture of " + std::to_string(message.width) + " x " + std::to_string(message.height) + " cannot be used";
  }
  const std::size_t row = static_cast<std::size_t>(message.width) * static_cast<std::size_t>(encoding->channels);
  if (message.step < row || message.data.size() < static_cast<std::size_t>(message.step) * message.height) {
    return "the message has " + std::to_string(message.data.size()) + " bytes, fewer than its size and step need";
  }
  if (encoding->channels == 2 && message.width % 2 != 0) return "yuv422 needs an even width";
  const cv::Mat raw(static_cast<int>(message.height), static_cast<int>(message.width), CV_8UC(encoding->channels),
                    const_cast<std::uint8_t*>(message.data.data()), message.step);
  if (encoding->to_bgr < 0) {
    bgr = raw;
  } else {
    cv::cvtColor(raw, bgr, encoding->to_bgr);
  }
  return std::nullopt;
}

std::optional<std::string> to_lens(const sensor_msgs::msg::CameraInfo& message, Lens& lens) {
  Lens candidate;
  candidate.width = static_cast<int>(std::min(message.width, 1000000u));
  candidate.height = static_cast<int>(std::min(message.height, 1000000u));
  candidate.fx = message.k[0];
  candidate.fy = message.k[4];
  candidate.cx = message.k[2];
  candidate.cy = message.k[5];
  if (!message.d.empty() && message.distortion_model != "plumb_bob" && !message.distortion_model.empty())
    return "distortion model '" + message.distortion_model.substr(0, 40) + "' is not plumb_bob";
  for (std::size_t n = 0; n < std::min<std::size_t>(5, message.d.size()); ++n) candidate.distortion[n] = message.d[n];
  if (auto error = candidate.validate()) return "camera_info: " + *error;
  lens = candidate;
  return std::nullopt;
}

}  // namespace hl_vision

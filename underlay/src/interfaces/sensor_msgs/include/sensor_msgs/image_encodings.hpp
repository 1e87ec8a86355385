// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

/// Values of `Image::encoding`, and what they say of a pixel.
namespace sensor_msgs::image_encodings {

const char RGB8[] = "rgb8";
const char RGBA8[] = "rgba8";
const char RGB16[] = "rgb16";
const char RGBA16[] = "rgba16";
const char BGR8[] = "bgr8";
const char BGRA8[] = "bgra8";
const char BGR16[] = "bgr16";
const char BGRA16[] = "bgra16";
const char MONO8[] = "mono8";
const char MONO16[] = "mono16";

// OpenCV's names: bits, kind (unsigned, signed, floating point), channels
const char TYPE_8UC1[] = "8UC1";
const char TYPE_8UC2[] = "8UC2";
const char TYPE_8UC3[] = "8UC3";
const char TYPE_8UC4[] = "8UC4";
const char TYPE_8SC1[] = "8SC1";
const char TYPE_8SC2[] = "8SC2";
const char TYPE_8SC3[] = "8SC3";
const char TYPE_8SC4[] = "8SC4";
const char TYPE_16UC1[] = "16UC1";
const char TYPE_16UC2[] = "16UC2";
const char TYPE_16UC3[] = "16UC3";
const char TYPE_16UC4[] = "16UC4";
const char TYPE_16SC1[] = "16SC1";
const char TYPE_16SC2[] = "16SC2";
const char TYPE_16SC3[] = "16SC3";
const char TYPE_16SC4[] = "16SC4";
const char TYPE_32SC1[] = "32SC1";
const char TYPE_32SC2[] = "32SC2";
const char TYPE_32SC3[] = "32SC3";
const char TYPE_32SC4[] = "32SC4";
const char TYPE_32FC1[] = "32FC1";
const char TYPE_32FC2[] = "32FC2";
const char TYPE_32FC3[] = "32FC3";
const char TYPE_32FC4[] = "32FC4";
const char TYPE_64FC1[] = "64FC1";
const char TYPE_64FC2[] = "64FC2";
const char TYPE_64FC3[] = "64FC3";
const char TYPE_64FC4[] = "64FC4";

const char BAYER_RGGB8[] = "bayer_rggb8";
const char BAYER_BGGR8[] = "bayer_bggr8";
const char BAYER_GBRG8[] = "bayer_gbrg8";
const char BAYER_GRBG8[] = "bayer_grbg8";
const char BAYER_RGGB16[] = "bayer_rggb16";
const char BAYER_BGGR16[] = "bayer_bggr16";
const char BAYER_GBRG16[] = "bayer_gbrg16";
const char BAYER_GRBG16[] = "bayer_grbg16";

const char YUV422[] = "yuv422";            // bytes u y v y
const char YUV422_YUY2[] = "yuv422_yuy2";  // bytes y u y v

static inline bool isColor(const std::string& encoding) {
  return encoding == RGB8 || encoding == BGR8 || encoding == RGBA8 || encoding == BGRA8 || encoding == RGB16 ||
         encoding == BGR16 || encoding == RGBA16 || encoding == BGRA16;
}

static inline bool isMono(const std::string& encoding) {
  return encoding == MONO8 || encoding == MONO16;
}

static inline bool isBayer(const std::string& encoding) {
  return encoding.rfind("bayer_", 0) == 0;
}

static inline bool hasAlpha(const std::string& encoding) {
  return encoding == RGBA8 || encoding == BGRA8 || encoding == RGBA16 || encoding == BGRA16;
}

/// Throws std::runtime_error for an unknown encoding.
static inline int numChannels(const std::string& encoding) {
  if (isMono(encoding) || isBayer(encoding)) return 1;
  if (isColor(encoding)) return hasAlpha(encoding) ? 4 : 3;
  if (encoding == YUV422 || encoding == YUV422_YUY2) return 2;
  const auto channels = encoding.find('C');
  if (channels != std::string::npos && channels + 1 < encoding.size()) {
    const int count = encoding[channels + 1] - '0';
    if (count >= 1 && count <= 4) return count;
  }
  throw std::runtime_error("Unknown encoding " + encoding);
}

/// Bits of one channel. Throws std::runtime_error for an unknown encoding.
static inline int bitDepth(const std::string& encoding) {
  if (encoding == YUV422 || encoding == YUV422_YUY2) return 8;
  if (isMono(encoding) || isColor(encoding) || isBayer(encoding)) {
    return encoding.size() > 2 && encoding.compare(encoding.size() - 2, 2, "16") == 0 ? 16 : 8;
  }
  for (const int bits : {8, 16, 32, 64}) {
    const auto digits = std::to_string(bits);
    if (encoding.rfind(digits, 0) == 0 && encoding.size() >= digits.size() + 3 && encoding[digits.size() + 1] == 'C') {
      return bits;
    }
  }
  throw std::runtime_error("Unknown encoding " + encoding);
}

}  // namespace sensor_msgs::image_encodings

// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/ball_network.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <opencv2/imgproc.hpp>
#include <sstream>
#include <stdexcept>

namespace hl_vision {
namespace {

constexpr char kMagic[] = "hl_vision ball network 1\n";
constexpr float kLargestWeight = 1e4f;

/// Writes the 3 x 3 neighbourhoods of all pixels of `map` (channels x size^2, zero outside) as columns.
void gather(const BallNetwork::Matrix& map, int size, BallNetwork::Matrix& columns) {
  const auto channels = static_cast<int>(map.rows());
  columns.resize(9 * channels, size * size);
  for (int c = 0; c < channels; ++c) {
    const float* from = map.row(c).data();
    for (int k = 0; k < 9; ++k) {
      const int dy = k / 3 - 1, dx = k % 3 - 1;
      float* to = columns.row(9 * c + k).data();
      for (int y = 0; y < size; ++y, to += size) {
        const int sy = y + dy;
        if (sy < 0 || sy >= size) {
          std::fill_n(to, size, 0.0f);
          continue;
        }
        const float* row = from + sy * size;
        const int first = std::max(0, -dx), last = std::min(size, size - dx);
        for (int x = 0; x < first; ++x) to[x] = 0.0f;
        std::copy(row + first + dx, row + last + dx, to + first);
        for (int x = last; x < size; ++x) to[x] = 0.0f;
      }
    }
  }
}

/// Maximum of each 2 x 2 block.
void pool(const BallNetwork::Matrix& map, int size, BallNetwork::Matrix& pooled, std::vector<int>& strongest) {
  const auto channels = static_cast<int>(map.rows());
  const int half = size / 2;
  pooled.resize(channels, half * half);
  strongest.resize(static_cast<std::size_t>(channels) * half * half);
  std::size_t n = 0;
  for (int c = 0; c < channels; ++c) {
    const float* from = map.row(c).data();
    float* to = pooled.row(c).data();
    for (int y = 0; y < half; ++y) {
      for (int x = 0; x < half; ++x, ++n) {
        int best = 2 * y * size + 2 * x;
        for (const int other : {best + 1, best + size, best + size + 1}) {
          if (from[other] > from[best]) best = other;
        }
        to[y * half + x] = from[best];
        strongest[n] = best;
      }
    }
  }
}

}  // namespace

BallNetwork::Weights::Weights() {
  int size = kSize;
  for (int n = 0; n < kLayers; ++n) {
    kernel[n] = Matrix::Zero(kChannels[n + 1], 9 * kChannels[n]);
    bias[n] = Vector::Zero(kChannels[n + 1]);
    if (n < kPools) size /= 2;
  }
  hidden = Matrix::Zero(kHidden, kChannels[kLayers] * size * size);
  hidden_bias = Vector::Zero(kHidden);
  output = Matrix::Zero(kOutputs, kHidden);
  output_bias = Vector::Zero(kOutputs);
}

std::size_t BallNetwork::Weights::count() const {
  std::size_t sum = 0;
  const_cast<Weights*>(this)->each([&](const float*, std::size_t size) { sum += size; });
  return sum;
}

BallNetwork BallNetwork::from_text(const std::string& bytes, const std::string& file_name) {
  const std::size_t head = sizeof kMagic - 1;
  if (bytes.compare(0, head, kMagic) != 0) {
    throw std::runtime_error(file_name +
                             ": does not begin with \"hl_vision ball network 1\"; make one with train_ball");
  }
  Weights weights;
  const std::size_t wanted = head + sizeof(float) * weights.count();
  if (bytes.size() != wanted) {
    throw std::runtime_error(file_name + ": has " + std::to_string(bytes.size()) + " bytes, a network has " +
                             std::to_string(wanted) + "; make one with train_ball");
  }
  const char* from = bytes.data() + head;
  weights.each([&](float* data, std::size_t size) {
    for (std::size_t n = 0; n < size; ++n, from += sizeof(float)) {
      // little-endian, whatever this computer is
      std::uint32_t word = 0;
      for (int k = 3; k >= 0; --k) word = (word << 8) | static_cast<unsigned char>(from[k]);
      std::memcpy(data + n, &word, sizeof word);
      if (!(std::abs(data[n]) < kLargestWeight)) {
        throw std::runtime_error(file_name + ": a weight is no number or beyond 10000; make one with train_ball");
      }
    }
  });
  return BallNetwork(std::move(weights));
}

BallNetwork BallNetwork::from_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return from_text(bytes.str(), path);
}

std::string BallNetwork::to_text() const {
  std::string bytes = kMagic;
  Weights copy = weights_;
  copy.each([&](const float* data, std::size_t size) {
    for (std::size_t n = 0; n < size; ++n) {
      std::uint32_t word = 0;
      std::memcpy(&word, data + n, sizeof word);
      for (int k = 0; k < 4; ++k, word >>= 8) bytes += static_cast<char>(word & 0xff);
    }
  });
  return bytes;
}

void BallNetwork::cut(const cv::Mat& bgr, const cv::Point2d& center, double diameter, Activations& activations) {
  const double edge = std::clamp(kMargin * diameter, 4.0, 4.0 * std::max(bgr.cols, bgr.rows));
  cv::Mat patch;
  const double scale = edge / kSize;
  if (scale > 1.6) {
    // Large patches are averaged, not sampled: shrink the part of the picture first.
    const cv::Rect whole(0, 0, bgr.cols, bgr.rows);
    const cv::Rect wanted(static_cast<int>(std::floor(center.x - 0.5 * edge)),
                          static_cast<int>(std::floor(center.y - 0.5 * edge)), static_cast<int>(std::ceil(edge)),
                          static_cast<int>(std::ceil(edge)));
    const cv::Rect inside = wanted & whole;
    if (inside == wanted) {
      cv::resize(bgr(inside), patch, cv::Size(kSize, kSize), 0, 0, cv::INTER_AREA);
    } else if (inside.area() > 0) {
      cv::Mat padded;
      cv::copyMakeBorder(bgr(inside), padded, inside.y - wanted.y, wanted.y + wanted.height - inside.y - inside.height,
                         inside.x - wanted.x, wanted.x + wanted.width - inside.x - inside.width, cv::BORDER_REPLICATE);
      cv::resize(padded, patch, cv::Size(kSize, kSize), 0, 0, cv::INTER_AREA);
    }
  } else {
    const cv::Matx23d map(scale, 0.0, center.x - 0.5 * edge + 0.5 * scale - 0.5, 0.0, scale,
                          center.y - 0.5 * edge + 0.5 * scale - 0.5);
    cv::warpAffine(bgr, patch, map, cv::Size(kSize, kSize), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
                   cv::BORDER_REPLICATE);
  }
  Matrix& input = activations.maps[0];
  input.setZero(3, kSize * kSize);
  if (patch.empty()) return;
  for (int y = 0; y < kSize; ++y) {
    const auto* p = patch.ptr<std::uint8_t>(y);
    for (int x = 0; x < kSize; ++x, p += 3) {
      for (int c = 0; c < 3; ++c) input(c, y * kSize + x) = p[c];
    }
  }
  const float mean = input.mean();
  const float deviation = std::sqrt((input.array() - mean).square().mean());
  input.array() = (input.array() - mean) / (deviation + 8.0f);
}

void BallNetwork::forward(Activations& a) const {
  int size = kSize;
  for (int n = 0; n < kLayers; ++n) {
    gather(a.maps[n], size, a.columns[n]);
    a.convolved[n].noalias() = weights_.kernel[n] * a.columns[n];
    a.convolved[n].colwise() += weights_.bias[n];
    a.convolved[n] = a.convolved[n].cwiseMax(0.0f);
    if (n < kPools) {
      pool(a.convolved[n], size, a.maps[n + 1], a.strongest[n]);
      size /= 2;
    } else {
      a.maps[n + 1] = a.convolved[n];
    }
  }
  const Eigen::Map<const Vector> flat(a.maps[kLayers].data(), a.maps[kLayers].size());
  a.hidden.noalias() = weights_.hidden * flat;
  a.hidden = (a.hidden + weights_.hidden_bias).cwiseMax(0.0f);
  a.output.noalias() = weights_.output * a.hidden;
  a.output += weights_.output_bias;
}

BallNetwork::Answer BallNetwork::answer(const cv::Mat& bgr, const cv::Point2d& center, double diameter,
                                        Activations& activations) const {
  if (!trained_) return {};
  cut(bgr, center, diameter, activations);
  forward(activations);
  const Vector& out = activations.output;
  Answer answer;
  answer.ball = 1.0f / (1.0f + std::exp(-std::clamp(out[0], -30.0f, 30.0f)));
  answer.dx = std::clamp(out[1], -0.6f, 0.6f);
  answer.dy = std::clamp(out[2], -0.6f, 0.6f);
  answer.log_size = std::clamp(out[3], -0.6f, 0.6f);
  return answer;
}

}  // namespace hl_vision

// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/panorama.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <vector>

#include "hl_vision/field_border.hpp"

namespace hl_vision {
namespace {

constexpr int kWorkingWidth = 160;  // px; finer than a cell of the panorama all the same
constexpr float kFullCell = 12.0f;  // pixels from which a cell counts fully
constexpr double kMargin = 1.5;     // px kept from the border: edges of the turf, blurred

/// Logarithm of a channel; the offset keeps noise in the dark small.
const std::array<float, 256>& logarithms() {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> values{};
    for (int n = 0; n < 256; ++n) values[static_cast<std::size_t>(n)] = std::log(static_cast<float>(n) + 10.0f);
    return values;
  }();
  return table;
}

}  // namespace

bool Panorama::sample(double bearing, double elevation, std::array<float, kChannels>& value, float& weight) const {
  const double row = (elevation - kLowest) / kElevationStep - 0.5;
  if (row < -0.5 || row > kElevations - 0.5) return false;
  const double column = bearing / kBearingStep - 0.5;
  const int b = static_cast<int>(std::floor(column));
  const int e = std::clamp(static_cast<int>(std::floor(row)), 0, kElevations - 2);
  const auto fb = static_cast<float>(column - b), fe = static_cast<float>(std::clamp(row - e, 0.0, 1.0));
  float sum = 0.0f;
  value.fill(0.0f);
  for (int db = 0; db < 2; ++db) {
    for (int de = 0; de < 2; ++de) {
      const int at = cell(b + db, e + de);
      const float w = (db ? fb : 1.0f - fb) * (de ? fe : 1.0f - fe) * weights[at];
      sum += w;
      for (std::size_t c = 0; c < kChannels; ++c) value[c] += w * values[c][at];
    }
  }
  weight = sum;
  if (sum < 0.2f) return false;
  for (float& v : value) v /= sum;
  return true;
}

void Panorama::add(const Panorama& other) {
  // The newer picture has its own exposure and white balance: what both saw tells the difference.
  const Eigen::ArrayXf both = weights * other.weights;
  const float common = both.sum();
  const Eigen::ArrayXf total = weights + other.weights;
  for (std::size_t c = 0; c < kChannels; ++c) {
    const float offset = common > 5.0f ? (both * (other.values[c] - values[c])).sum() / common : 0.0f;
    values[c] =
        (total > 0.0f)
            .select((weights * values[c] + other.weights * (other.values[c] - offset)) / total.max(1e-6f), 0.0f);
  }
  weights = total.min(1.0f);
}

PanoramaReader::Outputs PanoramaReader::read(const cv::Mat& bgr, const CameraView& view, double yaw) {
  Outputs out;
  if (bgr.type() != CV_8UC3 || bgr.cols < kWorkingWidth) {
    out.reason = "the picture is not in colour, or too small";
    return out;
  }
  if (view.lens().width != bgr.cols || view.lens().height != bgr.rows) {
    out.reason = "camera_info is of another picture size";
    return out;
  }
  const double shrink = static_cast<double>(bgr.cols) / kWorkingWidth;
  cv::resize(bgr, small_, cv::Size(kWorkingWidth, static_cast<int>(bgr.rows / shrink)), 0, 0, cv::INTER_AREA);
  const CameraView small_view = view.shrunk(shrink);
  const auto top = [&](double x) { return small_view.horizon(x); };
  colour_.learn(small_, top);
  FieldBorder border;
  if (colour_.known()) {
    colour_.classify(small_, classes_);
    border = FieldBorder::find(classes_, top);
  }
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()) * view.ground_from_camera().linear();
  const auto& logarithm = logarithms();
  std::array<Eigen::ArrayXf, Panorama::kChannels> sums{Eigen::ArrayXf::Zero(Panorama::kCells),
                                                       Eigen::ArrayXf::Zero(Panorama::kCells),
                                                       Eigen::ArrayXf::Zero(Panorama::kCells)};
  Eigen::ArrayXf counts = Eigen::ArrayXf::Zero(Panorama::kCells);
  int above = 0;
  for (int x = 0; x < small_.cols; ++x) {
    const double edge = border.known() ? border.row(x) : small_.rows;
    const int end = std::clamp(static_cast<int>(edge - kMargin), 0, small_.rows);
    above += std::clamp(static_cast<int>(edge), 0, small_.rows);
    for (int y = 0; y < end; ++y) {
      const Eigen::Vector3d ray = turn * small_view.ray({x + 0.5, y + 0.5});
      const double elevation = ray.z() / std::hypot(ray.x(), ray.y());
      const int e = static_cast<int>(std::floor((elevation - Panorama::kLowest) / Panorama::kElevationStep));
      if (e < 0 || e >= Panorama::kElevations) continue;
      const int b = static_cast<int>(std::floor(std::atan2(ray.y(), ray.x()) / Panorama::kBearingStep));
      const int at = Panorama::cell(b, e);
      const auto* p = small_.ptr<std::uint8_t>(y) + 3 * x;
      const float blue = logarithm[p[0]], green = logarithm[p[1]], red = logarithm[p[2]];
      sums[0][at] += (blue + green + red) / 3.0f;
      sums[1][at] += red - green;
      sums[2][at] += blue - green;
      counts[at] += 1.0f;
    }
  }
  out.above = static_cast<double>(above) / (small_.cols * small_.rows);
  for (std::size_t c = 0; c < Panorama::kChannels; ++c) out.panorama.values[c] = sums[c] / counts.max(1.0f);
  out.panorama.weights = (counts / kFullCell).min(1.0f);
  if (out.panorama.weights.sum() < 10.0f) out.reason = "too little above the field's border in sight";
  return out;
}

}  // namespace hl_vision

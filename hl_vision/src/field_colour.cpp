// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/field_colour.hpp"

#include <algorithm>
#include <cmath>

namespace hl_vision {
namespace {

constexpr double kBinWidth = 0.0125;
constexpr double kFirstRed = 0.0, kFirstGreen = 0.20;  // parts at which the histogram begins
constexpr std::uint16_t kNoBin = 0xffff;
constexpr int kDarkest = 33;            // sum of the three channels below which a colour cannot be told
constexpr double kNeutral = 1.0 / 3.0;  // part of each channel in white and grey
constexpr double kLeastHue = 0.50;      // of the way from white to the field's colour
constexpr int kLearnStep = 4;           // px between the samples
constexpr double kGreenLead = 0.022;    // by which the green part leads the others in anything that may be a field

bool greenish(double r, double g, double b) {
  const double sum = r + g + b;
  return sum > kDarkest && g - r > kGreenLead * sum && g - b > kGreenLead * sum;
}

}  // namespace

FieldColour::FieldColour(const Params& params)
    : params_(params),
      histogram_(kBins * kBins, 0.0f),
      bin_(kLevels * kLevels * kLevels, kNoBin),
      neutral_(bin_.size(), 0),
      table_(bin_.size(), kOther) {
  constexpr double kStep = 256.0 / kLevels;
  for (int b = 0; b < kLevels; ++b) {
    for (int g = 0; g < kLevels; ++g) {
      for (int r = 0; r < kLevels; ++r) {
        const double blue = (b + 0.5) * kStep, green = (g + 0.5) * kStep, red = (r + 0.5) * kStep;
        const double sum = blue + green + red;
        const std::size_t index = (static_cast<std::size_t>(b) * kLevels + g) * kLevels + r;
        if (greenish(red, green, blue)) {
          const int i = static_cast<int>((red / sum - kFirstRed) / kBinWidth);
          const int j = static_cast<int>((green / sum - kFirstGreen) / kBinWidth);
          if (i >= 0 && i < kBins && j >= 0 && j < kBins) bin_[index] = static_cast<std::uint16_t>(j * kBins + i);
        }
        const double most = std::max({blue, green, red}), least = std::min({blue, green, red});
        if (most - least < 0.22 * most + 10.0) neutral_[index] = static_cast<std::uint8_t>(std::min(255.0, sum / 3.0));
      }
    }
  }
}

void FieldColour::forget() {
  known_ = false;
  std::fill(histogram_.begin(), histogram_.end(), 0.0f);
  std::fill(table_.begin(), table_.end(), std::uint8_t{kOther});
}

bool FieldColour::learn(const cv::Mat& bgr, const std::function<double(double)>& top) {
  if (params_.frozen && known_) return true;
  std::vector<float> fresh(histogram_.size(), 0.0f);
  int looked_at = 0, counted = 0;
  double brightness = 0.0;
  for (int x = 0; x < bgr.cols; x += kLearnStep) {
    const int first = static_cast<int>(std::clamp(top(x), 0.0, static_cast<double>(bgr.rows)));
    for (int y = first; y < bgr.rows; y += kLearnStep) {
      const auto* p = bgr.ptr<std::uint8_t>(y) + 3 * x;
      ++looked_at;
      const std::uint16_t bin = bin_[((p[0] >> 3) * kLevels + (p[1] >> 3)) * kLevels + (p[2] >> 3)];
      if (bin == kNoBin) continue;
      // What lies lower is more surely the field.
      fresh[bin] += 0.3f + static_cast<float>(y) / static_cast<float>(bgr.rows);
      brightness += (p[0] + p[1] + p[2]) / 3.0;
      ++counted;
    }
  }
  if (looked_at == 0 || counted < params_.least_share * looked_at || counted < 30) return false;
  const float rate = known_ ? static_cast<float>(params_.learning_rate) : 1.0f;
  const float scale = rate / static_cast<float>(counted);
  for (std::size_t n = 0; n < fresh.size(); ++n) histogram_[n] = (1.0f - rate) * histogram_[n] + scale * fresh[n];
  brightness_ = (1.0 - rate) * brightness_ + rate * brightness / counted;
  known_ = true;
  rebuild();
  return true;
}

void FieldColour::rebuild() {
  const cv::Mat raw(kBins, kBins, CV_32F, histogram_.data());
  cv::Mat smooth(kBins, kBins, CV_32F, cv::Scalar(0));
  for (int j = 1; j + 1 < kBins; ++j) {
    for (int i = 1; i + 1 < kBins; ++i) {
      float sum = 0.0f;
      for (int dj = -1; dj <= 1; ++dj) {
        for (int di = -1; di <= 1; ++di) sum += raw.at<float>(j + dj, i + di) * (di == 0 && dj == 0 ? 2.0f : 1.0f);
      }
      smooth.at<float>(j, i) = sum;
    }
  }
  // The field's colour is frequent and has a hue; under tinted light white walls are greenish too, and frequent. What
  // lies nearer to white than to the field's colour is not field.
  const auto hue_of = [](int bin) {
    return cv::Point2d(kFirstRed + (bin % kBins + 0.5) * kBinWidth - kNeutral,
                       kFirstGreen + (static_cast<double>(bin / kBins) + 0.5) * kBinWidth - kNeutral);
  };
  int typical = 0;
  double strongest = 0.0;
  for (int bin = 0; bin < kBins * kBins; ++bin) {
    const double strength = smooth.ptr<float>()[bin] * cv::norm(hue_of(bin));
    if (strength > strongest) {
      strongest = strength;
      typical = bin;
    }
  }
  const float most = smooth.ptr<float>()[typical];
  const cv::Point2d hue = hue_of(typical);
  std::vector<bool> hued(static_cast<std::size_t>(kBins) * kBins);
  for (int bin = 0; bin < kBins * kBins; ++bin)
    hued[static_cast<std::size_t>(bin)] = hue_of(bin).dot(hue) > kLeastHue * hue.dot(hue);
  const auto limit = static_cast<float>(params_.threshold) * most;
  const double white = std::max(40.0, params_.white_factor * brightness_);
  const auto* values = smooth.ptr<float>();
  for (std::size_t n = 0; n < table_.size(); ++n) {
    if (bin_[n] != kNoBin && hued[bin_[n]] && values[bin_[n]] > limit) {
      table_[n] = kField;
    } else {
      table_[n] = neutral_[n] > white ? kWhite : kOther;
    }
  }
}

void FieldColour::classify(const cv::Mat& bgr, cv::Mat& classes) const {
  classes.create(bgr.rows, bgr.cols, CV_8U);
  for (int y = 0; y < bgr.rows; ++y) {
    const auto* p = bgr.ptr<std::uint8_t>(y);
    auto* out = classes.ptr<std::uint8_t>(y);
    for (int x = 0; x < bgr.cols; ++x, p += 3) {
      out[x] = table_[((p[0] >> 3) << 10) | ((p[1] >> 3) << 5) | (p[2] >> 3)];
    }
  }
}

std::array<double, 3> FieldColour::chromaticity() const {
  const auto most = std::max_element(histogram_.begin(), histogram_.end());
  const auto bin = static_cast<int>(most - histogram_.begin());
  const double red = kFirstRed + (bin % kBins + 0.5) * kBinWidth;
  const double green = kFirstGreen + (static_cast<double>(bin / kBins) + 0.5) * kBinWidth;
  return {red, green, 1.0 - red - green};
}

}  // namespace hl_vision

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

namespace hl_vision {

/// What a pixel looks like.
enum PixelClass : std::uint8_t { kOther = 0, kField = 1, kWhite = 2, kBody = 4 };

/// The colour of the field, learned from the pictures themselves: a histogram of chromaticities (colour without
/// brightness) of what is greenish and lies where the ground is. No table made by hand, and it follows the light.
class FieldColour {
 public:
  struct Params {
    double learning_rate = 0.08;  // share of a new picture in what is known
    double threshold = 0.03;      // of the most frequent colour, from which a colour belongs to the field
    double least_share = 0.03;    // of greenish pixels below the horizon, to learn from a picture at all
    double white_factor = 1.15;   // brightness of white things against the field's
    bool frozen = false;          // nothing more is learned once a field is known
  };

  explicit FieldColour(const Params& params);
  void set_params(const Params& params) { params_ = params; }

  /// Learns from a BGR picture; only rows from `top(column)` down are looked at. Returns whether a field was there.
  bool learn(const cv::Mat& bgr, const std::function<double(double)>& top);
  /// The class of every pixel of a BGR picture, into `classes` (8 bit).
  void classify(const cv::Mat& bgr, cv::Mat& classes) const;
  void forget();

  bool known() const { return known_; }
  double brightness() const { return brightness_; }  // of the field, 0..255
  /// The most frequent colour of the field: red, green, blue parts that sum up to one.
  std::array<double, 3> chromaticity() const;

  /// What was learned, as text; loading throws std::runtime_error that names file and fault, and then changes nothing.
  std::string to_text() const;
  void from_text(const std::string& text, const std::string& name);
  void save(const std::string& path) const;
  void load(const std::string& path);

 private:
  static constexpr int kBins = 64;
  static constexpr int kLevels = 32;  // per channel of the table of colours
  void rebuild();

  Params params_;
  bool known_ = false;
  double brightness_ = 0.0;
  std::vector<float> histogram_;       // kBins * kBins: red part, green part
  std::vector<std::uint16_t> bin_;     // of each colour of the table; kNoBin: too dark to tell
  std::vector<std::uint8_t> neutral_;  // brightness of each colour that has no hue; 0: has one
  std::vector<std::uint8_t> table_;    // class of each colour
};

}  // namespace hl_vision

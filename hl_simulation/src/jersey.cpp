// SPDX-License-Identifier: Apache-2.0
#include "jersey.hpp"

#include <array>
#include <string_view>

namespace hl_simulation {
namespace {

constexpr double kHeight = 0.74, kWidth = 0.42;  // of a digit, in heights of its sheet
constexpr double kStroke = 0.13;                 // breadth of a stroke, the same
constexpr double kPaint = 0.0006;                // m, thickness
constexpr double kThinSheet = 0.2;               // of its shorter edge
constexpr double kSmallestSheet = 0.05;          // m

/// top, upper left, upper right, middle, lower left, lower right, bottom; a 1 is one bar in the middle.
constexpr std::array<std::string_view, 10> kStrokes{"abcefg", "",       "acdeg", "acdfg",   "bcdf",
                                                    "abdfg",  "abdefg", "acf",   "abcdefg", "abcdfg"};

}  // namespace

std::vector<PaintedStroke> number_on(const Shape& sheet, int digit, double outward) {
  const double edge = std::min(sheet.size.y(), sheet.size.z());
  const bool upright = sheet.type == Shape::Type::Box && sheet.size.x() < kThinSheet * edge && edge > kSmallestSheet &&
                       sheet.pose.linear().isIdentity(1e-3);
  if (!upright || digit < 0 || digit > 9) return {};
  const double tall = sheet.size.z(), height = kHeight * tall, width = kWidth * tall, stroke = kStroke * tall;
  std::vector<PaintedStroke> strokes;
  // `right` and `up` from the digit's middle, as a reader sees it.
  const auto add = [&](double right, double up, double breadth, double length) {
    const Eigen::Vector3d centre =
        sheet.pose.translation() +
        Eigen::Vector3d(outward * (0.5 * sheet.size.x() + 0.5 * kPaint), outward * right, up);
    strokes.push_back({centre, {kPaint, breadth, length}});
  };
  if (digit == 1) add(0.0, 0.0, stroke, height);
  const double across = 0.5 * (width - stroke), up = 0.5 * (height - stroke);
  for (const char name : kStrokes[static_cast<std::size_t>(digit)]) {
    switch (name) {
      case 'a':
        add(0.0, up, width, stroke);
        break;
      case 'd':
        add(0.0, 0.0, width, stroke);
        break;
      case 'g':
        add(0.0, -up, width, stroke);
        break;
      default:
        add(name == 'b' || name == 'e' ? -across : across, name == 'b' || name == 'c' ? 0.5 * up : -0.5 * up, stroke,
            0.5 * (height + stroke));
    }
  }
  return strokes;
}

}  // namespace hl_simulation

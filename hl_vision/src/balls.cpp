// SPDX-License-Identifier: Apache-2.0
#include "balls.hpp"

#include <algorithm>
#include <cmath>

namespace hl_vision {
namespace {

constexpr double kLeastDiameter = 5.0;    // px
constexpr double kLeastScore = 0.30;      // of the quick test
constexpr double kSizeSteps = 1.35;       // between the sizes tried without a camera pose
constexpr double kLookAgainBelow = 0.95;  // confidence below which a promising candidate is looked at once more
constexpr double kLookAgainAbove = 0.05;
constexpr double kNoDoubt = 0.985;  // confidence from which it does not matter what is below

/// How much a disc of `diameter` at (x, y) differs from the field while its neighbourhood does not.
double quick_score(const Frame& frame, double x, double y, double diameter) {
  const double r = 0.5 * diameter;
  const auto share = [&](double x0, double y0, double x1, double y1) {
    const int a = static_cast<int>(std::lround(x0)), b = static_cast<int>(std::lround(y0));
    const int c = std::max(a + 1, static_cast<int>(std::lround(x1))),
              d = std::max(b + 1, static_cast<int>(std::lround(y1)));
    const int area = (std::min(c, frame.width()) - std::max(a, 0)) * (std::min(d, frame.height()) - std::max(b, 0));
    if (area <= 0 || a >= frame.width() || b >= frame.height() || c <= 0 || d <= 0) return -1.0;
    return static_cast<double>(box_sum(frame.not_field, a, b, c, d)) / area;
  };
  const double inside = share(x - 0.7 * r, y - 0.7 * r, x + 0.7 * r, y + 0.7 * r);
  if (inside < 0.55) return 0.0;
  // The four neighbours; what lies outside the picture says nothing.
  double sides[4] = {share(x - 1.7 * r, y - 0.6 * r, x - 1.1 * r, y + 0.6 * r),
                     share(x + 1.1 * r, y - 0.6 * r, x + 1.7 * r, y + 0.6 * r),
                     share(x - 0.6 * r, y + 1.1 * r, x + 0.6 * r, y + 1.7 * r),
                     share(x - 0.6 * r, y - 1.7 * r, x + 0.6 * r, y - 1.1 * r)};
  double field = 0.0, most = 0.0;
  int known = 0;
  for (const double side : sides) {
    if (side < 0.0) continue;
    field += 1.0 - side;
    most = std::max(most, 1.0 - side);
    ++known;
  }
  if (known == 0) return 0.0;
  // Beside a leg or on a line not all sides are field, so the best side counts on its own too.
  return inside * (0.65 * field / known + 0.35 * most);
}

/// Whether a ball could lie here: turf is seen below it. Knees and hands of robots have legs below.
bool lies_on_the_field(const Frame& frame, const BallInImage& ball) {
  int good = 0, seen = 0;
  for (const double below : {0.58, 0.68}) {
    for (const double aside : {-0.3, -0.15, 0.0, 0.15, 0.3}) {
      const double x = ball.center.x + aside * ball.diameter, y = ball.center.y + below * ball.diameter;
      if (x < 0.0 || y < 0.0 || x >= frame.width() || y >= frame.height()) continue;
      const auto c = frame.at(static_cast<int>(x), static_cast<int>(y));
      if (c == kBody) continue;
      ++seen;
      good += c == kField ? 1 : 0;
    }
  }
  return 10 * good >= 3 * seen;
}

void keep_best(std::vector<BallInImage>& balls, std::size_t most, double apart) {
  std::stable_sort(balls.begin(), balls.end(),
                   [](const BallInImage& a, const BallInImage& b) { return a.confidence > b.confidence; });
  std::vector<BallInImage> kept;
  for (const BallInImage& ball : balls) {
    const bool near = std::any_of(kept.begin(), kept.end(), [&](const BallInImage& other) {
      const double distance = std::hypot(ball.center.x - other.center.x, ball.center.y - other.center.y);
      const double ratio = ball.diameter / other.diameter;
      return distance < apart * std::max(ball.diameter, other.diameter) && ratio > 0.6 && ratio < 1.67;
    });
    if (!near) kept.push_back(ball);
    if (kept.size() >= most) break;
  }
  balls = std::move(kept);
}

/// Tries one size along a row.
void scan_row(const Frame& frame, double y, double fixed_diameter, std::vector<BallInImage>& found) {
  const int width = frame.width();
  double x = 0.0;
  while (x < width) {
    const double diameter =
        fixed_diameter > 0.0 ? fixed_diameter : frame.view->ball_diameter({x, y}, frame.ball_radius);
    if (diameter < kLeastDiameter) {
      x += 8.0;
      continue;
    }
    // The ball's foot, not its centre, lies on the field.
    if (y + 0.5 * diameter >= frame.border.row(x) && diameter < 1.5 * frame.height()) {
      const double score = quick_score(frame, x, y, diameter);
      if (score > kLeastScore) found.push_back({{x, y}, diameter, score});
    }
    x += std::max(1.5, 0.2 * diameter);
  }
}

}  // namespace

std::vector<BallInImage> ball_candidates(const Frame& frame, std::size_t most) {
  std::vector<BallInImage> found;
  if (!frame.border.known()) return found;
  double top = frame.height();
  for (const auto& corner : frame.border.corners()) top = std::min(top, corner.y);
  const double left = 0.0, right = frame.width() - 1.0, bottom = frame.height() - 1.0;
  if (frame.view) {
    double y = top;
    while (y <= bottom) {
      const double a = frame.view->ball_diameter({left, y}, frame.ball_radius),
                   b = frame.view->ball_diameter({right, y}, frame.ball_radius);
      scan_row(frame, y, 0.0, found);
      y += std::max(1.5, 0.2 * std::min(a > 0.0 ? a : 1e3, b > 0.0 ? b : 1e3));
      if (a <= 0.0 && b <= 0.0) y = std::max(y, top) + 0.5;
    }
  } else {
    for (double diameter = 8.0; diameter < 0.5 * frame.height(); diameter *= kSizeSteps) {
      for (double y = std::max(0.0, top - 0.4 * diameter); y <= bottom; y += std::max(1.5, 0.2 * diameter)) {
        // A camera 0.3..1.5 m high; see Frame::scale.
        const double below = y - top + Frame::kHorizonAbove * frame.height();
        if (diameter < 0.09 * below || diameter > 0.55 * (below + 0.08 * frame.height())) continue;
        scan_row(frame, y, diameter, found);
      }
    }
  }
  keep_best(found, most, 0.35);
  return found;
}

std::vector<BallInImage> check_balls(const Frame& frame, const std::vector<BallInImage>& candidates,
                                     const BallNetwork& network, BallNetwork::Activations& activations) {
  std::vector<BallInImage> balls;
  const auto look = [&](const BallInImage& at) {
    const BallNetwork::Answer answer = network.answer(frame.bgr, at.center, at.diameter, activations);
    BallInImage ball;
    ball.center = {at.center.x + answer.dx * at.diameter, at.center.y + answer.dy * at.diameter};
    ball.diameter = at.diameter * std::exp(answer.log_size);
    ball.confidence = answer.ball;
    return ball;
  };
  for (const BallInImage& candidate : candidates) {
    BallInImage ball = look(candidate);
    if (ball.confidence > kLookAgainAbove) {
      const BallInImage again = look(ball);
      // The second look is better centred: it decides, unless the first was sure and the second is lost at the edge.
      if (again.confidence > ball.confidence || ball.confidence < kLookAgainBelow) ball = again;
      if (ball.confidence > kNoDoubt || lies_on_the_field(frame, ball)) balls.push_back(ball);
    }
  }
  keep_best(balls, balls.size(), 0.6);
  return balls;
}

}  // namespace hl_vision

// SPDX-License-Identifier: Apache-2.0
#include "hl_vision/turn_rate.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "hl_vision/field_border.hpp"

namespace hl_vision {
namespace {

constexpr int kWorkingWidth = 320;      // px
constexpr double kStep = M_PI / 720.0;  // rad, a column: 0.25 degrees, about a pixel
constexpr double kRowStep = 0.0125;     // tangent of the elevation
constexpr double kLowest = -0.1;        // of the first row
constexpr int kRows = 40;
constexpr int kLeastColumns = 60;              // that two pictures must have in common
constexpr float kLeastEdges = 40.0f;           // sum of squares, grey levels: less is noise
constexpr double kNextKey = 0.2;               // rad after which a new picture is compared with
constexpr double kAmbiguous = 0.85;            // a second match as good as this against the best: which one is it?
constexpr double kApart = 3.0 * M_PI / 180.0;  // rad from which a match is another one

}  // namespace

std::optional<std::string> TurnRate::Params::validate() const {
  const auto bad = [](const char* what, double value) {
    return std::string(what) + " but is " + std::to_string(value);
  };
  if (!(farthest_turn >= 0.05 && farthest_turn <= 0.6))
    return bad("farthest_turn (rad) must be in 0.05..0.6", farthest_turn);
  if (!(least_match >= 0.1 && least_match < 1.0)) return bad("least_match must be in 0.1..1", least_match);
  if (!(oldest >= 0.05 && oldest <= 10.0)) return bad("oldest (s) must be in 0.05..10", oldest);
  return std::nullopt;
}

TurnRate::Strip TurnRate::strip(const Inputs& inputs) {
  Strip result;
  result.stamp = inputs.stamp;
  const cv::Mat& bgr = inputs.bgr;
  const Lens& lens = inputs.view.lens();
  if (bgr.type() != CV_8UC3 || bgr.cols < kWorkingWidth || lens.width != bgr.cols || lens.height != bgr.rows) {
    result.reason = "the picture is not in colour, too small, or of another size than camera_info says";
    return result;
  }
  const double shrink = static_cast<double>(bgr.cols) / kWorkingWidth;
  cv::Mat small, smaller, classes, grey;
  cv::resize(bgr, small, cv::Size(kWorkingWidth, static_cast<int>(bgr.rows / shrink)), 0, 0, cv::INTER_AREA);
  cv::resize(small, smaller, cv::Size(small.cols / 2, small.rows / 2), 0, 0, cv::INTER_AREA);
  cv::cvtColor(small, grey, cv::COLOR_BGR2GRAY);
  const CameraView view = inputs.view.shrunk(shrink);
  const auto top = [&](double x) { return 0.5 * view.horizon(2.0 * x); };
  colour_.learn(smaller, top);
  FieldBorder border;
  if (colour_.known()) {
    colour_.classify(smaller, classes);
    border = FieldBorder::find(classes, top);
  }
  std::vector<float> edge(static_cast<std::size_t>(small.cols), static_cast<float>(small.rows));
  if (border.known()) {
    for (int x = 0; x < small.cols; ++x)
      edge[static_cast<std::size_t>(x)] = static_cast<float>(2.0 * border.row(0.5 * x) - 3.0);
  }

  // Directions that the picture shows.
  const Eigen::Matrix3d& turn = view.ground_from_camera().linear();
  const Eigen::Vector3d axis = turn.col(2);
  const double middle = std::atan2(axis.y(), axis.x()), half = std::atan2(0.5 * view.lens().width, view.lens().fx);
  const int columns = static_cast<int>(2.0 * half / kStep);
  result.first = static_cast<int>(std::floor((middle - half) / kStep));
  Eigen::ArrayXXf light = Eigen::ArrayXXf::Zero(kRows, columns);
  Eigen::ArrayXXf seen = Eigen::ArrayXXf::Zero(kRows, columns);
  const Eigen::Matrix3d back = turn.transpose();
  for (int c = 0; c < columns; ++c) {
    const double bearing = (result.first + c + 0.5) * kStep;
    const Eigen::Vector3d level = back * Eigen::Vector3d(std::cos(bearing), std::sin(bearing), 0.0), up = back.col(2);
    for (int r = 0; r < kRows; ++r) {
      const Eigen::Vector3d ray = level + (kLowest + r * kRowStep) * up;
      if (ray.z() < 0.1) continue;
      const double u = view.lens().fx * ray.x() / ray.z() + view.lens().cx - 0.5,
                   v = view.lens().fy * ray.y() / ray.z() + view.lens().cy - 0.5;
      const int x = static_cast<int>(std::floor(u)), y = static_cast<int>(std::floor(v));
      if (x < 0 || y < 0 || x + 1 >= small.cols || y + 1 >= small.rows || v > edge[static_cast<std::size_t>(x)])
        continue;
      const auto fu = static_cast<float>(u - x), fv = static_cast<float>(v - y);
      const auto *p = grey.ptr<std::uint8_t>(y) + x, *q = grey.ptr<std::uint8_t>(y + 1) + x;
      light(r, c) = (1.0f - fv) * ((1.0f - fu) * p[0] + fu * p[1]) + fv * ((1.0f - fu) * q[0] + fu * q[1]);
      seen(r, c) = 1.0f;
    }
  }
  // Edges between directions, large ones damped: a window must not outvote everything.
  result.edges = Eigen::ArrayXXf::Zero(kRows, columns);
  result.weights = Eigen::ArrayXXf::Zero(kRows, columns);
  const int inner = columns - 4;
  if (inner < kLeastColumns) {
    result.reason = "the picture shows too few directions";
    return result;
  }
  result.weights.middleCols(2, inner) = seen.leftCols(inner) * seen.rightCols(inner);
  const Eigen::ArrayXXf slope = (light.rightCols(inner) - light.leftCols(inner)) * result.weights.middleCols(2, inner);
  result.edges.middleCols(2, inner) = slope / (1.0f + slope.abs() / 20.0f);
  if (result.weights.sum() < 0.05f * static_cast<float>(result.weights.size()))
    result.reason = "too little above the field's border in sight";
  return result;
}

std::optional<TurnRate::Match> TurnRate::compare(const Strip& before, const Strip& now) const {
  const int most = static_cast<int>(params_.farthest_turn / kStep);
  const auto columns = static_cast<int>(std::min(before.edges.cols(), now.edges.cols()));
  // The robot turned by +s steps if what was at direction d is now at d - s.
  std::vector<float> likeness(static_cast<std::size_t>(2 * most + 1), -1.0f);
  for (int s = -most; s <= most; ++s) {
    const int shift = now.first - before.first + s;  // column c of now is column c + shift of before
    const int from = std::max(0, -shift), to = std::min<int>(columns, static_cast<int>(before.edges.cols()) - shift);
    if (to - from < kLeastColumns) continue;
    const auto a = before.edges.middleCols(from + shift, to - from), b = now.edges.middleCols(from, to - from);
    const auto wa = before.weights.middleCols(from + shift, to - from), wb = now.weights.middleCols(from, to - from);
    const float aa = (a.square() * wb).sum(), bb = (b.square() * wa).sum(), ab = (a * b).sum();
    const float rows = (wa * wb).sum();
    if (rows < 200.0f || aa < kLeastEdges * 10.0f || bb < kLeastEdges * 10.0f) continue;
    likeness[static_cast<std::size_t>(s + most)] = ab / std::sqrt(aa * bb);
  }
  const auto top = static_cast<int>(std::max_element(likeness.begin(), likeness.end()) - likeness.begin());
  const float peak = likeness[static_cast<std::size_t>(top)];
  if (peak < params_.least_match || top == 0 || top == 2 * most) return std::nullopt;
  for (int n = 0; n <= 2 * most; ++n) {
    if (std::abs(n - top) * kStep > kApart && likeness[static_cast<std::size_t>(n)] > kAmbiguous * peak)
      return std::nullopt;
  }
  const float left = likeness[static_cast<std::size_t>(top - 1)], right = likeness[static_cast<std::size_t>(top + 1)];
  const float bend = left - 2.0f * peak + right;
  const double shift = bend < -1e-6f ? std::clamp(0.5 * (left - right) / bend, -0.5, 0.5) : 0.0;
  Match match;
  match.turn = (top - most + shift) * kStep;
  match.likeness = peak;
  match.deviation = 0.3 * kStep + 2.0 * kStep * (1.0 - peak);
  return match;
}

TurnRate::Outputs TurnRate::step(const Inputs& inputs, double /*now*/) {
  Outputs out;
  Strip now = strip(inputs);
  if (last_) {
    out.heading = now.heading = last_->heading;
    out.since = last_->stamp;
  }
  const auto fresh = [&](const std::optional<Strip>& strip) {
    return strip && strip->reason.empty() && now.stamp > strip->stamp && now.stamp - strip->stamp <= params_.oldest;
  };
  out.reason = now.reason;
  if (out.reason.empty()) {
    std::optional<Match> match;
    const Strip* against = nullptr;
    for (const auto* strip : {&key_, &last_}) {
      if (match || !fresh(*strip)) continue;
      against = &**strip;
      match = compare(*against, now);
    }
    if (match) {
      now.heading = against->heading + match->turn;
      out.known = true;
      out.turn = now.heading - out.heading;
      out.heading = now.heading;
      out.deviation = match->deviation;
      if (against != &*key_ || std::abs(match->turn) > kNextKey) key_ = now;
    } else {
      out.reason = last_ ? "the background cannot be followed" : "the first picture";
      key_ = now;
    }
  }
  last_ = std::move(now);
  return out;
}

}  // namespace hl_vision

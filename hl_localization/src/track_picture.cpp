// SPDX-License-Identifier: Apache-2.0
#include "hl_localization/track_picture.hpp"

#include <cmath>
#include <hl_description/formatted.hpp>
#include <sstream>

namespace hl_localization {
namespace {

using Eigen::Vector2d;
using hl_description::Pose2;

constexpr double kScale = 100.0;     // units per metre
constexpr double kBeyond = 1.2;      // m of picture outside the lines
constexpr double kJump = 0.4;        // m between two points
constexpr double kPause = 1.0;       // s between two points
constexpr double kArrowEvery = 5.0;  // s
constexpr double kLegend = 30.0;     // units of a line of text

class Picture {
 public:
  explicit Picture(const hl_description::Field& field, std::size_t words)
      : half_(0.5 * field.length + kBeyond, 0.5 * field.width + kBeyond) {
    const double width = 2.0 * kScale * half_.x(), height = 2.0 * kScale * half_.y();
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << ' '
         << height + kLegend * static_cast<double>(words) << "\" font-family=\"sans-serif\" font-size=\"20\">\n"
         << "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<rect width=\"" << width << "\" height=\"" << height
         << "\" fill=\"#e9f3e6\"/>\n";
    bottom_ = height;
  }

  void line(const std::vector<Vector2d>& points, const std::string& colour, double width, bool dashed = false) {
    if (points.size() < 2) return;
    out_ << "<polyline fill=\"none\" stroke=\"" << colour << "\" stroke-width=\"" << width << '"'
         << (dashed ? " stroke-dasharray=\"4 8\"" : "") << " points=\"";
    for (const Vector2d& p : points) out_ << number(at(p).x()) << ',' << number(at(p).y()) << ' ';
    out_ << "\"/>\n";
  }
  void arrow(const Pose2& pose, const std::string& colour) {
    const Vector2d p = at(pose.position());
    out_ << "<path d=\"M-8 -7 L12 0 L-8 7 z\" fill=\"" << colour << "\" transform=\"translate(" << number(p.x()) << ' '
         << number(p.y()) << ") rotate(" << number(-pose.yaw * 180.0 / M_PI) << ")\"/>\n";
  }
  void words(const std::string& text, const std::string& colour) {
    bottom_ += kLegend;
    out_ << "<text x=\"10\" y=\"" << number(bottom_ - 8.0) << "\" fill=\"" << colour << "\">" << text << "</text>\n";
  }
  std::string done() {
    out_ << "</svg>\n";
    return out_.str();
  }

 private:
  Vector2d at(const Vector2d& p) const { return {kScale * (p.x() + half_.x()), kScale * (half_.y() - p.y())}; }
  static std::string number(double value) { return hl_description::formatted("%.1f", value); }

  Vector2d half_;  // m
  double bottom_ = 0.0;
  std::ostringstream out_;
};

void draw(Picture& picture, const hl_description::Field& field) {
  for (const auto& line : field.lines()) picture.line({line.from, line.to}, "white", 5.0);
  std::vector<Vector2d> circle;
  for (int n = 0; n <= 72; ++n) {
    const double angle = 2.0 * M_PI * n / 72;
    circle.emplace_back(field.circle_radius() * Vector2d(std::cos(angle), std::sin(angle)));
  }
  picture.line(circle, "white", 5.0);
  for (const double end : {-1.0, 1.0}) {
    const double x = 0.5 * end * field.length, back = x + end * field.goal_depth, y = 0.5 * field.goal_width;
    picture.line({{x, -y}, {back, -y}, {back, y}, {x, y}}, end > 0.0 ? "#cc9900" : "#777777", 4.0);
  }
}

void draw(Picture& picture, const Track& track) {
  std::vector<Vector2d> part;
  double arrow_at = -1e9;
  for (std::size_t n = 0; n < track.points.size(); ++n) {
    const Track::Point& point = track.points[n];
    part.emplace_back(point.pose.position());
    const bool last = n + 1 == track.points.size();
    const Track::Point& next = track.points[last ? n : n + 1];
    const bool broken = last || next.time - point.time > kPause || next.time < point.time ||
                        (next.pose.position() - point.pose.position()).norm() > kJump;
    if (broken || next.sure != point.sure) {
      if (!broken) part.emplace_back(next.pose.position());
      picture.line(part, track.colour, 3.0, !point.sure);
      part.clear();
    }
    if (std::abs(point.time - arrow_at) < kArrowEvery) continue;
    arrow_at = point.time;
    picture.arrow(point.pose, track.colour);
  }
}

}  // namespace

std::string picture_of(const hl_description::Field& field, const std::vector<Track>& tracks, const std::string& words) {
  Picture picture(field, tracks.size() + 1);
  draw(picture, field);
  for (const Track& track : tracks) draw(picture, track);
  for (const Track& track : tracks) {
    picture.words(track.name + (track.points.empty() ? ": nothing" : ""), track.colour);
  }
  picture.words(words, "black");
  return picture.done();
}

}  // namespace hl_localization

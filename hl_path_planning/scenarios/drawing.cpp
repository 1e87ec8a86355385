// SPDX-License-Identifier: Apache-2.0
#include "drawing.hpp"

#include <algorithm>
#include <fstream>
#include <hl_description/formatted.hpp>
#include <stdexcept>

namespace hl_path_planning {
namespace {

const char* const kColours[] = {"#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2"};

/// A part of the field from above, 100 units per metre.
class Picture {
 public:
  Picture(const std::string& file, const Vector2d& low, const Vector2d& high) : out_(file), low_(low), high_(high) {
    if (!out_) throw std::runtime_error("cannot write " + file);
    const Vector2d size = 100.0 * (high - low);
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << size.x() << ' ' << size.y()
         << "\" font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#e9f3e6\"/>\n";
  }
  ~Picture() { out_ << "</svg>\n"; }
  Picture(const Picture&) = delete;
  Picture& operator=(const Picture&) = delete;

  void line(const std::vector<Vector2d>& points, const char* colour, double width, const char* dash = "") {
    out_ << "<polyline fill=\"none\" stroke=\"" << colour << "\" stroke-width=\"" << width << "\" stroke-dasharray=\""
         << dash << "\" points=\"";
    for (const Vector2d& p : points) out_ << number(at(p).x()) << ',' << number(at(p).y()) << ' ';
    out_ << "\"/>\n";
  }
  void disc(const Vector2d& centre, double radius, const char* fill, double opacity = 1.0) {
    out_ << "<circle cx=\"" << number(at(centre).x()) << "\" cy=\"" << number(at(centre).y()) << "\" r=\""
         << number(100.0 * radius) << "\" fill=\"" << fill << "\" fill-opacity=\"" << opacity << "\"/>\n";
  }
  /// A robot: its trunk seen from above, with a nose.
  void robot(const Pose2& pose, const char* colour, double opacity) {
    out_ << "<g transform=\"translate(" << number(at(pose.position()).x()) << ' ' << number(at(pose.position()).y())
         << ") rotate(" << number(-pose.yaw * 180.0 / M_PI) << ")\" opacity=\"" << opacity << "\" fill=\"" << colour
         << "\"><rect x=\"-5\" y=\"-11\" width=\"10\" height=\"22\" rx=\"4\"/><path d=\"M5 -4 L11 0 L5 4 z\"/></g>\n";
  }
  void text(const Vector2d& place, const std::string& words) {
    constexpr double kShape = 0.55;  // width of a letter, of its height
    const double room = 100.0 * (high_.x() - low_.x()) - 20.0;
    const double size = std::min(16.0, room / (kShape * static_cast<double>(std::max<std::size_t>(1, words.size()))));
    out_ << "<text font-size=\"" << number(size) << "\" x=\"" << number(at(place).x()) << "\" y=\""
         << number(at(place).y()) << "\">" << words << "</text>\n";
  }
  void field(const hl_description::Field& field) {
    for (const auto& l : field.lines()) line({l.from, l.to}, "white", 5.0);
    std::vector<Vector2d> circle;
    for (int i = 0; i <= 48; ++i) circle.push_back(field.circle_radius() * unit(2.0 * M_PI * i / 48));
    line(circle, "white", 5.0);
    for (const double end : {-1.0, 1.0}) {
      const double x = end * field.length / 2.0, back = x + end * field.goal_depth, y = field.goal_width / 2.0;
      line({{x, -y}, {back, -y}, {back, y}, {x, y}}, "#777777", 3.0);
    }
  }
  const Vector2d& low() const { return low_; }

 private:
  Vector2d at(const Vector2d& p) const { return {100.0 * (p.x() - low_.x()), 100.0 * (high_.y() - p.y())}; }
  static std::string number(double value) { return hl_description::formatted("%.1f", value); }

  std::ofstream out_;
  Vector2d low_, high_;
};

constexpr std::size_t kEvery = 20;  // places of a trace from one drawn robot to the next

void draw_player(Picture& picture, const std::vector<Pose2>& trace, const char* colour) {
  std::vector<Vector2d> way;
  for (const Pose2& pose : trace) way.emplace_back(pose.position());
  picture.line(way, colour, 3.0);
  for (std::size_t i = 0; i < trace.size(); i += kEvery) picture.robot(trace[i], colour, 0.45);
  if (!trace.empty()) picture.robot(trace.back(), colour, 1.0);
}

std::string caption(const char* what, std::uint32_t seed, const DrawnRun& run) {
  return hl_description::formatted("%s, %s, seed %u: %s after %.1f s, %s; a robot every 2 s", what, run.where.c_str(),
                                   seed, run.reached ? "reached" : "not reached", run.time,
                                   run.contact ? "contact" : "no contact");
}

}  // namespace

void draw_world(const std::string& file, std::uint32_t seed, const hl_description::Field& field, const DrawnRun& run) {
  const auto walkers = random_world(seed, field).walkers;
  Picture picture(file, {-5.3, -3.6}, {5.3, 3.6});
  picture.field(field);
  for (const Walker& walker : walkers) {
    if (!walker.velocity.isZero()) picture.line({walker.from, walker.to}, "#555555", 2.0, "6 4");
    picture.disc(walker.position, Params().robot_radius, "#555555", 0.4);
  }
  for (const Vector2d& other : run.others) picture.disc(other, Params().robot_radius, "#222222");
  picture.line(run.planned, "black", 1.5, "4 4");
  for (const auto& trace : run.traces) draw_player(picture, trace, kColours[0]);
  picture.text({-5.2, -3.5}, caption("random world", seed, run));
}

void draw_kick(const std::string& file, std::uint32_t seed, KickSide side, const hl_description::Field& field,
               const DrawnRun& run) {
  const KickWorld setup = kick_world(seed, side);
  const Vector2d reach(2.9, 1.4), middle = 0.5 * (setup.ball + setup.start.position());
  Picture picture(file, middle - reach, middle + reach);
  picture.field(field);
  picture.line({setup.ball, setup.ball + 0.8 * unit(setup.goal.direction)}, "#000000", 2.0, "8 5");
  picture.disc(setup.ball, field.ball_radius, "#ff9500");
  for (const auto& trace : run.traces) draw_player(picture, trace, kColours[1]);
  picture.text(picture.low() + Vector2d(0.1, 0.1),
               caption(side == KickSide::Worst ? "kick pose from the worst side" : "kick pose", seed, run));
}

void draw_crossing(const std::string& file, std::uint32_t seed, const hl_description::Field& field,
                   const DrawnRun& run) {
  Picture picture(file, {-5.3, -3.6}, {5.3, 3.6});
  picture.field(field);
  for (std::size_t i = 0; i < run.traces.size(); ++i) draw_player(picture, run.traces[i], kColours[i % 8]);
  picture.text({-5.2, -3.5}, caption("eight robots crossing", seed, run));
}

}  // namespace hl_path_planning

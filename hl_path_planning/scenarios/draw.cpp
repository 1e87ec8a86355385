// SPDX-License-Identifier: Apache-2.0
// Pictures of runs in the kinematic world.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "scenarios.hpp"

using namespace hl_path_planning;

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
    out_ << "<text font-size=\"16\" x=\"" << number(at(place).x()) << "\" y=\"" << number(at(place).y()) << "\">"
         << words << "</text>\n";
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
  static std::string number(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.1f", value);
    return buffer;
  }

  std::ofstream out_;
  Vector2d low_, high_;
};

void draw_player(Picture& picture, const KinematicWorld::Player& player, const char* colour) {
  std::vector<Vector2d> trace;
  for (const Pose2& pose : player.trace) trace.emplace_back(pose.position());
  picture.line(trace, colour, 3.0);
  for (std::size_t i = 0; i < player.trace.size(); i += 20) picture.robot(player.trace[i], colour, 0.45);
  if (!player.trace.empty()) picture.robot(player.trace.back(), colour, 1.0);
}

std::string caption(const char* what, std::uint32_t seed, const Trial& trial) {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, "%s, seed %u: %s after %.1f s, contacts %d; a robot every 2 s", what, seed,
                trial.reached ? "reached" : "not reached", trial.time, trial.contacts);
  return buffer;
}

void draw_world(const std::string& file, std::uint32_t seed) {
  KinematicWorld world;
  const auto walkers = random_world(seed, world.field).walkers;
  const Trial trial = run_random_world(seed, Params(), &world);
  Picture picture(file, {-5.3, -3.6}, {5.3, 3.6});
  picture.field(world.field);
  for (std::size_t i = 0; i < walkers.size(); ++i) {
    if (!walkers[i].velocity.isZero()) picture.line({walkers[i].from, walkers[i].to}, "#555555", 2.0, "6 4");
    picture.disc(walkers[i].position, Params().robot_radius, "#555555", 0.4);
    picture.disc(world.walkers[i].position, Params().robot_radius, "#222222");
  }
  picture.line(world.players[0].planned, "black", 1.5, "4 4");
  draw_player(picture, world.players[0], kColours[0]);
  picture.text({-5.2, -3.5}, caption("random world", seed, trial));
}

void draw_kick(const std::string& file, std::uint32_t seed) {
  KinematicWorld world;
  const KickWorld setup = kick_world(seed, KickSide::Worst);
  const Trial trial = run_kick(seed, KickSide::Worst, Params(), &world);
  const Vector2d reach(2.3, 1.4), middle = 0.5 * (setup.ball + setup.start.position());
  Picture picture(file, middle - reach, middle + reach);
  picture.field(world.field);
  picture.line({setup.ball, setup.ball + 0.8 * unit(setup.goal.direction)}, "#000000", 2.0, "8 5");
  picture.disc(setup.ball, world.field.ball_radius, "#ff9500");
  draw_player(picture, world.players[0], kColours[1]);
  picture.text(picture.low() + Vector2d(0.1, 0.1), caption("kick pose from the worst side", seed, trial));
}

void draw_crossing(const std::string& file, std::uint32_t seed) {
  KinematicWorld world;
  const Trial trial = run_crossing(seed, Params(), &world);
  Picture picture(file, {-5.3, -3.6}, {5.3, 3.6});
  picture.field(world.field);
  for (std::size_t i = 0; i < world.players.size(); ++i) draw_player(picture, world.players[i], kColours[i % 8]);
  picture.text({-5.2, -3.5}, caption("eight robots crossing", seed, trial));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Draws three runs of the kinematic world as SVG"};
  std::string folder = ".";
  std::uint32_t seed = 10000;
  app.add_option("folder", folder, "where world.svg, kick.svg and crossing.svg are written");
  app.add_option("--seed", seed, "of the three runs");
  CLI11_PARSE(app, argc, argv);
  try {
    draw_world(folder + "/world.svg", seed);
    draw_kick(folder + "/kick.svg", seed);
    draw_crossing(folder + "/crossing.svg", seed);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "draw: %s\n", e.what());
    return 1;
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "surroundings.hpp"

#include <cmath>
#include <hl_description/formatted.hpp>
#include <random>

namespace hl_simulation {
namespace {

using hl_description::formatted;

constexpr double kHallGap = 3.0;  // m between turf and wall, as the hall has it
constexpr double kWallHeight = 8.0;

class Decorator {
 public:
  Decorator(const hl_description::Field& field, std::uint64_t seed, std::uint64_t moved)
      : field_(field),
        random_(seed),
        elsewhere_(moved),
        moved_(moved != 0),
        turf_x_(0.5 * field.length + field.border),
        turf_y_(0.5 * field.width + field.border) {}

  Surroundings make() {
    Surroundings result;
    const double light = uniform(0.25, 0.95);
    for (auto& c : result.wall) c = std::min(1.0, light * uniform(0.88, 1.1));
    const double dark = uniform(0.15, 0.6);
    for (auto& c : result.floor) c = dark * uniform(0.8, 1.15);
    decorate_walls();
    if (chance(0.4)) another_field();
    for (int n = count(0, 14); n > 0; --n) spectator();
    for (int n = count(0, 8); n > 0; --n) thing_near_the_line();
    for (int n = count(0, 3); n > 0; --n) pole();
    if (chance(0.6)) referee();
    result.geoms = std::move(out_);
    return result;
  }

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  bool chance(double share) { return uniform(0.0, 1.0) < share; }
  int count(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  /// Clothes and things: often white, grey or black, else any colour but turf's.
  std::string colour() {
    const double kind = uniform(0.0, 1.0);
    if (kind < 0.25) {
      const double white = uniform(0.75, 1.0);
      return formatted("%.3g %.3g %.3g 1", white, white, white);
    }
    if (kind < 0.5) {
      const double grey = uniform(0.03, 0.6);
      return formatted("%.3g %.3g %.3g 1", grey, grey, grey * uniform(0.9, 1.15));
    }
    double r = uniform(0.0, 1.0), g = uniform(0.0, 1.0), b = uniform(0.0, 1.0);
    if (g > r && g > b) std::swap(g, chance(0.5) ? r : b);
    return formatted("%.3g %.3g %.3g 1", r, g, b);
  }

  void box(double x, double y, double z, double sx, double sy, double sz, const std::string& rgba, double yaw = 0.0) {
    out_ += formatted(
        "<geom type=\"box\" group=\"5\" pos=\"%.4g %.4g %.4g\" size=\"%.4g %.4g %.4g\" euler=\"0 0 %.4g\" "
        "rgba=\"%s\"/>\n",
        x, y, z, sx, sy, sz, yaw, rgba.c_str());
  }
  void capsule(double x0, double y0, double z0, double x1, double y1, double z1, double r, const std::string& rgba) {
    out_ += formatted(
        "<geom type=\"capsule\" group=\"5\" fromto=\"%.4g %.4g %.4g %.4g %.4g %.4g\" size=\"%.4g\" rgba=\"%s\"/>\n", x0,
        y0, z0, x1, y1, z1, r, rgba.c_str());
  }
  void ball(double x, double y, double z, double r, const std::string& rgba) {
    out_ += formatted("<geom type=\"sphere\" group=\"5\" pos=\"%.4g %.4g %.4g\" size=\"%.4g\" rgba=\"%s\"/>\n", x, y, z,
                      r, rgba.c_str());
  }

  void decorate_walls() {
    for (int n = count(4, 26); n > 0; --n) {
      const double width = uniform(0.2, 1.6), height = uniform(0.1, 1.4), z = uniform(0.05, 2.5);
      const double high = std::min(kWallHeight - 0.1, z + height);
      const std::string rgba = chance(0.3) ? "1 1 1 1" : colour();  // windows and posters
      const double side = chance(0.5) ? 1.0 : -1.0;
      if (chance(0.5)) {
        box(side * (turf_x_ + kHallGap - 0.03), uniform(-1.0, 1.0) * (turf_y_ + kHallGap), 0.5 * (z + high), 0.02,
            width, 0.5 * (high - z), rgba);
      } else {
        box(uniform(-1.0, 1.0) * (turf_x_ + kHallGap), side * (turf_y_ + kHallGap - 0.03), 0.5 * (z + high), width,
            0.02, 0.5 * (high - z), rgba);
      }
    }
  }

  void another_field() {
    const double side = chance(0.5) ? 1.0 : -1.0, y = side * (turf_y_ + kHallGap - 0.7);
    const std::string green = formatted("%.3g %.3g %.3g 1", uniform(0.05, 0.25), uniform(0.3, 0.5), uniform(0.08, 0.2));
    box(0, y, -0.011, turf_x_, 0.65, 0.01, green);
    box(0, y - side * 0.2, 0.0, turf_x_ - 0.5, 0.025, 0.001, ".9 .9 .9 1");
    const double x = uniform(-3.0, 3.0);
    capsule(x, y, 0, x, y, 1.2, 0.05, "1 1 1 1");  // a goal of that field
  }

  /// A place beside the turf, `out` m from its edge.
  std::array<double, 2> beside(double out) {
    const double side = chance(0.5) ? 1.0 : -1.0;
    if (chance(0.5)) return {side * (turf_x_ + out), uniform(-1.0, 1.0) * turf_y_};
    return {uniform(-1.0, 1.0) * turf_x_, side * (turf_y_ + out)};
  }
  std::array<double, 2> spectators_place() { return beside(uniform(0.1, 2.2)); }

  void person(double x, double y) {
    out_ += formatted("<body name=\"person_%d\">\n", people_++);
    const double yaw = uniform(0.0, M_PI), dx = 0.10 * std::cos(yaw), dy = 0.10 * std::sin(yaw),
                 step = uniform(-0.1, 0.1);
    const std::string trousers = colour(), shirt = colour(), skin = chance(0.5) ? ".85 .65 .52 1" : ".45 .3 .22 1",
                      shoes = colour();
    for (const double hand : {-1.0, 1.0}) {
      const double fx = x + hand * dx - hand * step * dy * 10.0, fy = y + hand * dy + hand * step * dx * 10.0;
      capsule(fx, fy, 0.10, x + 0.8 * hand * dx, y + 0.8 * hand * dy, 0.85, uniform(0.05, 0.08), trousers);
      box(fx - 0.05 * std::sin(yaw), fy + 0.05 * std::cos(yaw), 0.04, 0.05, 0.13, 0.04, shoes, yaw);
      capsule(x + 2.2 * hand * dx, y + 2.2 * hand * dy, 0.85, x + 1.9 * hand * dx, y + 1.9 * hand * dy, 1.4, 0.045,
              chance(0.5) ? shirt : skin);
    }
    capsule(x, y, 0.95, x, y, 1.35, 0.17, shirt);
    ball(x, y, 1.65, 0.11, skin);
    out_ += "</body>\n";
  }

  void spectator() {
    auto at = spectators_place();
    if (moved_ && people_ % 2 == 0) {  // everything else stays as it is: the place comes from another row of numbers
      std::swap(random_, elsewhere_);
      at = spectators_place();
      std::swap(random_, elsewhere_);
    }
    person(at[0], at[1]);
  }
  void referee() { person(uniform(-0.95, 0.95) * turf_x_, uniform(-0.95, 0.95) * turf_y_); }

  void pole() {
    out_ += formatted("<body name=\"pole_%d\">\n", poles_++);
    const auto at = beside(uniform(-0.5, 0.5));
    capsule(at[0], at[1], 0, at[0], at[1], uniform(1.0, 2.5), uniform(0.015, 0.04), colour());
    out_ += "</body>\n";
  }

  void thing_near_the_line() {
    const auto at = beside(uniform(-0.6, 1.5));
    const double yaw = uniform(0.0, M_PI);
    switch (count(0, 3)) {
      case 0:  // bag
        box(at[0], at[1], 0.15, uniform(0.1, 0.3), uniform(0.08, 0.2), uniform(0.08, 0.2), colour(), yaw);
        break;
      case 1:  // shoes
        for (const double side : {-0.07, 0.07})
          out_ += formatted(
              "<geom type=\"ellipsoid\" group=\"5\" pos=\"%.4g %.4g 0.045\" size=\"0.14 0.05 0.045\" euler=\"0 0 "
              "%.4g\" rgba=\"%s\"/>\n",
              at[0] - side * std::sin(yaw), at[1] + side * std::cos(yaw), yaw, colour().c_str());
        break;
      case 2:  // box of paper, bottle
        capsule(at[0], at[1], 0.04, at[0], at[1], 0.2, 0.04, colour());
        break;
      default:  // something round that is no ball of the game: a helmet, a bucket
        ball(at[0], at[1], 0.1, uniform(0.05, 0.16),
             formatted("%.3g %.3g %.3g 1", uniform(0.1, 1.0), uniform(0.0, 0.35), uniform(0.0, 0.5)));
        break;
    }
  }

  const hl_description::Field& field_;
  std::mt19937_64 random_, elsewhere_;
  bool moved_;
  double turf_x_, turf_y_;
  std::string out_;
  int people_ = 0, poles_ = 0;
};

}  // namespace

Surroundings surroundings(const hl_description::Field& field, std::uint64_t seed, std::uint64_t moved) {
  if (seed == 0) return {};
  return Decorator(field, seed, moved).make();
}

Shades shades(std::uint64_t seed) {
  Shades result;
  if (seed == 0) return result;
  std::mt19937_64 random(seed * 7919 + 1);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const double brightness = uniform(75.0, 160.0);
  result.turf = {brightness * uniform(0.25, 0.72), brightness, brightness * uniform(0.22, 0.62)};
  result.wear = uniform(0.05, 0.55);
  result.grain = uniform(0.3, 1.4);
  return result;
}

}  // namespace hl_simulation

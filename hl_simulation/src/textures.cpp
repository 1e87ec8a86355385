// SPDX-License-Identifier: Apache-2.0
#include "textures.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "surroundings.hpp"

namespace hl_simulation {
namespace {

struct Rgb {
  double r, g, b;  // 0..255
};

Rgb mix(const Rgb& a, const Rgb& b, double share) {
  return {a.r + share * (b.r - a.r), a.g + share * (b.g - a.g), a.b + share * (b.b - a.b)};
}

/// Repeatable noise in 0..1 for a lattice point.
double lattice(int x, int y, std::uint32_t salt) {
  std::uint32_t h =
      static_cast<std::uint32_t>(x) * 374761393u + static_cast<std::uint32_t>(y) * 668265263u + salt * 2246822519u;
  h = (h ^ (h >> 13)) * 1274126177u;
  return static_cast<double>((h ^ (h >> 16)) & 0xffff) / 65535.0;
}

/// Smooth noise: lattice values blended over cells of `cell` pixels.
double smooth_noise(int x, int y, int cell, std::uint32_t salt) {
  const int cx = x / cell, cy = y / cell;
  const double u = static_cast<double>(x % cell) / cell, v = static_cast<double>(y % cell) / cell;
  const double top = lattice(cx, cy, salt) * (1 - u) + lattice(cx + 1, cy, salt) * u;
  const double bottom = lattice(cx, cy + 1, salt) * (1 - u) + lattice(cx + 1, cy + 1, salt) * u;
  return top * (1 - v) + bottom * v;
}

/// A picture over an MJCF texture with metres as coordinates: x to the right, y up, origin in the middle.
class Canvas {
 public:
  Canvas(mjtByte* pixels, int width, int height, double metres_wide)
      : pixels_(pixels), width_(width), height_(height), scale_(width / metres_wide) {}

  /// Calls `colour(x, y, old colour)` for the pixels of a rectangle (m).
  template <class Colour>
  void paint(double x0, double y0, double x1, double y1, const Colour& colour) {
    const int left = column(x0), right = column(x1), low = row(y0), high = row(y1);
    for (int j = low; j <= high; ++j) {
      for (int i = left; i <= right; ++i) {
        mjtByte* p = pixels_ + 3 * (static_cast<std::size_t>(j) * width_ + i);
        const double x = (i + 0.5 - 0.5 * width_) / scale_, y = (j + 0.5 - 0.5 * height_) / scale_;
        const Rgb c = colour(x, y, i, j, Rgb{double(p[0]), double(p[1]), double(p[2])});
        p[0] = to_byte(c.r);
        p[1] = to_byte(c.g);
        p[2] = to_byte(c.b);
      }
    }
  }

  /// Paints white where `distance` (m, signed, inside negative) is below zero, with a soft edge.
  template <class Distance>
  void line(double x0, double y0, double x1, double y1, double wear, const Distance& distance) {
    const double soft = 0.7 / scale_;
    paint(x0 - 0.02, y0 - 0.02, x1 + 0.02, y1 + 0.02, [&](double x, double y, int i, int j, const Rgb& old) {
      const double cover = std::clamp(0.5 - distance(x, y) / (2.0 * soft), 0.0, 1.0);
      if (cover <= 0.0) return old;
      const double blades = lattice(i, j, 5), rubbed = wear * smooth_noise(i, j, 24, 9);
      const Rgb white{236 - 26 * blades, 238 - 22 * blades, 234 - 28 * blades};
      return mix(old, white, cover * (1.0 - rubbed));
    });
  }

 private:
  int column(double x) const { return std::clamp(static_cast<int>(x * scale_ + 0.5 * width_), 0, width_ - 1); }
  int row(double y) const { return std::clamp(static_cast<int>(y * scale_ + 0.5 * height_), 0, height_ - 1); }
  static mjtByte to_byte(double v) { return static_cast<mjtByte>(std::clamp(v, 0.0, 255.0)); }

  mjtByte* pixels_;
  int width_, height_;
  double scale_;  // pixel per m
};

void paint_turf(Canvas& canvas, const hl_description::Field& field, TurfLook look, const Shades& shade_of) {
  const double x = 0.5 * field.length + field.border, y = 0.5 * field.width + field.border;
  canvas.paint(-x, -y, x, y, [&](double px, double, int i, int j, const Rgb&) {
    const double blade = lattice(i, j, 1) - 0.5, tuft = smooth_noise(i, j, 7, 2) - 0.5,
                 patch = smooth_noise(i, j, 160, 3) - 0.5;
    Rgb green{shade_of.turf[0], shade_of.turf[1], shade_of.turf[2]};
    if (look == TurfLook::Striped && static_cast<int>(std::floor(px / 0.9)) % 2 != 0)
      green = mix(green, Rgb{1.3 * green.r, 1.18 * green.g, 1.22 * green.b}, 1.0);
    if (look == TurfLook::Worn)
      green = mix(green, Rgb{122, 118, 70}, 0.75 * std::max(0.0, smooth_noise(i, j, 90, 4) - 0.35));
    const double shade = 1.0 + shade_of.grain * (0.30 * blade + 0.22 * tuft + 0.10 * patch);
    return Rgb{green.r * shade, green.g * shade, green.b * shade};
  });
}

void paint_lines(Canvas& canvas, const hl_description::Field& f, double wear) {
  const double w = f.line_width;
  const auto box = [&](double x0, double y0, double x1, double y1) {
    canvas.line(std::min(x0, x1), std::min(y0, y1), std::max(x0, x1), std::max(y0, y1), wear, [=](double x, double y) {
      const double dx = std::abs(x - 0.5 * (x0 + x1)) - 0.5 * std::abs(x1 - x0);
      const double dy = std::abs(y - 0.5 * (y0 + y1)) - 0.5 * std::abs(y1 - y0);
      return std::max(dx, dy);
    });
  };
  const auto cross = [&](double x) {
    box(x - 0.5 * f.mark_length, -0.5 * w, x + 0.5 * f.mark_length, 0.5 * w);
    box(x - 0.5 * w, -0.5 * f.mark_length, x + 0.5 * w, 0.5 * f.mark_length);
  };
  const double lx = 0.5 * f.length, ly = 0.5 * f.width;
  for (const double side : {-1.0, 1.0}) {
    box(-lx, side * ly, lx, side * (ly - w));  // touch line
    box(side * lx, -ly, side * (lx - w), ly);  // goal line
    const auto area = [&](double length, double width) {
      if (length <= 0.0 || width <= 0.0) return;
      const double front = lx - length;
      box(side * front, -0.5 * width, side * (front + w), 0.5 * width);
      for (const double hand : {-1.0, 1.0}) box(side * front, hand * 0.5 * width, side * lx, hand * (0.5 * width - w));
    };
    area(f.goal_area_length, f.goal_area_width);
    area(f.penalty_area_length, f.penalty_area_width);
    cross(side * (lx - f.penalty_mark));
  }
  box(-0.5 * w, -ly, 0.5 * w, ly);
  cross(0.0);
  const double r = 0.5 * f.circle_diameter;
  canvas.line(-r, -r, r, r, wear,
              [=](double x, double y) { return std::abs(std::hypot(x, y) - (r - 0.5 * w)) - 0.5 * w; });
}

/// The twelve corners of an icosahedron: where a classic ball is black.
std::vector<Eigen::Vector3d> icosahedron() {
  const double g = 0.5 * (1.0 + std::sqrt(5.0));
  std::vector<Eigen::Vector3d> corners;
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-g, g}) {
      for (const Eigen::Vector3d& v : {Eigen::Vector3d(0, a, b), Eigen::Vector3d(a, b, 0), Eigen::Vector3d(b, 0, a)}) {
        corners.push_back(v.normalized());
      }
    }
  }
  return corners;
}

/// Direction from the centre of an OpenGL cube map through a pixel; `s`, `t` in -1..1.
Eigen::Vector3d cube_direction(int face, double s, double t) {
  switch (face) {
    case 0:
      return {1, -t, -s};
    case 1:
      return {-1, -t, s};
    case 2:
      return {s, 1, t};
    case 3:
      return {s, -1, -t};
    case 4:
      return {s, -t, 1};
    default:
      return {-s, -t, -1};
  }
}

/// Spots, bands or rings of a few colours on white; at least half stays white.
class RandomPattern {
 public:
  explicit RandomPattern(std::uint64_t seed) {
    std::mt19937_64 random(seed * 104729 + 5);
    const auto uniform = [&](double low, double high) {
      return std::uniform_real_distribution<double>(low, high)(random);
    };
    const auto direction = [&] {
      Eigen::Vector3d d;
      do d = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
      while (d.norm() > 1.0 || d.norm() < 0.1);
      return Eigen::Vector3d(d.normalized());
    };
    const auto colour = [&] {
      const double kind = uniform(0, 1), dark = uniform(10, 70);
      if (kind < 0.55) return Rgb{dark, dark, dark * uniform(0.9, 1.3)};
      return Rgb{uniform(0, 255), uniform(0, 130), uniform(0, 255)};
    };
    const Rgb first = colour(), second = colour();
    const int kind = std::uniform_int_distribution<int>(0, 3)(random);
    const int marks = kind == 1 ? std::uniform_int_distribution<int>(2, 4)(random)
                                : std::uniform_int_distribution<int>(6, 20)(random);
    const auto corners = icosahedron();
    for (int n = 0; n < (kind == 3 ? 12 : marks); ++n) {
      Mark mark;
      mark.direction = kind == 3 ? corners[static_cast<std::size_t>(n)] : direction();
      mark.colour = n % 2 ? first : second;
      mark.ring = kind == 2;
      mark.band = kind == 1;
      // The share of the sphere that all marks may cover together is a half.
      mark.size = mark.band   ? uniform(0.04, 0.5 / marks)
                  : kind == 3 ? uniform(0.2, 0.4)
                              : uniform(0.3, 1.0) * std::sqrt(1.9 / marks);
      marks_.push_back(mark);
    }
  }

  Rgb at(const Eigen::Vector3d& d) const {
    for (const Mark& mark : marks_) {
      const double along = d.dot(mark.direction), angle = std::acos(std::clamp(along, -1.0, 1.0));
      if (mark.band ? std::abs(along) < mark.size : mark.ring ? std::abs(angle - mark.size) < 0.07 : angle < mark.size)
        return mark.colour;
    }
    return {243, 243, 240};
  }

 private:
  struct Mark {
    Eigen::Vector3d direction;
    Rgb colour{0, 0, 0};
    double size = 0.0;
    bool ring = false, band = false;
  };
  std::vector<Mark> marks_;
};

void paint_ball(mjtByte* pixels, int size, BallLook look, std::uint64_t seed) {
  const RandomPattern pattern(seed);
  const auto corners = icosahedron();
  for (int face = 0; face < 6; ++face) {
    for (int j = 0; j < size; ++j) {
      for (int i = 0; i < size; ++i) {
        const Eigen::Vector3d d = cube_direction(face, 2 * (i + 0.5) / size - 1, 2 * (j + 0.5) / size - 1).normalized();
        double nearest = -1.0;
        for (const auto& corner : corners) nearest = std::max(nearest, d.dot(corner));
        const double angle = std::acos(std::min(1.0, nearest));  // rad to the nearest corner, 0..0.65
        Rgb colour{243, 243, 240};
        if (look == BallLook::Classic && angle < 0.36) colour = {24, 24, 26};
        if (look == BallLook::Orange) colour = angle < 0.30 ? Rgb{190, 70, 10} : Rgb{240, 110, 25};
        if (look == BallLook::Random) colour = pattern.at(d);
        if (look == BallLook::Dotted && angle < 0.22) colour = {200, 30, 40};
        mjtByte* p =
            pixels + 3 * (static_cast<std::size_t>(face) * size * size + static_cast<std::size_t>(j) * size + i);
        p[0] = static_cast<mjtByte>(colour.r);
        p[1] = static_cast<mjtByte>(colour.g);
        p[2] = static_cast<mjtByte>(colour.b);
      }
    }
  }
}

}  // namespace

void paint_textures(mjModel& model, const WorldSpec& world) {
  const auto find = [&](const char* name) { return mj_name2id(&model, mjOBJ_TEXTURE, name); };
  if (const int id = find("field"); id >= 0) {
    Canvas canvas(model.tex_rgb + model.tex_adr[id], model.tex_width[id], model.tex_height[id],
                  world.field.length + 2.0 * world.field.border);
    const Shades shade_of = shades(world.surroundings);
    paint_turf(canvas, world.field, world.turf_look, shade_of);
    paint_lines(canvas, world.field, world.turf_look == TurfLook::Worn ? 0.6 : shade_of.wear);
  }
  if (const int id = find("ball"); id >= 0) {
    paint_ball(model.tex_rgb + model.tex_adr[id], model.tex_width[id], world.ball_look, world.surroundings);
  }
}

}  // namespace hl_simulation

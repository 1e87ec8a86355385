// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_walking plot OUT.svg [--robot NAME] [--config FILE]: planned and measured ZMP of a few steps, as a
// picture.
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "robots.hpp"
#include "trial.hpp"

namespace hl_walking {
namespace {

constexpr double kFrom = 3.0, kTo = 5.2;  // s, the steps to show
constexpr double kScale = 1100.0;         // pixel per metre
constexpr double kMargin = 40.0;          // pixel

struct Sample {
  Eigen::Vector2d planned, measured, com;
};

struct Drawing {
  std::vector<Sample> samples;
  std::vector<std::array<Eigen::Vector2d, 4>> soles;
};

Eigen::Vector2d ground(const Eigen::Isometry3d& frame, const Eigen::Vector2d& point) {
  return (frame * Eigen::Vector3d(point.x(), point.y(), 0.0)).head<2>();
}

/// Walks ahead and looks at the ground's forces.
Drawing record(Laboratory& laboratory, const WalkConfig& config) {
  Drawing drawing;
  int steps = -1;
  Trial trial;
  trial.seed = 1000;
  trial.duration = kTo;
  trial.velocity = [&](double) { return Velocity{0.75 * config.walk.max_forward, 0.0, 0.0}; };
  trial.watch = [&](const hl_simulation::Simulation& sim, const Output& out) {
    if (sim.time() < kFrom) return;
    const auto& robot = sim.robot();
    const auto sole = robot.frame_pose(out.support == Side::Left ? "l_sole" : "r_sole");
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    double force = 0.0;
    for (const auto& contact : robot.ground_contacts()) {
      sum += contact.force * contact.position;
      force += contact.force;
    }
    if (force < 1.0) return;
    drawing.samples.push_back({ground(sole, out.zmp), sum.head<2>() / force, robot.centre_of_mass().head<2>()});
    if (out.steps != steps && out.step_phase > 0.5) {
      steps = out.steps;
      const auto& outline = laboratory.body().model().foot_outline(out.support);
      std::array<Eigen::Vector2d, 4> corners;
      for (std::size_t i = 0; i < 4; ++i) corners[i] = ground(sole, outline[i].head<2>());
      drawing.soles.push_back(corners);
    }
  };
  laboratory.run(config.walk, trial, config.odometry);
  return drawing;
}

void write_svg(const Drawing& drawing, const std::string& path) {
  Eigen::Vector2d low(1e9, 1e9), high(-1e9, -1e9);
  for (const auto& sole : drawing.soles) {
    for (const auto& corner : sole) {
      low = low.cwiseMin(corner);
      high = high.cwiseMax(corner);
    }
  }
  const auto x = [&](const Eigen::Vector2d& p) { return kMargin + kScale * (p.x() - low.x()); };
  const auto y = [&](const Eigen::Vector2d& p) { return kMargin + kScale * (high.y() - p.y()); };
  std::ofstream svg(path);
  const double width = 2.0 * kMargin + kScale * (high.x() - low.x());
  const double height = 2.0 * kMargin + kScale * (high.y() - low.y());
  svg << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << width << "\" height=\"" << height
      << "\" font-family=\"sans-serif\" font-size=\"14\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
  for (const auto& sole : drawing.soles) {
    svg << "<polygon fill=\"#eee\" stroke=\"#999\" points=\"";
    for (const auto& corner : sole) svg << x(corner) << "," << y(corner) << " ";
    svg << "\"/>\n";
  }
  const auto line = [&](Eigen::Vector2d Sample::*value, const char* colour, const char* name, int row) {
    svg << "<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"" << colour << "\" points=\"";
    for (const Sample& sample : drawing.samples) svg << x(sample.*value) << "," << y(sample.*value) << " ";
    svg << "\"/>\n<text x=\"" << 12 + 190 * row << "\" y=\"20\" fill=\"" << colour << "\">" << name << "</text>\n";
  };
  line(&Sample::measured, "#d33", "measured ZMP", 0);
  line(&Sample::planned, "#26c", "planned ZMP", 1);
  line(&Sample::com, "#2a2", "centre of mass", 2);
  svg << "</svg>\n";
  if (!svg) throw std::runtime_error("cannot write " + path);
}

}  // namespace
}  // namespace hl_walking

int main(int argc, char** argv) {
  std::string robot = "minibot", config;
  for (int i = 2; i + 1 < argc; i += 2) {
    if (std::string(argv[i]) == "--robot") robot = argv[i + 1];
    if (std::string(argv[i]) == "--config") config = argv[i + 1];
  }
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s OUT.svg [--robot minibot|darwin_op] [--config FILE]\n", argv[0]);
    return 2;
  }
  try {
    if (config.empty()) config = hl_walking::walk_config_of(robot);
    hl_walking::Laboratory laboratory(hl_walking::urdf_of(robot), hl_walking::robot_config_of(robot));
    hl_walking::write_svg(hl_walking::record(laboratory, hl_walking::load_config(config)), argv[1]);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "plot: %s\n", e.what());
    return 1;
  }
}

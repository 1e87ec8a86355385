// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_walking plot OUT.svg [--robot NAME] [--config FILE]: planned and measured ZMP of a few steps, as a
// picture.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "robots.hpp"
#include "zmp.hpp"

namespace hl_walking {
namespace {

constexpr double kFrom = 3.0, kTo = 5.2;  // s, the steps to show
constexpr std::uint64_t kSeed = 1000;
constexpr double kScale = 1100.0;  // pixel per metre
constexpr double kMargin = 40.0;   // pixel

void write_svg(const std::vector<ZmpSample>& samples, const std::string& path) {
  Eigen::Vector2d low(1e9, 1e9), high(-1e9, -1e9);
  std::vector<std::array<Eigen::Vector2d, 4>> soles;  // once per step
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (i + 1 == samples.size() || samples[i + 1].steps != samples[i].steps) soles.push_back(samples[i].sole);
  }
  for (const auto& sole : soles) {
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
  for (const auto& sole : soles) {
    svg << "<polygon fill=\"#eee\" stroke=\"#999\" points=\"";
    for (const auto& corner : sole) svg << x(corner) << "," << y(corner) << " ";
    svg << "\"/>\n";
  }
  const auto line = [&](Eigen::Vector2d ZmpSample::*value, const char* colour, const char* name, int row) {
    svg << "<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"" << colour << "\" points=\"";
    for (const ZmpSample& sample : samples) svg << x(sample.*value) << "," << y(sample.*value) << " ";
    svg << "\"/>\n<text x=\"" << 12 + 190 * row << "\" y=\"20\" fill=\"" << colour << "\">" << name << "</text>\n";
  };
  line(&ZmpSample::measured, "#d33", "measured ZMP", 0);
  line(&ZmpSample::planned, "#26c", "planned ZMP", 1);
  line(&ZmpSample::com, "#2a2", "centre of mass", 2);
  svg << "</svg>\n";
  if (!svg) throw std::runtime_error("cannot write " + path);
}

}  // namespace
}  // namespace hl_walking

int main(int argc, char** argv) {
  std::string out, robot = "minibot", config;
  CLI::App cli("Draws planned and measured ZMP and the support polygon of a walk.");
  cli.add_option("OUT", out, "SVG to write")->required();
  cli.add_option("--robot", robot, "minibot or darwin_op")->capture_default_str();
  cli.add_option("--config", config, "parameter file of the walk; else the robot's");
  CLI11_PARSE(cli, argc, argv);
  try {
    if (config.empty()) config = hl_walking::walk_config_of(robot);
    hl_walking::Laboratory laboratory(hl_walking::urdf_of(robot), hl_walking::robot_config_of(robot));
    const auto walk = hl_walking::load_config(config);
    const auto samples = hl_walking::record_zmp(laboratory, walk, 0.75 * walk.walk.max_forward, hl_walking::kFrom,
                                                hl_walking::kTo, hl_walking::kSeed);
    hl_walking::write_svg(samples, out);
    std::printf("measured ZMP inside the support polygon: %.1f %% of %zu samples by 2 mm, %.1f %% by 5 mm\n",
                100.0 * hl_walking::share_inside(samples, 0.002), samples.size(),
                100.0 * hl_walking::share_inside(samples, 0.005));
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "plot: %s\n", e.what());
    return 1;
  }
}

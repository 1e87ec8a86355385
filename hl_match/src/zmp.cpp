// SPDX-License-Identifier: Apache-2.0
#include "zmp.hpp"

#include <algorithm>
#include <fstream>
#include <hl_description/support_polygon.hpp>
#include <optional>
#include <stdexcept>

#include "hl_match/scenarios.hpp"

namespace hl_match {
namespace {

using hl_simulation::GroundContact;
using hl_walking::Side;

constexpr double kPresses = 2.0;   // N on a foot that counts as standing
constexpr double kScale = 1100.0;  // pixel per metre
constexpr double kMargin = 40.0;   // pixel

std::array<Eigen::Vector2d, 4> corners(const LoneRobot& robot, Side side) {
  const auto sole = robot.body().frame_pose(side == Side::Left ? "l_sole" : "r_sole");
  const auto& outline = robot.motion().files().model.foot_outline(side);
  std::array<Eigen::Vector2d, 4> result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = (sole * Eigen::Vector3d(outline[i].x(), outline[i].y(), 0.0)).head<2>();
  }
  return result;
}

/// Nothing while no foot presses.
std::optional<ZmpSample> sample_zmp(const LoneRobot& robot, double time) {
  const auto& out = robot.gait();
  Eigen::Vector2d moment = Eigen::Vector2d::Zero();
  std::array<double, 2> force{};
  for (const auto& contact : robot.body().ground_contacts()) {
    if (contact.part == GroundContact::Part::Other) return std::nullopt;  // it lies
    force[contact.part == GroundContact::Part::LeftFoot ? 0 : 1] += contact.force;
    moment += contact.force * contact.position.head<2>();
  }
  hl_description::SupportPolygon polygon;
  for (const Side side : {Side::Left, Side::Right}) {
    if (force[static_cast<std::size_t>(side)] < kPresses) continue;
    for (const auto& corner : corners(robot, side)) polygon.add(corner);
  }
  if (polygon.size() == 0) return std::nullopt;
  const auto sole = robot.body().frame_pose(out.support == Side::Left ? "l_sole" : "r_sole");
  ZmpSample sample;
  sample.time = time;
  sample.planned = (sole * Eigen::Vector3d(out.zmp.x(), out.zmp.y(), 0.0)).head<2>();
  sample.measured = moment / (force[0] + force[1]);
  sample.com = robot.body().centre_of_mass().head<2>();
  sample.planned_margin = polygon.margin(sample.planned);
  sample.measured_margin = polygon.margin(sample.measured);
  sample.sole = corners(robot, out.support);
  sample.steps = out.steps;
  return sample;
}

}  // namespace

std::vector<ZmpSample> record_zmp(const Match::Params& world, double speed, double from, double to,
                                  std::uint64_t seed) {
  std::vector<ZmpSample> samples;
  WalkTrial trial;
  trial.seed = seed;
  trial.duration = to;
  trial.velocity = [&](double) { return hl_walking::Velocity{speed, 0.0, 0.0}; };
  trial.watch = [&](const LoneRobot& robot, double time) {
    if (time < from) return;
    if (const auto sample = sample_zmp(robot, time)) samples.push_back(*sample);
  };
  walk(world, trial);
  return samples;
}

double share_inside(const std::vector<ZmpSample>& samples, double margin) {
  const auto inside = std::count_if(samples.begin(), samples.end(),
                                    [&](const ZmpSample& sample) { return sample.measured_margin >= margin; });
  return samples.empty() ? 0.0 : static_cast<double>(inside) / static_cast<double>(samples.size());
}

void draw_zmp(const std::vector<ZmpSample>& samples, const std::string& path) {
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

}  // namespace hl_match

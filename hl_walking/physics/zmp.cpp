// SPDX-License-Identifier: Apache-2.0
#include "zmp.hpp"

#include <algorithm>

namespace hl_walking {
namespace {

using hl_simulation::GroundContact;

constexpr double kPresses = 2.0;  // N on a foot that counts as standing

std::array<Eigen::Vector2d, 4> corners(const Body& body, const hl_simulation::Simulation& sim, Side side) {
  const auto sole = sim.robot().frame_pose(side == Side::Left ? "l_sole" : "r_sole");
  const auto& outline = body.model().foot_outline(side);
  std::array<Eigen::Vector2d, 4> result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = (sole * Eigen::Vector3d(outline[i].x(), outline[i].y(), 0.0)).head<2>();
  }
  return result;
}

}  // namespace

std::optional<ZmpSample> sample_zmp(const Body& body, const hl_simulation::Simulation& sim, const Output& out) {
  const auto& robot = sim.robot();
  Eigen::Vector2d moment = Eigen::Vector2d::Zero();
  std::array<double, 2> force{};
  for (const auto& contact : robot.ground_contacts()) {
    if (contact.part == GroundContact::Part::Other) return std::nullopt;  // it lies
    force[contact.part == GroundContact::Part::LeftFoot ? 0 : 1] += contact.force;
    moment += contact.force * contact.position.head<2>();
  }
  hl_description::SupportPolygon polygon;
  for (const Side side : {Side::Left, Side::Right}) {
    if (force[static_cast<std::size_t>(side)] < kPresses) continue;
    for (const auto& corner : corners(body, sim, side)) polygon.add(corner);
  }
  if (polygon.size() == 0) return std::nullopt;
  const auto sole = robot.frame_pose(out.support == Side::Left ? "l_sole" : "r_sole");
  ZmpSample sample;
  sample.time = sim.time();
  sample.planned = (sole * Eigen::Vector3d(out.zmp.x(), out.zmp.y(), 0.0)).head<2>();
  sample.measured = moment / (force[0] + force[1]);
  sample.com = robot.centre_of_mass().head<2>();
  sample.planned_margin = polygon.margin(sample.planned);
  sample.measured_margin = polygon.margin(sample.measured);
  sample.both_feet = force[0] >= kPresses && force[1] >= kPresses;
  sample.sole = corners(body, sim, out.support);
  sample.steps = out.steps;
  return sample;
}

std::vector<ZmpSample> record_zmp(Laboratory& laboratory, const WalkConfig& config, double speed, double from,
                                  double to, std::uint64_t seed) {
  std::vector<ZmpSample> samples;
  Trial trial;
  trial.seed = seed;
  trial.duration = to;
  trial.velocity = [&](double) { return Velocity{speed, 0.0, 0.0}; };
  trial.watch = [&](const hl_simulation::Simulation& sim, const Output& out) {
    if (sim.time() < from) return;
    if (const auto sample = sample_zmp(laboratory.body(), sim, out)) samples.push_back(*sample);
  };
  laboratory.run(config.walk, trial, config.odometry);
  return samples;
}

double share_inside(const std::vector<ZmpSample>& samples, double margin) {
  const auto inside = std::count_if(samples.begin(), samples.end(),
                                    [&](const ZmpSample& sample) { return sample.measured_margin >= margin; });
  return samples.empty() ? 0.0 : static_cast<double>(inside) / static_cast<double>(samples.size());
}

}  // namespace hl_walking

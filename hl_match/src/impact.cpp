// SPDX-License-Identifier: Apache-2.0
#include "hl_match/impact.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <random>
#include <string>

namespace hl_match {
namespace {

using hl_hcm::Direction;
using hl_simulation::GroundContact;

constexpr double kWindow = 0.008;  // s over which impacts are averaged
constexpr double kWatch = 1.6;     // s after the push

/// Heading of a fall, rad about the vertical, from the robot's own x axis.
double heading(Direction side) {
  switch (side) {
    case Direction::Back:
      return M_PI;
    case Direction::Left:
      return M_PI_2;
    case Direction::Right:
      return -M_PI_2;
    default:
      return 0.0;
  }
}

bool starts_with(const std::string& word, const char* beginning) {
  return word.rfind(beginning, 0) == 0;
}

bool is_head(const std::string& link) {
  return starts_with(link, "head") || starts_with(link, "neck") || starts_with(link, "camera");
}

bool is_trunk(const std::string& link) {
  return link == "base_link" || link == "torso" || link.find("_hip_") != std::string::npos;
}

/// The largest change of velocity, and the largest mean force, within any window of `kWindow`.
class Shock {
 public:
  explicit Shock(double timestep)
      : timestep_(timestep), length_(static_cast<std::size_t>(std::lround(kWindow / timestep))) {}

  void see(const Eigen::Vector3d& position, double force) {
    if (last_) {
      velocities_.push_back((position - *last_) / timestep_);
      forces_.push_back(force);
    }
    last_ = position;
    if (velocities_.size() <= length_) return;
    acceleration = std::max(acceleration, (velocities_.back() - velocities_.front()).norm() / kWindow);
    velocities_.pop_front();
    forces_.pop_front();
    double sum = 0.0;
    for (const double f : forces_) sum += f;
    mean_force = std::max(mean_force, sum / static_cast<double>(forces_.size()));
  }

  double acceleration = 0.0;  // m/s^2
  double mean_force = 0.0;    // N

 private:
  double timestep_;
  std::size_t length_;
  std::optional<Eigen::Vector3d> last_;
  std::deque<Eigen::Vector3d> velocities_;
  std::deque<double> forces_;
};

}  // namespace

Match::Params without_fall_reactions(const Match::Params& world) {
  return with_files(world, [](auto& files) {
    auto& fall = files.hcm.fall;
    fall.front_limit = fall.back_limit = fall.side_limit = 2.0;
    fall.tilt_limit = 1.5;
    fall.rate_filter = 0.2;
    fall.debounce = 0.5;
  });
}

Match::Params with_protective_pose(const Match::Params& world, Direction side, const hl_animation::Animation& pose) {
  return with_files(world, [&](auto& files) {
    auto& protective = files.hcm_body.protective[static_cast<std::size_t>(side)];
    protective = hl_hcm::absent_joints();
    for (const auto& [joint, position] : pose.keyframes.at(0).goals)
      if (const auto j = files.hcm_body.joints.find(joint)) protective[*j] = position;
  });
}

std::optional<Direction> protects(const hl_animation::Animation& animation) {
  for (const Direction side : kSides)
    if (!animation.fall_check && animation.name == std::string("fall_") + name_of(side)) return side;
  return std::nullopt;
}

Impact push_down(const Match::Params& world, Direction side, std::uint64_t seed,
                 const std::function<void(LoneRobot&)>& afterwards,
                 const std::function<void(const LoneRobot&)>& watch) {
  constexpr double kLeast = 0.75, kMost = 1.3;  // m/s that the push gives the robot's mass; every such push topples it
  constexpr double kSpread = 0.3;               // rad, largest deviation of the push from the direction
  constexpr double kPush = 0.1;                 // s
  LoneRobot robot(world, seed);
  robot.get_ready();
  robot.run(0.3);
  std::mt19937_64 random(seed);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  const double angle = robot.pose().yaw + heading(side) + uniform(-kSpread, kSpread);
  const double force = uniform(kLeast, kMost) * robot.body().spec().total_mass() / kPush;
  robot.body().push(force * Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.0), kPush, "torso");

  Shock head(robot.simulation().timestep()), hip(robot.simulation().timestep());
  std::optional<double> alarm, touched;
  robot.match().physics().each_step = [&](const hl_simulation::Simulation& simulation) {
    const auto& body = simulation.robot(0);
    double head_force = 0.0, trunk_force = 0.0;
    for (const auto& contact : body.ground_contacts()) {
      if (is_head(contact.link)) head_force += contact.force;
      if (is_trunk(contact.link)) trunk_force += contact.force;
      if (contact.part == GroundContact::Part::Other && !touched) touched = simulation.time();
    }
    head.see(body.frame_pose("head").translation(), head_force);
    hip.see(body.pose().translation(), trunk_force);
  };
  robot.run(kWatch, [&] {
    if (!alarm && robot.hcm().state() == hl_hcm::State::Falling) alarm = robot.time();
    if (watch) watch(robot);
    return alarm && touched && *alarm > *touched + 0.3;  // a stiff fall is over: what follows is the HCM's
  });
  robot.match().physics().each_step = {};
  Impact impact;
  impact.fell = touched && robot.body().fallen();
  impact.head_acceleration = head.acceleration;
  impact.hip_acceleration = hip.acceleration;
  impact.head_force = head.mean_force;
  impact.trunk_force = hip.mean_force;
  if (alarm && touched && *alarm < *touched) impact.lead = *touched - *alarm;
  if (afterwards) afterwards(robot);
  return impact;
}

}  // namespace hl_match

// SPDX-License-Identifier: Apache-2.0
#include "fall_stage.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <hl_description/geometry.hpp>
#include <random>

#include "hl_animation/player.hpp"

namespace hl_animation {
namespace {

using hl_description::kGravity;
using hl_simulation::GroundContact;

constexpr double kWindow = 0.008;         // s over which impacts are averaged
constexpr double kGoalSpeedFactor = 1.2;  // of the servo's own speed: the fastest the HCM lets a goal run

/// Heading of a fall, rad about the vertical, from the robot's own x axis.
double heading(FallDirection direction) {
  switch (direction) {
    case FallDirection::Front:
      return 0.0;
    case FallDirection::Back:
      return M_PI;
    case FallDirection::Left:
      return M_PI_2;
    default:
      return -M_PI_2;
  }
}

bool starts_with(const std::string& word, const char* beginning) {
  return word.rfind(beginning, 0) == 0;
}

bool is_head(const std::string& link) {
  return starts_with(link, "head") || starts_with(link, "neck") || starts_with(link, "camera");
}

bool is_hip(const std::string& link) {
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

hl_simulation::WorldSpec world_for(const std::shared_ptr<const hl_simulation::RobotSpec>& robot,
                                   const FallStage::Params& params) {
  auto world = hl_simulation::world_with(robot, 1);
  world.with_goals = false;
  world.with_ball = false;
  world.timestep = params.timestep;
  world.turf.friction = params.friction;
  return world;
}

}  // namespace

std::string name(FallDirection direction) {
  constexpr std::array<const char*, 4> kNames{"front", "back", "left", "right"};
  return kNames[static_cast<std::size_t>(direction)];
}

std::optional<FallDirection> protects_in(const Animation& animation) {
  for (const auto direction : kFallDirections) {
    if (!animation.fall_check && animation.name == "fall_" + name(direction)) return direction;
  }
  return std::nullopt;
}

FallStage::FallStage(std::shared_ptr<const hl_simulation::RobotSpec> robot, const Params& params)
    : spec_(std::move(robot)), params_(params), simulation_(world_for(spec_, params)) {}

FallStage::MakeReaction FallStage::stiff() const {
  return
      [](const std::map<std::string, double>&) { return [](double, hl_simulation::Robot&, std::vector<double>&) {}; };
}

FallStage::MakeReaction FallStage::play(const Animation& animation) const {
  return [spec = spec_, animation](const std::map<std::string, double>& present) -> Reaction {
    auto player = std::make_shared<Player>(animation, present, Player::Params{});
    std::vector<std::size_t> index;
    for (const auto& joint : player->joints()) index.push_back(static_cast<std::size_t>(spec->joint_index(joint)));
    return [player, index](double dt, hl_simulation::Robot& robot, std::vector<double>& goals) {
      player->update(dt);
      limit_torque(*player, index, robot);
      for (std::size_t i = 0; i < index.size(); ++i) goals[index[i]] = player->positions()[i];
    };
  };
}

FallStage::MakeReaction FallStage::go(const std::map<std::string, double>& pose) const {
  return [spec = spec_, pose](const std::map<std::string, double>&) -> Reaction {
    return [spec, pose](double dt, hl_simulation::Robot&, std::vector<double>& goals) {
      for (const auto& [joint, target] : pose) {
        const auto i = static_cast<std::size_t>(spec->joint_index(joint));
        const double step = kGoalSpeedFactor * spec->joints[i].servo.no_load_speed * dt;
        goals[i] += std::clamp(target - goals[i], -step, step);
      }
    };
  };
}

Impact FallStage::fall(FallDirection direction, const MakeReaction& react, std::uint64_t seed,
                       const Watcher& each_tick) {
  simulation_.reset(seed);
  auto& robot = simulation_.robot();
  robot.place({});
  std::vector<double> goals = robot.joint_positions();
  simulation_.run(params_.settle);

  std::mt19937_64 random(seed);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  const double angle = heading(direction) + uniform(-params_.spread, params_.spread);
  const double force = uniform(params_.least_push, params_.hardest_push) * spec_->total_mass() / params_.push_time;
  robot.push(force * Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.0), params_.push_time, "torso");

  Impact impact;
  Shock head(params_.timestep), hip(params_.timestep);
  const double frequency = std::sqrt(kGravity / params_.height);  // rad/s
  const Eigen::Vector3d way(std::cos(heading(direction)), std::sin(heading(direction)), 0.0);
  std::optional<double> suspicious_since, alarm, touched;
  Reaction reaction;
  const double end = simulation_.time() + params_.watch;
  const int steps = static_cast<int>(std::lround(params_.control_period / params_.timestep));
  while (simulation_.time() < end) {
    // The trunk's up axis leans towards the fall; the turn rate does the same in world axes.
    const auto& imu = robot.read().imu;
    const double tilt = std::asin(std::clamp((imu.orientation * Eigen::Vector3d::UnitZ()).dot(way), -1.0, 1.0));
    const double rate = (imu.orientation * imu.angular_velocity).cross(Eigen::Vector3d::UnitZ()).dot(way);
    const bool suspicious = tilt + rate / frequency > params_.capture_limit;
    if (!suspicious) suspicious_since.reset();
    if (suspicious && !suspicious_since) suspicious_since = simulation_.time();
    if (!alarm && suspicious && simulation_.time() - *suspicious_since >= params_.debounce) {
      alarm = simulation_.time();
      std::map<std::string, double> present;
      const auto& positions = robot.read().joints.position;
      for (std::size_t i = 0; i < positions.size(); ++i) present[robot.joint_names()[i]] = positions[i];
      reaction = react(present);
    }
    if (reaction) reaction(params_.control_period, robot, goals);
    robot.set_goals(goals);
    for (int i = 0; i < steps; ++i) {
      if (!simulation_.step()) return impact;
      double head_force = 0.0, hip_force = 0.0;
      for (const auto& contact : robot.ground_contacts()) {
        if (is_head(contact.link)) head_force += contact.force;
        if (is_hip(contact.link)) hip_force += contact.force;
        if (contact.part == GroundContact::Part::Other && !touched) touched = simulation_.time();
      }
      head.see(robot.frame_pose("head").translation(), head_force);
      hip.see(robot.pose().translation(), hip_force);
    }
    if (each_tick) each_tick(simulation_);
  }
  impact.fell = alarm.has_value() && robot.fallen();
  impact.head_acceleration = head.acceleration;
  impact.hip_acceleration = hip.acceleration;
  impact.head_force = head.mean_force;
  impact.hip_force = hip.mean_force;
  if (alarm && touched) impact.lead = *touched - *alarm;
  return impact;
}

bool FallStage::get_up(const AnimationLibrary& library, const Watcher& each_tick) {
  constexpr int kAttempts = 3;
  constexpr double kUpright = 0.3;  // rad
  const auto& robot = simulation_.robot();
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const Eigen::Vector3d up = robot.pose().linear().transpose() * Eigen::Vector3d::UnitZ();  // in trunk axes
    const bool on_side = std::abs(up.y()) > std::abs(up.x());
    const char* motion =
        on_side ? (up.y() < 0.0 ? "roll_left" : "roll_right") : (up.x() < 0.0 ? "get_up_front" : "get_up_back");
    Outcome outcome;
    const auto found = library.animations.find(motion);
    if (found == library.animations.end() ||
        !perform(found->second, simulation_, params_.control_period, outcome, each_tick))
      return false;
    if (!simulation_.run(params_.settle)) return false;
    if (robot.tilt() < kUpright && !robot.fallen()) return true;
  }
  return false;
}

}  // namespace hl_animation

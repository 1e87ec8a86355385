// SPDX-License-Identifier: Apache-2.0
#include "stage.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace hl_animation {
namespace {

using hl_simulation::Placement;
using hl_simulation::WorldSpec;

constexpr double kUprightTilt = 0.3;     // rad
constexpr double kStandingHeight = 0.9;  // of the walk-ready height
constexpr double kLies = 0.7;            // cosine; nearer to this side than to any other
constexpr double kBallGap = 0.0975;      // m from the toe to the middle of the ball
constexpr double kBallNoise = 0.01;      // m
constexpr double kSittingTilt = 0.9;     // rad, a squat leans forward

WorldSpec world_for(const std::shared_ptr<const hl_simulation::RobotSpec>& robot, const Stage::Params& params) {
  auto world = hl_simulation::world_with(robot, 1);
  world.with_goals = false;
  world.with_ball = params.with_ball;
  world.timestep = params.timestep;
  world.turf.friction = params.friction;
  return world;
}

std::vector<double> flat_pose(const hl_simulation::RobotSpec& spec) {
  std::vector<double> pose(spec.joints.size(), 0.0);
  for (const auto& [joint, position] : lying_pose()) {
    const int index = spec.joint_index(joint);
    if (index >= 0) pose[static_cast<std::size_t>(index)] = position;
  }
  return pose;
}

/// The trunk's axis that should point up in a posture.
Eigen::Vector3d up_axis(Posture posture) {
  switch (posture) {
    case Posture::LyingFront:
      return -Eigen::Vector3d::UnitX();
    case Posture::LyingBack:
      return Eigen::Vector3d::UnitX();
    case Posture::LyingLeft:
      return -Eigen::Vector3d::UnitY();
    case Posture::LyingRight:
      return Eigen::Vector3d::UnitY();
    default:
      return Eigen::Vector3d::UnitZ();
  }
}

bool as_declared(Posture end, const Outcome& outcome) {
  switch (end) {
    case Posture::Standing:
      return outcome.widest_tilt < kUprightTilt && outcome.closest_height > kStandingHeight;
    case Posture::Sitting:
      return outcome.widest_tilt < kSittingTilt && outcome.height < kStandingHeight;
    case Posture::Any:
      return true;
    default:
      return outcome.alignment > kLies;
  }
}

}  // namespace

Stage::Stage(std::shared_ptr<const hl_simulation::RobotSpec> robot, const Params& params)
    : spec_(std::move(robot)), params_(params), simulation_(world_for(spec_, params)) {}

void limit_torque(const Player& player, const std::vector<std::size_t>& joints, hl_simulation::Robot& robot) {
  for (const auto joint : joints) robot.set_torque_limit(joint, player.torque().value_or(1.0));
}

bool perform(const Animation& animation, hl_simulation::Simulation& simulation, double control_period, Outcome& outcome,
             const Watcher& each_tick) {
  auto& robot = simulation.robot();
  std::vector<double> goals = robot.joint_positions();
  std::map<std::string, double> present;
  for (std::size_t i = 0; i < goals.size(); ++i) present[robot.joint_names()[i]] = goals[i];
  Player player(animation, present, {});
  std::vector<std::size_t> index;
  for (const auto& joint : player.joints()) index.push_back(static_cast<std::size_t>(robot.spec().joint_index(joint)));
  std::size_t saturated = 0, samples = 0, balanced = 0;
  outcome.balance = 0.0;
  while (player.status() == Player::Status::Playing) {
    const auto& reading = robot.read();
    player.update(control_period, hl_description::tilt_of(reading.imu.orientation));
    limit_torque(player, index, robot);
    for (std::size_t i = 0; i < index.size(); ++i) {
      goals[index[i]] = player.positions()[i];
      saturated +=
          std::abs(reading.joints.effort[index[i]]) > 0.99 * robot.servo(index[i]).spec().stall_torque ? 1U : 0U;
      ++samples;
    }
    robot.set_goals(goals);
    if (!simulation.run(control_period)) return false;
    if (player.percent() > 60.0) {
      const Eigen::Vector3d feet =
          0.5 * (robot.frame_pose("l_sole").translation() + robot.frame_pose("r_sole").translation());
      outcome.balance += (robot.centre_of_mass() - feet).head<2>().norm();
      ++balanced;
    }
    if (each_tick) each_tick(simulation);
  }
  for (const auto joint : index) robot.set_torque_limit(joint, 1.0);
  outcome.status = player.status();
  outcome.saturation = samples > 0 ? static_cast<double>(saturated) / static_cast<double>(samples) : 0.0;
  if (balanced > 0) outcome.balance /= static_cast<double>(balanced);
  return true;
}

void Stage::place(Posture start, std::uint64_t seed) {
  simulation_.reset(seed);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise;
  Placement placement;
  const bool standing = start == Posture::Standing || start == Posture::Any || start == Posture::Sitting;
  const bool flat = start == Posture::LyingFront || start == Posture::LyingBack;
  // Stretched out, a robot on its side tips over by itself; with bent legs it stays there.
  placement.joints = flat ? flat_pose(*spec_) : spec_->walk_ready_positions();
  const double tilt = params_.tilt_noise * noise(random);
  if (start == Posture::LyingFront) placement.pitch = M_PI_2 + tilt;
  if (start == Posture::LyingBack) placement.pitch = -M_PI_2 + tilt;
  if (start == Posture::LyingLeft) placement.roll = -M_PI_2 + tilt;
  if (start == Posture::LyingRight) placement.roll = M_PI_2 + tilt;
  if (!standing) {
    for (auto& joint : placement.joints) joint += params_.joint_noise * noise(random);
  }
  simulation_.robot().place(placement);
  if (params_.with_ball) {
    const auto* toe = ball_side_ == hl_description::Side::Left ? "l_toe" : "r_toe";
    Eigen::Vector3d ball = simulation_.robot().frame_pose(toe).translation();
    ball.x() += kBallGap;
    ball.z() = 0.0;
    simulation_.place_ball(ball + kBallNoise * Eigen::Vector3d(noise(random), noise(random), 0.0));
  }
  simulation_.run(params_.settle);
}

/// Looks at the robot for a while after the motion; false if the physics diverged.
bool Stage::watch(Posture end, Outcome& outcome, const Watcher& each_tick) {
  const auto& robot = simulation_.robot();
  outcome.closest_height = 10.0;
  std::size_t watched = 0;
  for (const double until = simulation_.time() + params_.watch; simulation_.time() < until; ++watched) {
    if (!simulation_.run(params_.control_period)) return false;
    const double height = robot.pose().translation().z() / robot.standing_height();
    outcome.tilt += robot.tilt();
    outcome.alignment += (robot.pose().linear() * up_axis(end)).z();
    outcome.height += height;
    outcome.widest_tilt = std::max(outcome.widest_tilt, robot.tilt());
    outcome.closest_height = std::min(outcome.closest_height, height);
    if (each_tick) each_tick(simulation_);
  }
  outcome.alignment /= static_cast<double>(watched);
  outcome.tilt /= static_cast<double>(watched);
  outcome.height /= static_cast<double>(watched);
  outcome.self_contact = !robot.self_contacts().empty();
  return true;
}

Outcome Stage::play(const Animation& animation, std::uint64_t seed, const Watcher& each_tick) {
  return play(std::vector<Animation>{animation}, seed, each_tick);
}

Outcome Stage::play(const std::vector<Animation>& sequence, std::uint64_t seed, const Watcher& each_tick) {
  Outcome outcome;
  place(sequence.front().start, seed);
  const Eigen::Vector3d ball = params_.with_ball ? simulation_.ball_position() : Eigen::Vector3d::Zero();
  const double start = simulation_.time();
  for (const auto& animation : sequence) {
    if (!perform(animation, simulation_, params_.control_period, outcome, each_tick) ||
        outcome.status != Player::Status::Finished)
      return outcome;
  }
  outcome.duration = simulation_.time() - start;
  if (!watch(sequence.back().end, outcome, each_tick)) return outcome;
  if (params_.with_ball) outcome.ball_distance = (simulation_.ball_position() - ball).head<2>().norm();
  outcome.ended_as_declared = as_declared(sequence.back().end, outcome);
  return outcome;
}

}  // namespace hl_animation

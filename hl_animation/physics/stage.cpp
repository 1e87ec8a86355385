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

Player::Tilt tilt_of(const Eigen::Quaterniond& orientation) {
  const Eigen::Vector3d up = orientation.conjugate() * Eigen::Vector3d::UnitZ();  // in the trunk
  return {std::atan2(-up.y(), up.z()), std::atan2(-up.x(), std::hypot(up.y(), up.z()))};
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
      return outcome.height < 0.7;  // lies
  }
}

}  // namespace

Stage::Stage(std::shared_ptr<const hl_simulation::RobotSpec> robot, const Params& params)
    : spec_(std::move(robot)), params_(params), simulation_(world_for(spec_, params)) {}

void Stage::place(const Animation& animation, std::uint64_t seed) {
  simulation_.reset(seed);
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise;
  Placement placement;
  const bool standing =
      animation.start == Posture::Standing || animation.start == Posture::Any || animation.start == Posture::Sitting;
  placement.joints = standing ? spec_->walk_ready_positions() : flat_pose(*spec_);
  const double tilt = params_.tilt_noise * noise(random);
  if (animation.start == Posture::LyingFront) placement.pitch = M_PI_2 + tilt;
  if (animation.start == Posture::LyingBack) placement.pitch = -M_PI_2 + tilt;
  if (animation.start == Posture::LyingLeft) placement.roll = -M_PI_2 + tilt;
  if (animation.start == Posture::LyingRight) placement.roll = M_PI_2 + tilt;
  if (!standing) {
    for (auto& joint : placement.joints) joint += params_.joint_noise * noise(random);
  }
  simulation_.robot().place(placement);
  if (params_.with_ball) {
    simulation_.place_ball(ball_ + 0.01 * Eigen::Vector3d(noise(random), noise(random), 0.0));
  }
  simulation_.run(params_.settle);
}

void Stage::measure(Outcome& outcome) {
  const auto& robot = simulation_.robot();
  const Eigen::Vector3d base = robot.linear_velocity();
  const Eigen::Vector3d arm = robot.frame_pose("head").translation() - robot.pose().translation();
  const Eigen::Vector3d head = base + (robot.pose().linear() * robot.angular_velocity()).cross(arm);
  outcome.head_impact = std::max(outcome.head_impact, (head - last_head_velocity_).norm() / params_.control_period);
  outcome.hip_impact = std::max(outcome.hip_impact, (base - last_base_velocity_).norm() / params_.control_period);
  last_head_velocity_ = head;
  last_base_velocity_ = base;
}

Outcome Stage::play(const Animation& animation, std::uint64_t seed,
                    const std::function<void(const hl_simulation::Simulation&)>& each_tick) {
  place(animation, seed);
  auto& robot = simulation_.robot();
  const auto& names = robot.joint_names();
  std::vector<double> goals = robot.joint_positions();
  std::map<std::string, double> present;
  for (std::size_t i = 0; i < names.size(); ++i) present[names[i]] = goals[i];
  Player player(animation, present, {});
  std::vector<std::size_t> index;
  for (const auto& joint : player.joints()) index.push_back(static_cast<std::size_t>(spec_->joint_index(joint)));

  Outcome outcome;
  const Eigen::Vector3d ball = params_.with_ball ? simulation_.ball_position() : Eigen::Vector3d::Zero();
  last_head_velocity_.setZero();
  last_base_velocity_.setZero();
  std::size_t saturated = 0, samples = 0, balanced = 0;
  const double start = simulation_.time();
  while (player.status() == Player::Status::Playing) {
    const auto& reading = robot.read();
    player.update(params_.control_period, tilt_of(reading.imu.orientation));
    for (std::size_t i = 0; i < index.size(); ++i) {
      goals[index[i]] = player.positions()[i];
      saturated +=
          std::abs(reading.joints.effort[index[i]]) > 0.99 * robot.servo(index[i]).spec().stall_torque ? 1U : 0U;
      ++samples;
    }
    robot.set_goals(goals);
    if (!simulation_.run(params_.control_period)) return outcome;  // the physics diverged: not as declared
    measure(outcome);
    if (player.percent() > 60.0) {
      const Eigen::Vector3d feet =
          0.5 * (robot.frame_pose("l_sole").translation() + robot.frame_pose("r_sole").translation());
      outcome.balance += (robot.centre_of_mass() - feet).head<2>().norm();
      ++balanced;
    }
    if (each_tick) each_tick(simulation_);
  }
  outcome.status = player.status();
  outcome.duration = simulation_.time() - start;
  outcome.saturation = samples > 0 ? static_cast<double>(saturated) / static_cast<double>(samples) : 0.0;
  if (balanced > 0) outcome.balance /= static_cast<double>(balanced);

  outcome.closest_height = 10.0;
  std::size_t watched = 0;
  for (const double end = simulation_.time() + params_.watch; simulation_.time() < end; ++watched) {
    if (!simulation_.run(params_.control_period)) return outcome;
    measure(outcome);
    const double height = robot.pose().translation().z() / robot.standing_height();
    outcome.tilt += robot.tilt();
    outcome.height += height;
    outcome.widest_tilt = std::max(outcome.widest_tilt, robot.tilt());
    outcome.closest_height = std::min(outcome.closest_height, height);
    if (each_tick) each_tick(simulation_);
  }
  outcome.tilt /= static_cast<double>(watched);
  outcome.height /= static_cast<double>(watched);
  outcome.self_contact = !robot.self_contacts().empty();
  if (params_.with_ball) outcome.ball_distance = (simulation_.ball_position() - ball).head<2>().norm();
  outcome.ended_as_declared = outcome.status == Player::Status::Finished && as_declared(animation.end, outcome);
  return outcome;
}

}  // namespace hl_animation

// SPDX-License-Identifier: Apache-2.0
#include "trial.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "hl_description/robot_config.hpp"
#include "hl_walking/controller.hpp"
#include "hl_walking/ground_load.hpp"

namespace hl_walking {
namespace {

using hl_simulation::Simulation;

double yaw_of(const Eigen::Isometry3d& pose) {
  return on_ground(pose).yaw;
}

Attitude attitude_of(const hl_simulation::ImuReading& imu) {
  return orientation_from(imu.orientation, imu.angular_velocity).value_or(Orientation()).attitude;
}

double sum(const hl_simulation::FootReading& foot) {
  return foot[0] + foot[1] + foot[2] + foot[3];
}

}  // namespace

Laboratory::Laboratory(const std::string& urdf, const std::string& robot_yaml) {
  spec_ = std::make_shared<hl_simulation::RobotSpec>(hl_simulation::load_robot_files(urdf, robot_yaml));
  const auto model = hl_description::RobotModel::from_file(urdf);
  const auto config = hl_description::RobotConfig::from_file(robot_yaml);
  body_ = std::make_unique<Body>(model, config.pose(model, "walkready"));
  for (const std::string& joint : model.joint_names()) {
    const int index = spec_->joint_index(joint);
    if (index < 0) throw std::runtime_error("the simulation does not know the joint " + joint);
    to_simulation_.push_back(static_cast<std::size_t>(index));
  }
}

void Laboratory::to_simulation(const Joints& joints, std::vector<double>& goals) const {
  goals.resize(to_simulation_.size());
  for (std::size_t i = 0; i < goals.size(); ++i) goals[to_simulation_[i]] = joints[static_cast<Eigen::Index>(i)];
}

KickResult Laboratory::kick(const WalkConfig& config, std::uint64_t seed, Roll roll) {
  if (!kick_simulation_) {
    hl_simulation::WorldSpec world = hl_simulation::world_with(spec_, seed);
    world.with_goals = false;
    kick_simulation_ = std::make_unique<Simulation>(world);
  }
  Simulation& sim = *kick_simulation_;
  sim.reset(seed);
  hl_simulation::Robot& robot = sim.robot();
  const Engine stand(*body_, config.walk);
  std::vector<double> goals;
  to_simulation(stand.output().joints, goals);
  hl_simulation::Placement placement;
  placement.pitch = config.walk.trunk_pitch;
  placement.joints = goals;
  if (const auto refused = robot.place(placement)) throw std::runtime_error(*refused);

  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const Eigen::Vector3d middle =
      (robot.frame_pose("l_sole").translation() + robot.frame_pose("r_sole").translation()) / 2.0;
  const double side = unit(random) > 0.0 ? 1.0 : -1.0, direction = 0.15 * unit(random);
  KickGoal goal;
  // As far ahead of the toes as the kick is tuned for, in whole millimetres.
  const double ahead = std::round(1000.0 * (body_->plate().toe + 0.0875)) / 1000.0;
  goal.ball = {ahead + 0.015 * unit(random), side * (config.walk.foot_distance / 2.0 + 0.015 * unit(random))};
  goal.target = goal.ball + 3.0 * Eigen::Vector2d(std::cos(direction), std::sin(direction));
  const Eigen::Vector3d ball(middle.x() + goal.ball.x(), middle.y() + goal.ball.y(), 0.0);
  if (const auto refused = sim.place_ball(ball)) throw std::runtime_error(*refused);

  Kick kick(*body_, config.walk, config.kick);
  KickResult result;
  result.kicked = !kick.start(goal);
  constexpr double kPeriod = 0.01, kWatch = 12.0, kSettle = 1.0;  // s
  constexpr double kRests = 0.02;                                 // m/s
  double after = 0.0, speed = 0.0;
  for (double time = 0.0; time < kWatch && !result.fell; time += kPeriod) {
    to_simulation(kick.update(kPeriod, attitude_of(robot.read().imu)), goals);
    if (kick.active()) robot.set_goals(goals);
    result.fell = !sim.run(kPeriod) || robot.fallen();
    after = kick.active() ? 0.0 : after + kPeriod;
    speed = sim.ball_velocity().head<2>().norm();
    if (after > kSettle && (roll == Roll::Predicted || speed < kRests)) break;
  }
  const Eigen::Vector2d way = (sim.ball_position() - ball).head<2>();
  result.distance = way.norm() + sim.world().turf.stopping_distance(speed);
  result.error = side * wrap_angle(std::atan2(way.y(), way.x()) - direction);
  return result;
}

TrialResult Laboratory::run(const Params& params, const Trial& trial, const Odometry::Params& odometry_params) {
  if (!simulation_ || trial.command_delay != command_delay_ || trial.sensor_noise != sensor_noise_) {
    hl_simulation::WorldSpec world = hl_simulation::world_with(spec_, trial.seed);
    world.with_ball = world.with_goals = false;
    hl_simulation::SensorSpec& s = world.robots[0].sensors;
    s.command_delay = command_delay_ = trial.command_delay;
    sensor_noise_ = trial.sensor_noise;
    for (double* noise : {&s.gyro_noise, &s.gyro_bias, &s.orientation_noise, &s.force_noise}) *noise *= sensor_noise_;
    simulation_ = std::make_unique<Simulation>(world);
    mass_factor_ = 1.0;
  }
  Simulation& sim = *simulation_;
  sim.reset(trial.seed);
  sim.set_friction(trial.friction);
  if (trial.mass_factor != mass_factor_) sim.scale_mass(0, mass_factor_ = trial.mass_factor);
  hl_simulation::Robot& robot = sim.robot();
  Engine engine(*body_, params);
  Odometry odometry(*body_, odometry_params);
  Joints measured = body_->ready(), torques_felt = measured;

  std::vector<double> goals(to_simulation_.size());
  const auto take = [&](const Joints& joints) { to_simulation(joints, goals); };
  take(engine.output().joints);
  hl_simulation::Placement placement;
  placement.pitch = params.trunk_pitch;
  placement.joints = goals;
  if (const auto refused = robot.place(placement)) throw std::runtime_error(*refused);

  const Eigen::Isometry3d start = robot.pose();
  Eigen::Isometry3d last = start;
  std::mt19937_64 random(trial.seed);
  std::optional<Eigen::Isometry3d> counted_start;
  double last_yaw = 0.0;
  double next_push = 3.0 + std::uniform_real_distribution<double>(0.0, 2.0)(random);
  std::vector<float> torques;
  double heat = 0.0;
  TrialResult result;
  const double begin = sim.time();
  while (sim.time() - begin < trial.duration) {
    const double time = sim.time() - begin;
    const hl_simulation::Reading& reading = robot.read();
    Sensors sensors;
    if (trial.imu) sensors.attitude = attitude_of(reading.imu);
    if (trial.foot_pressure) sensors.foot_force = {{sum(reading.left_foot), sum(reading.right_foot)}};
    for (std::size_t i = 0; i < to_simulation_.size(); ++i) {
      measured[static_cast<Eigen::Index>(i)] = reading.joints.position[to_simulation_[i]];
      torques_felt[static_cast<Eigen::Index>(i)] = reading.joints.effort[to_simulation_[i]];
    }
    if (trial.joint_load) sensors.foot_force = load_from_joints(*body_, measured, torques_felt);
    OdometryInput moved;
    moved.joints = &measured;
    moved.dt = trial.control_period;
    moved.support = engine.output().support;
    if (sensors.foot_force) {
      moved.support = (*sensors.foot_force)[0] > (*sensors.foot_force)[1] ? Side::Left : Side::Right;
    }
    if (trial.imu) {
      const Attitude a = attitude_of(reading.imu);
      moved.attitude = Eigen::Vector3d(a.roll, a.pitch, yaw_of(Eigen::Isometry3d(reading.imu.orientation)));
    }
    odometry.update(moved);
    const Eigen::Isometry3d counted = above(odometry.footprint(), 0.0) * odometry.base();
    if (!counted_start) counted_start = counted;
    result.counted.yaw += wrap_angle(yaw_of(counted) - last_yaw);
    last_yaw = yaw_of(counted);
    const Eigen::Vector3d way = counted_start->inverse() * counted.translation();
    result.counted.x = way.x();
    result.counted.y = way.y();
    engine.set_velocity(trial.velocity(time));
    take(engine.update(trial.control_period, sensors).joints);
    if (const auto refused = robot.set_goals(goals)) throw std::runtime_error(*refused);
    if (trial.push > 0.0 && time > next_push) {
      const double direction = std::uniform_real_distribution<double>(-M_PI, M_PI)(random);
      robot.push(trial.push * Eigen::Vector3d(std::cos(direction), std::sin(direction), 0.0), 0.1);
      next_push += 2.0;
    }
    if (!sim.run(trial.control_period)) {
      result.fell = true;
      break;
    }
    const Eigen::Isometry3d pose = robot.pose();
    result.travelled.yaw += wrap_angle(yaw_of(pose) - yaw_of(last));
    result.path += (pose.translation() - last.translation()).head<2>().norm();
    last = pose;
    for (const Side side : {Side::Left, Side::Right}) {
      for (const std::size_t joint : body_->leg(side).joints()) {
        const double load = robot.servo(to_simulation_[joint]).load();
        heat += load * load / 12.0;
        torques.push_back(static_cast<float>(std::abs(robot.servo(to_simulation_[joint]).torque())));
      }
    }
    if (trial.watch) trial.watch(sim, engine.output());
    if (robot.fallen()) {
      result.fell = true;
      break;
    }
  }
  result.time = sim.time() - begin;
  const Eigen::Vector3d way = start.inverse() * last.translation();
  result.travelled.x = way.x();
  result.travelled.y = way.y();
  result.heat = heat * trial.control_period / std::max(trial.control_period, result.time);
  result.steps = engine.output().steps;
  if (!torques.empty()) {
    const auto nth = torques.begin() + static_cast<std::ptrdiff_t>(torques.size() * 99 / 100);
    std::nth_element(torques.begin(), nth, torques.end());
    result.torque = *nth;
  }
  return result;
}

}  // namespace hl_walking

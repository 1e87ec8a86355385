// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hl_simulation/simulation.hpp"
#include "hl_walking/config_file.hpp"
#include "hl_walking/engine.hpp"
#include "hl_walking/random_command.hpp"

namespace hl_walking {

/// What is asked of the robot, and what is done to it, in one run in the physics simulation.
struct Trial {
  double duration = 10.0;                    // s
  std::function<Velocity(double)> velocity;  // wished-for speed over time
  double push = 0.0;                         // N, horizontal, for 0.1 s every 2 s, in changing directions
  double friction = 0.9;
  double command_delay = 0.0;  // s
  double mass_factor = 1.0;
  double sensor_noise = 1.0;  // times the simulation's default
  std::uint64_t seed = 1;
  double control_period = 0.01;  // s
  bool imu = true, foot_pressure = true;
  bool joint_load = false;  // in place of foot pressure
  /// Called after every control tick.
  std::function<void(const hl_simulation::Simulation&, const Output&)> watch;
};

struct TrialResult {
  bool fell = false;
  double time = 0.0;  // s until the fall, or the whole trial
  Pose2 travelled;    // from the start: m, m, rad (turns are counted on)
  Pose2 counted;      // the same by odometry
  double path = 0.0;  // m, along the way
  int steps = 0;
  double heat = 0.0;    // mean square of the load of the leg servos, 0..1
  double torque = 0.0;  // N m, 99th percentile over the leg joints
};

struct KickResult {
  bool kicked = false;  // the kick was not refused
  bool fell = false;
  double distance = 0.0;  // m that the ball went
  double error = 0.0;     // rad, of its direction, positive to the side of the kicking foot
};

/// How a kick's distance is found: by watching until the ball rests, or from its speed soon after the kick.
enum class Roll { Watched, Predicted };

/// One robot in one world, used again and again.
class Laboratory {
 public:
  /// Paths of an expanded URDF and of its robot.yaml. Throws std::runtime_error.
  Laboratory(const std::string& urdf, const std::string& robot_yaml);

  TrialResult run(const Params& params, const Trial& trial, const Odometry::Params& odometry = Odometry::Params());

  /// Kicks a ball that lies near the best place, 9 cm ahead of the toes of one foot, a little off as `seed` says.
  KickResult kick(const WalkConfig& config, std::uint64_t seed, Roll roll = Roll::Watched);

  const Body& body() const { return *body_; }
  const std::shared_ptr<const hl_simulation::RobotSpec>& spec() const { return spec_; }
  /// Joints in the simulation's order.
  void to_simulation(const Joints& joints, std::vector<double>& goals) const;

 private:
  std::shared_ptr<const hl_simulation::RobotSpec> spec_;
  std::unique_ptr<Body> body_;
  std::unique_ptr<hl_simulation::Simulation> simulation_, kick_simulation_;
  std::vector<std::size_t> to_simulation_;  // simulated joint of each joint of the model
  double mass_factor_ = 1.0;
  double command_delay_ = -1.0, sensor_noise_ = -1.0;
};

}  // namespace hl_walking

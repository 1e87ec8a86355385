// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <hl_simulation/simulation.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hl_animation/animation.hpp"
#include "hl_animation/animation_file.hpp"
#include "stage.hpp"

namespace hl_animation {

enum class FallDirection : std::uint8_t { Front, Back, Left, Right };

constexpr std::array<FallDirection, 4> kFallDirections{FallDirection::Front, FallDirection::Back, FallDirection::Left,
                                                       FallDirection::Right};

std::string name(FallDirection direction);

/// The direction in which an animation protects: its name is fall_front, fall_back, fall_left or fall_right, and it
/// means to go down.
std::optional<FallDirection> protects_in(const Animation& animation);

/// How hard a fall was. Accelerations and forces are means over 8 ms, the largest of the whole fall.
struct Impact {
  bool fell = false;
  double head_acceleration = 0.0;  // m/s^2
  double hip_acceleration = 0.0;   // m/s^2, of base_link, between the hips
  double head_force = 0.0;         // N, ground on head and neck
  double hip_force = 0.0;          // N, ground on trunk and hip
  double lead = 0.0;               // s from the alarm until something else than a foot touches the ground
};

/// What the robot does from the alarm on: called every control period with the goals sent last.
using Reaction = std::function<void(double dt, hl_simulation::Robot& robot, std::vector<double>& goals)>;

/// Pushes a standing robot over, as hard as the seed says, and measures how it hits the ground.
class FallStage {
 public:
  struct Params {
    double timestep = 0.002;        // s
    double control_period = 0.008;  // s
    double settle = 0.3;            // s before the push
    double watch = 1.6;             // s after it
    double push_time = 0.1;         // s
    double least_push = 0.75;       // m/s that the push gives the robot's mass; every such push topples it
    double hardest_push = 1.3;      // m/s
    double spread = 0.3;            // rad, largest deviation of the push from the direction
    double friction = 0.9;
    // The alarm comes when the capture angle (tilt + rate / natural frequency) has been beyond the limit for the
    // debounce time: the rule of the HCM's detector, with one limit in the middle of its three.
    double capture_limit = 0.67;  // rad
    double debounce = 0.03;       // s
    double height = 0.30;         // m, of the centre of mass
  };

  FallStage(std::shared_ptr<const hl_simulation::RobotSpec> robot, const Params& params);

  /// `react` decides what to do when the alarm comes, from the joint positions (rad, by name).
  using MakeReaction = std::function<Reaction(const std::map<std::string, double>& present)>;
  Impact fall(FallDirection direction, const MakeReaction& react, std::uint64_t seed, const Watcher& each_tick = {});

  /// Gets up from where the last fall ended, with what `library` has for the side it lies on, as the HCM would.
  /// True if it stands in the end.
  bool get_up(const AnimationLibrary& library, const Watcher& each_tick = {});

  MakeReaction stiff() const;                           // holds the pose it stood in
  MakeReaction play(const Animation& animation) const;  // a protective animation
  /// Straight to a pose (rad, by joint name; others stay), every joint as fast as its servo can: what the HCM does.
  MakeReaction go(const std::map<std::string, double>& pose) const;

 private:
  std::shared_ptr<const hl_simulation::RobotSpec> spec_;
  Params params_;
  hl_simulation::Simulation simulation_;
};

}  // namespace hl_animation

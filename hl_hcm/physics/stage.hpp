// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_animation/animation_file.hpp>
#include <hl_animation/performance.hpp>
#include <hl_simulation/simulation.hpp>
#include <hl_walking/controller.hpp>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "hl_hcm/hcm.hpp"

namespace hl_hcm {

/// What the HCM hears in one control cycle, apart from joint angles and goals, on which its state does not depend.
struct Moment {
  double time = 0.0;                                       // s
  Vector3 up{0, 0, 1}, rate{0, 0, 0};                      // of the body, from the IMU
  std::array<float, 2> feet{-1.0F, -1.0F};                 // N
  bool joints = true, imu = true;                          // these messages came
  Source asks = Source::None;                              // whose goals came
  Hcm::AnimationGoals flags;                               // if they are an animation's
  bool support = true, walking = false, unstable = false;  // of the walk's support_state, if it came
  std::optional<bool> own_animation_ended;                 // successfully?
};

/// Hands `moment` to the HCM as the node would, and ends with a tick.
void feed(Hcm& hcm, const Moment& moment, const JointArray& measured, const Trajectory& goals);

/// As nodes read it in robot_state.
hl_soccer::BodyState body_state(const Hcm& hcm);

/// At full speed ahead, back, to a side, on the spot or in a mixture of them, by the seed.
hl_walking::Velocity full_speed(const hl_walking::Params& most, unsigned seed, std::mt19937& random);

/// One Minibot in physics with HCM, walk and animations around it, in one thread and without middleware.
class Stage {
 public:
  struct Folders {
    std::string description, walking, animation;  // share folders of the packages
  };
  enum class Ball { None, Lies };

  static constexpr double cycle = 0.01;  // s, 100 Hz

  Stage(const Folders& folders, Ball ball);

  /// A new run: the robot stands (or lies on the given side), everything starts anew.
  void begin(unsigned seed, const Hcm::Params& params, Direction lies_on = Direction::None);

  /// One control cycle; false if the physics diverged.
  bool step();
  bool run(double seconds);
  bool run_until(State state, double seconds);

  // Orders
  void walk(const hl_walking::Velocity& velocity) { velocity_ = velocity; }  // until told otherwise
  std::optional<std::string> kick(double ball_x, double ball_y);             // m, between the feet
  void play(const std::string& animation);

  // What can break
  bool joints_work = true, imu_works = true, walk_lives = true;
  HardwareReport hardware;

  double time() const { return simulation_.time(); }
  Hcm& hcm() { return *hcm_; }
  const Body& body() const { return body_; }
  hl_walking::Controller& walking() { return *walking_; }
  hl_simulation::Simulation& simulation() { return simulation_; }
  hl_simulation::Robot& robot() { return simulation_.robot(); }
  const hl_walking::Params& walk_params() const { return walk_; }
  bool animating() const { return performance_ != nullptr; }
  /// A part other than feet, forearms and hands touches the ground.
  bool body_on_ground() const;
  /// If set, gets every moment.
  std::vector<Moment>* log = nullptr;

 private:
  void sense(Moment& moment);
  void ask(Moment& moment);
  void animate(Moment& moment);
  void obey();

  Body body_;
  std::shared_ptr<const hl_simulation::RobotSpec> spec_;
  hl_simulation::Simulation simulation_;
  hl_walking::Params walk_;
  hl_walking::Kick::Params kick_;
  std::unique_ptr<hl_walking::Body> walking_body_;
  hl_animation::AnimationLibrary library_;

  std::unique_ptr<Hcm> hcm_;
  std::unique_ptr<hl_walking::Controller> walking_;
  std::unique_ptr<hl_animation::Performance> performance_;
  std::optional<bool> ended_;
  hl_walking::Velocity velocity_;
  JointArray measured_ = absent_joints();
  Trajectory goals_;
  std::vector<double> sent_;
};

}  // namespace hl_hcm

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "hl_path_planning/planner.hpp"

namespace hl_path_planning {

/// A robot that walks as its commands say, without physics: a command is taken at the beginning of a step and walked in
/// that step, with the walk's acceleration; the first step comes after the weight was shifted; legs slip a little.
class KinematicRobot {
 public:
  struct Params {
    double step_duration = 0.25, start_duration = 0.30;  // s
    double acceleration = 1.2, turn_acceleration = 4.0;  // m/s^2, rad/s^2
    double gain_error = 0.05;                            // largest wrong gain of a direction
    double slip = 0.05;                                  // of each step, standard deviation
  };
  KinematicRobot(const Pose2& pose, const Params& params, std::uint32_t seed);

  void step(const Velocity& command, const WalkingLimits& limits, double dt);
  const Pose2& pose() const { return pose_; }
  Velocity velocity() const { return walks_ && pause_ <= 0.0 ? moves_ : Velocity(); }
  bool stands() const { return !walks_; }

 private:
  Params params_;
  Pose2 pose_;
  std::mt19937 random_;
  Velocity gain_{1.0, 1.0, 1.0};
  Velocity planned_, moves_;  // of the present step: as planned, with slip
  bool walks_ = false;
  double pause_ = 0.0;  // s until the first step
  double left_ = 0.0;   // s of the present step
};

/// Something that walks straight to and fro without looking.
struct Walker {
  Vector2d position = Vector2d::Zero(), velocity = Vector2d::Zero();  // m, m/s
  Vector2d from = Vector2d::Zero(), to = Vector2d::Zero();

  void step(double dt);
};

/// Robots with a planner each, walkers and a ball on one field; everybody sees the truth.
struct KinematicWorld {
  struct Player {
    KinematicRobot robot;
    Planner planner;
    Planner::Inputs inputs;
    std::optional<Result> result;
    double finished = 0.0;                    // s
    std::vector<Pose2> trace;                 // 10 per s
    std::vector<Vector2d> planned;            // its first path
    double waited = 0.0, longest_wait = 0.0;  // s, wants to get on but does not move
  };

  static constexpr double kTick = 0.02;     // s
  static constexpr double kContact = 0.28;  // m between two middles: bodies touch

  KinematicWorld() = default;
  void add_player(const Pose2& pose, const Goal& goal, const Params& params, std::uint32_t seed);
  /// One tick; the planners work at 25 Hz.
  void step();
  bool finished() const;
  bool ball_touched(const Player& player) const;  // by a foot

  hl_description::Field field;
  WalkingLimits limits;
  std::vector<Player> players;
  std::vector<Walker> walkers;
  std::optional<Vector2d> ball;
  Vector2d ball_velocity = Vector2d::Zero();
  double now = 100.0;
  int contacts = 0;      // pairs that touched
  double nearest = 1e9;  // m, between two middles

 private:
  void look(std::size_t index);
  std::vector<char> touching_;
  int ticks_ = 0;
};

}  // namespace hl_path_planning

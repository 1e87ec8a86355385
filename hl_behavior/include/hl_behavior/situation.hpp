// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "hl_behavior/tactics_params.hpp"
#include "hl_soccer/belief.hpp"
#include "hl_soccer/game.hpp"

namespace hl_behavior {

using Eigen::Vector2d;
using hl_description::Pose2;
using hl_soccer::Role;

/// What is known from outside, as it comes.
struct Knowledge {
  hl_soccer::Model personal;
  std::optional<hl_soccer::Model> team;  // counts more than the personal one while fresh
  hl_soccer::GameState game;
  std::vector<hl_soccer::TeamMate> mates;
  hl_soccer::BodyState body = hl_soccer::BodyState::Startup;
};

/// The same, digested: what tactics looks at. Fixed size; positions on the map where the own pose is known.
struct Situation {
  static constexpr std::size_t kMostMates = 10, kMostRivals = 16;

  struct Ball {
    bool known = false;
    bool own_eyes = false;
    double age = 1e9;                               // s
    Vector2d relative = Vector2d::Zero();           // m, base_footprint, now
    Vector2d relative_velocity = Vector2d::Zero();  // m/s against the ground, same axes
    Vector2d position = Vector2d::Zero();           // m, map; only if the pose is known
    Vector2d velocity = Vector2d::Zero();           // m/s, map
  };
  struct Mate {
    int number = 0;
    double age = 0.0;  // s since it spoke
    Role role = Role::Idling;
    hl_soccer::Action action = hl_soccer::Action::Undefined;
    std::optional<Pose2> pose;
    std::optional<double> time_to_ball;  // s, as told, or estimated from its pose
  };

  double now = 0.0;
  int number = 1;
  bool upright = true;
  bool pose_known = false;
  Pose2 pose;
  Ball ball;
  std::array<Mate, kMostMates> mates;  // those that play: fresh, not penalised
  std::size_t mate_count = 0;
  std::array<Vector2d, kMostRivals> rivals;  // map
  std::size_t rival_count = 0;
  hl_soccer::GameState const* game = nullptr;  // lives as long as the knowledge
  bool penalized = false;
  double time_to_ball = 1e3;  // s, own
  double model_stamp = 0.0;   // s, of the model behind it
};

Situation assess(const Knowledge& knowledge, const TacticsParams& params, double now);

/// s until somebody at `pose` could stand behind `ball` and kick it towards `goal`.
double time_to_ball(const Pose2& pose, const Vector2d& ball, const Vector2d& goal, const TacticsParams& params);

/// Where a ball that rolls freely is after `time`.
Vector2d rolled(const Vector2d& position, const Vector2d& velocity, double time, double deceleration);

}  // namespace hl_behavior

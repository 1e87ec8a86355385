// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hl_description/field.hpp"
#include "hl_path_planning/params.hpp"
#include "hl_path_planning/types.hpp"
#include "hl_soccer/belief.hpp"
#include "hl_soccer/game.hpp"

namespace hl_path_planning {

/// What stands in the way of the robot's middle point: everything nearer than `radius` to the segment from `a` to `b`
/// (a disc if both are one).
struct Obstacle {
  enum class Kind : std::uint8_t { Robot, Ball, Post, Net, SetPlay, Blocked };
  Vector2d a, b;
  double radius = 0.0;
  Kind kind = Kind::Robot;
  int id = 0;  // stays with the thing, so that the way round it can be remembered

  bool is_disc() const { return a == b; }
  double distance(const Vector2d& point) const;  // from the edge; negative inside
};

std::string name_of(const Obstacle& obstacle);

/// Where the robot's middle may be at all.
struct Box {
  Vector2d low = Vector2d(-1e3, -1e3), high = Vector2d(1e3, 1e3);

  bool contains(const Vector2d& p, double margin = 0.0) const {
    return (p.array() >= low.array() - margin).all() && (p.array() <= high.array() + margin).all();
  }
  Vector2d nearest(const Vector2d& p) const { return p.cwiseMax(low).cwiseMin(high); }
  void extend(const Vector2d& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
};

/// Another robot as it moves, in the frame of the plan.
struct OtherRobot {
  int id = 0;
  Vector2d position = Vector2d::Zero(), velocity = Vector2d::Zero();  // m, m/s
  double radius = 0.0;                                                // m, of its body and of what is unsure about it
};

/// Everything the plan has to know of the surroundings, in the frame of the plan (map, or odom without field).
struct World {
  std::vector<Obstacle> obstacles;
  std::vector<OtherRobot> robots;
  Box box;
};

/// What is in the world besides model and field.
struct WorldOptions {
  bool field_known = true;  // the frame of the plan is map
  bool takes_ball = false;  // this robot is the one who plays the ball
  double tightness = 0.0;   // 0 = all clearance, 1 = hardly any
  bool ball_is_obstacle = false;
  Vector2d ball = Vector2d::Zero();  // middle of what is to be avoided for the ball's sake, m
  double ball_radius = 0.27;         // m
};

/// Fills `world` (its memory is reused). `plan_from_model`: the model's base_footprint in the frame of the plan, at
/// the model's stamp.
void build_world(const hl_description::Field& field, const hl_soccer::Model& model, const Pose2& plan_from_model,
                 const hl_soccer::GameState& game, const Params& params, const WorldOptions& options, double now,
                 World& world);

/// Ids of what is always there; robots have 0 and more.
constexpr int kBallId = -1, kSetPlayId = -2, kBlockedId = -3, kFirstGoalId = -20;

}  // namespace hl_path_planning

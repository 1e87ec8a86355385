// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "hl_behavior/skill.hpp"

namespace hl_behavior {

/// The goal of the action Navigate without ROS.
struct NavigateGoal {
  enum class Kind : std::uint8_t { Pose, KickPose, Follow, Orbit, Velocity };
  enum class Heading : std::uint8_t { Free, Goal, Keep, At };
  Kind kind = Kind::Pose;
  Frame frame = Frame::Map;
  double stamp = 0.0;  // s, time of the positions
  Pose2 pose;
  Vector2d ball = Vector2d::Zero();           // KickPose, Orbit
  Vector2d ball_velocity = Vector2d::Zero();  // m/s
  double direction = 0.0;                     // rad, way of the ball
  Foot foot = Foot::Any;
  Vector2d target = Vector2d::Zero();           // Follow
  Vector2d target_velocity = Vector2d::Zero();  // m/s
  double radius = 0.0;                          // m, Orbit
  Pose2 velocity;                               // Velocity: m/s, rad/s in base_footprint
  Heading heading = Heading::Free;
  Vector2d look_at = Vector2d::Zero();
  bool avoid_ball = false;
  double speed_limit = 0.0;  // m/s; 0 = as fast as the robot can
};

/// The goal of the action Kick.
struct KickGoal {
  Frame frame = Frame::Map;
  double stamp = 0.0;  // s, of the ball's place
  Vector2d ball = Vector2d::Zero();
  Vector2d target = Vector2d::Zero();
  double speed = 1.0;  // 0..1
  bool in_walk = false;
};

/// What shall be going on now, not what changed: an order that is missing is to be cancelled, one with a new id
/// replaces the old one, one with a new revision is the same order with newer numbers.
struct Orders {
  struct Navigate {
    std::uint32_t id = 0, revision = 0;
    NavigateGoal goal;
  };
  struct Kick {
    std::uint32_t id = 0;
    KickGoal goal;
  };
  struct Animation {
    std::uint32_t id = 0;
    std::string name;
  };
  struct Steps {
    std::uint32_t id = 0;
    Pose2 step;
    int count = 0;
  };
  struct HeadGoal {
    HeadMode mode = HeadMode::DontMove;
    std::optional<LookAt> look_at;  // counts more than the mode
  };

  std::optional<Navigate> navigate;  // missing = the robot stands
  std::optional<Kick> kick;
  std::optional<Animation> animation;
  std::optional<Steps> steps;
  HeadGoal head;
};

/// What became of the orders. Each entry speaks of the order with its `id`.
struct Feedback {
  enum class State : std::uint8_t { Unknown, Running, Succeeded, Failed };
  struct Entry {
    std::uint32_t id = 0;
    State state = State::Unknown;
    double progress = 0.0;  // 0..1
    std::string reason;     // why it failed
  };
  Entry navigate, kick, animation, steps;
};

}  // namespace hl_behavior

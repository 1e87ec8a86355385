// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "hl_description/geometry.hpp"

namespace hl_behavior {

using Eigen::Vector2d;
using hl_description::Pose2;

/// Three things a robot can do at the same time; each has one slot. Values are those of the message SkillEvent.
enum class Slot : std::uint8_t { Move, Head, Kick };
constexpr int kSlots = 3;

enum class Frame : std::uint8_t { Map, Odom, BaseFootprint };
enum class Foot : std::uint8_t { Any, Left, Right };

/// Values of the message HeadMode; 6 is not assigned.
enum class HeadMode : std::uint8_t {
  Ball = 0,
  Post = 1,
  BallGoalTracking = 2,
  FieldFeatures = 3,
  NonFieldFeatures = 4,
  LookDown = 5,
  LookForward = 7,
  DontMove = 8,
  LookUp = 9
};

// --- move: positions in `frame`, m and rad ------------------------------------------------------------------------

struct GoToPose {
  Pose2 pose;
  Frame frame = Frame::Map;
  bool avoid_ball = true;
  double speed_limit = 0.0;  // m/s; 0 = as fast as the robot can
};
struct GoKeepHeading {
  Vector2d point = Vector2d::Zero();
  Frame frame = Frame::Map;
  bool avoid_ball = true;
};
struct GoLookingAt {
  Vector2d point = Vector2d::Zero();
  Vector2d look_at = Vector2d::Zero();
  Frame frame = Frame::Map;
  bool avoid_ball = true;
};
/// Stays at `offset` from a moving target.
struct Follow {
  Vector2d target = Vector2d::Zero();
  Vector2d velocity = Vector2d::Zero();  // m/s
  Pose2 offset;
  Frame frame = Frame::Map;
};
/// To where a kick with `foot` sends the ball along `direction`.
struct ApproachBall {
  Vector2d ball = Vector2d::Zero();
  Vector2d velocity = Vector2d::Zero();  // m/s
  double direction = 0.0;                // rad, way of the ball
  Foot foot = Foot::Any;
  Frame frame = Frame::Map;
};
struct TurnAroundBall {
  Vector2d ball = Vector2d::Zero();
  double direction = 0.0;  // rad, until it stands for this way of the ball
  double radius = 0.0;     // m; 0 = as near as is safe
  Frame frame = Frame::Map;
};
struct GoStraight {
  double distance = 0.0;  // m, ahead of where it begins; negative = back
};
/// A sine course around a straight line, for tests of odometry.
struct Weave {
  double length = 2.0;     // m
  double amplitude = 0.2;  // m
  double period = 1.0;     // m of way per wave
  double speed = 0.15;     // m/s
};
struct Step {
  Pose2 step;
  int count = 1;
};
/// A velocity in base_footprint, e.g. turning on the spot while searching.
struct Walk {
  Pose2 velocity;  // m/s, m/s, rad/s
};
struct Stop {};

using MoveSkill = std::variant<GoToPose, GoKeepHeading, GoLookingAt, Follow, ApproachBall, TurnAroundBall, GoStraight,
                               Weave, Step, Walk, Stop>;

// --- head ---------------------------------------------------------------------------------------------------------

struct LookMode {
  HeadMode mode = HeadMode::Ball;
};
struct LookAt {
  Vector2d point = Vector2d::Zero();
  double height = 0.0;  // m above the ground
  Frame frame = Frame::Map;
};
/// Sweeps, whatever the head mode says: over the horizon, over the ground at the feet, over both.
enum class ScanPattern : std::uint8_t { Horizon, Near, All };
struct Scan {
  ScanPattern pattern = ScanPattern::All;
};

using HeadSkill = std::variant<LookMode, LookAt, Scan>;

// --- kick ---------------------------------------------------------------------------------------------------------

struct KickTo {
  Vector2d ball = Vector2d::Zero();
  Vector2d target = Vector2d::Zero();
  double speed = 1.0;  // 0..1 of the hardest
  Frame frame = Frame::Map;
};
struct PassTo {
  int player = 0;
  Vector2d ball = Vector2d::Zero();
  Vector2d target = Vector2d::Zero();
  double speed = 1.0;
  Frame frame = Frame::Map;
};
/// A kick within a walking step; the walk goes on.
struct Dribble {
  Vector2d ball = Vector2d::Zero();
  Vector2d target = Vector2d::Zero();
  Frame frame = Frame::Map;
};
/// As hard as possible, anywhere but near the own goal.
struct Clear {
  Vector2d ball = Vector2d::Zero();
  Vector2d target = Vector2d::Zero();
  Frame frame = Frame::Map;
};
enum class DiveSide : std::uint8_t { Left, Right, Middle };
struct Dive {
  DiveSide side = DiveSide::Middle;
};
/// Makes itself broad without going down.
struct Block {};
/// Takes back a kick that can still be taken back.
struct Disarm {};

using KickSkill = std::variant<KickTo, PassTo, Dribble, Clear, Dive, Block, Disarm>;

// --- about skills -------------------------------------------------------------------------------------------------

using Skill = std::variant<MoveSkill, HeadSkill, KickSkill>;

/// How equal two skills must be to count as one: noise in a target must not restart it.
struct Tolerance {
  double distance = 0.01;  // m, and m/s
  double angle = 0.01745;  // rad
};

enum class Sameness : std::uint8_t {
  Same,    // goes on untouched
  Update,  // the same skill, its moving target has moved: goes on with the new one
  Other    // another skill: replaces it
};
Sameness compare(const MoveSkill& running, const MoveSkill& wanted, const Tolerance& tolerance = {});
Sameness compare(const HeadSkill& running, const HeadSkill& wanted, const Tolerance& tolerance = {});
Sameness compare(const KickSkill& running, const KickSkill& wanted, const Tolerance& tolerance = {});

/// Why this skill cannot be carried out whatever the world is like; nothing if it can.
std::optional<std::string> bad_value(const MoveSkill& skill);
std::optional<std::string> bad_value(const HeadSkill& skill);
std::optional<std::string> bad_value(const KickSkill& skill);

/// The skill with its parameters, as people and RTDL write it.
std::string describe(const MoveSkill& skill);
std::string describe(const HeadSkill& skill);
std::string describe(const KickSkill& skill);

const char* name_of(Slot slot);
const char* name_of(HeadMode mode);

}  // namespace hl_behavior

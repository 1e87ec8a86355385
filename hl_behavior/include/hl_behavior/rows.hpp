// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hl_behavior/memory.hpp"

namespace hl_behavior {

/// What kind of moment it is; from the referee's word and what the robot knows.
enum class Scene : std::uint8_t {
  Penalised,
  NoReferee,
  Stopped,
  Timeout,
  Initial,
  HalfTime,
  Finished,
  NotAllowed,
  Ready,
  Set,
  KickOff,  // PLAYING, the ball is not in play yet
  Called,   // set play: ball is being placed
  Prepare,  // set play: positions are taken
  Execute,  // set play: the ball may be kicked
  ShootOutSet,
  ShootOut,
  PoseUnknown,
  BallUnknown,
  BallOut,  // of the field; nobody chases it
  Play
};
constexpr int kScenes = 20;

enum class Whose : std::uint8_t { Own, Rival, Nobody, Any };

/// Set plays that are played alike.
enum class SetPlayKind : std::uint8_t { None, FreeKick, CornerKick, PenaltyKick, Any };

enum class Plan : std::uint8_t {
  Stand,        // and do nothing
  WatchBall,    // stand, look for the ball
  Locate,       // stand, look at the field
  WalkIn,       // to the kick-off position of the role
  TakeKick,     // go to the ball and play it
  PrepareKick,  // behind the ball, without touching it
  Receive,      // where a pass can reach
  Cover,        // between ball and own goal
  KeepOff,      // as far from the ball as the rules say, in its way
  BehindMark,   // penalty kick: behind the ball, off it
  GuardGoal,
  GoalLine,     // penalty kick: on the line, until it is kicked
  PenaltySave,  // the same and dive
  FindPose,
  Search,
  Strike,
  Support,
  Defend,
  KeepGoal
};

struct Row {
  Scene scene;
  SetPlayKind kind;
  Whose whose;
  Role role;  // Role::Other = any
  Plan plan;
  const char* name;
  const char* what;  // in words, for people
};

/// The tactics' table; the first row that fits counts.
const std::vector<Row>& rows();
const Row& find_row(Scene scene, SetPlayKind kind, Whose whose, Role role);

/// The scene from the referee's word alone; `memory` knows whether the ball is in play.
struct Moment {
  Scene scene = Scene::Play;
  SetPlayKind kind = SetPlayKind::None;
  Whose whose = Whose::Nobody;
  bool direct = true;  // a goal counts from the first kick
};
Moment referee_moment(const Situation& situation, const TacticsParams& params, const Memory& memory);

const char* name_of(Scene scene);
const char* name_of(Whose whose);
const char* name_of(SetPlayKind kind);
const char* name_of(Plan plan);

/// The table for the README.
std::string rows_markdown();

}  // namespace hl_behavior

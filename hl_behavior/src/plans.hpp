// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hl_behavior/memory.hpp"
#include "hl_behavior/rows.hpp"

namespace hl_behavior {

/// What every plan works on.
struct Context {
  const Situation& s;
  const TacticsParams& p;
  Memory& m;
  const Row& row;
  const Moment& moment;
  Decision& d;

  double half_length() const { return 0.5 * p.field.length; }
  double half_width() const { return 0.5 * p.field.width; }
  Vector2d own_goal() const { return {-half_length(), 0.0}; }
  Vector2d their_goal() const { return {half_length(), 0.0}; }
  /// Where the ball is; unknown: where the rules put it, else where it was last.
  Vector2d ball() const;
};

// positions.cpp
Vector2d inside(const TacticsParams& params, const Vector2d& point);  // the field, by the margin
Pose2 facing(const Vector2d& place, const Vector2d& look_at);
Vector2d unit(const Vector2d& vector, const Vector2d& otherwise);
/// How many of the team mates with the same role stand to the left of this robot: keeps ways from crossing.
int rank_from_left(const Context& c);
void go(Context& c, const Pose2& target, Action action);
void look(Context& c, HeadMode mode);
/// Bounded offset: away from own players and opponents, back into the field.
Vector2d swarm(const Context& c, const Vector2d& target);

void walk_in(Context& c);
void receive(Context& c);
void cover(Context& c);
void keep_off(Context& c);
void behind_mark(Context& c);
void support(Context& c);
void defend(Context& c);

// striker.cpp
void strike(Context& c, bool clear_only);
void prepare_kick(Context& c);

// goalie.cpp
void guard_goal(Context& c);
void keep_goal(Context& c);
void goal_line(Context& c, bool save);

// search.cpp
void search(Context& c);
void find_pose(Context& c);

}  // namespace hl_behavior

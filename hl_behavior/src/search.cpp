// SPDX-License-Identifier: Apache-2.0
// When the ball or the own pose is not known.
#include <algorithm>
#include <array>
#include <cmath>

#include "plans.hpp"

namespace hl_behavior {
namespace {

constexpr double kStands = 0.8;  // s, before it turns

/// The field is cut into as many strips as players search, from the own goal to theirs; who stands deeper gets the
/// deeper one. Within it two places are looked from, in turn.
Vector2d sector_place(const Context& c) {
  int players = 1, rank = 0;
  for (std::size_t i = 0; i < c.s.mate_count; ++i) {
    const auto& mate = c.s.mates[i];
    if (mate.role == Role::Goalie) continue;
    ++players;
    const double theirs = mate.pose ? mate.pose->x : 0.0;
    if (std::abs(theirs - c.s.pose.x) > 0.3 ? theirs < c.s.pose.x : mate.number < c.s.number) ++rank;
  }
  const double strip = c.p.field.length / players;
  const double x = -c.half_length() + (rank + 0.5) * strip;
  const double y = (c.m.patrol % 2 == 0 ? 1.0 : -1.0) * 0.25 * c.p.field.width;
  return inside(c.p, {players == 1 ? (c.m.patrol % 4 < 2 ? 1.0 : -1.0) * 0.25 * c.p.field.length : x, y});
}

}  // namespace

void search(Context& c) {
  look(c, HeadMode::Ball);
  c.d.action = Action::Positioning;
  const double since = c.s.now - c.m.search_since;
  c.d.reasons.add("searches for", since, "s");
  if (since < kStands) return;  // most often it comes back at once
  // A turn on the spot first, towards where it was last seen; again at each place of the patrol.
  if (since < c.p.search_turn_time) {
    Walk turn;
    turn.velocity = {0.0, 0.0, c.m.last_ball_side * c.p.search_turn};
    c.d.move = MoveSkill(turn);
    c.d.reasons.add("search", "turns on the spot");
    return;
  }
  const Vector2d place = sector_place(c);
  if ((place - c.s.pose.position()).norm() < 0.35) {
    ++c.m.patrol;
    c.m.search_since = c.s.now - kStands;  // looks around here, too
  }
  c.d.reasons.add("search", "goes to its sector");
  const Vector2d way = place - c.s.pose.position();
  go(c, {place.x(), place.y(), std::atan2(way.y(), way.x())}, Action::Positioning);
}

void find_pose(Context& c) {
  look(c, HeadMode::FieldFeatures);
  const double lost = c.m.pose_lost_since < 0.0 ? 0.0 : c.s.now - c.m.pose_lost_since;
  c.d.reasons.add("pose unknown for", lost, "s");
  c.d.action = Action::Positioning;
  if (lost < c.p.circle_after) return;
  Walk circle;
  circle.velocity = {0.12, 0.0, 0.5};
  c.d.move = MoveSkill(circle);
}

}  // namespace hl_behavior

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>

#include "plans.hpp"

namespace hl_behavior {
namespace {

constexpr double kStepTime = 1.2;      // s, a few steps and standing again
constexpr double kSettled = 0.15;      // s, until the way of a kicked ball is known well enough to dive
constexpr double kSettledNear = 0.35;  // s, until it is for a squat, which has more time and covers less
constexpr double kUrgent = 0.5;        // s to the ball: too short to wait for its way
constexpr double kTooLate = 0.8;       // s to the ball: the body lies in its way 1.1 s after the order, as measured
constexpr double kSquatReach = 0.25;   // m beside the keeper that a squat stops at best
constexpr double kSquatHorizon = 1.0;  // s; it takes 0.7 s
constexpr double kInTheWay = 0.1;      // m beside the keeper: a ball that its feet stop
constexpr double kAtItsFeet = 0.6;     // m
constexpr double kRollsOn = 0.5;       // m that a ball may roll further than it seems to

// A keeper that walks needs half a second to stand before it can dive: more than a short way to a better place is
// worth.
constexpr double kOnPost = 0.3, kOnPostTurn = 0.45;     // m, rad off its place: it stays
constexpr double kArrived = 0.12, kArrivedTurn = 0.25;  // m, rad: so near it goes if it has to go

struct Crossing {
  double time = 0.0;    // s until the ball is level with the keeper
  double beside = 0.0;  // m to the keeper's left there
};

/// Where and when a ball that comes passes the keeper; nothing if it stops before or misses the goal.
std::optional<Crossing> crossing(const Context& c) {
  const auto& ball = c.s.ball;
  if (!ball.known || ball.age > 0.5 || ball.velocity.x() > -0.15) return std::nullopt;
  const double speed = ball.velocity.norm();
  const Vector2d along = ball.velocity / speed;
  // Would it go in at all?
  const double to_line = (-c.half_length() - ball.position.x()) / along.x();
  if (to_line < 0.0 || to_line > 0.5 * speed * speed / c.p.ball_deceleration + kRollsOn) return std::nullopt;
  const double at_line = ball.position.y() + to_line * along.y();
  if (std::abs(at_line) > 0.5 * c.p.field.goal_width + 0.2) return std::nullopt;
  // In the keeper's own frame: which side it passes.
  const Vector2d velocity = ball.relative_velocity;
  if (velocity.x() > -0.1) return std::nullopt;                // it does not come from the front
  const double way_share = -ball.relative.x() / velocity.x();  // s at constant speed
  if (way_share < 0.0) return std::nullopt;
  const double way = way_share * velocity.norm();
  const double root = std::max(speed * speed - 2.0 * c.p.ball_deceleration * way, 0.0);
  return Crossing{(speed - std::sqrt(root)) / c.p.ball_deceleration, ball.relative.y() + way_share * velocity.y()};
}

/// One of four saves, or none if there is nothing to save.
bool save(Context& c) {
  const auto coming = crossing(c);
  if (!coming) {
    c.m.shot_since = -1.0;
    return false;
  }
  if (c.m.shot_since < 0.0) c.m.shot_since = c.s.now;
  c.d.reasons.add("ball passes in", coming->time, "s");
  c.d.reasons.add("ball passes beside", coming->beside, "m");
  const double beside = std::abs(coming->beside);
  if (beside > c.p.dive_reach) return false;
  // Too late to throw itself down, a squat may still do.
  const bool squats = beside < c.p.dive_beside || (beside < kSquatReach && coming->time < kTooLate);
  const double horizon = squats ? kSquatHorizon : c.p.dive_horizon;
  // The first pictures of a kicked ball tell its way badly.
  const bool sure = c.s.now - c.m.shot_since > (squats ? kSettledNear : kSettled) || coming->time < kUrgent;
  c.d.action = Action::Waiting;
  c.d.move.reset();
  if (coming->time > horizon || !sure) {
    // Legs that walk cannot dive: it steps into the way while there is time to stand again, then it waits on its feet.
    if (coming->time > horizon + kStepTime && beside > kInTheWay) {
      const Vector2d place = c.s.pose * Vector2d(0.0, coming->beside);
      c.d.move = MoveSkill(GoKeepHeading{inside(c.p, place), Frame::Map, false});
    }
    return true;
  }
  if (beside < 0.5 * c.p.dive_beside)
    c.d.kick = KickSkill(Block{});
  else if (squats)
    c.d.kick = KickSkill(Dive{DiveSide::Middle});
  else
    c.d.kick = KickSkill(Dive{coming->beside > 0.0 ? DiveSide::Left : DiveSide::Right});
  return true;
}

/// Goes to its place if it is clearly off it, and then all the way.
void take_post(Context& c, const Pose2& place) {
  const double off = (c.s.pose.position() - place.position()).norm();
  const double turned = std::abs(hl_description::wrap_angle(c.s.pose.yaw - place.yaw));
  const bool goes = c.m.target.has_value();
  const bool there = goes ? off < kArrived && turned < kArrivedTurn : off < kOnPost && turned < kOnPostTurn;
  if (!there) return go(c, place, Action::Positioning);
  c.m.target.reset();
  c.d.action = Action::Waiting;
}

/// Nobody of either team is nearer. A ball at its feet is the keeper's whatever a mate says: it stands where that one
/// would have to stand for a kick.
bool first_at_ball(const Context& c) {
  const double own = c.s.ball.relative.norm();
  for (std::size_t i = 0; i < c.s.rival_count; ++i)
    if ((c.s.rivals[i] - c.s.ball.position).norm() < own) return false;
  if (own < kAtItsFeet) return true;
  for (std::size_t i = 0; i < c.s.mate_count; ++i) {
    const auto& mate = c.s.mates[i];
    if (mate.role == Role::Striker && mate.time_to_ball && *mate.time_to_ball < c.s.time_to_ball) return false;
  }
  return true;
}

}  // namespace

void guard_goal(Context& c) {
  const Vector2d ball = c.ball();
  const Vector2d way = ball - c.own_goal();
  const Vector2d along = unit(way, {1.0, 0.0});
  // On the line between ball and goal centre, as far out as the goal area lets it.
  const double out = std::min(c.p.goalie_out / std::max(along.x(), 0.35), std::max(way.norm() - 0.4, 0.2));
  Vector2d place = c.own_goal() + out * along;
  place.x() = std::clamp(place.x(), -c.half_length() + 0.2, -c.half_length() + c.p.field.goal_area_length - 0.1);
  const double side = 0.5 * c.p.field.goal_width - 0.25;
  place.y() = std::clamp(place.y(), -side, side);
  const bool restart = c.moment.whose == Whose::Rival && c.moment.scene != Scene::Play;
  if (restart && (place - ball).norm() < c.p.rule_distance + 0.1) {
    const Vector2d away = unit(place - ball, {-1.0, 0.0});
    place = ball + (c.p.rule_distance + 0.1) * away;
    place.x() = std::max(place.x(), -c.half_length() + 0.1);
  }
  look(c, HeadMode::Ball);
  c.d.reasons.add("guards at", place.y(), "m");
  // Faces up the field with the ball in view: side steps keep the way blocked.
  const double bearing = std::atan2(ball.y() - place.y(), ball.x() - place.x());
  const Pose2 post{place.x(), place.y(), std::clamp(bearing, -0.9, 0.9)};
  if (restart) return go(c, post, Action::Positioning);  // a little off may be too near to the ball
  take_post(c, post);
}

void keep_goal(Context& c) {
  guard_goal(c);
  if (!c.s.upright || !c.s.ball.known) return;
  if (save(c)) return;
  const bool near_goal = (c.s.ball.position - c.own_goal()).norm() < c.p.goalie_leave + c.p.goalie_out;
  const bool slow = c.s.ball.velocity.norm() < 0.3;
  if (c.moment.whose == Whose::Rival || !near_goal || !slow || !first_at_ball(c)) return;
  c.d.reasons.add("comes out because", "first at a ball near the goal");
  strike(c, true);
}

void goal_line(Context& c, bool dive) {
  const Vector2d ball = c.ball();
  const double side = 0.5 * c.p.field.goal_width - 0.25;
  const Vector2d place(-c.half_length() + 0.05, std::clamp(0.3 * ball.y(), -side, side));
  look(c, HeadMode::Ball);
  go(c, {place.x(), place.y(), 0.0}, Action::Positioning);
  if (!dive || !c.s.upright) return;
  if (save(c)) return;
  const bool resting = c.s.ball.known && c.s.ball.velocity.norm() < 0.1;
  const bool loose = c.m.in_play && resting && c.s.ball.position.x() < -c.half_length() + 1.0;
  if (loose && first_at_ball(c)) strike(c, true);
}

}  // namespace hl_behavior

// SPDX-License-Identifier: Apache-2.0
// Where the players without the ball stand.
#include <algorithm>
#include <cmath>

#include "plans.hpp"

namespace hl_behavior {
namespace {

/// Nobody of the team that has to keep off comes nearer to the ball than the rules say.
Vector2d off_the_ball(const Context& c, const Vector2d& target, const Vector2d& ball) {
  const double distance = c.p.rule_distance + c.p.rule_margin;
  if ((target - ball).norm() >= distance) return target;
  const Vector2d to_goal = unit(c.own_goal() - ball, {-1.0, 0.0});
  const Vector2d pushed = ball + distance * unit(target - ball, to_goal);
  const Vector2d kept = inside(c.p, pushed);
  return (kept - ball).norm() >= distance - 0.05 ? kept : Vector2d(inside(c.p, ball + distance * to_goal));
}

Vector2d pushed_from(const Vector2d& place, const Vector2d& from, double hard, double soft) {
  const Vector2d away = place - from;
  const double distance = away.norm();
  if (distance >= soft) return Vector2d::Zero();
  const double force = distance <= hard ? 1.0 : (soft - distance) / (soft - hard);
  return force * (soft - distance) * unit(away, {0.0, place.y() >= from.y() ? 1.0 : -1.0});
}

/// +1 where the supporter shall stand: the side of the ball with more room, kept until the other is clearly better.
double open_side(Context& c, const Vector2d& ball) {
  double left = c.half_width() - ball.y(), right = c.half_width() + ball.y();
  for (std::size_t i = 0; i < c.s.rival_count; ++i) {
    const Vector2d offset = c.s.rivals[i] - ball;
    if (offset.norm() < 2.5) (offset.y() > 0.0 ? left : right) -= 1.0;
  }
  if (c.m.open_side > 0.0 ? right > left + 1.5 : left > right + 1.5) c.m.open_side = -c.m.open_side;
  return c.m.open_side;
}

constexpr double kFoughtFor = 1.5;  // m from the ball to an opponent who is there or will soon be

/// Against several who go to the ball one striker alone loses it; then everybody but the keeper goes.
bool fought_for(const Context& c) {
  const auto end = c.s.rivals.begin() + static_cast<std::ptrdiff_t>(c.s.rival_count);
  return std::any_of(c.s.rivals.begin(), end,
                     [&](const Vector2d& rival) { return (rival - c.s.ball.position).norm() < kFoughtFor; });
}

/// Plays the ball without being the striker.
bool helps(Context& c) {
  if (!fought_for(c)) return false;
  c.d.reasons.add("plays the ball because", "an opponent is near it");
  strike(c, false);
  return true;
}

bool their_restart(const Context& c) {
  return c.moment.whose == Whose::Rival &&
         (c.moment.scene == Scene::Prepare || c.moment.scene == Scene::Execute || c.moment.scene == Scene::KickOff);
}

}  // namespace

Vector2d Context::ball() const {
  const bool centre =
      moment.scene == Scene::Ready || moment.scene == Scene::Set || (moment.scene == Scene::KickOff && !s.ball.known);
  if (centre) return Vector2d::Zero();
  if (s.ball.known) return s.ball.position;
  if (moment.kind == SetPlayKind::PenaltyKick) {
    const double mark = half_length() - p.field.penalty_mark;
    return {moment.whose == Whose::Own ? mark : -mark, 0.0};
  }
  return m.last_ball.value_or(Vector2d(Vector2d::Zero()));
}

Vector2d inside(const TacticsParams& params, const Vector2d& point) {
  const double x = 0.5 * params.field.length - params.boundary, y = 0.5 * params.field.width - params.boundary;
  return {std::clamp(point.x(), -x, x), std::clamp(point.y(), -y, y)};
}

Pose2 facing(const Vector2d& place, const Vector2d& look_at) {
  const Vector2d ahead = look_at - place;
  return {place.x(), place.y(), ahead.norm() > 1e-6 ? std::atan2(ahead.y(), ahead.x()) : 0.0};
}

Vector2d unit(const Vector2d& vector, const Vector2d& otherwise) {
  const double norm = vector.norm();
  return norm > 1e-6 ? Vector2d(vector / norm) : otherwise;
}

int rank_from_left(const Context& c) {
  int rank = 0;
  for (std::size_t i = 0; i < c.s.mate_count; ++i) {
    const auto& mate = c.s.mates[i];
    if (mate.role != c.d.role) continue;
    const double theirs = mate.pose ? mate.pose->y : 0.0;
    if (std::abs(theirs - c.s.pose.y) > 0.1 ? theirs > c.s.pose.y : mate.number < c.s.number) ++rank;
  }
  return rank;
}

void go(Context& c, const Pose2& target, Action action) {
  // Noise in the ball must not move the feet: the old target counts while the new one is near it.
  const bool same = c.m.target && (c.m.target->position() - target.position()).norm() < c.p.target_hysteresis &&
                    std::abs(hl_description::wrap_angle(c.m.target->yaw - target.yaw)) < 0.3;
  if (!same) c.m.target = target;
  GoToPose skill;
  skill.pose = *c.m.target;
  c.d.move = skill;
  c.d.action = action;
  if ((c.s.pose.position() - c.m.target->position()).norm() < 0.2) c.d.action = Action::Waiting;
}

void look(Context& c, HeadMode mode) {
  // Who does not see the ball itself looks where it is said to be, in turns with searching: the word may be wrong.
  constexpr double kLook = 2.0, kSearch = 2.0;  // s
  const bool for_ball = mode == HeadMode::Ball || mode == HeadMode::BallGoalTracking;
  const bool seen = c.s.ball.known && c.s.ball.own_eyes;
  const bool told = c.s.ball.known || c.moment.scene == Scene::Set || c.moment.scene == Scene::KickOff;
  if (for_ball && !seen && told && c.s.pose_known && std::fmod(c.s.now, kLook + kSearch) < kLook)
    c.d.head = HeadSkill(LookAt{c.ball(), c.p.field.ball_radius, Frame::Map});
  else
    c.d.head = HeadSkill(LookMode{mode});
}

Vector2d swarm(const Context& c, const Vector2d& target) {
  Vector2d force = Vector2d::Zero();
  for (std::size_t i = 0; i < c.s.mate_count; ++i) {
    if (c.s.mates[i].pose) force += pushed_from(target, c.s.mates[i].pose->position(), c.p.spacing, c.p.soft_spacing);
  }
  for (std::size_t i = 0; i < c.s.rival_count; ++i)
    force += pushed_from(target, c.s.rivals[i], c.p.obstacle, 1.5 * c.p.obstacle);
  // Nobody crowds the ball: it belongs to the striker.
  if (c.s.ball.known) force += pushed_from(target, c.s.ball.position, c.p.spacing, c.p.soft_spacing);
  const double norm = force.norm();
  if (norm > c.p.swarm_limit) force *= c.p.swarm_limit / norm;
  return force;
}

void walk_in(Context& c) {
  const double clear = c.p.rule_distance + c.p.rule_margin;  // of the centre for who may not enter the circle
  const bool own = c.moment.whose == Whose::Own;
  const int rank = rank_from_left(c);
  // Alone in its role: the side it is on already; else from left to right as they stand.
  const bool shared = std::any_of(c.s.mates.begin(), c.s.mates.begin() + static_cast<std::ptrdiff_t>(c.s.mate_count),
                                  [&](const auto& mate) { return mate.role == c.d.role; });
  const double side = shared ? (rank == 0 ? 1.0 : -1.0) : c.s.pose.y >= 0.0 ? 1.0 : -1.0;
  const double outward = 0.9 * static_cast<double>(rank / 2);  // a third and fourth further out
  Vector2d place;
  switch (c.d.role) {
    case Role::Striker:
      place = own ? Vector2d(-c.p.taker_distance, 0.0) : Vector2d(-clear - 0.05 - outward, 0.0);
      break;
    case Role::Supporter:
      place = own ? Vector2d(-0.5, side * (1.3 + outward)) : Vector2d(-1.0, side * (1.4 + outward));
      c.m.open_side = side;
      break;
    case Role::Defender:
      place = Vector2d((own ? -0.45 : -0.5) * c.half_length() - outward, shared ? side * 0.8 : 0.0);
      break;
    default:
      place = c.own_goal() + Vector2d(c.p.goalie_out, 0.0);
      break;
  }
  look(c, c.d.action == Action::Waiting ? HeadMode::Ball : HeadMode::FieldFeatures);
  go(c, facing(place, place.x() < -1.5 ? Vector2d(0.0, 0.5 * place.y()) : Vector2d(0.5, 0.5 * place.y())),
     Action::Positioning);
  c.d.reasons.add("target x", c.m.target->x, "m");
  c.d.reasons.add("target y", c.m.target->y, "m");
}

void receive(Context& c) {
  const Vector2d ball = c.ball();
  Vector2d place;
  if (c.moment.kind == SetPlayKind::CornerKick) {
    place = c.their_goal() + Vector2d(-1.3, ball.y() > 0.0 ? -0.3 : 0.3);
  } else if (c.moment.scene == Scene::KickOff) {
    place = {-0.3, c.m.open_side * 1.4};  // own half until the ball is in play
  } else {
    place = ball + Vector2d(1.2, open_side(c, ball) * 1.2);
  }
  place = inside(c.p, place + swarm(c, place));
  if (c.moment.scene == Scene::KickOff) place.x() = std::min(place.x(), -0.2);
  look(c, HeadMode::Ball);
  go(c, facing(place, ball), Action::Positioning);
}

void cover(Context& c) {
  const Vector2d ball = c.ball();
  const Vector2d way = ball - c.own_goal();
  const double depth = std::clamp(c.p.defender_ratio * way.norm(), 1.2, std::max(1.2, way.norm() - 1.1));
  Vector2d place = c.own_goal() + depth * unit(way, {1.0, 0.0});
  place.x() = std::min(place.x(), c.p.defender_front);
  place = inside(c.p, place + 0.5 * swarm(c, place));
  if (their_restart(c)) place = off_the_ball(c, place, ball);
  look(c, HeadMode::Ball);
  go(c, facing(place, ball), Action::Positioning);
}

void keep_off(Context& c) {
  const Vector2d ball = c.ball();
  const double distance = c.p.rule_distance + c.p.rule_margin;
  const Vector2d to_goal = unit(c.own_goal() - ball, {-1.0, 0.0});
  double turn = 0.0;  // the first on the way to the goal, the next ones beside
  if (c.d.role == Role::Supporter) {
    const double room = c.own_goal().x() < ball.x() - 1.0 ? 0.8 : 1.1;
    turn = open_side(c, ball) * room;
  }
  Vector2d place = ball + (distance + (turn == 0.0 ? 0.0 : 0.3)) * (Eigen::Rotation2Dd(turn) * to_goal);
  if (c.moment.scene == Scene::KickOff) place.x() = std::min(place.x(), -0.15);
  place = off_the_ball(c, inside(c.p, place), ball);
  look(c, HeadMode::Ball);
  go(c, facing(place, ball), Action::Positioning);
}

void behind_mark(Context& c) {
  const Vector2d ball = c.ball();
  const double ahead = c.moment.whose == Whose::Own ? 1.0 : -1.0;  // the way the ball will go
  const double back = c.p.rule_distance + c.p.rule_margin;
  const double side = rank_from_left(c) % 2 == 0 ? 1.0 : -1.0;
  const double beside = c.d.role == Role::Defender ? 0.4 : 1.3;
  const Vector2d place(ball.x() - ahead * (back + (c.d.role == Role::Defender ? 0.6 : 0.1)), side * beside);
  look(c, HeadMode::Ball);
  go(c, facing(inside(c.p, place), ball), Action::Positioning);
}

void support(Context& c) {
  if (helps(c)) return;
  const Vector2d ball = c.s.ball.position;
  const double side = open_side(c, ball);
  Vector2d place = ball + Vector2d(-c.p.supporter_behind, side * c.p.supporter_beside);
  // Near their goal a second one in front of it is worth more than one behind.
  if (ball.x() > 0.5 * c.half_length()) place = {c.half_length() - 1.6, ball.y() > 0.0 ? -0.6 : 0.6};
  if (c.s.mate_count > 0) place.y() -= side * 0.5 * rank_from_left(c);
  place = inside(c.p, place + swarm(c, place));
  look(c, c.s.ball.own_eyes && c.s.ball.age < 0.5 ? HeadMode::BallGoalTracking : HeadMode::Ball);
  c.d.side = side > 0.0 ? OffensiveSide::Left : OffensiveSide::Right;
  go(c, facing(place, ball), Action::Positioning);
}

void defend(Context& c) {
  if (helps(c)) return;
  cover(c);
  c.d.reasons.add("covers at", c.m.target->x, "m");
}

}  // namespace hl_behavior

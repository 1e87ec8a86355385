// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/kick_choice.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace hl_behavior {
namespace {

using hl_description::wrap_angle;

constexpr int kDirections = 24;
constexpr double kTimeWeight = 0.012;  // 1/s, what a second costs; a goal is worth 1
constexpr double kHurry = 3.0;         // times that with an opponent at the ball
constexpr double kKeep = 0.03;         // bonus of the present choice
// Five points of a normal distribution, and three of the distance.
constexpr std::array<double, 5> kOffsets = {-1.5, -0.7, 0.0, 0.7, 1.5};
constexpr std::array<double, 5> kWeights = {0.12, 0.24, 0.28, 0.24, 0.12};
constexpr std::array<double, 3> kReach = {-1.22, 0.0, 1.22};
constexpr std::array<double, 3> kReachWeights = {0.25, 0.5, 0.25};

struct Ends {
  double value = 0.0;
  double goal = 0.0;  // probability
};

class Chooser {
 public:
  Chooser(const Situation& s, const TacticsParams& p, bool direct)
      : s_(s), p_(p), direct_(direct), ball_(s.ball.position), x_(0.5 * p.field.length), y_(0.5 * p.field.width) {}

  /// Way of the ball until an opponent stops it, m.
  double free_way(const Vector2d& along) const {
    double free = 1e3;
    for (std::size_t i = 0; i < s_.rival_count; ++i) {
      const Vector2d to = s_.rivals[i] - ball_;
      const double ahead = to.dot(along);
      if (ahead < 0.1) continue;
      if (std::abs(to.x() * along.y() - to.y() * along.x()) < 0.25) free = std::min(free, ahead - 0.15);
    }
    return std::max(free, 0.05);
  }

  /// One sample: the ball goes `distance` along `along` unless something ends its way.
  Ends end_of(const Vector2d& along, double distance, double free) const {
    Ends ends;
    const bool stopped = distance > free;
    const double way = std::min(distance, free);
    const Vector2d end = ball_ + way * along;
    if (std::abs(end.x()) > x_ || std::abs(end.y()) > y_) {
      // Where it leaves: whichever line comes first.
      const double to_x = along.x() > 1e-9    ? (x_ - ball_.x()) / along.x()
                          : along.x() < -1e-9 ? (-x_ - ball_.x()) / along.x()
                                              : 1e9;
      const double to_y = along.y() > 1e-9    ? (y_ - ball_.y()) / along.y()
                          : along.y() < -1e-9 ? (-y_ - ball_.y()) / along.y()
                                              : 1e9;
      if (to_x < to_y) {
        const double y = ball_.y() + to_x * along.y();
        const bool in_goal = std::abs(y) < 0.5 * p_.field.goal_width - p_.field.ball_radius;
        if (along.x() > 0.0) {
          if (in_goal && direct_) ends.goal = 1.0;
          // A goal kick for them is taken where the halfway line meets the touch line.
          ends.value = in_goal && direct_ ? 1.0 : value_of({0.0, y > 0.0 ? y_ : -y_}, s_, p_) - 0.15;
        } else {
          ends.value = in_goal ? -1.0 : -0.45;  // a corner for them
        }
        return ends;
      }
      ends.value = value_of(ball_ + to_y * along, s_, p_) - 0.15;  // their throw-in
      return ends;
    }
    ends.value = value_of(end, s_, p_) - (stopped ? 0.08 : 0.0);
    return ends;
  }

  /// Short ways hardly leave the field: their spread in distance is left out, it costs two thirds of the time.
  Ends expect(double direction, double distance, double spread, bool far) const {
    Ends sum;
    for (std::size_t i = 0; i < kOffsets.size(); ++i) {
      const double angle = direction + spread * kOffsets[i];
      const Vector2d along(std::cos(angle), std::sin(angle));
      const double free = free_way(along);
      for (std::size_t j = 0; j < kReach.size(); ++j) {
        if (!far && j != 1) continue;
        const Ends ends = end_of(along, distance * (1.0 + p_.kick_distance_spread * kReach[j]), free);
        const double weight = kWeights[i] * (far ? kReachWeights[j] : 1.0);
        sum.value += weight * ends.value;
        sum.goal += weight * ends.goal;
      }
    }
    return sum;
  }

  /// Whether a robot can stand behind the ball for this direction.
  bool room_behind(double direction) const {
    const Vector2d stand = ball_ - 0.2 * Vector2d(std::cos(direction), std::sin(direction));
    if (std::abs(stand.x()) > x_ + 0.5 * p_.field.border || std::abs(stand.y()) > y_ + 0.5 * p_.field.border)
      return false;
    const double post_y = 0.5 * p_.field.goal_width;
    const bool in_goal = std::abs(stand.x()) > x_ + 0.1 && std::abs(stand.y()) < post_y + 0.2;
    const bool at_post = std::abs(std::abs(stand.x()) - x_) < 0.25 && std::abs(std::abs(stand.y()) - post_y) < 0.25;
    return !in_goal && !at_post;
  }

  /// s until the robot stands behind the ball for this direction.
  double approach_time(double direction) const {
    const Vector2d stand = ball_ - 0.2 * Vector2d(std::cos(direction), std::sin(direction));
    const Vector2d way = stand - s_.pose.position();
    const Vector2d to_ball = ball_ - s_.pose.position();
    const double bearing = to_ball.norm() > 0.15 ? std::atan2(to_ball.y(), to_ball.x()) : s_.pose.yaw;
    const double around = std::abs(wrap_angle(direction - bearing));
    const double turn = std::abs(wrap_angle(direction - s_.pose.yaw));
    return std::max(way.norm(), 0.35 * around) / p_.walk_speed + 0.5 * turn / p_.turn_speed;
  }

 private:
  const Situation& s_;
  const TacticsParams& p_;
  bool direct_;
  Vector2d ball_;
  double x_, y_;
};

}  // namespace

double value_of(const Vector2d& point, const Situation& s, const TacticsParams& params) {
  const double x = 0.5 * params.field.length;
  // To the nearest point of the goal mouth, not to its middle: in front of a post is still in front of the goal.
  const double mouth = 0.35 * params.field.goal_width;
  const double beside = std::max(std::abs(point.y()) - mouth, 0.0);
  const double theirs = std::hypot(x - point.x(), 1.3 * beside), ours = std::hypot(x + point.x(), 1.3 * beside);
  double value = 0.6 * std::exp(-theirs / 2.2) - 0.6 * std::exp(-ours / 2.2);
  double nearest_own = (s.pose.position() - point).norm(), nearest_rival = 4.0;
  for (std::size_t i = 0; i < s.mate_count; ++i)
    if (s.mates[i].pose) nearest_own = std::min(nearest_own, (s.mates[i].pose->position() - point).norm());
  for (std::size_t i = 0; i < s.rival_count; ++i) nearest_rival = std::min(nearest_rival, (s.rivals[i] - point).norm());
  value += 0.05 * std::clamp(nearest_rival - nearest_own, -2.0, 2.0);
  return value;
}

KickOption choose_kick(const Situation& s, const TacticsParams& params, bool direct, Memory& memory) {
  const Chooser chooser(s, params, direct);
  const Vector2d ball = s.ball.position;
  bool duel = false;
  for (std::size_t i = 0; i < s.rival_count; ++i) duel = duel || (s.rivals[i] - ball).norm() < 0.7;
  const double time_weight = duel ? kHurry * kTimeWeight : kTimeWeight;

  KickOption best;
  best.gain = -1e9;
  const auto consider = [&](KickOption::Kind kind, double direction) {
    const bool dribble = kind == KickOption::Kind::Dribble;
    const double distance = kind == KickOption::Kind::Kick       ? params.kick_distance
                            : kind == KickOption::Kind::SoftKick ? 0.5 * params.kick_distance
                                                                 : params.dribble_distance;
    const Ends ends =
        chooser.expect(direction, distance, dribble ? params.dribble_direction_spread : params.kick_direction_spread,
                       kind == KickOption::Kind::Kick);
    double gain = ends.value - time_weight * (chooser.approach_time(direction) + (dribble ? 0.5 : params.kick_time));
    const bool kept = memory.kick_direction && memory.kick_option == static_cast<int>(kind) &&
                      std::abs(wrap_angle(*memory.kick_direction - direction)) < 0.2;
    if (kept) gain += kKeep;
    if (gain > best.gain) best = {kind, direction, distance, gain, ends.goal, 0};
  };
  const auto consider_all = [&](double direction) {
    if (!chooser.room_behind(direction)) return;
    consider(KickOption::Kind::Kick, direction);
    consider(KickOption::Kind::SoftKick, direction);
    consider(KickOption::Kind::Dribble, direction);
  };
  for (int i = 0; i < kDirections; ++i) consider_all(wrap_angle(2.0 * M_PI * i / kDirections));
  for (const double share : {0.0, 0.5, -0.5}) {  // into the goal, by any of three ways
    const Vector2d aim = Vector2d(0.5 * params.field.length, 0.5 * share * params.field.goal_width) - ball;
    if (aim.norm() > 1e-3) consider_all(std::atan2(aim.y(), aim.x()));
  }
  for (std::size_t i = 0; i < s.mate_count; ++i) {
    if (!s.mates[i].pose) continue;
    const Vector2d aim = s.mates[i].pose->position() + Vector2d(0.4, 0.0) - ball;
    if (aim.norm() > 0.8) consider_all(std::atan2(aim.y(), aim.x()));
  }
  if (memory.kick_direction) consider_all(*memory.kick_direction);
  if (best.gain < -1e8) {  // no room anywhere (a ball behind a post): towards the middle of the field
    best = {KickOption::Kind::Dribble, std::atan2(-ball.y(), -ball.x()), params.dribble_distance, 0.0, 0.0, 0};
  }
  const Vector2d end = ball + best.distance * Vector2d(std::cos(best.direction), std::sin(best.direction));
  double nearest = 1.0;  // m, nearer than this somebody is the receiver
  for (std::size_t i = 0; i < s.mate_count; ++i) {
    if (!s.mates[i].pose || best.goal_probability > 0.3) continue;
    const double distance = (s.mates[i].pose->position() - end).norm();
    if (distance < nearest) {
      nearest = distance;
      best.receiver = s.mates[i].number;
    }
  }
  memory.kick_direction = best.direction;
  memory.kick_option = static_cast<int>(best.kind);
  return best;
}

}  // namespace hl_behavior

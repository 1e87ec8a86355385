// SPDX-License-Identifier: Apache-2.0
// Who plays the ball.
#include <cmath>

#include "hl_behavior/kick_choice.hpp"
#include "plans.hpp"

namespace hl_behavior {
namespace {

using hl_description::wrap_angle;

/// Whether a kick from here would hit the ball, `slack` (m) wider than our kick asks for.
bool in_reach(const TacticsParams& p, const Vector2d& ball, double slack) {
  const double beside = std::abs(ball.y());
  return ball.x() > p.kick_near - slack && ball.x() < p.kick_far + slack && beside > p.kick_inside - slack &&
         beside < p.kick_outside + slack;
}

/// At the kick-off one of theirs stands at the circle, in the way. Who has its eyes on the ball before its feet does
/// not see it.
KickOption choose(Context& c) {
  const bool kick_off = c.moment.scene == Scene::KickOff && c.moment.whose == Whose::Own;
  if (!kick_off || c.s.rival_count == c.s.rivals.size()) return choose_kick(c.s, c.p, c.moment.direct, c.m);
  Situation s = c.s;
  s.rivals[s.rival_count++] = s.ball.position + Vector2d(c.p.rule_distance + c.p.rule_margin, 0.0);
  return choose_kick(s, c.p, c.moment.direct, c.m);
}

}  // namespace

void strike(Context& c, bool clear_only) {
  const auto& ball = c.s.ball;
  Decision& d = c.d;
  const KickOption option = choose(c);
  const Vector2d along(std::cos(option.direction), std::sin(option.direction));
  const Vector2d target = ball.position + option.distance * along;

  d.reasons.add("ball distance", ball.relative.norm(), "m");
  d.reasons.add("kick direction", option.direction * 180.0 / M_PI, "deg");
  d.reasons.add("expected gain", option.gain, "");
  d.reasons.add("goal probability", option.goal_probability, "");
  d.reasons.add("kind", option.kind == KickOption::Kind::Kick       ? "kick"
                        : option.kind == KickOption::Kind::SoftKick ? "soft kick"
                                                                    : "dribble");
  d.side = target.y() > 1.0 ? OffensiveSide::Left : target.y() < -1.0 ? OffensiveSide::Right : OffensiveSide::Centre;

  ApproachBall approach;
  approach.ball = ball.position;
  approach.velocity = ball.velocity;
  approach.direction = option.direction;
  d.move = approach;
  d.action = Action::GoingToBall;
  const double distance = ball.relative.norm();
  look(c, distance > 1.0 && ball.own_eyes && ball.age < 0.3 ? HeadMode::BallGoalTracking : HeadMode::Ball);

  const double heading_error = std::abs(wrap_angle(option.direction - c.s.pose.yaw));
  const double slack = c.m.kicking ? 0.01 : 0.0;  // m and rad; the decision holds while the robot comes to rest
  const bool fresh = ball.own_eyes && ball.age < 1.0;
  const bool dribble = option.kind == KickOption::Kind::Dribble;
  const bool aimed = heading_error < (dribble ? 0.5 : c.p.aim_tolerance + slack);
  const bool slow = ball.velocity.norm() < 0.15;
  const bool reach = dribble ? ball.relative.x() > 0.0 && ball.relative.x() < 0.35 && std::abs(ball.relative.y()) < 0.15
                             : in_reach(c.p, ball.relative, slack);
  d.reasons.add("heading error", heading_error * 180.0 / M_PI, "deg");
  c.m.kicking = reach && aimed && fresh && (slow || dribble);
  if (!c.m.kicking) return;

  d.action = Action::TryingToScore;
  const bool deep = ball.position.x() < -0.5 * c.half_length();
  if (dribble) {
    d.kick = KickSkill(Dribble{ball.position, target, Frame::Map});
    Walk on;  // the kick is one long step of the walk
    on.velocity = {0.15, 0.0, 0.0};
    d.move = MoveSkill(on);
  } else if (clear_only || (deep && option.receiver == 0)) {
    d.kick = KickSkill(Clear{ball.position, target, Frame::Map});
  } else if (option.receiver != 0) {
    d.kick = KickSkill(PassTo{option.receiver, ball.position, target,
                              option.kind == KickOption::Kind::SoftKick ? 0.5 : 1.0, Frame::Map});
  } else {
    d.kick =
        KickSkill(KickTo{ball.position, target, option.kind == KickOption::Kind::SoftKick ? 0.5 : 1.0, Frame::Map});
  }
}

void prepare_kick(Context& c) {
  const Vector2d ball = c.ball();
  double direction = 0.0;
  if (c.s.ball.known) {
    direction = choose_kick(c.s, c.p, c.moment.direct, c.m).direction;
  } else {
    const Vector2d aim = c.their_goal() - ball;
    direction = std::atan2(aim.y(), aim.x());
  }
  const Vector2d along(std::cos(direction), std::sin(direction));
  const Vector2d place = ball - c.p.taker_distance * along;
  look(c, HeadMode::Ball);
  go(c, {place.x(), place.y(), direction}, Action::Positioning);
}

}  // namespace hl_behavior

// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/skill.hpp"

#include <cmath>
#include <hl_description/formatted.hpp>

namespace hl_behavior {
namespace {

using hl_description::formatted;

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

double degrees(double angle) {
  return angle * 180.0 / M_PI;
}

/// Compares with the tolerances; not a number equals nothing.
struct Near {
  const Tolerance& tolerance;
  bool operator()(const Vector2d& a, const Vector2d& b) const { return (a - b).norm() <= tolerance.distance; }
  bool lengths(double a, double b) const { return std::abs(a - b) <= tolerance.distance; }
  bool angles(double a, double b) const { return std::abs(hl_description::wrap_angle(a - b)) <= tolerance.angle; }
  bool operator()(const Pose2& a, const Pose2& b) const {
    return (*this)(a.position(), b.position()) && angles(a.yaw, b.yaw);
  }
};

Sameness fixed(bool same) {
  return same ? Sameness::Same : Sameness::Other;
}
Sameness moving(bool same) {
  return same ? Sameness::Same : Sameness::Update;
}

struct MoveCompare {
  Near near;
  Sameness operator()(const GoToPose& a, const GoToPose& b) const {
    return fixed(a.frame == b.frame && a.avoid_ball == b.avoid_ball && near(a.pose, b.pose) &&
                 near.lengths(a.speed_limit, b.speed_limit));
  }
  Sameness operator()(const GoKeepHeading& a, const GoKeepHeading& b) const {
    return fixed(a.frame == b.frame && a.avoid_ball == b.avoid_ball && near(a.point, b.point));
  }
  Sameness operator()(const GoLookingAt& a, const GoLookingAt& b) const {
    if (a.frame != b.frame || a.avoid_ball != b.avoid_ball || !near(a.point, b.point)) return Sameness::Other;
    return moving(near(a.look_at, b.look_at));
  }
  Sameness operator()(const Follow& a, const Follow& b) const {
    if (a.frame != b.frame || !near(a.offset, b.offset)) return Sameness::Other;
    return moving(near(a.target, b.target) && near(a.velocity, b.velocity));
  }
  Sameness operator()(const ApproachBall& a, const ApproachBall& b) const {
    if (a.frame != b.frame || a.foot != b.foot) return Sameness::Other;
    return moving(near(a.ball, b.ball) && near(a.velocity, b.velocity) && near.angles(a.direction, b.direction));
  }
  Sameness operator()(const TurnAroundBall& a, const TurnAroundBall& b) const {
    if (a.frame != b.frame || !near.lengths(a.radius, b.radius)) return Sameness::Other;
    return moving(near(a.ball, b.ball) && near.angles(a.direction, b.direction));
  }
  Sameness operator()(const GoStraight& a, const GoStraight& b) const {
    return fixed(near.lengths(a.distance, b.distance));
  }
  Sameness operator()(const Weave& a, const Weave& b) const {
    return fixed(near.lengths(a.length, b.length) && near.lengths(a.amplitude, b.amplitude) &&
                 near.lengths(a.period, b.period) && near.lengths(a.speed, b.speed));
  }
  Sameness operator()(const Step& a, const Step& b) const { return fixed(a.count == b.count && near(a.step, b.step)); }
  Sameness operator()(const Walk& a, const Walk& b) const { return moving(near(a.velocity, b.velocity)); }
  Sameness operator()(const Stop&, const Stop&) const { return Sameness::Same; }
  template <class A, class B>
  Sameness operator()(const A&, const B&) const {
    return Sameness::Other;
  }
};

struct HeadCompare {
  Near near;
  Sameness operator()(const LookMode& a, const LookMode& b) const { return fixed(a.mode == b.mode); }
  Sameness operator()(const LookAt& a, const LookAt& b) const {
    if (a.frame != b.frame) return Sameness::Other;
    return moving(near(a.point, b.point) && near.lengths(a.height, b.height));
  }
  Sameness operator()(const Scan& a, const Scan& b) const { return fixed(a.pattern == b.pattern); }
  template <class A, class B>
  Sameness operator()(const A&, const B&) const {
    return Sameness::Other;
  }
};

/// Ball and target of a kick follow the world until it is carried out: a new place is an update, no new kick.
struct KickCompare {
  Near near;
  template <class T>
  Sameness shot(const T& a, const T& b) const {
    return a.frame != b.frame ? Sameness::Other : moving(near(a.ball, b.ball) && near(a.target, b.target));
  }
  Sameness operator()(const KickTo& a, const KickTo& b) const {
    return near.lengths(a.speed, b.speed) ? shot(a, b) : Sameness::Other;
  }
  Sameness operator()(const PassTo& a, const PassTo& b) const {
    return a.player == b.player && near.lengths(a.speed, b.speed) ? shot(a, b) : Sameness::Other;
  }
  Sameness operator()(const Dribble& a, const Dribble& b) const { return shot(a, b); }
  Sameness operator()(const Clear& a, const Clear& b) const { return shot(a, b); }
  Sameness operator()(const Dive& a, const Dive& b) const { return fixed(a.side == b.side); }
  Sameness operator()(const Block&, const Block&) const { return Sameness::Same; }
  Sameness operator()(const Disarm&, const Disarm&) const { return Sameness::Same; }
  template <class A, class B>
  Sameness operator()(const A&, const B&) const {
    return Sameness::Other;
  }
};

std::optional<std::string> unless(bool good, const char* what) {
  if (good) return std::nullopt;
  return std::string(what);
}

std::optional<std::string> bad_shot(const Vector2d& ball, const Vector2d& target, double speed) {
  if (!ball.allFinite()) return "the ball's place is not a number";
  if (!target.allFinite()) return "the target is not a number";
  if ((target - ball).norm() < 1e-3) return "the target is where the ball lies: no direction";
  if (!(speed >= 0.0 && speed <= 1.0)) return formatted("speed %g is not within 0..1", speed);
  return std::nullopt;
}

const char* suffix(Frame frame) {
  return frame == Frame::Map ? "" : frame == Frame::Odom ? " in odom" : " from here";
}

}  // namespace

Sameness compare(const MoveSkill& running, const MoveSkill& wanted, const Tolerance& tolerance) {
  return std::visit(MoveCompare{{tolerance}}, running, wanted);
}
Sameness compare(const HeadSkill& running, const HeadSkill& wanted, const Tolerance& tolerance) {
  return std::visit(HeadCompare{{tolerance}}, running, wanted);
}
Sameness compare(const KickSkill& running, const KickSkill& wanted, const Tolerance& tolerance) {
  return std::visit(KickCompare{{tolerance}}, running, wanted);
}

std::optional<std::string> bad_value(const MoveSkill& skill) {
  constexpr const char* kNumber = "a position is not a number";
  return std::visit(
      Overloaded{
          [](const GoToPose& s) {
            return unless(s.pose.finite() && std::isfinite(s.speed_limit) && s.speed_limit >= 0.0,
                          "pose or speed limit is not a number, or the limit is negative");
          },
          [](const GoKeepHeading& s) { return unless(s.point.allFinite(), kNumber); },
          [](const GoLookingAt& s) { return unless(s.point.allFinite() && s.look_at.allFinite(), kNumber); },
          [](const Follow& s) {
            return unless(s.target.allFinite() && s.velocity.allFinite() && s.offset.finite(), kNumber);
          },
          [](const ApproachBall& s) {
            return unless(s.ball.allFinite() && s.velocity.allFinite() && std::isfinite(s.direction), kNumber);
          },
          [](const TurnAroundBall& s) {
            return unless(s.ball.allFinite() && std::isfinite(s.direction) && std::isfinite(s.radius) && s.radius >= 0,
                          "ball, direction or radius is not a number, or the radius is negative");
          },
          [](const GoStraight& s) { return unless(std::isfinite(s.distance), "the distance is not a number"); },
          [](const Weave& s) {
            return unless(s.length > 0.0 && s.length <= 20.0 && s.amplitude >= 0.0 && s.amplitude <= 1.0 &&
                              s.period >= 0.2 && s.period <= 20.0 && s.speed > 0.0 && s.speed <= 1.0,
                          "weave needs length 0..20 m, amplitude 0..1 m, period 0.2..20 m, speed 0..1 m/s");
          },
          [](const Step& s) {
            return unless(s.step.finite() && s.count >= 1 && s.count <= 20, "step needs numbers and a count of 1..20");
          },
          [](const Walk& s) { return unless(s.velocity.finite(), "the velocity is not a number"); },
          [](const Stop&) { return std::optional<std::string>(); }},
      skill);
}

std::optional<std::string> bad_value(const HeadSkill& skill) {
  if (const auto* look = std::get_if<LookAt>(&skill))
    return unless(look->point.allFinite() && std::isfinite(look->height), "the point is not a number");
  return std::nullopt;
}

std::optional<std::string> bad_value(const KickSkill& skill) {
  return std::visit(Overloaded{[](const KickTo& s) { return bad_shot(s.ball, s.target, s.speed); },
                               [](const PassTo& s) { return bad_shot(s.ball, s.target, s.speed); },
                               [](const Dribble& s) { return bad_shot(s.ball, s.target, 1.0); },
                               [](const Clear& s) { return bad_shot(s.ball, s.target, 1.0); },
                               [](const auto&) { return std::optional<std::string>(); }},
                    skill);
}

std::string describe(const MoveSkill& skill) {
  return std::visit(
      Overloaded{[](const GoToPose& s) {
                   return formatted("go_to_pose(%.2f, %.2f, %.0f deg)%s", s.pose.x, s.pose.y, degrees(s.pose.yaw),
                                    suffix(s.frame));
                 },
                 [](const GoKeepHeading& s) {
                   return formatted("go_keep_heading(%.2f, %.2f)%s", s.point.x(), s.point.y(), suffix(s.frame));
                 },
                 [](const GoLookingAt& s) {
                   return formatted("go_looking_at(%.2f, %.2f; %.2f, %.2f)%s", s.point.x(), s.point.y(), s.look_at.x(),
                                    s.look_at.y(), suffix(s.frame));
                 },
                 [](const Follow& s) {
                   return formatted("follow(%.2f, %.2f)%s", s.target.x(), s.target.y(), suffix(s.frame));
                 },
                 [](const ApproachBall& s) {
                   return formatted("approach_ball(%.2f, %.2f, %.0f deg)%s", s.ball.x(), s.ball.y(),
                                    degrees(s.direction), suffix(s.frame));
                 },
                 [](const TurnAroundBall& s) {
                   return formatted("turn_around_ball(%.2f, %.2f, %.0f deg)%s", s.ball.x(), s.ball.y(),
                                    degrees(s.direction), suffix(s.frame));
                 },
                 [](const GoStraight& s) { return formatted("go_straight(%.2f)", s.distance); },
                 [](const Weave& s) { return formatted("weave(%.2f, %.2f, %.2f)", s.length, s.amplitude, s.period); },
                 [](const Step& s) {
                   return formatted("step(%.2f, %.2f, %.0f deg, %d)", s.step.x, s.step.y, degrees(s.step.yaw), s.count);
                 },
                 [](const Walk& s) {
                   return formatted("walk(%.2f, %.2f, %.2f rad/s)", s.velocity.x, s.velocity.y, s.velocity.yaw);
                 },
                 [](const Stop&) { return std::string("stop"); }},
      skill);
}

std::string describe(const HeadSkill& skill) {
  return std::visit(Overloaded{[](const LookMode& s) { return formatted("head_mode(%s)", name_of(s.mode)); },
                               [](const LookAt& s) {
                                 return formatted("look_at(%.2f, %.2f, %.2f)%s", s.point.x(), s.point.y(), s.height,
                                                  suffix(s.frame));
                               },
                               [](const Scan& s) {
                                 static constexpr const char* kNames[] = {"horizon", "near", "all"};
                                 return formatted("scan(%s)", kNames[static_cast<int>(s.pattern)]);
                               }},
                    skill);
}

std::string describe(const KickSkill& skill) {
  return std::visit(
      Overloaded{
          [](const KickTo& s) {
            return formatted("kick_to(%.2f, %.2f; speed %.2f)%s", s.target.x(), s.target.y(), s.speed, suffix(s.frame));
          },
          [](const PassTo& s) {
            return formatted("pass_to(%d; %.2f, %.2f; speed %.2f)%s", s.player, s.target.x(), s.target.y(), s.speed,
                             suffix(s.frame));
          },
          [](const Dribble& s) {
            return formatted("dribble(%.2f, %.2f)%s", s.target.x(), s.target.y(), suffix(s.frame));
          },
          [](const Clear& s) { return formatted("clear(%.2f, %.2f)%s", s.target.x(), s.target.y(), suffix(s.frame)); },
          [](const Dive& s) {
            static constexpr const char* kNames[] = {"left", "right", "middle"};
            return formatted("dive(%s)", kNames[static_cast<int>(s.side)]);
          },
          [](const Block&) { return std::string("block"); }, [](const Disarm&) { return std::string("disarm"); }},
      skill);
}

const char* name_of(Slot slot) {
  static constexpr const char* kNames[] = {"move", "head", "kick"};
  return kNames[static_cast<int>(slot)];
}

const char* name_of(HeadMode mode) {
  switch (mode) {
    case HeadMode::Ball:
      return "ball";
    case HeadMode::Post:
      return "post";
    case HeadMode::BallGoalTracking:
      return "ball and goal";
    case HeadMode::FieldFeatures:
      return "field features";
    case HeadMode::NonFieldFeatures:
      return "surroundings";
    case HeadMode::LookDown:
      return "down";
    case HeadMode::LookForward:
      return "forward";
    case HeadMode::DontMove:
      return "still";
    case HeadMode::LookUp:
      return "up";
  }
  return "unknown";
}

}  // namespace hl_behavior

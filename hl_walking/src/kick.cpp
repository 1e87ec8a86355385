// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/kick.hpp"

#include <algorithm>
#include <cmath>

namespace hl_walking {
namespace {

using Eigen::Vector2d;

constexpr double kMaxTurn = 0.7;  // rad, of the foot against the robot

double smooth(double s) {
  return s * s * s * (10.0 + s * (-15.0 + 6.0 * s));
}
double smooth_curvature(double s) {
  return s * (60.0 + s * (-180.0 + 120.0 * s));
}

std::string centimetres(double metres) {
  return std::to_string(static_cast<int>(std::lround(metres * 100.0))) + " cm";
}

}  // namespace

const hl_node::ParameterTable<Kick::Params>& Kick::parameters() {
  using P = Params;
  static const hl_node::ParameterTable<P> table({
      {"shift_duration", &P::shift_duration, 0.2, 3.0, "weight over the support foot, and back at the end, s"},
      {"lift_duration", &P::lift_duration, 0.1, 2.0, "the foot goes up and back, s"},
      {"swing_duration", &P::swing_duration, 0.08, 1.0, "from the back through the ball to the front, s"},
      {"return_duration", &P::return_duration, 0.1, 2.0, "from the front to the ground beside the support foot, s"},
      {"back", &P::back, 0.0, 0.2, "behind the support foot, where the swing starts, m"},
      {"front", &P::front, 0.02, 0.4, "ahead of it, where the swing ends, m"},
      {"lift", &P::lift, 0.01, 0.16, "height of the foot at the back, m"},
      {"strike_height", &P::strike_height, 0.005, 0.16, "height of the foot in front, m"},
      {"sag", &P::sag, -0.1, 0.1, "how far the middle of the swing lies below the line from back to front, m"},
      {"back_pitch", &P::back_pitch, -1.0, 1.0, "toes down at the back, rad"},
      {"strike_pitch", &P::strike_pitch, -1.0, 1.0, "toes down in front, rad"},
      {"twist", &P::twist, -0.6, 0.6, "the trunk turns from this, kicking side back, to as much forward, rad"},
      {"lean", &P::lean, -0.4, 0.4, "it leans from this, forward, to as much backward, rad"},
      {"rise", &P::rise, -0.03, 0.03, "it rises from this much below its height to as much above, m"},
      {"com_x", &P::com_x, -0.06, 0.06, "centre of mass ahead of the sole's centre on one foot, m"},
      {"com_y", &P::com_y, -0.04, 0.06, "and inwards of it, m"},
      {"drive", &P::drive, -0.06, 0.06, "it goes ahead by this during the swing, m"},
      {"near", &P::near, 0.0, 0.3, "nearest ball ahead that can be hit, m"},
      {"far", &P::far, 0.05, 0.5, "farthest ball ahead that can be hit, m"},
      {"inside", &P::inside, -0.1, 0.1, "ball nearest to the middle that can be hit, m"},
      {"outside", &P::outside, 0.02, 0.3, "ball farthest aside that can be hit, m"},
      {"max_angle", &P::max_angle, 0.0, 1.0, "kick direction against straight ahead, rad"},
      {"aim_gain", &P::aim_gain, 0.0, 3.0, "turn of the foot's path over the commanded direction"},
      {"aim_offset", &P::aim_offset, -0.3, 0.3, "and its constant part, outwards, rad"},
  });
  return table;
}

std::optional<std::string> Kick::Params::validate() const {
  if (auto error = parameters().check(*this)) return "kick." + *error;
  if (far < near) return "kick.far is less than kick.near: no ball could be hit";
  if (outside < inside) return "kick.outside is less than kick.inside: no ball could be hit";
  return std::nullopt;
}

Kick::Kick(const WalkingBody& body, const hl_walking::Params& walk, const Params& params)
    : walk_(walk), params_(params), balance_(walk_), poser_(body, walk_, balance_), goals_(body.ready()) {}

std::optional<std::string> Kick::start(const KickGoal& goal) {
  if (active()) return "a kick is under way";
  if (!goal.ball.allFinite() || !goal.target.allFinite() || !std::isfinite(goal.speed)) {
    return "ball, target or speed is not a number";
  }
  const Vector2d aim = goal.target - goal.ball;
  if (aim.norm() < 1e-3) return "the target is where the ball is";
  direction_ = std::atan2(aim.y(), aim.x());
  if (std::abs(direction_) > params_.max_angle) {
    return "the target lies " + std::to_string(static_cast<int>(std::lround(direction_ * 180.0 / M_PI))) +
           " degrees aside, more than the leg can do: turn towards it first";
  }
  // The nearer foot; a ball in the middle goes to the foot that kicks it from outside inwards.
  foot_ = goal.ball.y() > 0.0 || (goal.ball.y() == 0.0 && direction_ < 0.0) ? Side::Left : Side::Right;
  const double aside = goal.ball.y() * sign(foot_);
  if (goal.ball.x() < params_.near || goal.ball.x() > params_.far) {
    return "the ball is " + centimetres(goal.ball.x()) + " ahead, the foot reaches it between " +
           centimetres(params_.near) + " and " + centimetres(params_.far);
  }
  if (aside < params_.inside || aside > params_.outside) {
    return "the ball is " + centimetres(aside) + " aside, the foot reaches it between " + centimetres(params_.inside) +
           " and " + centimetres(params_.outside);
  }
  // The foot goes along the line through the ball in the kick's direction, plus what the ball is known to leave it by.
  direction_ = std::clamp(params_.aim_gain * direction_ + sign(foot_) * params_.aim_offset, -kMaxTurn, kMaxTurn);
  aside_ = goal.ball.y() - sign(foot_) * walk_.foot_distance / 2.0 - std::tan(direction_) * goal.ball.x();
  const double inwards = walk_.foot_distance - walk_.min_foot_distance;
  aside_ = sign(foot_) * std::clamp(sign(foot_) * aside_, -inwards, 0.05);
  swing_duration_ = params_.swing_duration / std::clamp(goal.speed <= 0.0 ? 1.0 : goal.speed, 0.3, 1.0);
  balance_.reset();
  poser_.reset();
  Stance stance;
  stance.com = {walk_.com_x, -walk_.foot_distance / 2.0};
  stance.other = {0.0, -walk_.foot_distance, 0.0};
  stance.load = 0.5;
  omega_ = std::sqrt(hl_description::kGravity / poser_.com_height(stance));
  stage_ = Stage::Shift;
  finished_ = swung_ = false;
  time_ = lean_ = 0.0;
  return std::nullopt;
}

double Kick::duration(Stage stage) const {
  switch (stage) {
    case Stage::Shift:
    case Stage::Unshift:
      return params_.shift_duration;
    case Stage::Lift:
      return params_.lift_duration;
    case Stage::Swing:
      return swing_duration_;
    case Stage::Return:
      return params_.return_duration;
    case Stage::Done:
      break;
  }
  return 0.0;
}

void Kick::cancel() {
  if (stage_ != Stage::Shift) return;
  stage_ = Stage::Unshift;
  time_ = params_.shift_duration - time_;  // the shift is symmetric in time: go back the same way
}

double Kick::progress() const {
  double before = 0.0, all = 0.0;
  for (int i = 0; i < static_cast<int>(Stage::Done); ++i) {
    const auto stage = static_cast<Stage>(i);
    all += duration(stage);
    if (stage < stage_) before += duration(stage);
  }
  return stage_ == Stage::Done ? 1.0 : (before + time_) / all;
}

const Joints& Kick::update(double dt, const std::optional<Attitude>& attitude) {
  if (!active()) return goals_;
  dt = std::isfinite(dt) ? std::clamp(dt, 0.0, 0.1) : 0.0;
  if (attitude) {
    balance_.update(*attitude, walk_.trunk_pitch + lean_, dt);
  } else {
    balance_.fade(dt);
  }
  time_ += dt;
  if (time_ >= duration(stage_)) {
    time_ -= duration(stage_);
    stage_ = static_cast<Stage>(static_cast<int>(stage_) + 1);
    if (stage_ == Stage::Swing) swung_ = true;
    if (!active()) {
      time_ = 0.0;
      finished_ = swung_;
    }
  }
  const double s = active() ? std::clamp(time_ / duration(stage_), 0.0, 1.0) : 1.0;
  Stance stance;
  stance.support = other(foot_);
  move_trunk(s, stance);
  move_foot(s, stance);
  lean_ = stance.lean;
  goals_ = poser_.pose(stance, dt);
  return goals_;
}

/// Centre of mass, load and turn of the trunk at the part `s` of the stage.
void Kick::move_trunk(double s, Stance& stance) const {
  const double side = sign(foot_);  // of the kicking foot, seen from the support foot
  const Vector2d middle(walk_.com_x, side * walk_.foot_distance / 2.0);
  const Vector2d over(params_.com_x, side * params_.com_y);
  stance.other_zmp = {walk_.com_x, side * walk_.foot_distance};
  if (stage_ == Stage::Shift || stage_ == Stage::Unshift || !active()) {
    const double way = stage_ == Stage::Shift ? smooth(s) : 1.0 - smooth(s);
    const double curve = smooth_curvature(s) / (params_.shift_duration * params_.shift_duration);
    stance.com = middle + way * (over - middle);
    stance.push = (stage_ == Stage::Shift ? curve : -curve) * (over - middle);
    const Vector2d zmp = stance.com - stance.push / (omega_ * omega_);
    stance.load = 1.0 - std::clamp(side * zmp.y() / walk_.foot_distance, 0.0, 1.0);
    stance.zmp = over;
    return;
  }
  const double wound = stage_ == Stage::Lift    ? smooth(s)
                       : stage_ == Stage::Swing ? 1.0 - 2.0 * smooth(s)
                                                : smooth(s) - 1.0;
  const double driven = stage_ == Stage::Lift ? 0.0 : stage_ == Stage::Swing ? smooth(s) : 1.0 - smooth(s);
  stance.com = stance.zmp = over + Vector2d(driven * params_.drive, 0.0);
  stance.twist = side * wound * params_.twist;
  stance.lean = wound * params_.lean;
  stance.rise = -wound * params_.rise;
}

/// The kicking foot at the part `s` of the stage.
void Kick::move_foot(double s, Stance& stance) const {
  const double side = sign(foot_);
  const Vector2d back(-params_.back, params_.lift), front(params_.front, params_.strike_height);
  // Along the kick's direction from the foot's place; path[0] ahead, path[1] up.
  Vector2d path = Vector2d::Zero();
  double aside = 0.0, pitch = 0.0;
  if (stage_ == Stage::Lift) {
    path = {smooth(s) * back.x(), smooth(std::min(1.0, 1.6 * s)) * back.y()};
    aside = smooth(s);
    pitch = smooth(s) * params_.back_pitch;
  } else if (stage_ == Stage::Swing) {
    const double way = smooth(s);
    path = back + way * (front - back);
    path.y() -= 4.0 * way * (1.0 - way) * params_.sag;
    aside = 1.0;
    pitch = params_.back_pitch + way * (params_.strike_pitch - params_.back_pitch);
  } else if (stage_ == Stage::Return) {
    path = {(1.0 - smooth(std::min(1.0, 1.25 * s))) * front.x(), (1.0 - smooth(s)) * front.y()};
    aside = 1.0 - smooth(s);
    pitch = (1.0 - smooth(std::min(1.0, 2.0 * s))) * params_.strike_pitch;
  }
  const double y = side * walk_.foot_distance + aside * aside_ + path.x() * std::tan(direction_);
  stance.other = {path.x(), side * std::max(walk_.min_foot_distance, side * y), aside * direction_};
  stance.other_height = path.y();
  stance.other_pitch = pitch;
}

}  // namespace hl_walking

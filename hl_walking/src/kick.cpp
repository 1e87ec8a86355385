// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/kick.hpp"

#include <algorithm>
#include <cmath>

namespace hl_walking {
namespace {

using Eigen::Vector2d;

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

std::optional<std::string> Kick::Params::validate() const {
  const struct {
    const char* name;
    double value, min, max;
  } values[] = {{"shift_duration", shift_duration, 0.2, 3.0},
                {"lift_duration", lift_duration, 0.1, 2.0},
                {"swing_duration", swing_duration, 0.08, 1.0},
                {"return_duration", return_duration, 0.1, 2.0},
                {"back", back, 0.0, 0.2},
                {"front", front, 0.02, 0.3},
                {"lift", lift, 0.01, 0.12},
                {"strike_height", strike_height, 0.005, 0.12},
                {"strike_pitch", strike_pitch, -0.6, 0.6},
                {"com_x", com_x, -0.06, 0.06},
                {"com_y", com_y, -0.04, 0.06},
                {"near", near, 0.0, 0.3},
                {"far", far, near, 0.5},
                {"inside", inside, -0.1, 0.1},
                {"outside", outside, inside, 0.3},
                {"max_angle", max_angle, 0.0, 1.0}};
  for (const auto& v : values) {
    if (!(v.value >= v.min && v.value <= v.max)) {
      return std::string("kick.") + v.name + " is " + std::to_string(v.value) + " but must be in " +
             std::to_string(v.min) + ".." + std::to_string(v.max);
    }
  }
  return std::nullopt;
}

Kick::Kick(const Body& body, const hl_walking::Params& walk, const Params& params)
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
  // The foot goes along the line through the ball in the kick's direction.
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
  omega_ = std::sqrt(9.81 / poser_.com_height(stance));
  stage_ = Stage::Shift;
  finished_ = swung_ = false;
  time_ = 0.0;
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
    balance_.update(*attitude, walk_.trunk_pitch, dt);
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
  const Side support = other(foot_);
  const double side = sign(foot_);  // of the kicking foot, seen from the support foot
  const Vector2d middle(walk_.com_x, side * walk_.foot_distance / 2.0);
  const Vector2d over(params_.com_x, side * params_.com_y);

  Stance stance;
  stance.support = support;
  stance.com = over;
  if (stage_ == Stage::Shift || stage_ == Stage::Unshift || !active()) {
    const double way = stage_ == Stage::Shift ? smooth(s) : 1.0 - smooth(s);
    const double curve = smooth_curvature(s) / (params_.shift_duration * params_.shift_duration);
    stance.com = middle + way * (over - middle);
    stance.push = (stage_ == Stage::Shift ? curve : -curve) * (over - middle);
  }
  // Along the kick's direction from the foot's place; path[0] ahead, path[1] up.
  Vector2d path = Vector2d::Zero();
  double aside = 0.0, pitch = 0.0;
  const Vector2d back(-params_.back, params_.lift), front(params_.front, params_.strike_height);
  if (stage_ == Stage::Lift) {
    path = {smooth(s) * back.x(), smooth(std::min(1.0, 1.6 * s)) * back.y()};
    aside = smooth(s);
  } else if (stage_ == Stage::Swing) {
    path = back + smooth(s) * (front - back);
    aside = 1.0;
    pitch = smooth(std::min(1.0, 2.0 * s));
  } else if (stage_ == Stage::Return) {
    path = {(1.0 - smooth(std::min(1.0, 1.25 * s))) * front.x(), (1.0 - smooth(s)) * front.y()};
    aside = 1.0 - smooth(s);
    pitch = 1.0 - smooth(std::min(1.0, 2.0 * s));
  }
  const double y = side * walk_.foot_distance + aside * aside_ + path.x() * std::tan(direction_);
  stance.other = {path.x(), side * std::max(walk_.min_foot_distance, side * y), aside * direction_ * 0.5};
  stance.other_height = path.y();
  stance.other_pitch = pitch * params_.strike_pitch;

  stance.zmp = stance.com - stance.push / (omega_ * omega_);
  stance.other_zmp = {walk_.com_x, side * walk_.foot_distance};
  if (stage_ == Stage::Shift || stage_ == Stage::Unshift || !active()) {
    stance.load = 1.0 - std::clamp(side * stance.zmp.y() / walk_.foot_distance, 0.0, 1.0);
    stance.zmp = over;
  }
  goals_ = poser_.pose(stance, dt);
  return goals_;
}

}  // namespace hl_walking

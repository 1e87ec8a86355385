// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/poser.hpp"

#include <algorithm>
#include <cmath>

namespace hl_walking {
namespace {

using Eigen::AngleAxisd;
using Eigen::Isometry3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

using hl_description::kGravity;
constexpr double kMaxSpeed = 8.0;  // rad/s, of a joint in the plan; a jump in the plan is not a speed
constexpr double kMaxLead = 0.15;  // rad, of a goal over the wanted angle

bool is_roll(std::size_t leg_joint) {
  return leg_joint == 1 || leg_joint == 5;
}

/// `foot`, turned by roll and pitch about the ankle, which is `height` above the sole.
Isometry3d turned_about_ankle(const Isometry3d& foot, const Vector2d& roll_pitch, double height) {
  const Vector3d ankle(0.0, 0.0, height);
  Isometry3d turn = Isometry3d::Identity();
  turn.linear() = (AngleAxisd(roll_pitch.y(), Vector3d::UnitY()) * AngleAxisd(roll_pitch.x(), Vector3d::UnitX()))
                      .toRotationMatrix();
  turn.translation() = ankle - turn.linear() * ankle;
  return foot * turn;
}

}  // namespace

Poser::Poser(const WalkingBody& body, const Params& params, const Balance& balance)
    : body_(body), params_(params), balance_(balance) {
  reset();
}

void Poser::reset() {
  posture_ = last_posture_ = goals_ = body_.ready();
}

double Poser::com_height(const Stance& stance) {
  for (int i = 0; i < 10; ++i) pose(stance, 0.0);  // the posture depends on the centre of mass, and this on the posture
  const Vector3d com = AngleAxisd(params_.trunk_pitch, Vector3d::UnitY()) * body_.com(posture_);
  return params_.trunk_height + com.z();
}

const Joints& Poser::pose(const Stance& stance, double dt) {
  const auto heading = AngleAxisd(stance.other.yaw / 2.0 + stance.twist, Vector3d::UnitZ());
  // The limbs' share in the centre of mass is that of the tick before.
  const double pitch = params_.trunk_pitch + stance.lean;
  const Vector3d com = heading * (AngleAxisd(pitch, Vector3d::UnitY()) * body_.com(posture_));
  const Vector2d hip = balance_.hip();
  Isometry3d base = Isometry3d::Identity();
  base.linear() = (heading * AngleAxisd(pitch + hip.y(), Vector3d::UnitY()) * AngleAxisd(hip.x(), Vector3d::UnitX()))
                      .toRotationMatrix();
  base.translation() = Vector3d(stance.com.x() - com.x(), stance.com.y() - com.y(), params_.trunk_height + stance.rise);
  const Isometry3d to_base = base.inverse();

  // A loaded foot presses against the tilt, a free one stays level with the ground.
  const Vector2d press = balance_.ankle(), level = -params_.swing_level * balance_.tilt();
  const Vector2d support_turn = stance.load * press + (1.0 - stance.load) * level;
  const Vector2d other_turn = (1.0 - stance.load) * press + stance.load * level + Vector2d(0.0, stance.other_pitch);
  const double ankle = body_.ankle_height();
  const Isometry3d support = to_base * turned_about_ankle(Isometry3d::Identity(), support_turn, ankle);
  const Isometry3d free = to_base * turned_about_ankle(above(stance.other, stance.other_height), other_turn, ankle);
  reachable_ = body_.solve_leg(stance.support, support, posture_);
  reachable_ &= body_.solve_leg(other(stance.support), free, posture_);
  swing_arms(free.translation().x() - support.translation().x(), stance.support);

  goals_ = posture_;
  lead_lag(dt);
  lead_load(stance, to_base);
  // The control manager refuses goals beyond a limit.
  for (std::size_t i = 0; i < body_.model().dof(); ++i) {
    double& goal = goals_[static_cast<Eigen::Index>(i)];
    goal = body_.model().limits(i).clamp(goal);
  }
  last_posture_ = posture_;
  return goals_;
}

void Poser::swing_arms(double other_ahead, Side support) {
  for (const Side side : {Side::Left, Side::Right}) {
    const double foot_ahead = side == support ? -other_ahead : other_ahead;
    const auto joint = static_cast<Eigen::Index>(body_.shoulder_pitch(side));
    posture_[joint] = body_.ready()[joint] - body_.shoulder_sign(side) * params_.arm_swing * foot_ahead;
  }
}

/// Servos lag behind a moving goal.
void Poser::lead_lag(double dt) {
  if (dt <= 0.0) return;
  for (const Side side : {Side::Left, Side::Right}) {
    for (std::size_t k = 0; k < 6; ++k) {
      const double lag = k == 0 ? params_.lag_yaw : is_roll(k) ? params_.lag_roll : params_.lag_pitch;
      const auto joint = static_cast<Eigen::Index>(body_.leg(side).joints()[k]);
      goals_[joint] += lag * std::clamp((posture_[joint] - last_posture_[joint]) / dt, -kMaxSpeed, kMaxSpeed);
    }
  }
}

/// Servos sag under load. The load is the ground's force, which the plan knows.
void Poser::lead_load(const Stance& stance, const Isometry3d& to_base) {
  if (params_.stiffness_roll <= 0.0 && params_.stiffness_pitch <= 0.0) return;
  const Vector3d force = to_base.linear() * (body_.mass() * Vector3d(stance.push.x(), stance.push.y(), kGravity));
  for (const Side side : {Side::Left, Side::Right}) {
    const double part = side == stance.support ? stance.load : 1.0 - stance.load;
    if (part <= 0.0) continue;
    const Vector2d& point = side == stance.support ? stance.zmp : stance.other_zmp;
    const auto torque = body_.leg_torque(side, to_base * Vector3d(point.x(), point.y(), 0.0), part * force);
    for (std::size_t k = 1; k < 6; ++k) {
      const double stiffness = is_roll(k) ? params_.stiffness_roll : params_.stiffness_pitch;
      if (stiffness <= 0.0) continue;
      const auto joint = static_cast<Eigen::Index>(body_.leg(side).joints()[k]);
      goals_[joint] += std::clamp(torque[k] / stiffness, -kMaxLead, kMaxLead);
    }
  }
}

}  // namespace hl_walking

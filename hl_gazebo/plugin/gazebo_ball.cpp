// SPDX-License-Identifier: Apache-2.0
#include "gazebo_ball.hpp"

#include <algorithm>

#include "conversions.hpp"

namespace hl_gazebo {
namespace {

constexpr double kOnTurf = 0.003;  // m above it

/// m
double radius_of(const gazebo::physics::Link& ball) {
  const auto shape =
      boost::dynamic_pointer_cast<gazebo::physics::SphereShape>(ball.GetCollisions().front()->GetShape());
  return shape ? shape->GetRadius() : 0.0;
}

}  // namespace

gazebo::physics::LinkPtr GazeboBall::link() const {
  const auto model = world_->ModelByName("ball");  // looked up every time: somebody may delete it
  return model ? model->GetLink("ball") : nullptr;
}

void GazeboBall::before_step(double dt) {
  const auto ball = link();
  if (!ball) return;
  const double radius = radius_of(*ball);
  if (ball->WorldPose().Pos().Z() > radius + kOnTurf) return;
  // Translation and rotation alike, so that it keeps rolling without slip.
  Eigen::Vector3d velocity = to_eigen(ball->WorldLinearVel());
  velocity.z() = 0.0;
  const Eigen::Vector3d spin = to_eigen(ball->WorldAngularVel());
  const double speed = velocity.norm(), turning = spin.norm(), slowing = turf_.slowing(speed);
  const auto inertial = ball->GetInertial();
  if (speed > 0.0) ball->AddForce(to_ignition(-inertial->Mass() * std::min(slowing, speed / dt) / speed * velocity));
  if (turning > 0.0)
    ball->AddTorque(to_ignition(-inertial->IXX() * std::min(slowing / radius, turning / dt) / turning * spin));
}

bool GazeboBall::place(const PlaceBall& where) {
  const auto ball = link();
  if (!ball) return false;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = where.position;
  pose.translation().z() = std::max(where.position.z(), radius_of(*ball));
  ball->GetModel()->SetWorldPose(to_ignition(pose));
  ball->SetWorldTwist(to_ignition(where.velocity), {0, 0, 0});
  touched_ = false;
  return true;
}

void GazeboBall::describe(WorldState& state) const {
  const auto ball = link();
  if (!ball) return;
  state.ball = to_eigen(ball->WorldPose().Pos());
  state.ball_velocity = to_eigen(ball->WorldLinearVel());
  state.ball_touched = touched_;
}

}  // namespace hl_gazebo

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "robot_impl.hpp"

namespace hl_simulation {
namespace {

Eigen::Quaterniond to_quaternion(const mjtNum* q) {
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]);
}

}  // namespace

FootReading Robot::Impl::measure_foot(const FootSpec& foot) const {
  FootReading cells{};
  if (foot.frame.empty()) return cells;
  const mjModel* m = engine->model.get();
  const mjData* d = engine->data.get();
  const Frame& frame = spec().frames.at(foot.frame);
  const int body = body_ids[frame.body];
  const Eigen::Isometry3d to_sole = (body_pose(*d, body) * frame.pose).inverse();
  for (int c = 0; c < d->ncon; ++c) {
    const mjContact& contact = d->contact[c];
    if (m->geom_bodyid[contact.geom1] != body && m->geom_bodyid[contact.geom2] != body) continue;
    if (contact.efc_address < 0) continue;
    mjtNum force[6];
    mj_contactForce(m, d, c, force);
    const Eigen::Vector3d at = to_sole * Eigen::Vector3d(ConstMap3(contact.pos));
    add_force(foot, at, force[0], cells);
  }
  return cells;
}

Reading Robot::Impl::measure() const {
  const mjData* d = engine->data.get();
  Reading r;
  r.stamp = d->time;
  const std::size_t n = state.servos.size();
  r.joints.position.resize(n);
  r.joints.velocity.resize(n);
  r.joints.effort.resize(n);
  for (std::size_t j = 0; j < n; ++j) {
    r.joints.position[j] = std::round(d->qpos[qpos[j]] / Servo::kTick) * Servo::kTick;
    r.joints.velocity[j] = d->qvel[dof[j]];
    r.joints.effort[j] = state.servos[j].torque();
  }
  r.left_foot = measure_foot(spec().left_foot);
  r.right_foot = measure_foot(spec().right_foot);
  if (gyro >= 0) {
    const Frame& frame = spec().frames.at(spec().imu_frame);
    engine->refresh_poses();
    r.imu.orientation = to_quaternion(d->xquat + 4 * body_ids[frame.body]) * Eigen::Quaterniond(frame.pose.linear());
    r.imu.angular_velocity = ConstMap3(d->sensordata + gyro);
    r.imu.linear_acceleration = ConstMap3(d->sensordata + accelerometer);
  }
  add_noise(placement->sensors, engine->seed, index, engine->steps, r);
  return r;
}

const Reading& Robot::read() const {
  if (!impl_->state.history.empty()) return impl_->state.history.front();
  if (impl_->reading_step != impl_->engine->steps) {
    impl_->reading = impl_->measure();
    impl_->reading_step = impl_->engine->steps;
  }
  return impl_->reading;
}

}  // namespace hl_simulation

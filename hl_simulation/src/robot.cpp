// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "robot_impl.hpp"

namespace hl_simulation {
void Robot::Impl::bind(Engine& shared, const RobotPlacement& where, std::size_t number) {
  engine = &shared;
  placement = &where;
  index = number;
  const mjModel* m = engine->model.get();
  const std::string prefix = where.name + "/";
  const auto id = [&](int type, const std::string& name) {
    const int found = mj_name2id(m, type, (prefix + name).c_str());
    if (found < 0) throw std::runtime_error("'" + prefix + name + "' was lost while building the model");
    return found;
  };
  for (const RigidBody& body : spec().bodies) body_ids.push_back(id(mjOBJ_BODY, body.name));
  root_body = body_ids.front();
  const int root_joint = id(mjOBJ_JOINT, "root");
  root_qpos = m->jnt_qposadr[root_joint];
  root_dof = m->jnt_dofadr[root_joint];
  for (const JointSpec& joint : spec().joints) {
    const int hinge = id(mjOBJ_JOINT, joint.name);
    names.push_back(joint.name);
    qpos.push_back(m->jnt_qposadr[hinge]);
    dof.push_back(m->jnt_dofadr[hinge]);
    actuator.push_back(id(mjOBJ_ACTUATOR, joint.name));
    state.servos.emplace_back(joint.servo);
  }
  if (!spec().imu_frame.empty()) {
    gyro = m->sensor_adr[id(mjOBJ_SENSOR, "gyro")];
    accelerometer = m->sensor_adr[id(mjOBJ_SENSOR, "accelerometer")];
  }
  state.battery = where.battery;
  state.voltage = where.battery.voltage;
}

void Robot::Impl::before_step() {
  mjData* d = engine->data.get();
  const double dt = engine->model->opt.timestep;
  while (!state.delayed.empty() && state.delayed.front().step <= engine->steps) {
    apply_goals(state.delayed.front().positions);
    state.delayed.pop_front();
  }
  for (std::size_t j = 0; j < state.servos.size(); ++j) {
    Servo& servo = state.servos[j];
    const bool was_on = servo.torque_on();
    d->ctrl[actuator[j]] = servo.update(d->qpos[qpos[j]], d->qvel[dof[j]], dt, state.voltage);
    if (servo.torque_on() != was_on) update_damping(j);
  }
  state.voltage = state.battery.under_load(supply_current(state.servos));

  for (const Push& push : state.pushes) {
    const double on = d->time < push.until - 1e-9 ? 1.0 : 0.0;
    for (int k = 0; k < 3; ++k) d->xfrc_applied[6 * push.body + k] = 0.0;
    if (on == 0.0) continue;
    for (int k = 0; k < 3; ++k) d->xfrc_applied[6 * push.body + k] = push.force[k];
  }
  state.pushes.erase(std::remove_if(state.pushes.begin(), state.pushes.end(),
                                    [&](const Push& p) { return d->time >= p.until - 1e-9; }),
                     state.pushes.end());
}

void Robot::Impl::keep_held() {
  if (!state.held) return;
  mjData* d = engine->data.get();
  std::copy(state.held->begin(), state.held->end(), d->qpos + root_qpos);
  std::fill_n(d->qvel + root_dof, 6, 0.0);
}

void Robot::Impl::after_step() {
  if (placement->sensors.sensor_delay <= 0.0) return;
  state.history.push_back(measure());
  const double oldest = engine->data->time - placement->sensors.sensor_delay;
  while (state.history.size() > 1 && state.history[1].stamp <= oldest + 1e-9) state.history.pop_front();
}

void Robot::Impl::send_goals(const std::vector<double>& positions) {
  const double delay = placement->sensors.command_delay;
  if (delay <= 0.0) {
    apply_goals(positions);
  } else {
    const auto delay_steps = static_cast<std::uint64_t>(std::llround(delay / engine->model->opt.timestep));
    state.delayed.push_back({engine->steps + delay_steps, positions});
  }
}

void Robot::Impl::apply_goals(const std::vector<double>& positions) {
  for (std::size_t j = 0; j < positions.size(); ++j) {
    if (!std::isfinite(positions[j])) continue;
    const JointSpec& joint = spec().joints[j];
    state.servos[j].set_goal(std::clamp(positions[j], joint.lower, joint.upper));
  }
}

void Robot::Impl::update_damping(std::size_t joint) {
  engine->model->dof_damping[dof[joint]] = state.servos[joint].damping();
}

void Robot::Impl::write_pose(const Placement& p) {
  mjData* d = engine->data.get();
  const Eigen::Quaterniond q = Eigen::AngleAxisd(p.yaw, Eigen::Vector3d::UnitZ()) *
                               Eigen::AngleAxisd(p.pitch, Eigen::Vector3d::UnitY()) *
                               Eigen::AngleAxisd(p.roll, Eigen::Vector3d::UnitX());
  mjtNum* root = d->qpos + root_qpos;
  root[0] = p.x;
  root[1] = p.y;
  root[2] = 0.0;
  root[3] = q.w();
  root[4] = q.x();
  root[5] = q.y();
  root[6] = q.z();
  for (std::size_t j = 0; j < qpos.size(); ++j) d->qpos[qpos[j]] = p.joints[j];
  std::fill_n(d->qvel + root_dof, 6 + static_cast<int>(dof.size()), 0.0);
  std::fill_n(d->qacc_warmstart + root_dof, 6 + static_cast<int>(dof.size()), 0.0);
  mj_kinematics(engine->model.get(), d);
  root[2] = p.clearance - lowest_point(*engine->model, *d, root_body);
}

Robot::Robot(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Robot::~Robot() = default;
Robot::Robot(Robot&&) noexcept = default;

const std::string& Robot::name() const {
  return impl_->placement->name;
}
const RobotSpec& Robot::spec() const {
  return impl_->spec();
}
std::size_t Robot::joint_count() const {
  return impl_->names.size();
}
const std::vector<std::string>& Robot::joint_names() const {
  return impl_->names;
}

std::optional<std::string> Robot::set_goals(const std::vector<double>& positions) {
  if (positions.size() != joint_count()) {
    return "robot '" + name() + "' has " + std::to_string(joint_count()) + " joints but got " +
           std::to_string(positions.size()) + " goals";
  }
  for (std::size_t j = 0; j < positions.size(); ++j) {
    if (!std::isfinite(positions[j])) return "goal of joint " + impl_->names[j] + " is not a number";
  }
  impl_->send_goals(positions);
  return std::nullopt;
}

std::optional<std::string> Robot::set_goal(std::size_t joint, double position) {
  if (joint >= joint_count()) return "joint number " + std::to_string(joint) + " does not exist";
  if (!std::isfinite(position)) return "goal of joint " + impl_->names[joint] + " is not a number";
  std::vector<double> only(joint_count(), std::nan(""));
  only[joint] = position;
  impl_->send_goals(only);
  return std::nullopt;
}

void Robot::set_speed_limit(std::size_t joint, double speed) {
  impl_->state.servos.at(joint).set_speed_limit(speed);
}
void Robot::set_torque_limit(std::size_t joint, double f) {
  impl_->state.servos.at(joint).set_torque_limit(f);
}

void Robot::set_torque(bool on) {
  for (std::size_t j = 0; j < joint_count(); ++j) set_torque(j, on);
}

void Robot::set_torque(std::size_t joint, bool on) {
  impl_->state.servos.at(joint).set_torque(on, impl_->engine->data->qpos[impl_->qpos.at(joint)]);
  impl_->update_damping(joint);
}

void Robot::set_gains(std::size_t joint, int p, int i, int d) {
  impl_->state.servos.at(joint).set_gains(p, i, d);
}
const Servo& Robot::servo(std::size_t joint) const {
  return impl_->state.servos.at(joint);
}
void Robot::set_temperature(std::size_t joint, double celsius) {
  impl_->state.servos.at(joint).set_temperature(celsius);
}
void Robot::set_battery(const BatterySpec& battery) {
  impl_->state.battery = battery;
}
double Robot::voltage() const {
  return impl_->state.voltage;
}

double Robot::current() const {
  return supply_current(impl_->state.servos);
}

Eigen::Isometry3d Robot::pose() const {
  impl_->engine->refresh_poses();
  return body_pose(*impl_->engine->data, impl_->root_body);
}

Eigen::Isometry3d Robot::frame_pose(const std::string& link) const {
  const auto it = spec().frames.find(link);
  if (it == spec().frames.end()) throw std::out_of_range("robot '" + name() + "' has no link '" + link + "'");
  impl_->engine->refresh_poses();
  return body_pose(*impl_->engine->data, impl_->body_ids[it->second.body]) * it->second.pose;
}

Eigen::Vector3d Robot::linear_velocity() const {
  return ConstMap3(impl_->engine->data->qvel + impl_->root_dof);
}
Eigen::Vector3d Robot::angular_velocity() const {
  return ConstMap3(impl_->engine->data->qvel + impl_->root_dof + 3);
}

std::vector<double> Robot::joint_positions() const {
  std::vector<double> positions;
  for (const int address : impl_->qpos) positions.push_back(impl_->engine->data->qpos[address]);
  return positions;
}

Eigen::Vector3d Robot::centre_of_mass() const {
  impl_->engine->refresh_poses();
  return ConstMap3(impl_->engine->data->subtree_com + 3 * impl_->root_body);
}

void Robot::hold(bool held) {
  impl_->state.held.reset();
  if (!held) return;
  std::array<double, 7> pose{};
  std::copy_n(impl_->engine->data->qpos + impl_->root_qpos, 7, pose.begin());
  impl_->state.held = pose;
}

bool Robot::held() const {
  return impl_->state.held.has_value();
}

double Robot::tilt() const {
  return std::acos(std::clamp(pose().linear()(2, 2), -1.0, 1.0));
}
double Robot::standing_height() const {
  return impl_->standing_height;
}
bool Robot::fallen() const {
  return tilt() > 1.0 || pose().translation().z() < 0.5 * impl_->standing_height;
}

std::optional<std::string> Robot::place(const Placement& wanted) {
  Placement p = wanted;
  if (p.joints.empty()) p.joints = spec().walk_ready_positions();
  if (p.joints.size() != joint_count()) {
    return "placing robot '" + name() + "' needs " + std::to_string(joint_count()) + " joint positions, not " +
           std::to_string(p.joints.size());
  }
  for (const double v : {p.x, p.y, p.yaw, p.roll, p.pitch, p.clearance}) {
    if (!std::isfinite(v) || std::abs(v) > 100.0)
      return "placing robot '" + name() + "': pose is not finite or too far away";
  }
  for (std::size_t j = 0; j < p.joints.size(); ++j) {
    if (!std::isfinite(p.joints[j]))
      return "placing robot '" + name() + "': joint " + impl_->names[j] + " is not a number";
    p.joints[j] = std::clamp(p.joints[j], spec().joints[j].lower, spec().joints[j].upper);
  }
  Engine& engine = *impl_->engine;
  mjData* d = engine.data.get();
  const std::vector<mjtNum> positions(d->qpos, d->qpos + engine.model->nq), speeds(d->qvel, d->qvel + engine.model->nv);
  impl_->write_pose(p);
  mj_forward(engine.model.get(), d);
  engine.poses_stale = false;
  impl_->reading_step = ~std::uint64_t{0};
  if (const auto what = impl_->obstacle()) {
    std::copy(positions.begin(), positions.end(), d->qpos);
    std::copy(speeds.begin(), speeds.end(), d->qvel);
    mj_forward(engine.model.get(), d);
    return "robot '" + name() + "' would be inside " + *what + "; choose another place";
  }
  for (std::size_t j = 0; j < joint_count(); ++j) {
    set_torque(j, false);
    set_torque(j, true);  // goal = where it is now
  }
  impl_->state.held.reset();
  impl_->state.delayed.clear();
  impl_->state.history.clear();
  impl_->state.pushes.clear();
  for (const int body : impl_->body_ids) std::fill_n(d->xfrc_applied + 6 * body, 6, 0.0);
  return std::nullopt;
}

std::optional<std::string> Robot::push(const Eigen::Vector3d& force, double duration, const std::string& link) {
  if (!force.allFinite() || force.norm() > 2000.0) return std::string("push: force must be finite and below 2000 N");
  if (!std::isfinite(duration) || duration <= 0.0 || duration > 60.0)
    return std::string("push: duration must be in 0..60 s");
  int body = impl_->root_body;
  if (!link.empty()) {
    const auto it = spec().frames.find(link);
    if (it == spec().frames.end()) return "push: robot '" + name() + "' has no link '" + link + "'";
    body = impl_->body_ids[it->second.body];
  }
  impl_->state.pushes.push_back({body, force, impl_->engine->data->time + duration});
  return std::nullopt;
}

}  // namespace hl_simulation

// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/geometry.hpp>
#include <stdexcept>

#include "hl_simulation/mjcf.hpp"
#include "robot_impl.hpp"

namespace hl_simulation {
namespace {

constexpr double kImpossibleSpeed = 150.0;  // m/s or rad/s; anything faster is a failure of the integrator

}  // namespace

struct Simulation::Snapshot {
  const void* owner = nullptr;
  DataPtr data;
  std::vector<RobotState> robots;
  std::vector<mjtNum> damping;
  std::uint64_t steps = 0;
  std::uint64_t seed = 0;
  std::optional<std::size_t> ball_touched_by;
};

struct Simulation::Impl {
  Engine engine;
  std::vector<Robot> robots;
  int ball_qpos = -1, ball_dof = -1;
  int divergences = 0;
  std::vector<mjtNum> urdf_mass, urdf_inertia;

  explicit Impl(const WorldSpec& world) {
    if (const auto error = world.validate()) throw std::runtime_error(*error);
    engine.world = world;
    engine.seed = world.seed;
    engine.model = compile_mjcf(to_mjcf(world));
    mjModel* m = engine.model.get();
    engine.data.reset(mj_makeData(m));
    if (!engine.data) throw std::runtime_error("MuJoCo: no memory for the simulation");
    engine.floor_geom = mj_name2id(m, mjOBJ_GEOM, "floor");
    if (const int ball = mj_name2id(m, mjOBJ_JOINT, "ball"); ball >= 0) {
      ball_qpos = m->jnt_qposadr[ball];
      ball_dof = m->jnt_dofadr[ball];
      engine.ball_geom = mj_name2id(m, mjOBJ_GEOM, "ball");
    }
    urdf_mass.assign(m->body_mass, m->body_mass + m->nbody);
    urdf_inertia.assign(m->body_inertia, m->body_inertia + 3 * m->nbody);
    for (std::size_t n = 0; n < engine.world.robots.size(); ++n) {
      auto robot = std::make_unique<Robot::Impl>();
      robot->bind(engine, engine.world.robots[n], n);
      engine.robot_roots.push_back(robot->root_body);
      robots.push_back(Robot(std::move(robot)));
    }
    place_all();
  }

  /// Robots and ball at their start positions.
  void place_all() {
    mjData* d = engine.data.get();
    // Out of each other's way first, so that the order of placing does not matter.
    for (std::size_t n = 0; n < robots.size(); ++n)
      d->qpos[robots[n].impl_->root_qpos + 2] = 10.0 + 2.0 * static_cast<double>(n);
    if (ball_qpos >= 0) d->qpos[ball_qpos + 2] = 5.0;
    for (std::size_t n = 0; n < robots.size(); ++n) {
      Placement start;
      start.x = engine.world.robots[n].x;
      start.y = engine.world.robots[n].y;
      start.yaw = engine.world.robots[n].yaw;
      if (const auto error = robots[n].place(start)) throw std::runtime_error(*error);
      robots[n].impl_->standing_height = robots[n].pose().translation().z();
    }
    if (ball_qpos >= 0) set_ball(free_ball_spot(), Eigen::Vector3d::Zero());
  }

  /// The field's centre, or half a metre ahead of a robot that stands there.
  Eigen::Vector3d free_ball_spot() const {
    double x = 0.0;
    for (const Robot& robot : robots) {
      const Eigen::Vector3d at = robot.pose().translation();
      if (std::hypot(at.x(), at.y()) < 0.4) x = std::max(x, at.x() + 0.5);
    }
    return {x, 0.0, engine.world.field.ball_radius};
  }

  void set_ball(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity) {
    mjData* d = engine.data.get();
    for (int k = 0; k < 3; ++k) {
      d->qpos[ball_qpos + k] = position[k];
      d->qvel[ball_dof + k] = velocity[k];
      d->qpos[ball_qpos + 3 + k] = k == 0 ? 1.0 : 0.0;
      d->qvel[ball_dof + 3 + k] = 0.0;
    }
    d->qpos[ball_qpos + 6] = 0.0;
    // On the ground it rolls from the start.
    const double r = engine.world.field.ball_radius;
    if (position.z() < r + 0.003) {
      d->qvel[ball_dof + 3] = -velocity.y() / r;
      d->qvel[ball_dof + 4] = velocity.x() / r;
    }
    std::fill_n(d->qacc_warmstart + ball_dof, 6, 0.0);
    engine.ball_touched_by.reset();
    mj_forward(engine.model.get(), d);
    engine.poses_stale = false;
  }

  /// Slows a ball on the turf; translation and rotation alike, so that it keeps rolling without slip.
  void apply_turf() {
    if (ball_qpos < 0) return;
    mjData* d = engine.data.get();
    mjtNum* force = d->qfrc_applied + ball_dof;
    std::fill_n(force, 6, 0.0);
    const TurfSpec& turf = engine.world.turf;
    const double radius = engine.world.field.ball_radius, mass = engine.world.field.ball_mass;
    if (d->qpos[ball_qpos + 2] > radius + 0.003) return;
    const Eigen::Map<const Eigen::Vector3d> v(d->qvel + ball_dof), w(d->qvel + ball_dof + 3);
    const double dt = engine.model->opt.timestep;
    const double speed = v.head<2>().norm(), spin = w.norm();
    const double slowing = turf.slowing(speed);
    const double inertia = 2.0 / 3.0 * mass * radius * radius;
    if (speed > 0.0) {
      const double a = std::min(slowing, speed / dt);
      for (int k = 0; k < 2; ++k) force[k] = -mass * a * v[k] / speed;
    }
    if (spin > 0.0) {
      const double a = std::min(slowing / radius, spin / dt);
      for (int k = 0; k < 3; ++k) force[3 + k] = -inertia * a * w[k] / spin;
    }
  }

  bool step() {
    mjData* d = engine.data.get();
    for (Robot& robot : robots) robot.impl_->before_step();
    apply_turf();
    mj_step(engine.model.get(), d);
    engine.poses_stale = true;
    ++engine.steps;
    if (diverged()) {
      recover();
      return false;
    }
    note_ball_touch();
    for (Robot& robot : robots) robot.impl_->keep_held();
    for (Robot& robot : robots) robot.impl_->after_step();
    return true;
  }

  void note_ball_touch() {
    if (engine.ball_geom < 0) return;
    const mjModel* m = engine.model.get();
    const mjData* d = engine.data.get();
    for (int c = 0; c < d->ncon; ++c) {
      const mjContact& contact = d->contact[c];
      if (contact.geom1 != engine.ball_geom && contact.geom2 != engine.ball_geom) continue;
      const int other = contact.geom1 == engine.ball_geom ? contact.geom2 : contact.geom1;
      if (const auto robot = engine.robot_of_root(m->body_rootid[m->geom_bodyid[other]]))
        engine.ball_touched_by = robot;
    }
  }

  bool diverged() const {
    const mjData* d = engine.data.get();
    for (const int kind : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC, mjWARN_INERTIA}) {
      if (d->warning[kind].number > 0) return true;
    }
    const auto impossible = [&](int dof) {
      for (int k = 0; k < 6; ++k) {
        if (!(std::abs(d->qvel[dof + k]) < kImpossibleSpeed)) return true;
      }
      return false;
    };
    if (ball_dof >= 0 && impossible(ball_dof)) return true;
    return std::any_of(robots.begin(), robots.end(), [&](const Robot& r) { return impossible(r.impl_->root_dof); });
  }

  void recover() {
    const double now = static_cast<double>(engine.steps) * engine.model->opt.timestep;
    ++divergences;
    mj_resetData(engine.model.get(), engine.data.get());
    place_all();
    engine.data->time = now;
  }

  void reset(std::optional<std::uint64_t> seed) {
    if (seed) engine.seed = *seed;
    engine.steps = 0;
    mj_resetData(engine.model.get(), engine.data.get());
    for (Robot& robot : robots) {
      auto& impl = *robot.impl_;
      RobotState fresh;
      for (const JointSpec& joint : impl.spec().joints) fresh.servos.emplace_back(joint.servo);
      fresh.battery = impl.placement->battery;
      fresh.voltage = fresh.battery.voltage;
      impl.state = std::move(fresh);
    }
    place_all();
  }
};

Simulation::Simulation(const WorldSpec& world) : impl_(std::make_unique<Impl>(world)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

const WorldSpec& Simulation::world() const {
  return impl_->engine.world;
}
double Simulation::time() const {
  return impl_->engine.data->time;
}
double Simulation::timestep() const {
  return impl_->engine.model->opt.timestep;
}
std::size_t Simulation::robot_count() const {
  return impl_->robots.size();
}
Robot& Simulation::robot(std::size_t index) {
  return impl_->robots.at(index);
}
const Robot& Simulation::robot(std::size_t index) const {
  return impl_->robots.at(index);
}

Robot* Simulation::find_robot(const std::string& name) {
  for (Robot& robot : impl_->robots) {
    if (robot.name() == name) return &robot;
  }
  return nullptr;
}

bool Simulation::step() {
  return impl_->step();
}

bool Simulation::run(double seconds) {
  const auto steps = static_cast<long>(std::llround(seconds / timestep()));
  for (long n = 0; n < steps; ++n) {
    if (!step()) return false;
  }
  return true;
}

int Simulation::divergences() const {
  return impl_->divergences;
}
void Simulation::reset(std::optional<std::uint64_t> seed) {
  impl_->reset(seed);
}

Eigen::Vector3d Simulation::ball_position() const {
  if (impl_->ball_qpos < 0) throw std::logic_error("this world has no ball");
  return Eigen::Map<const Eigen::Vector3d>(impl_->engine.data->qpos + impl_->ball_qpos);
}

Eigen::Vector3d Simulation::ball_velocity() const {
  if (impl_->ball_dof < 0) throw std::logic_error("this world has no ball");
  return Eigen::Map<const Eigen::Vector3d>(impl_->engine.data->qvel + impl_->ball_dof);
}

Eigen::Isometry3d Simulation::ball_pose() const {
  const mjtNum* q = impl_->engine.data->qpos + impl_->ball_qpos + 3;
  Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
  pose.translation() = ball_position();
  pose.linear() = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  return pose;
}

Eigen::Vector3d Simulation::ball_spin() const {
  return ball_pose().linear() * Eigen::Map<const Eigen::Vector3d>(impl_->engine.data->qvel + impl_->ball_dof + 3);
}

std::optional<std::size_t> Simulation::ball_touched_by() const {
  return impl_->engine.ball_touched_by;
}
std::uint64_t Simulation::steps() const {
  return impl_->engine.steps;
}

std::optional<std::string> Simulation::place_ball(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity) {
  if (impl_->ball_qpos < 0) return std::string("this world has no ball");
  if (!position.allFinite() || position.norm() > 50.0)
    return std::string("ball position is not finite or too far away");
  if (!velocity.allFinite() || velocity.norm() > 50.0)
    return std::string("ball velocity is not finite or above 50 m/s");
  Eigen::Vector3d at = position;
  at.z() = std::max(at.z(), impl_->engine.world.field.ball_radius);
  impl_->set_ball(at, velocity);
  return std::nullopt;
}

void Simulation::set_friction(double friction) {
  impl_->engine.model->geom_friction[3 * impl_->engine.floor_geom] = std::clamp(friction, 0.01, 5.0);
}

void Simulation::scale_mass(std::size_t robot, double factor) {
  mjModel* m = impl_->engine.model.get();
  const int root = impl_->robots.at(robot).impl_->root_body;
  for (int body = 0; body < m->nbody; ++body) {
    if (m->body_rootid[body] != root) continue;
    m->body_mass[body] = factor * impl_->urdf_mass[body];
    for (int k = 0; k < 3; ++k) m->body_inertia[3 * body + k] = factor * impl_->urdf_inertia[3 * body + k];
  }
  // Derived constants; qpos0 must stay what it was, so it runs on data of its own.
  const DataPtr scratch(mj_makeData(m));
  mj_setConst(m, scratch.get());
}

std::shared_ptr<const Simulation::Snapshot> Simulation::snapshot() const {
  const Engine& engine = impl_->engine;
  auto result = std::make_shared<Snapshot>();
  result->owner = engine.model.get();
  result->data.reset(mj_copyData(nullptr, engine.model.get(), engine.data.get()));
  for (const Robot& robot : impl_->robots) result->robots.push_back(robot.impl_->state);
  result->damping.assign(engine.model->dof_damping, engine.model->dof_damping + engine.model->nv);
  result->steps = engine.steps;
  result->seed = engine.seed;
  result->ball_touched_by = engine.ball_touched_by;
  return result;
}

std::optional<std::string> Simulation::restore(const Snapshot& snapshot) {
  Engine& engine = impl_->engine;
  if (snapshot.owner != engine.model.get()) return std::string("the snapshot was taken of another simulation");
  mj_copyData(engine.data.get(), engine.model.get(), snapshot.data.get());
  for (std::size_t n = 0; n < impl_->robots.size(); ++n) {
    impl_->robots[n].impl_->state = snapshot.robots[n];
    impl_->robots[n].impl_->reading_step = ~std::uint64_t{0};
  }
  std::copy(snapshot.damping.begin(), snapshot.damping.end(), engine.model->dof_damping);
  engine.steps = snapshot.steps;
  engine.seed = snapshot.seed;
  engine.ball_touched_by = snapshot.ball_touched_by;
  engine.poses_stale = true;
  return std::nullopt;
}

std::vector<double> Simulation::positions() const {
  const Engine& engine = impl_->engine;
  return std::vector<double>(engine.data->qpos, engine.data->qpos + engine.model->nq);
}

const mjModel_* Simulation::model() const {
  return impl_->engine.model.get();
}

const mjData_* Simulation::data() const {
  impl_->engine.refresh_poses();
  return impl_->engine.data.get();
}

}  // namespace hl_simulation

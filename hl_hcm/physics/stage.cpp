// SPDX-License-Identifier: Apache-2.0
#include "stage.hpp"

#include <cmath>
#include <hl_description/geometry.hpp>
#include <hl_description/robot_config.hpp>
#include <map>
#include <random>
#include <stdexcept>

#include "hl_hcm/body_from_files.hpp"
#include "hl_walking/config_file.hpp"

namespace hl_hcm {
namespace {

using hl_walking::Side;

Body load_body(const Stage::Folders& folders) {
  return body_from_files(folders.description + "/urdf/minibot.urdf",
                         folders.description + "/config/minibot/robot.yaml");
}

hl_simulation::WorldSpec world_for(const std::shared_ptr<const hl_simulation::RobotSpec>& spec, Stage::Ball ball) {
  auto world = hl_simulation::world_with(spec);
  world.with_goals = false;
  world.with_ball = ball == Stage::Ball::Lies;
  return world;
}

void load_walk(const std::string& file, hl_walking::Params& walk, hl_walking::Kick::Params& kick) {
  const hl_walking::WalkConfig config = hl_walking::load_config(file);
  walk = config.walk;
  kick = config.kick;
}

double sum(const hl_simulation::FootReading& foot) {
  return foot[0] + foot[1] + foot[2] + foot[3];
}

}  // namespace

hl_soccer::BodyState body_state(const Hcm& hcm) {
  return static_cast<hl_soccer::BodyState>(robot_control_state(hcm.state()));
}

hl_walking::Velocity full_speed(const hl_walking::Params& most, unsigned seed, std::mt19937& random) {
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  const double side = uniform(-1, 1) > 0 ? 1.0 : -1.0;
  const hl_walking::Velocity velocities[] = {
      {most.max_forward, 0, 0},
      {-most.max_backward, 0, 0},
      {0, side * most.max_sideways, 0},
      {0, 0, side * most.max_turn},
      {most.max_forward * uniform(-0.5, 1), most.max_sideways * uniform(-1, 1), most.max_turn * uniform(-1, 1)}};
  return velocities[seed % std::size(velocities)];
}

void feed(Hcm& hcm, const Moment& m, const JointArray& measured, const Trajectory& goals) {
  hcm.animation_server(true);
  if (m.joints) hcm.on_joint_states(measured, m.time, m.time);
  if (m.imu) hcm.on_imu(m.up, m.rate, m.time, m.time);
  for (const std::size_t foot : {0, 1}) hcm.on_foot_load(foot, static_cast<double>(m.feet[foot]), m.time);
  if (m.support) hcm.on_support(m.walking, m.unstable);
  if (m.own_animation_ended) hcm.own_animation_ended(*m.own_animation_ended, m.time);
  if (m.asks == Source::Animation)
    hcm.animation(m.flags, goals, m.time);
  else if (m.asks != Source::None)
    hcm.request(m.asks, goals, m.time);
  hcm.tick(m.time);
}

Stage::Stage(const Folders& folders, Ball ball)
    : body_(load_body(folders)),
      spec_(std::make_shared<hl_simulation::RobotSpec>(hl_simulation::load_robot_files(
          folders.description + "/urdf/minibot.urdf", folders.description + "/config/minibot/robot.yaml"))),
      simulation_(world_for(spec_, ball)),
      library_(hl_animation::AnimationLibrary::from_folder(folders.animation + "/animations/minibot")) {
  load_walk(folders.walking + "/config/minibot.yaml", walk_, kick_);
  const auto model = hl_description::RobotModel::from_file(folders.description + "/urdf/minibot.urdf");
  const auto config = hl_description::RobotConfig::from_file(folders.description + "/config/minibot/robot.yaml");
  walking_body_ = std::make_unique<hl_walking::Body>(model, config.pose(model, "walkready"));
  if (robot().joint_names() != model.joint_names())
    throw std::runtime_error("the simulation has another order of joints than the robot model");
}

void Stage::begin(unsigned seed, const Hcm::Params& params, Direction lies_on) {
  simulation_.reset(seed);
  hl_simulation::Placement placement;
  if (lies_on != Direction::None) {
    std::mt19937 random(seed);
    std::normal_distribution<double> noise(0.0, 0.03);  // rad
    placement.joints.assign(robot().joint_count(), 0.0);
    for (const auto& [joint, position] : hl_animation::lying_pose())
      placement.joints[static_cast<std::size_t>(spec_->joint_index(joint))] = position;
    for (double& joint : placement.joints) joint += noise(random);
    placement.pitch = lies_on == Direction::Front ? M_PI_2 : lies_on == Direction::Back ? -M_PI_2 : 0.0;
    placement.roll = lies_on == Direction::Right ? M_PI_2 : lies_on == Direction::Left ? -M_PI_2 : 0.0;
  }
  if (const auto refused = robot().place(placement)) throw std::runtime_error(*refused);
  hcm_ = std::make_unique<Hcm>(body_, params);
  walking_ = std::make_unique<hl_walking::Controller>(*walking_body_, walk_, kick_, hl_walking::Odometry::Params(),
                                                      hl_walking::Controller::Params());
  performance_.reset();
  ended_.reset();
  velocity_ = {};
  hardware = {};
  joints_work = imu_works = walk_lives = true;
  sent_ = robot().joint_positions();
  for (std::size_t j = 0; j < sent_.size(); ++j) robot().set_torque_limit(j, 1.0);
}

void Stage::sense(Moment& moment) {
  const auto& reading = robot().read();
  const auto& q = reading.imu.orientation;
  const auto& w = reading.imu.angular_velocity;
  moment.time = time();
  moment.joints = joints_work;
  moment.imu = imu_works;
  moment.up = hl_description::up_of(q);
  moment.rate = {w.x(), w.y(), w.z()};
  moment.feet = {static_cast<float>(sum(reading.left_foot)), static_cast<float>(sum(reading.right_foot))};
  for (std::size_t j = 0; j < body_.joints.size(); ++j) measured_[j] = reading.joints.position[j];

  const double now = time();
  if (joints_work)
    walking_->sense_joints(
        Eigen::Map<const Eigen::VectorXd>(measured_.data(), static_cast<Eigen::Index>(body_.joints.size())), now);
  if (imu_works) {
    const auto tilt = hl_description::tilt_of_up(moment.up);
    walking_->sense_imu({tilt.roll, tilt.pitch, w.x(), w.y()}, hl_description::yaw_of(q), now);
  }
  walking_->sense_foot(Side::Left, static_cast<double>(moment.feet[0]), now);
  walking_->sense_foot(Side::Right, static_cast<double>(moment.feet[1]), now);
}

void Stage::ask(Moment& moment) {
  moment.support = walk_lives;
  if (!walk_lives) return;
  walking_->permit(body_state(*hcm_), hcm_->stop_requested());
  walking_->command(velocity_, moment.time);
  const auto goals = walking_->update(moment.time);
  moment.walking = walking_->walking();
  moment.unstable = walking_->unstable();
  if (goals == hl_walking::Controller::Goals::None) return;
  moment.asks = goals == hl_walking::Controller::Goals::Kick ? Source::Kick : Source::Walking;
  for (std::size_t j = 0; j < body_.joints.size(); ++j)
    if (body_.joints.joints[j].limb != Limb::Head)
      goals_.points[0].position[j] = walking_->joints()[static_cast<Eigen::Index>(j)];
}

void Stage::animate(Moment& moment) {
  moment.own_animation_ended = ended_;
  ended_.reset();
  if (!performance_) return;
  std::map<std::string, double> present;
  for (std::size_t j = 0; j < body_.joints.size(); ++j) present[body_.joints.joints[j].name] = measured_[j];
  const auto output =
      performance_->step({body_state(*hcm_), &present, hl_description::tilt_of_up(moment.up)}, moment.time);
  if (output.ask || output.goals) {
    moment.asks = Source::Animation;
    moment.flags = {output.ask, output.first, output.last, performance_->by_hcm(),
                    !performance_->animation().fall_check};
  }
  if (output.goals) {
    const auto* player = performance_->player();
    goals_.points[0] = {};
    for (std::size_t i = 0; i < player->joints().size(); ++i) {
      const std::size_t j = *body_.joints.find(player->joints()[i]);
      const auto& joint = body_.joints.joints[j];
      goals_.points[0].position[j] = std::clamp(player->positions()[i], joint.lower, joint.upper);
    }
  }
  if (!output.ended) return;
  // The action's result is heard after the last goal.
  if (performance_->by_hcm()) ended_ = performance_->result() == hl_animation::Performance::Result::Finished;
  performance_.reset();
}

void Stage::obey() {
  if (hcm_->take_new_goals()) {
    const GoalMixer& mixer = hcm_->mixer();
    for (std::size_t j = 0; j < sent_.size(); ++j) {
      const double most = body_.joints.joints[j].effort;
      sent_[j] = mixer.goals()[j];
      robot().set_torque_limit(j, given(mixer.efforts()[j]) ? std::min(1.0, mixer.efforts()[j] / most) : 1.0);
      robot().set_speed_limit(j, given(mixer.velocities()[j]) ? mixer.velocities()[j] : 0.0);
    }
    if (const auto refused = robot().set_goals(sent_)) throw std::runtime_error(*refused);
  }
  const auto commands = hcm_->take_commands();
  if (commands.torque) {
    robot().set_torque(*commands.torque);
    hardware.torque_on = *commands.torque;
  }
  if (commands.cancel_animation && performance_ && performance_->by_hcm()) performance_.reset();
  if (commands.play)
    performance_ = std::make_unique<hl_animation::Performance>(library_.animations.at(*commands.play), true,
                                                               hl_animation::Performance::Params());
}

bool Stage::step() {
  Moment moment;
  goals_.points.assign(1, Goals());
  sense(moment);
  ask(moment);
  animate(moment);
  goals_.stamp = moment.time;
  hcm_->on_hardware(hardware, moment.time);
  feed(*hcm_, moment, measured_, goals_);
  if (log) log->push_back(moment);
  obey();
  return simulation_.run(cycle);
}

bool Stage::run(double seconds) {
  for (const double end = time() + seconds - 1e-9; time() < end;)
    if (!step()) return false;
  return true;
}

bool Stage::run_until(State state, double seconds) {
  for (const double end = time() + seconds; time() < end && hcm_->state() != state;)
    if (!step()) return false;
  return hcm_->state() == state;
}

std::optional<std::string> Stage::kick(double ball_x, double ball_y) {
  const Eigen::Vector3d middle =
      (robot().frame_pose("l_sole").translation() + robot().frame_pose("r_sole").translation()) / 2.0;
  if (const auto refused = simulation_.place_ball({middle.x() + ball_x, middle.y() + ball_y, 0.0})) return refused;
  hl_walking::KickGoal goal;
  goal.ball = {ball_x, ball_y};
  goal.target = {ball_x + 3.0, ball_y};
  return walking_->start_kick(goal, false, time());
}

void Stage::play(const std::string& animation) {
  performance_ = std::make_unique<hl_animation::Performance>(library_.animations.at(animation), false,
                                                             hl_animation::Performance::Params());
}

bool Stage::body_on_ground() const {
  for (const auto& contact : simulation_.robot().ground_contacts()) {
    if (contact.part != hl_simulation::GroundContact::Part::Other || contact.force < 1.0) continue;
    if (contact.link.find("lower_arm") == std::string::npos && contact.link.find("hand") == std::string::npos)
      return true;
  }
  return false;
}

}  // namespace hl_hcm

// SPDX-License-Identifier: Apache-2.0
// The walking robot above the driver of the real one and the emulated bus, in bus time: what the HCM does when devices
// fall silent in the middle of a step, with the reports that the driver makes of it.
// usage: test_hcm_bus [--seed=N] [--runs=N]
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <hl_description/geometry.hpp>
#include <hl_description/robot_config.hpp>
#include <hl_hardware_cm730/bus_body.hpp>
#include <hl_hardware_cm730/emulated_port.hpp>
#include <hl_simulation/bus_physics.hpp>
#include <memory>
#include <optional>
#include <random>
#include <string>

#include "hl_testing/isolation.hpp"
#include "stage.hpp"

using namespace hl_hcm;
namespace hw = hl_hardware_cm730;

namespace {

unsigned first_seed = 10000;
unsigned runs_wanted = 0;  // 0: as HL_FULL says

const std::string kUrdf = std::string(DESCRIPTION_SHARE) + "/urdf/minibot.urdf";
const std::string kConfig = std::string(DESCRIPTION_SHARE) + "/config/minibot/robot.yaml";

/// Driver, HCM and walk of one Minibot whose servos are simulated behind the emulated bus.
class RobotOnTheBus {
 public:
  RobotOnTheBus()
      : model_(hl_description::RobotModel::from_file(kUrdf)),
        config_(hl_description::RobotConfig::from_file(kConfig)),
        spec_(std::make_shared<hl_simulation::RobotSpec>(hl_simulation::load_robot_files(kUrdf, kConfig))),
        simulation_(world()),
        stage_body_(Stage({DESCRIPTION_SHARE, WALKING_SHARE, ANIMATION_SHARE}, Stage::Ball::None)) {
    for (const auto& servo : config_.servos) names_.push_back(servo.joint);
  }

  void begin(unsigned seed) {
    simulation_.reset(seed);
    physics_ = std::make_shared<hl_simulation::BusPhysics>(simulation_, 0, config_,
                                                           hl_simulation::BusPhysics::Stepping::ByBus);
    auto emulated = hl_simulation::emulator_config(config_);
    emulated.step = simulation_.timestep();
    emulator_ = std::make_unique<hw::Emulator>(emulated, physics_);
    port_ = std::make_unique<hw::EmulatedPort>(*emulator_);
    std::vector<hw::ServoSpec> servos;
    for (const auto& servo : config_.servos) {
      const auto& limits = model_.limits(model_.joint(servo.joint));
      hw::ServoSpec& to = servos.emplace_back();
      to.joint = servo.joint;
      to.id = static_cast<std::uint8_t>(servo.id);
      to.model = hw::servo_model(servo.model).value();
      to.offset = servo.offset;
      to.lower = limits.lower;
      to.upper = limits.upper;
      to.p = servo.p;
      to.i = servo.i;
      to.d = servo.d;
    }
    hw::BusDriver::Params params;
    for (std::size_t side = 0; side < 2; ++side)
      params.foot_ids[side] = static_cast<std::uint8_t>(config_.foot_sensors[side]->id);
    driver_ = std::make_unique<hw::BusDriver>(*port_, servos, params);
    for (std::size_t i = 0; i < driver_->size(); ++i) driver_->command(i).torque = true;
    body_ = std::make_unique<hw::BusBody>(*driver_);
    player_ = std::make_unique<hl_joints::GoalPlayer>(hl_joints::joint_set(model_, config_, names_),
                                                      hl_joints::GoalPlayer::Params());
    Hcm::Params hcm;
    hcm.fall.height = 0.33;
    hcm_ = std::make_unique<Hcm>(stage_body_.body(), hcm);
    hcm_->animation_server(true);
    walking_ = std::make_unique<hl_walking::Controller>(
        hl_walking::Body(model_, config_.pose(model_, "walkready")), stage_body_.walk_params(),
        hl_walking::Kick::Params(), hl_walking::Odometry::Params(), hl_walking::Controller::Params());
    velocity_ = {};
    next_tick_ = 0.0;
  }

  double time() const { return port_->now(); }
  Hcm& hcm() { return *hcm_; }
  void walk(const hl_walking::Velocity& velocity) { velocity_ = velocity; }
  const hl_walking::Params& walk_params() const { return stage_body_.walk_params(); }
  hw::Faults& faults() { return emulator_->faults(); }
  const hl_description::RobotConfig& config() const { return config_; }
  const hl_robot_interface::Health& health() const { return health_; }
  bool held() const { return physics_->held(); }

  void run(double seconds) {
    for (const double end = time() + seconds; time() < end;) cycle();
  }
  bool run_until(State state, double seconds) {
    for (const double end = time() + seconds; time() < end && hcm_->state() != state;) cycle();
    return hcm_->state() == state;
  }
  /// Whether it has not gone down, nor been thought to, `seconds` later.
  bool stays_up(double seconds) {
    for (const double end = time() + seconds; time() < end;) {
      cycle();
      if (hcm_->state() == State::Falling || simulation_.robot().tilt() > 0.8) return false;
    }
    return simulation_.robot().tilt() < 0.35;
  }

 private:
  hl_simulation::WorldSpec world() const {
    auto world = hl_simulation::world_with(spec_);
    world.with_goals = world.with_ball = false;
    return world;
  }

  /// One exchange on the bus, what comes of it, and the ticks that are due.
  void cycle() {
    body_->write(player_->update(time()), player_->stiffness());
    if (driver_->cycle()) sense(body_->read(time(), time()));
    report();
    while (time() >= next_tick_) {
      tick(time());
      next_tick_ += 0.01;
      if (next_tick_ < time() - 0.02) next_tick_ = time();  // the bus kept us waiting
    }
  }

  void sense(const hl_robot_interface::SensorFrame& frame) {
    const double now = frame.stamp;
    JointArray measured = absent_joints();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (frame.joints[i].fresh) measured[*hcm_->joints().find(names_[i])] = frame.joints[i].position;
      if (frame.joints[i].fresh)
        positions_[static_cast<Eigen::Index>(*hcm_->joints().find(names_[i]))] = frame.joints[i].position;
    }
    hcm_->on_joint_states(measured, now, now);
    if (std::any_of(frame.joints.begin(), frame.joints.end(), [](const auto& joint) { return joint.fresh; }))
      walking_->sense_joints(positions_, now);
    if (frame.imu) {
      const auto& q = frame.imu->orientation;
      const auto& w = frame.imu->angular_velocity;
      const auto tilt = hl_description::tilt_of(q);
      hcm_->on_imu(hl_description::up_of(q), {w.x(), w.y(), w.z()}, now, now);
      walking_->sense_imu({tilt.roll, tilt.pitch, w.x(), w.y()}, hl_description::yaw_of(q), now);
    }
    for (std::size_t side = 0; side < 2; ++side) {
      if (!frame.feet[side]) continue;
      double sum = 0.0;
      for (const double cell : *frame.feet[side]) sum += cell;
      hcm_->on_foot_load(side, sum, now);
      walking_->sense_foot(side == 0 ? hl_walking::Side::Left : hl_walking::Side::Right, sum, now);
    }
  }

  /// As driver and HCM node do it.
  void report() {
    health_ = hl_robot_interface::judge(body_->report(100.0, ""), hl_robot_interface::Battery::State::Fine,
                                        hl_robot_interface::HealthLimits(), names_);
    const auto names = [this](const std::vector<std::size_t>& joints) {
      HardwareReport::Names result;
      for (const std::size_t i : joints) result.push_back(names_[i]);
      return result;
    };
    hcm_->on_hardware(
        HardwareReport::from(hcm_->joints(), health_.level == hl_robot_interface::Health::Level::Error,
                             health_.torque_on, names(health_.limp), names(health_.overloaded), names(health_.hot)),
        time());
  }

  void tick(double now) {
    walking_->permit(body_state(*hcm_), hcm_->stop_requested());
    walking_->command(velocity_, now);
    if (walking_->update(now) == hl_walking::Controller::Goals::Walking) {
      goals_.stamp = now;
      goals_.points.assign(1, Goals());
      for (std::size_t j = 0; j < hcm_->joints().size(); ++j) {
        if (hcm_->joints().joints[j].limb != Limb::Head)
          goals_.points[0].position[j] = walking_->joints()[static_cast<Eigen::Index>(j)];
      }
      hcm_->request(Source::Walking, goals_, now);
    }
    hcm_->on_support(walking_->walking(), walking_->unstable());
    hcm_->tick(now);
    send(now);
  }

  void send(double now) {
    hcm_->take_commands();
    if (!hcm_->take_new_goals()) return;
    Trajectory out;
    out.stamp = now;
    out.points.resize(1);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::size_t j = *hcm_->joints().find(names_[i]);
      out.points[0].position[i] = hcm_->mixer().goals()[j];
      out.points[0].velocity[i] = hcm_->mixer().velocities()[j];
      out.points[0].effort[i] = hcm_->mixer().efforts()[j];
    }
    const auto refused = player_->accept(out, now);
    EXPECT_FALSE(refused) << *refused;
  }

  hl_description::RobotModel model_;
  hl_description::RobotConfig config_;
  std::shared_ptr<const hl_simulation::RobotSpec> spec_;
  hl_simulation::Simulation simulation_;
  Stage stage_body_;  // for the body and the walk's parameters
  std::vector<std::string> names_;
  std::shared_ptr<hl_simulation::BusPhysics> physics_;
  std::unique_ptr<hw::Emulator> emulator_;
  std::unique_ptr<hw::EmulatedPort> port_;
  std::unique_ptr<hw::BusDriver> driver_;
  std::unique_ptr<hw::BusBody> body_;
  std::unique_ptr<hl_joints::GoalPlayer> player_;
  std::unique_ptr<Hcm> hcm_;
  std::unique_ptr<hl_walking::Controller> walking_;
  hl_walking::Velocity velocity_;
  hl_walking::Joints positions_ = hl_walking::Joints::Zero(20);
  hl_robot_interface::Health health_;
  Trajectory goals_;
  double next_tick_ = 0.0;  // s
};

class Bus : public testing::Test {
 protected:
  RobotOnTheBus robot;

  /// Walks at this share of full speed in a direction that hangs on the seed, until some moment of a step.
  void walk(unsigned seed, double share) {
    std::mt19937 random(seed);
    const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
    robot.begin(seed);
    // Somebody holds it until all servos have had torque for a second.
    for (int i = 0; i < 150 && (robot.held() || robot.hcm().state() != State::Controllable); ++i) robot.run(0.1);
    ASSERT_FALSE(robot.held());
    ASSERT_EQ(robot.hcm().state(), State::Controllable) << name_of(robot.hcm().state());
    const auto v = full_speed(robot.walk_params(), seed, random);
    robot.walk({share * v.x, share * v.y, share * v.yaw});
    robot.run(uniform(2.5, 4.0));
    ASSERT_EQ(robot.hcm().state(), State::Walking);
  }

  /// Runs of `quick` or 20 seeds; how many stayed on their feet after `fault`.
  template <class Fault>
  unsigned survivors(const char* what, double share, Fault fault, unsigned& runs, unsigned quick) {
    runs = runs_wanted > 0 ? runs_wanted : static_cast<unsigned>(hl_testing::count(quick, 20));
    unsigned up = 0;
    for (unsigned seed = first_seed; seed < first_seed + runs; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      walk(seed, share);
      if (HasFatalFailure()) return up;
      fault();
      const bool stayed = robot.stays_up(4.0);
      up += stayed;
      EXPECT_EQ(robot.health().power_on, true);
      if (!stayed) std::printf("  fell: seed %u\n", seed);
    }
    std::printf("%s at %.0f %% of full speed: %u of %u on their feet\n", what, 100.0 * share, up, runs);
    return up;
  }

  void all_servos(const std::string& word, const std::string& value = "") {
    for (const auto& servo : robot.config().servos)
      ASSERT_EQ(robot.faults().apply(word + " " + std::to_string(servo.id) + " " + value), "");
  }
  void mute_board() { ASSERT_EQ(robot.faults().apply("mute " + std::to_string(robot.config().controller_id)), ""); }
};

}  // namespace

TEST_F(Bus, ASilentImuEndsTheWalkStanding) {
  for (const double share : {0.5, 1.0}) {
    unsigned runs = 0;
    const unsigned up = survivors(
        "IMU muted", share, [&] { mute_board(); }, runs, 3);
    EXPECT_EQ(up, runs);
    EXPECT_EQ(robot.hcm().state(), State::HardwareProblem) << name_of(robot.hcm().state());
    EXPECT_EQ(robot.health().level, hl_robot_interface::Health::Level::Warn) << robot.health().text;
  }
}

TEST_F(Bus, SilentJointsEndTheWalkStanding) {
  unsigned runs = 0;
  const unsigned up = survivors(
      "joints muted", 0.5, [&] { all_servos("mute"); }, runs, 3);
  EXPECT_GE(10 * up, 9 * runs);
  EXPECT_EQ(robot.hcm().state(), State::HardwareProblem) << name_of(robot.hcm().state());
  if (hl_testing::full_run() || runs_wanted > 0)
    survivors(
        "joints muted", 1.0, [&] { all_servos("mute"); }, runs, 0);
}

TEST_F(Bus, JointsThatAnswerLateEndTheWalkStanding) {
  unsigned runs = 0;
  const unsigned up = survivors(
      "joints late by 200 ms", 0.5, [&] { all_servos("delay", "0.2"); }, runs, 3);
  EXPECT_GE(10 * up, 9 * runs);
  if (hl_testing::full_run() || runs_wanted > 0)
    survivors(
        "joints late by 200 ms", 1.0, [&] { all_servos("delay", "0.2"); }, runs, 0);
}

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument.rfind("--seed=", 0) == 0) first_seed = static_cast<unsigned>(std::stoul(argument.substr(7)));
    if (argument.rfind("--runs=", 0) == 0) runs_wanted = static_cast<unsigned>(std::stoul(argument.substr(7)));
  }
  return RUN_ALL_TESTS();
}

// SPDX-License-Identifier: Apache-2.0
// The safety rules, over random sequences of everything that can happen to the HCM.
#include <gtest/gtest.h>

#include <random>

#include "hl_testing/isolation.hpp"
#include "robot.hpp"

using namespace hl_hcm;

namespace {

class Chaos {
 public:
  explicit Chaos(unsigned seed) : random_(seed) { robot_.hcm.animation_server(true); }

  /// One random event, then one control cycle; everything that leaves is checked.
  void step() {
    before_ = robot_.hcm.state();
    const std::size_t transitions = robot_.hcm.transition_count();
    event();
    robot_.cycle_checked([this] { check_goals(); });
    for (std::size_t i = 0; i < std::min(robot_.hcm.transition_count() - transitions, Hcm::kHistorySize); ++i) {
      const auto& record = robot_.hcm.transition(i);
      ASSERT_FALSE(record.from == State::Falling && record.to == State::Controllable);
    }
  }

  /// Whatever happened before: released, healthy and paused it ends in PENALTY.
  void must_reach_penalty() {
    robot_.joints = robot_.imu = true;
    robot_.hardware = HardwareReport{};
    robot_.hcm.emergency_stop(false, robot_.now);
    robot_.hcm.on_paused(false, robot_.now);
    paused_ = false;
    robot_.hcm.shutdown(false, robot_.now);
    for (std::size_t j = 0; j < 6; ++j)
      if (!given(robot_.measured[j])) robot_.measured[j] = 0.0;
    for (int i = 0; i < 100; ++i) robot_.cycle_checked([this] { check_goals(); });
    robot_.hcm.on_paused(true, robot_.now);
    paused_ = true;
    for (int i = 0; i < 1500 && robot_.hcm.state() != State::Penalty; ++i)
      robot_.cycle_checked([this] { check_goals(); });
    ASSERT_EQ(robot_.hcm.state(), State::Penalty) << "from " << name_of(before_);
  }

 private:
  struct Robot : SimulatedRobot {
    template <class Check>
    void cycle_checked(Check check) {
      now += 0.01;
      if (joints) hcm.on_joint_states(measured, now, now);
      if (imu) hcm.on_imu(up, rate, now, now);
      hcm.on_hardware(hardware, now);
      if (feet >= 0.0) {
        hcm.on_foot_load(0, feet / 2, now);
        hcm.on_foot_load(1, feet / 2, now);
      }
      check();
      hcm.tick(now);
      check();
    }
  };

  bool chance(double p) { return std::uniform_real_distribution<>(0, 1)(random_) < p; }
  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_); }
  std::size_t any(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }

  Trajectory random_goals() {
    Trajectory goals;
    goals.stamp = robot_.now - (chance(0.1) ? uniform(-2, 2) : 0.0);
    goals.points.resize(chance(0.05) ? 0 : 1 + any(3));
    for (std::size_t p = 0; p < goals.points.size(); ++p) {
      goals.points[p].time = static_cast<double>(p) * 0.1;
      for (std::size_t j = 0; j < 6; ++j) {
        const auto& joint = robot_.hcm.joints().joints[j];
        if (chance(0.7)) goals.points[p].position[j] = uniform(joint.lower, joint.upper);
        if (chance(0.1)) goals.points[p].velocity[j] = uniform(0.1, 20);
      }
    }
    return goals;
  }

  void event() {
    Hcm& hcm = robot_.hcm;
    const double now = robot_.now;
    switch (any(20)) {
      case 0:
        if (chance(0.2)) hcm.on_paused(paused_ = chance(0.5), now);
        break;
      case 1:
        if (chance(0.05)) hcm.emergency_stop(chance(0.3), now);
        break;
      case 2:
        if (chance(0.05)) hcm.shutdown(chance(0.4), now);
        break;
      case 3:
        if (chance(0.05)) hcm.record(chance(0.4), now);
        break;
      case 4:
        if (chance(0.1)) robot_.joints = chance(0.8);
        break;
      case 5:
        if (chance(0.1)) robot_.imu = chance(0.8);
        break;
      case 6:
        if (chance(0.1)) robot_.hardware = {chance(0.1), chance(0.8), chance(0.1), chance(0.2)};
        break;
      case 7:
        if (chance(0.1))
          robot_.lie(static_cast<Direction>(any(5)));
        else if (chance(0.5))
          robot_.stand();
        break;
      case 8:
        robot_.rate = chance(0.1) ? Vector3{uniform(-8, 8), uniform(-8, 8), uniform(-8, 8)} : Vector3{0, 0, 0};
        break;
      case 9:
        robot_.feet = chance(0.9) ? 49.0 : uniform(-1, 10);
        break;
      case 10:
        hcm.on_support(chance(0.7), chance(0.1));
        break;
      case 11:
        if (chance(0.1)) hcm.animation_server(chance(0.8));
        break;
      case 12:
        hcm.own_animation_ended(chance(0.5), now);
        break;
      case 13:
        if (chance(0.1)) robot_.measured[any(6)] = chance(0.3) ? kAbsent : uniform(-2, 2);
        break;
      case 14: {
        Hcm::AnimationGoals flags{chance(0.1), chance(0.3), chance(0.1), chance(0.4), chance(0.1)};
        hcm.animation(flags, random_goals(), now);
        break;
      }
      default:
        hcm.request(static_cast<Source>(1 + any(6)), random_goals(), now);
    }
    check_goals();
  }

  void check_goals() {
    Hcm& hcm = robot_.hcm;
    const auto commands = hcm.take_commands();
    if (commands.torque) robot_.hardware.torque_on = *commands.torque;
    ASSERT_FALSE(commands.play && paused_) << "an animation while paused";
    const bool started = hcm.mixer().started();
    if (!hcm.take_new_goals()) {
      if (!started) have_last_ = false;
      return;
    }
    const State state = hcm.state();
    const JointArray& goals = hcm.mixer().goals();
    for (std::size_t j = 0; j < 6; ++j) {
      const auto& joint = hcm.joints().joints[j];
      ASSERT_TRUE(std::isfinite(goals[j])) << "NaN leaves in " << name_of(state);
      ASSERT_GE(goals[j], joint.lower);
      ASSERT_LE(goals[j], joint.upper);
      // A mixer that was stopped meanwhile starts again from the measured pose, within the limits.
      const double here =
          given(robot_.measured[j]) ? std::clamp(robot_.measured[j], joint.lower, joint.upper) : last_[j];
      if (have_last_ && state != State::Record) {
        const double step = std::min(std::abs(goals[j] - last_[j]), std::abs(goals[j] - here));
        ASSERT_LE(step, 0.30 + 1e-9) << "a jump leaves in " << name_of(state);
      }
      const Source owner = hcm.mixer().owners()[j];
      if (paused_) {
        ASSERT_TRUE(state == State::PenaltyIn || state == State::Penalty) << name_of(state);
        ASSERT_EQ(owner, Source::Hcm);
        // On the way to the penalty pose no joint ever moves away from it.
        if (have_last_ && was_penalty_) {
          const double target = joint.name == "LKnee" ? -0.9 : joint.name == "RKnee" ? 0.9 : 0.0;
          ASSERT_LE(std::abs(goals[j] - target), std::max(std::abs(last_[j] - target), std::abs(here - target)) + 1e-9);
        }
      }
      ASSERT_TRUE(owner != Source::Head || joint.limb == Limb::Head);
    }
    last_ = goals;
    have_last_ = true;
    was_penalty_ = state == State::PenaltyIn || state == State::Penalty;
    if (robot_.hardware.torque_on)
      for (std::size_t j = 0; j < 6; ++j)
        if (given(robot_.measured[j])) robot_.measured[j] = goals[j];
  }

  std::mt19937 random_;
  Robot robot_;
  State before_ = State::Startup;
  bool paused_ = false, have_last_ = false, was_penalty_ = false;
  JointArray last_ = absent_joints();
};

}  // namespace

TEST(Properties, SafetyRulesHoldOverRandomSequencesOfEvents) {
  const std::size_t sequences = hl_testing::count(10'000, 1'000'000);
  for (std::size_t i = 0; i < sequences; ++i) {
    SCOPED_TRACE("sequence " + std::to_string(i));
    Chaos chaos(static_cast<unsigned>(1000 + i));
    for (int k = 0; k < 150; ++k) {
      chaos.step();
      if (HasFatalFailure()) return;
    }
    if (i % 10 == 0) chaos.must_reach_penalty();
    if (HasFatalFailure()) return;
  }
}

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "hl_simulation/servo.hpp"

using hl_simulation::Servo;
using hl_simulation::ServoSpec;

namespace {

ServoSpec spec_of(const char* model) {
  return ServoSpec::of(*hl_description::find_servo_model(model));
}

constexpr double kDt = 0.0005;  // s

/// A servo that turns a disc, integrated as the physics engine does: damping and dry friction belong to the joint.
struct Bench {
  Servo servo;
  double inertia;  // kg m^2 of the disc
  double position = 0.0, velocity = 0.0, voltage = 12.0;

  explicit Bench(const ServoSpec& spec, double disc = 0.002) : servo(spec), inertia(disc + spec.armature) {}

  void run(double seconds) {
    for (double t = 0.0; t < seconds; t += kDt) {
      const double torque = servo.update(position, velocity, kDt, voltage);
      const double friction = servo.spec().friction;
      double driven = (velocity + kDt / inertia * torque) / (1.0 + kDt / inertia * servo.damping());
      const double grip = kDt / inertia * friction;
      driven = std::copysign(std::max(0.0, std::abs(driven) - grip), driven);
      velocity = driven;
      position += kDt * velocity;
    }
  }
};

class MxServo : public ::testing::TestWithParam<std::tuple<const char*, double, double>> {};

}  // namespace

TEST_P(MxServo, ReachesTheNoLoadSpeedOfItsDataSheet) {
  const auto [model, stall, speed] = GetParam();
  Bench bench(spec_of(model));
  bench.servo.set_goal(1e3);  // out of reach: full duty
  bench.run(2.0);
  EXPECT_NEAR(bench.velocity, speed, 0.02 * speed);
}

TEST_P(MxServo, HoldsTheStallTorqueOfItsDataSheet) {
  const auto [model, stall, speed] = GetParam();
  Servo servo(spec_of(model));
  servo.set_goal(1.0);
  const double torque = servo.update(0.0, 0.0, kDt, 12.0) - servo.spec().friction;
  EXPECT_NEAR(torque, stall, 0.01 * stall);
  EXPECT_NEAR(servo.update(0.0, 0.0, kDt, 11.1) - servo.spec().friction, stall * 11.1 / 12.0, 0.03 * stall);
}

TEST_P(MxServo, StepResponseSettlesWithoutRinging) {
  const auto [model, stall, speed] = GetParam();
  Bench bench(spec_of(model));
  const double step = 0.3;
  bench.servo.set_goal(step);
  double highest = 0.0, rise = 0.0;
  for (double t = 0.0; t < 1.0; t += 0.002) {
    bench.run(0.002);
    highest = std::max(highest, bench.position);
    if (rise == 0.0 && bench.position > 0.9 * step) rise = t;
  }
  EXPECT_GT(rise, 0.9 * step / speed);  // not faster than the motor can turn
  EXPECT_LT(rise, 0.25);
  EXPECT_LT(highest, 1.05 * step);
  // What friction and play leave over: P acts only outside the play.
  EXPECT_NEAR(bench.position, step, 0.5 * bench.servo.spec().backlash + 0.012);
}

INSTANTIATE_TEST_SUITE_P(Models, MxServo,
                         ::testing::Values(std::make_tuple("MX-28", 2.5, 5.76), std::make_tuple("MX-64", 6.0, 6.60),
                                           std::make_tuple("MX-106", 8.4, 4.71)));

TEST(Servo, StiffnessFollowsThePGain) {
  for (const int p : {8, 32, 64}) {
    Servo servo(spec_of("MX-28"));
    servo.set_gains(p, 0, 0);
    const double play = 0.5 * servo.spec().backlash;
    servo.set_goal(0.05 + play);
    const double torque = servo.update(0.0, 0.0, kDt, 12.0);
    // Full duty at an error of 128 ticks for P = 32.
    const double expected = 2.56 * 0.05 / (128.0 * Servo::kTick) * p / 32.0;
    EXPECT_NEAR(torque, std::min(2.56, expected), 0.05 * expected) << "P = " << p;
  }
}

TEST(Servo, IntegralGainRemovesTheErrorThatLoadLeaves) {
  for (const int i_gain : {0, 32}) {
    Servo servo(spec_of("MX-28"));
    servo.set_gains(32, i_gain, 0);
    servo.set_goal(0.05);
    double torque = 0.0;
    for (int n = 0; n < 8000; ++n) torque = servo.update(0.04, 0.0, 0.002, 12.0);  // held by a load
    if (i_gain == 0) {
      EXPECT_LT(torque, 0.2);
    } else {
      EXPECT_GT(torque, 2.0);
    }
  }
}

TEST(Servo, DerivativeGainBrakes) {
  Servo plain(spec_of("MX-28")), braked(spec_of("MX-28"));
  braked.set_gains(32, 0, 32);
  for (Servo* servo : {&plain, &braked}) {
    servo->set_torque(false, 0.05);
    servo->set_torque(true, 0.05);
  }
  EXPECT_LT(braked.update(0.0, 3.0, 0.002, 12.0), plain.update(0.0, 3.0, 0.002, 12.0));
}

TEST(Servo, SpeedLimitIsKept) {
  Bench bench(spec_of("MX-64"));
  bench.servo.set_speed_limit(1.0);
  bench.servo.set_goal(1.0);
  bench.run(0.5);
  EXPECT_NEAR(bench.position, 0.5, 0.1);
  EXPECT_LT(bench.velocity, 1.2);
}

TEST(Servo, TorqueLimitIsKept) {
  Servo servo(spec_of("MX-64"));
  servo.set_torque_limit(0.25);
  servo.set_goal(2.0);
  EXPECT_NEAR(servo.update(0.0, 0.0, kDt, 12.0), 0.25 * 6.1, 1e-9);
}

TEST(Servo, WithoutTorqueItIsLimp) {
  Servo servo(spec_of("MX-106"));
  servo.set_goal(1.0);
  const double driven = servo.damping();
  servo.set_torque(false, 0.0);
  EXPECT_EQ(servo.update(0.0, 0.0, kDt, 12.0), 0.0);
  EXPECT_LT(servo.damping(), 0.1 * driven);
}

TEST(Servo, SwitchingTorqueOnDoesNotJump) {
  Servo servo(spec_of("MX-106"));
  servo.set_goal(1.0);
  servo.set_torque(false, 0.0);
  servo.set_torque(true, -0.4);
  EXPECT_NEAR(servo.update(-0.4, 0.0, kDt, 12.0), 0.0, 1e-9);
}

TEST(Servo, HeatsUpAndShutsDown) {
  Servo servo(spec_of("MX-28"));
  servo.set_goal(1.0);
  double time = 0.0;
  for (; time < 600.0 && servo.torque_on(); time += 0.01) servo.update(0.0, 0.0, 0.01, 12.0);
  EXPECT_TRUE(servo.overheated());
  EXPECT_GT(time, 30.0);
  EXPECT_EQ(servo.update(0.0, 0.0, 0.01, 12.0), 0.0);
}

TEST(Servo, OverloadShutsDownWhenAsked) {
  ServoSpec spec = spec_of("MX-28");
  spec.overload_time = 1.0;
  Servo servo(spec);
  servo.set_goal(1.0);
  for (int n = 0; n < 600; ++n) servo.update(0.0, 0.0, 0.002, 12.0);
  EXPECT_TRUE(servo.overloaded());
  EXPECT_FALSE(servo.torque_on());
}

TEST(Servo, BadSpecificationIsNamed) {
  ServoSpec spec;
  spec.stall_torque = -1.0;
  ASSERT_TRUE(spec.validate());
  EXPECT_NE(spec.validate()->find("stall_torque"), std::string::npos);
  spec = ServoSpec();
  spec.p_gain = 300;
  EXPECT_TRUE(spec.validate());
}

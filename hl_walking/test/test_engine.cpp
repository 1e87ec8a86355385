// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <new>
#include <random>

#include "hl_testing/isolation.hpp"
#include "hl_walking/engine.hpp"
#include "robots.hpp"

// Every allocation of this program comes through here, Eigen's too. The sanitizers replace malloc themselves.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define COUNT_ALLOCATIONS
namespace {

bool counting = false;
int allocations = 0;

}  // namespace

extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  if (counting) ++allocations;
  return __libc_malloc(size);
}
#endif

namespace hl_walking {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPeriod = 0.01;  // s

class EngineTest : public testing::TestWithParam<const char*> {
 protected:
  EngineTest() : body_(load_body(GetParam())) {
    const double leg = body_.leg(Side::Left).thigh() + body_.leg(Side::Left).shank();
    params_.trunk_height = 0.92 * leg + body_.ankle_height() - body_.leg(Side::Left).hip().z();
    params_.foot_distance = 2.0 * body_.leg(Side::Left).hip().y() + 0.005;
    params_.min_foot_distance = params_.foot_distance - 0.015;
    engine_ = std::make_unique<Engine>(body_, params_);
  }

  const Output& tick(const Sensors& sensors = {}) { return engine_->update(kPeriod, sensors); }
  void run(double seconds) {
    for (double t = 0.0; t < seconds; t += kPeriod) tick();
  }

  /// Where the swing foot is, seen from the support foot, by the joints.
  Pose2 feet() const {
    const Output& o = engine_->output();
    return on_ground(body_.sole(o.support, o.joints).inverse() * body_.sole(other(o.support), o.joints));
  }

  WalkingBody body_;
  Params params_;
  std::unique_ptr<Engine> engine_;
};

TEST_P(EngineTest, StandsStillWithItsCentreOfMassOverTheMiddle) {
  const Joints before = engine_->output().joints;
  run(2.0);
  EXPECT_LT((engine_->output().joints - before).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_TRUE(engine_->standing());
  EXPECT_TRUE(engine_->output().reachable);
  const Joints& q = engine_->output().joints;
  const Eigen::Isometry3d sole = body_.sole(Side::Left, q);
  const Eigen::Vector3d com = sole.inverse() * body_.com(q);
  EXPECT_NEAR(com.x(), params_.com_x, 1e-3);
  EXPECT_NEAR(com.y(), -params_.foot_distance / 2.0, 1e-3);
}

TEST_P(EngineTest, WalksTheCommandedWay) {
  for (const Velocity& commanded :
       {Velocity{0.2, 0, 0}, Velocity{-0.1, 0, 0}, Velocity{0, 0.1, 0}, Velocity{0, 0, 0.5}}) {
    engine_->reset();
    engine_->set_velocity(commanded);
    run(2.0);
    Pose2 walked;
    double time = 0.0;
    int steps = engine_->output().steps;
    const int first = steps;
    while (steps < first + 10) {
      const Pose2 landing = engine_->output().landing;
      tick();
      time += kPeriod;
      if (engine_->output().steps > steps) {
        steps = engine_->output().steps;
        walked = walked * landing;
      }
    }
    EXPECT_NEAR(walked.yaw / time, commanded.yaw, 0.05);
    if (commanded.yaw == 0.0) {
      EXPECT_NEAR(walked.x / time, commanded.x, 0.02);
      EXPECT_NEAR(walked.y / time, commanded.y, 0.02);
    }
  }
}

TEST_P(EngineTest, FullSpeedWithinASecondAndStandsAfterTwoMoreSteps) {
  engine_->set_velocity({0.3, 0.0, 0.0});
  run(1.0);
  EXPECT_GT(engine_->output().landing.x, 0.9 * 0.3 * params_.step_duration);
  run(1.0);
  engine_->set_velocity({});
  const int steps = engine_->output().steps;
  run(0.01);
  for (int i = 0; i < 300 && !engine_->standing(); ++i) tick();
  EXPECT_TRUE(engine_->standing());
  EXPECT_LE(engine_->output().steps, steps + 3);  // the one under way, and two more
  EXPECT_NEAR(std::abs(feet().y), params_.foot_distance, 0.02);
  EXPECT_NEAR(feet().x, 0.0, 0.015);
}

TEST_P(EngineTest, PlannedZmpStaysInTheSupportPolygon) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const FootPlate& plate = body_.plate();
  for (int i = 0; i < 6000; ++i) {
    if (i % 150 == 0) engine_->set_velocity({0.3 * unit(random), 0.12 * unit(random), 0.8 * unit(random)});
    const Output& o = tick();
    if (o.double_support) continue;
    const double outwards = sign(o.support) * o.zmp.y();
    EXPECT_LE(o.zmp.x(), plate.toe);
    EXPECT_GE(o.zmp.x(), -plate.heel);
    EXPECT_LE(outwards, plate.outer);
    EXPECT_GE(outwards, -plate.inner);
  }
}

TEST_P(EngineTest, PlanStaysBoundedAndSmoothUnderAnyCommandAndSensorNoise) {
  std::mt19937 random(9);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  Joints last = engine_->output().joints;
  for (std::size_t i = 0; i < hl_testing::count(20'000, 1'000'000); ++i) {
    if (i % 37 == 0) engine_->set_velocity({unit(random), unit(random), 3.0 * unit(random)});
    if (i % 1009 == 0) engine_->set_velocity({});
    Sensors sensors;
    sensors.attitude = Attitude{0.1 * unit(random), 0.1 * unit(random), unit(random), unit(random)};
    sensors.foot_force = {{30.0 * (1.0 + unit(random)), 30.0 * (1.0 + unit(random))}};
    const Output& o = tick(sensors);
    ASSERT_TRUE(o.joints.allFinite());
    ASSERT_LT(o.com.norm(), 0.4);
    ASSERT_LT((o.joints - last).cwiseAbs().maxCoeff(), 0.45) << "tick " << i;
    last = o.joints;
  }
}

TEST_P(EngineTest, NonsenseDoesNoHarm) {
  engine_->set_velocity({kNan, kNan, kNan});
  run(0.5);
  EXPECT_TRUE(engine_->standing());
  engine_->set_velocity({0.2, 0.0, 0.0});
  run(1.0);
  Sensors sensors;
  sensors.attitude = Attitude{kNan, kNan, kNan, kNan};
  sensors.foot_force = {{kNan, kNan}};
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(engine_->update(kPeriod, sensors).joints.allFinite());
  const Joints before = engine_->output().joints;
  for (const double dt : {-1.0, kNan, 0.0}) {
    EXPECT_LT((engine_->update(dt, {}).joints - before).cwiseAbs().maxCoeff(), 0.5) << dt;
  }
  for (const double dt : {1e9, std::numeric_limits<double>::infinity()}) {
    ASSERT_TRUE(engine_->update(dt, {}).joints.allFinite());
  }
  engine_->set_velocity({});
  run(2.0);
  EXPECT_TRUE(engine_->standing());
}

TEST_P(EngineTest, SingleStepLandsWhereItWasAskedAndStops) {
  engine_->request_step({0.03, -0.01, 0.0});
  Pose2 landing;
  for (int i = 0; i < 400; ++i) {
    const Output& o = tick();
    if (o.phase == Phase::Walking && o.steps == 0) landing = o.landing;
  }
  EXPECT_NEAR(landing.x, 0.03, 0.005);
  EXPECT_NEAR(landing.y, -params_.foot_distance - 0.01, 0.005);
  EXPECT_TRUE(engine_->standing());
  EXPECT_LE(engine_->output().steps, 3);
}

TEST_P(EngineTest, KickInWalkIsOneLongStepOfThatFoot) {
  engine_->set_velocity({0.1, 0.0, 0.0});
  run(1.0);
  engine_->request_kick(Side::Right);
  double longest = 0.0;
  for (int i = 0; i < 60; ++i) {
    const Output& o = tick();
    if (o.support == Side::Left) longest = std::max(longest, o.swing_foot.x);
  }
  EXPECT_GT(longest, 0.8 * params_.max_step_forward);
  run(2.0);
  EXPECT_NEAR(engine_->output().landing.x, 0.1 * params_.step_duration, 0.01);  // walks on as before
}

TEST_P(EngineTest, TiltMovesTheLandingThatWay) {
  engine_->set_velocity({0.0, 0.0, 0.001});
  Sensors level;
  level.attitude = Attitude{0.0, params_.trunk_pitch, 0.0, 0.0};
  for (int i = 0; i < 300; ++i) engine_->update(kPeriod, level);
  const double before = engine_->output().landing.x;
  Sensors falling = level;
  falling.attitude->pitch += 0.15;
  falling.attitude->pitch_rate = 0.5;
  double most = before;
  for (int i = 0; i < 20; ++i) most = std::max(most, engine_->update(kPeriod, falling).landing.x);
  EXPECT_GT(most, before + 0.02);
  EXPECT_GT(engine_->output().instability, 0.5);
}

TEST_P(EngineTest, AStumblingRobotSlowsDownUntilItIsCaught) {
  params_.slow_down_instability = 0.8;
  engine_->set_params(params_);
  engine_->set_velocity({0.2, 0.0, 0.0});
  Sensors level;
  level.attitude = Attitude{0.0, params_.trunk_pitch, 0.0, 0.0};
  for (int i = 0; i < 300; ++i) engine_->update(kPeriod, level);
  EXPECT_DOUBLE_EQ(engine_->output().velocity.x, 0.2);
  Sensors falling = level;
  falling.attitude->pitch += 0.6;
  double slowest = 0.2;
  for (int i = 0; i < 60; ++i) slowest = std::min(slowest, engine_->update(kPeriod, falling).velocity.x);
  EXPECT_LT(slowest, 0.1);
  EXPECT_EQ(engine_->output().phase, Phase::Walking);  // it steps, and does not stand still
  for (int i = 0; i < 300; ++i) engine_->update(kPeriod, level);
  EXPECT_DOUBLE_EQ(engine_->output().velocity.x, 0.2);
}

TEST_P(EngineTest, EarlyTouchDownEndsTheStep) {
  engine_->set_velocity({0.1, 0.0, 0.0});
  run(1.0);
  while (engine_->output().step_phase < 0.9) tick();
  const int steps = engine_->output().steps;
  Sensors sensors;
  const double weight = body_.mass() * 9.81;
  sensors.foot_force = {{weight / 2.0, weight / 2.0}};
  engine_->update(kPeriod, sensors);
  EXPECT_EQ(engine_->output().steps, steps + 1);
}

#ifdef COUNT_ALLOCATIONS
TEST_P(EngineTest, UpdateDoesNotAllocate) {
  engine_->set_velocity({0.2, 0.05, 0.3});
  Sensors sensors;
  sensors.attitude = Attitude{};
  sensors.foot_force = {{20.0, 20.0}};
  run(0.1);
  allocations = 0;
  counting = true;
  for (int i = 0; i < 500; ++i) engine_->update(kPeriod, sensors);
  counting = false;
  EXPECT_EQ(allocations, 0);
}
#endif

INSTANTIATE_TEST_SUITE_P(Robots, EngineTest, testing::Values("minibot", "darwin_op"));

}  // namespace
}  // namespace hl_walking

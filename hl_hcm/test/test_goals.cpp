// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "hl_hcm/goal_mixer.hpp"
#include "robot.hpp"

using namespace hl_hcm;
using testing::HasSubstr;

namespace {

struct Duration {
  int sec = 0;
  unsigned nanosec = 0;
};
struct Point {
  std::vector<double> positions, velocities, accelerations, effort;
  Duration time_from_start;
};
struct Message {
  std::vector<std::string> joint_names;
  std::vector<Point> points;
};

Message valid() {
  return {{"HeadPan", "LKnee"}, {{{0.5, -1.0}, {}, {}, {}, {}}}};
}

std::string error_of(const Message& message) {
  static const HcmBody body = small_body();
  Trajectory out;
  return read_trajectory(message, body.joints, 0.02, out).value_or("");
}

}  // namespace

TEST(ReadTrajectory, TakesAnySubsetOfJoints) {
  const HcmBody body = small_body();
  Trajectory out;
  Message message = valid();
  message.points[0].velocities = {2.0, 0.0};
  message.points[0].effort = {0.0, 3.0};
  ASSERT_FALSE(read_trajectory(message, body.joints, 0.02, out));
  EXPECT_EQ(out.points[0].position[0], 0.5);
  EXPECT_EQ(out.points[0].position[4], -1.0);
  EXPECT_FALSE(given(out.points[0].position[1]));
  EXPECT_EQ(out.points[0].velocity[0], 2.0);
  EXPECT_FALSE(given(out.points[0].velocity[4]));
  EXPECT_EQ(out.points[0].effort[4], 3.0);
}

TEST(ReadTrajectory, CutsTinyExcessAndRefusesTheRestWithAReason) {
  Message message = valid();
  message.points[0].positions[1] = 0.11;  // limit 0.1
  EXPECT_EQ(error_of(message), "");
  message.points[0].positions[1] = 0.2;
  EXPECT_THAT(error_of(message), HasSubstr("of LKnee is beyond its limits"));
  message = valid();
  message.joint_names[0] = "Tail";
  EXPECT_THAT(error_of(message), HasSubstr("unknown joint 'Tail'"));
  message = valid();
  message.joint_names[0] = "LKnee";
  EXPECT_THAT(error_of(message), HasSubstr("twice"));
  message = valid();
  message.points[0].positions[0] = std::nan("");
  EXPECT_THAT(error_of(message), HasSubstr("HeadPan is not a finite number"));
  message = valid();
  message.points[0].positions.pop_back();
  EXPECT_THAT(error_of(message), HasSubstr("another number of positions"));
  message = valid();
  message.points[0].velocities = {1.0};
  EXPECT_THAT(error_of(message), HasSubstr("wrong number of velocities"));
  message = valid();
  message.points[0].effort = {1.0, INFINITY};
  EXPECT_THAT(error_of(message), HasSubstr("effort of LKnee"));
  message = valid();
  message.points.clear();
  EXPECT_THAT(error_of(message), HasSubstr("no points"));
  message = valid();
  message.points.push_back(message.points[0]);
  EXPECT_THAT(error_of(message), HasSubstr("order of time"));
  message = valid();
  message.joint_names.clear();
  EXPECT_THAT(error_of(message), HasSubstr("names no joint"));
  message = valid();
  message.points.resize(1000);
  EXPECT_THAT(error_of(message), HasSubstr("more than 200"));
}

class Mixer : public testing::Test {
 protected:
  HcmBody body = small_body();
  GoalMixer mixer{body.joints, GoalMixer::Params()};
  JointArray zero = absent_joints();
  double now = 10.0;
  GoalMixer::Access walking{Source::Walking, true, false};

  void SetUp() override {
    for (std::size_t j = 0; j < 6; ++j) zero[j] = 0.0;
    mixer.start(zero, now);
  }
  bool update(const GoalMixer::Access& access) {
    now += 0.01;
    return mixer.update(access, now);
  }
  Trajectory to(std::size_t joint, double position, double velocity = kAbsent) {
    Trajectory t;
    t.points.resize(1);
    t.points[0].position[joint] = position;
    t.points[0].velocity[joint] = velocity;
    return t;
  }
};

TEST_F(Mixer, NothingLeavesBeforeTheStart) {
  GoalMixer other(body.joints, {});
  EXPECT_FALSE(other.update(walking, now));
}

TEST_F(Mixer, GoalThatCloselyFollowsAnotherMessageIsNotHeldBack) {
  constexpr double kFast = 0.9 * 4.0 * 1.2;  // rad/s, below the limit of joint 4
  update(walking);
  double wanted = 0.0;
  for (int cycle = 0; cycle < 10; ++cycle) {
    now += 0.0099;
    mixer.update(walking, now);  // a tick, or the head
    now += 0.0001;
    wanted -= kFast * 0.01;
    mixer.take(Source::Walking, to(4, wanted), now);
    mixer.update(walking, now);
    EXPECT_NEAR(mixer.goals()[4], wanted, 1e-12) << "cycle " << cycle;
  }
}

TEST_F(Mixer, GoalsRunNoFasterThanAllowedAndArriveExactly) {
  mixer.take(Source::Walking, to(4, -1.0), now);
  double last = 0.0;
  int cycles = 0;
  while (update(walking)) {
    const double step = std::abs(mixer.goals()[4] - last);
    EXPECT_LE(step, 4.0 * 1.2 * 0.01 + 1e-12);
    last = mixer.goals()[4];
    ++cycles;
  }
  EXPECT_EQ(last, -1.0);
  EXPECT_NEAR(cycles, 21, 1);
}

TEST_F(Mixer, AGivenSpeedLimitIsKept) {
  mixer.take(Source::Walking, to(4, -1.0, 0.5), now);
  update(walking);
  EXPECT_NEAR(mixer.goals()[4], -0.005, 1e-9);
  EXPECT_EQ(mixer.velocities()[4], 0.5);
  EXPECT_FALSE(given(mixer.velocities()[0]));
}

TEST_F(Mixer, TwoMessagesOfOneMomentGoNoFartherThanOne) {
  GoalMixer::Params fast;
  fast.velocity_factor = 4.0;  // 0.48 rad in 30 ms, more than a step
  GoalMixer quick(body.joints, fast);
  quick.start(zero, now);
  now += 100.0;
  quick.take(Source::Walking, to(4, -2.0), now);
  quick.update(walking, now);
  quick.update(walking, now);
  EXPECT_NEAR(quick.goals()[4], -fast.max_step, 1e-12);
}

TEST_F(Mixer, AfterALongPauseTheStepIsStillBounded) {
  now += 100.0;
  mixer.take(Source::Walking, to(4, -2.0), now);
  mixer.update(walking, now);
  EXPECT_NEAR(mixer.goals()[4], -4.0 * 1.2 * 0.03, 1e-12);  // what it may move in 30 ms
}

TEST_F(Mixer, TheHeadBelongsToTheHeadUnlessAnAnimationNamesIt) {
  mixer.take(Source::Walking, to(0, 1.0), now);
  update(walking);
  EXPECT_EQ(mixer.owners()[0], Source::Walking);
  mixer.take(Source::Head, to(0, -1.0), now);
  update(walking);
  EXPECT_EQ(mixer.owners()[0], Source::Head);
  mixer.take(Source::Animation, to(0, 1.0), now);
  update({Source::Animation, true, true});
  EXPECT_EQ(mixer.owners()[0], Source::Animation);
  EXPECT_EQ(mixer.owners()[4], Source::None);
  update({Source::Hcm, false, false});
  for (std::size_t j = 0; j < 6; ++j) EXPECT_EQ(mixer.owners()[j], Source::Hcm);
}

TEST_F(Mixer, SeveralPointsAreExecutedInTime) {
  Trajectory t;
  t.points.resize(2);
  t.points[0].time = 1.0;
  t.points[0].position[2] = 1.0;
  t.points[1].time = 2.0;
  t.points[1].position[2] = 0.0;
  mixer.take(Source::Walking, t, now);
  for (int i = 0; i < 50; ++i) update(walking);
  EXPECT_NEAR(mixer.goals()[2], 0.5, 0.03);
  for (int i = 0; i < 50; ++i) update(walking);
  EXPECT_NEAR(mixer.goals()[2], 1.0, 0.03);
  for (int i = 0; i < 110; ++i) update(walking);
  EXPECT_NEAR(mixer.goals()[2], 0.0, 1e-9);
}

TEST_F(Mixer, ARampIsSlowAtBothEndsAndEndsInTime) {
  JointArray target = zero;
  target[2] = 1.0;
  mixer.ramp(target, 1.0, now);
  const GoalMixer::Access hcm{Source::Hcm, false, false};
  update(hcm);
  EXPECT_LT(mixer.goals()[2], 0.001);
  EXPECT_FALSE(mixer.ramp_done(now));
  for (int i = 0; i < 49; ++i) update(hcm);
  EXPECT_NEAR(mixer.goals()[2], 0.5, 0.01);
  for (int i = 0; i < 51; ++i) update(hcm);
  EXPECT_TRUE(mixer.ramp_done(now));
  EXPECT_EQ(mixer.goals()[2], 1.0);
}

TEST_F(Mixer, AClockThatJumpsBackDoesNotMoveAnything) {
  mixer.take(Source::Walking, to(4, -1.0), now);
  mixer.update(walking, now - 50.0);
  EXPECT_EQ(mixer.goals()[4], 0.0);
}

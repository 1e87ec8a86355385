// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "hl_hcm/hcm.hpp"
#include "robot.hpp"

using namespace hl_hcm;
using testing::HasSubstr;

namespace {
class HcmTest : public testing::Test {
 protected:
  SimulatedRobot robot;
  void SetUp() override {
    robot.start();
    ASSERT_EQ(robot.hcm.state(), State::Controllable);
  }
  void fall(Direction direction) {
    robot.lie(direction);
    robot.run_until(State::Fallen, 3.0);
  }
};
}  // namespace

TEST_F(HcmTest, NobodyWaitsForTheGoalsOfAWalkThatSaysItHasEnded) {
  EXPECT_FALSE(robot.hcm.waits_for_source());
  robot.walk(0.5);
  ASSERT_EQ(robot.hcm.state(), State::Walking);
  EXPECT_TRUE(robot.hcm.waits_for_source());
  robot.hcm.on_support(false, false);
  ASSERT_EQ(robot.hcm.state(), State::Walking);
  EXPECT_FALSE(robot.hcm.waits_for_source());
}

TEST(Startup, WaitsForSensorsAndTorqueThenMovesSoftlyToWalkReady) {
  SimulatedRobot robot;
  robot.joints = robot.imu = false;
  robot.hardware.torque_on = false;
  robot.measured[4] = -0.2;
  robot.run(1.0);
  EXPECT_EQ(robot.hcm.state(), State::Startup);
  EXPECT_TRUE(robot.hardware.torque_on);  // asked for
  EXPECT_EQ(robot.messages, 0u);
  robot.joints = robot.imu = true;
  double fastest = 0.0, last = -0.2;
  while (robot.hcm.state() != State::Controllable && robot.now < 110) {
    robot.cycle();
    fastest = std::max(fastest, std::abs(robot.measured[4] - last) / 0.01);
    last = robot.measured[4];
  }
  EXPECT_EQ(robot.hcm.state(), State::Controllable);
  EXPECT_NEAR(robot.measured[4], -0.9, 1e-9);
  EXPECT_LT(fastest, 0.85);
}

TEST(Startup, TorqueOfAnUnheardHardwareIsWaitedForButNotForEver) {
  SimulatedRobot robot;
  robot.report_hardware = false;
  robot.run(1.0);
  EXPECT_EQ(robot.hcm.state(), State::Startup);  // it may come up a little later, without torque
  EXPECT_TRUE(robot.run_until(State::Controllable, 5.0));
}

TEST(Startup, MissingSensorsAreAHardwareProblemAfterAWhile) {
  SimulatedRobot robot;
  robot.imu = false;
  robot.run(11.0);
  EXPECT_EQ(robot.hcm.state(), State::HardwareProblem);
  EXPECT_STRNE(robot.hcm.advice(), "");
  robot.imu = true;
  EXPECT_TRUE(robot.run_until(State::Controllable));
}

TEST(Startup, ARobotThatLiesGetsUp) {
  SimulatedRobot robot;
  robot.hcm.animation_server(true);
  robot.lie(Direction::Back);
  EXPECT_TRUE(robot.run_until(State::GettingUp));
  EXPECT_THAT(robot.played, testing::ElementsAre("getup_back"));
}

TEST_F(HcmTest, WalkingGoalsLeaveInTheSameCall) {
  const std::size_t before = robot.messages;
  EXPECT_TRUE(robot.ask(Source::Walking, robot.legs(0.91)).granted);
  EXPECT_EQ(robot.hcm.state(), State::Walking);
  EXPECT_EQ(robot.messages, before + 1);
}

TEST_F(HcmTest, TheHeadMovesWhileTheBodyWalks) {
  robot.walk(0.1);
  EXPECT_TRUE(robot.ask(Source::Head, robot.goals({{0, 0.5}})).granted);
  robot.walk(0.5);
  EXPECT_NEAR(robot.sent[0], 0.5, 1e-9);
  EXPECT_EQ(robot.hcm.mixer().owners()[0], Source::Head);
  EXPECT_EQ(robot.hcm.mixer().owners()[4], Source::Walking);
}

TEST_F(HcmTest, TheHeadMayNotMoveTheLegs) {
  const Verdict verdict = robot.ask(Source::Head, robot.legs(1.2));
  EXPECT_FALSE(verdict.granted);
  EXPECT_THAT(std::string(verdict.reason), HasSubstr("belong to somebody else"));
  robot.run(1.0);
  EXPECT_NEAR(robot.sent[4], -0.9, 1e-9);
}

TEST_F(HcmTest, AWalkThatSaysItEndedLeavesTheRobotControllable) {
  robot.walk(0.5);
  robot.hcm.on_support(false, false);
  robot.run(0.15);
  EXPECT_EQ(robot.hcm.state(), State::Controllable);
}

TEST_F(HcmTest, AWalkThatFallsSilentIsBroughtToWalkReady) {
  robot.walk(0.53);
  EXPECT_TRUE(robot.run_until(State::Settling, 0.5));
  EXPECT_STREQ(robot.hcm.last_transition().reason, "walking went silent");
  EXPECT_TRUE(robot.hcm.last_transition().warning);
  EXPECT_TRUE(robot.run_until(State::Controllable, 2.0));
  EXPECT_NEAR(robot.sent[4], -0.9, 1e-6);
}

TEST_F(HcmTest, AnAnimationWaitsUntilTheWalkHasEnded) {
  robot.walk(0.3);
  Hcm::AnimationGoals request;
  request.request = true;
  EXPECT_TRUE(robot.animate(request, robot.goals({})).granted);
  EXPECT_EQ(robot.hcm.state(), State::WalkStopping);
  EXPECT_TRUE(robot.hcm.stop_requested());
  EXPECT_EQ(robot_control_state(robot.hcm.state()), 10);
  Hcm::AnimationGoals first;
  first.first = true;
  EXPECT_FALSE(robot.animate(first, robot.goals({{2, 0.5}})).granted);  // too early
  EXPECT_EQ(robot.hcm.state(), State::WalkStopping);
  EXPECT_TRUE(robot.ask(Source::Walking, robot.legs(0.95)).granted);  // its last steps
  robot.hcm.on_support(false, false);
  robot.run(0.1);
  EXPECT_EQ(robot.hcm.state(), State::Controllable);
  EXPECT_FALSE(robot.ask(Source::Walking, robot.legs(0.95)).granted);  // the animation is next
  EXPECT_TRUE(robot.animate(first, robot.goals({{2, 0.5}})).granted);
  EXPECT_EQ(robot.hcm.state(), State::Animation);
  EXPECT_FALSE(robot.ask(Source::Walking, robot.legs(0.95)).granted);
  EXPECT_TRUE(robot.ask(Source::Head, robot.goals({{0, 0.2}})).granted);
  Hcm::AnimationGoals last;
  last.last = true;
  EXPECT_TRUE(robot.animate(last, robot.goals({{2, 0.6}})).granted);
  robot.cycle();
  EXPECT_EQ(robot.hcm.state(), State::Controllable);
}

TEST_F(HcmTest, AWalkThatDoesNotStopIsCutOff) {
  robot.walk(0.3);
  Hcm::AnimationGoals request;
  request.request = true;
  robot.animate(request, robot.goals({}));
  ASSERT_EQ(robot.hcm.state(), State::WalkStopping);
  const double asked = robot.now;
  const auto goes_on = [&] {
    robot.cycle();
    robot.animate(request, robot.goals({}));
    return robot.ask(Source::Walking, robot.legs(1.0));
  };
  while (robot.hcm.state() == State::WalkStopping && robot.now < asked + 10.0) goes_on();
  EXPECT_NEAR(robot.now - asked, Hcm::Params().walk_stop_timeout, 0.05) << "it has this long to come to its end";
  EXPECT_EQ(robot.hcm.state(), State::Settling);
  EXPECT_STREQ(robot.hcm.last_transition().reason, "walking does not stop");
  EXPECT_TRUE(robot.hcm.last_transition().warning);
  // From now on the walk moves nothing, and the robot comes to stand.
  while (robot.hcm.state() == State::Settling && robot.now < asked + 10.0) {
    EXPECT_FALSE(goes_on().granted);
  }
  EXPECT_EQ(robot.hcm.state(), State::Controllable);
  EXPECT_NEAR(robot.sent[4], -0.9, 1e-6);
}

TEST_F(HcmTest, AnAnimationThatVanishesIsEnded) {
  Hcm::AnimationGoals first;
  first.first = true;
  robot.animate(first, robot.goals({{2, 0.5}}));
  EXPECT_TRUE(robot.run_until(State::Settling, 1.5));
  EXPECT_TRUE(robot.run_until(State::Controllable, 3.0));
  EXPECT_NEAR(robot.sent[2], 0.0, 1e-6);
}

TEST_F(HcmTest, StaleFutureAndForeignGoalsAreRefusedWithAReason) {
  EXPECT_THAT(std::string(robot.ask(Source::Walking, robot.legs(1.0, 0.5)).reason), HasSubstr("too old"));
  EXPECT_THAT(std::string(robot.ask(Source::Walking, robot.legs(1.0, -0.5)).reason), HasSubstr("future"));
  EXPECT_THAT(std::string(robot.ask(Source::Record, robot.legs(1.0)).reason), HasSubstr("record in CONTROLLABLE: "));
  EXPECT_EQ(robot.hcm.state(), State::Controllable);
  EXPECT_EQ(robot.hcm.refusals(), 3u);
  Hcm::AnimationGoals foreign;
  foreign.first = foreign.hcm = true;
  EXPECT_THAT(std::string(robot.animate(foreign, robot.goals({{2, 1.0}})).reason), HasSubstr("did not ask for it"));
}

TEST_F(HcmTest, AKickOwnsTheBodyAndEndsBySilence) {
  EXPECT_TRUE(robot.ask(Source::Kick, robot.legs(1.1)).granted);
  EXPECT_EQ(robot.hcm.state(), State::Kicking);
  EXPECT_FALSE(robot.ask(Source::Walking, robot.legs(0.9)).granted);
  robot.run(0.8);
  EXPECT_EQ(robot.hcm.state(), State::Controllable);
}

TEST_F(HcmTest, AKickRefusedWhileWalkingDoesNotBeginLater) {
  robot.walk(0.3);
  EXPECT_FALSE(robot.ask(Source::Kick, robot.legs(1.1)).granted);
  robot.hcm.on_support(false, false);
  robot.run(0.2);
  EXPECT_EQ(robot.hcm.state(), State::Controllable);
}

TEST_F(HcmTest, AFallLeadsThroughProtectivePoseAndGetUpBackToControllable) {
  for (const Direction direction : {Direction::Front, Direction::Back, Direction::Left, Direction::Right}) {
    robot.played.clear();
    robot.up = {direction == Direction::Front  ? -0.8
                : direction == Direction::Back ? 0.8
                                               : 0.0,
                direction == Direction::Left    ? -0.8
                : direction == Direction::Right ? 0.8
                                                : 0.0,
                0.6};
    robot.rate = {direction == Direction::Right ? 4.0 : -4.0, 0, 0};
    if (direction == Direction::Front || direction == Direction::Back)
      robot.rate = {0, direction == Direction::Front ? 4.0 : -4.0, 0};
    ASSERT_TRUE(robot.run_until(State::Falling, 0.2)) << name_of(direction);
    EXPECT_EQ(robot.hcm.fall_direction(), direction);
    robot.lie(direction);
    robot.rate = {0, 0, 0};
    ASSERT_TRUE(robot.run_until(State::GettingUp, 2.0));
    EXPECT_NEAR(robot.sent[2], -1.0, 1e-6);  // the protective pose
    ASSERT_EQ(robot.played.size(), 1u);
    EXPECT_EQ(robot.played[0], std::string("getup_") + name_of(direction));
    Hcm::AnimationGoals own;
    own.hcm = own.first = true;
    EXPECT_TRUE(robot.animate(own, robot.legs(1.5)).granted);
    EXPECT_FALSE(robot.ask(Source::Walking, robot.legs(0.9)).granted);
    robot.run(0.5);
    robot.stand();
    robot.hcm.own_animation_ended(true, robot.now);
    EXPECT_EQ(robot.hcm.state(), State::GettingUpCheck);
    ASSERT_TRUE(robot.run_until(State::Controllable, 3.0));
    EXPECT_NEAR(robot.sent[4], -0.9, 1e-6);
  }
}

TEST_F(HcmTest, TheProtectivePoseIsTakenWithAllForceThenTheJointsGiveWayUntilItGetsUp) {
  const double half_way = robot.hcm.params().soft_after / 2;
  robot.lie(Direction::Front);
  robot.rate = {0, 4, 0};
  ASSERT_TRUE(robot.run_until(State::Falling, 0.2));
  robot.run(half_way);
  EXPECT_FALSE(given(robot.hcm.mixer().efforts()[2]));
  const std::size_t before = robot.messages;
  robot.run(half_way + 0.02);
  EXPECT_GT(robot.messages, before);
  EXPECT_NEAR(robot.hcm.mixer().efforts()[2], 0.4 * 2.5, 1e-9);
  robot.rate = {0, 0, 0};
  ASSERT_TRUE(robot.run_until(State::GettingUp, 2.0));
  robot.cycle();
  EXPECT_FALSE(given(robot.hcm.mixer().efforts()[2]));
}

TEST(FeetDown, AWalkThatPausesStandsOnBothFeetAndGoesOnWhenItIsHeardAgain) {
  HcmBody body = small_body();
  body.feet_down = [](JointArray& goals) { goals[4] = -1.0; };
  SimulatedRobot robot(Hcm::Params(), body);
  robot.start();
  robot.walk(0.5);
  const double bend = -robot.sent[4];
  robot.run(0.03);
  EXPECT_EQ(robot.hcm.state(), State::Walking);
  EXPECT_NEAR(robot.sent[4], -bend, 1e-9);
  robot.run(0.15);
  EXPECT_EQ(robot.hcm.state(), State::Walking);
  EXPECT_NEAR(robot.sent[4], -1.0, 1e-6);
  EXPECT_EQ(robot.hcm.mixer().owners()[4], Source::Hcm);
  EXPECT_TRUE(robot.ask(Source::Walking, robot.legs(0.95)).granted);
  EXPECT_EQ(robot.hcm.mixer().owners()[4], Source::Walking);
  robot.run(0.3);
  EXPECT_EQ(robot.hcm.state(), State::Settling);
}

TEST(FeetDown, APenalisedWalkerStandsFirstAndThenTakesThePenaltyPose) {
  HcmBody body = small_body();
  body.feet_down = [](JointArray& goals) { goals[4] = -1.0; };
  SimulatedRobot robot(Hcm::Params(), body);
  robot.start();
  robot.walk(0.5);
  robot.hcm.on_paused(true, robot.now);
  robot.run(0.2);
  EXPECT_NEAR(robot.sent[4], -1.0, 1e-6);
  EXPECT_TRUE(robot.run_until(State::Penalty, 3.0));
  EXPECT_NEAR(robot.sent[4], -0.9, 1e-9);
}

TEST_F(HcmTest, AnotherVariantIsTriedAndThenHelpIsCalled) {
  fall(Direction::Front);
  for (int attempt = 0; attempt < 3; ++attempt) {
    ASSERT_TRUE(robot.run_until(State::GettingUp, 3.0)) << attempt;
    robot.run(0.3);
    robot.hcm.own_animation_ended(attempt == 0, robot.now);  // "successful", but it still lies
    robot.run(0.5);
  }
  EXPECT_THAT(robot.played, testing::ElementsAre("getup_front", "getup_front_2", "getup_front"));
  EXPECT_TRUE(robot.run_until(State::Helpless, 5.0));
  EXPECT_EQ(robot.spoken.size(), 1u);
  EXPECT_TRUE(robot.run_until(State::GettingUp, 30.0));  // later it tries again
}

TEST_F(HcmTest, RollingOverFromTheSideIsNotAFailedAttempt) {
  fall(Direction::Left);
  ASSERT_TRUE(robot.run_until(State::GettingUp, 2.0));
  robot.lie(Direction::Front);
  robot.run(0.5);
  robot.hcm.own_animation_ended(true, robot.now);
  robot.run(0.5);
  EXPECT_EQ(robot.hcm.state(), State::GettingUp);
  EXPECT_THAT(robot.played, testing::ElementsAre("getup_left", "getup_front"));
}

TEST_F(HcmTest, WithoutAnAnimationServerItCallsForHelpAndRecoversWhenPutOnItsFeet) {
  robot.hcm.animation_server(false);
  fall(Direction::Left);
  EXPECT_TRUE(robot.run_until(State::Helpless, 10.0));
  EXPECT_EQ(robot.spoken.size(), 1u);
  robot.stand();
  EXPECT_TRUE(robot.run_until(State::Controllable, 5.0));
}

TEST_F(HcmTest, FallingDuringGettingUpIsNoticedOnceTheRobotWasUpright) {
  fall(Direction::Front);
  ASSERT_TRUE(robot.run_until(State::GettingUp, 2.0));
  robot.run(0.5);
  EXPECT_EQ(robot.hcm.state(), State::GettingUp);  // lying is no fall here
  robot.stand();
  robot.run(0.5);
  robot.up = {-0.9, 0, 0.43};
  robot.rate = {0, 4, 0};
  EXPECT_TRUE(robot.run_until(State::Falling, 0.3));
  EXPECT_EQ(robot.cancelled, 1);
}

TEST_F(HcmTest, AMomentUprightWhileGettingUpIsNoStanding) {
  fall(Direction::Front);
  ASSERT_TRUE(robot.run_until(State::GettingUp, 2.0));
  robot.stand();
  robot.run(0.1);
  robot.up = {-0.9, 0, 0.43};
  robot.rate = {0, 4, 0};
  EXPECT_FALSE(robot.run_until(State::Falling, 0.3));
}

TEST_F(HcmTest, ARobotThatNeitherLiesNorStandsGetsUpAfterAWhile) {
  fall(Direction::Back);
  robot.up = {0.8, 0.0, 0.6};  // sits, leaning back
  EXPECT_FALSE(robot.run_until(State::GettingUp, 2.0));
  EXPECT_TRUE(robot.run_until(State::GettingUp, 3.0));
  EXPECT_THAT(robot.played, testing::ElementsAre("getup_back"));
}

TEST_F(HcmTest, ADiveIsNotAFall) {
  Hcm::AnimationGoals dive;
  dive.first = dive.fall_check_off = true;
  robot.animate(dive, robot.goals({{2, 1.0}}));
  robot.lie(Direction::Left);
  dive.first = false;
  for (int i = 0; i < 50; ++i) {
    robot.cycle();
    robot.animate(dive, robot.goals({{2, 1.0}}));
    ASSERT_EQ(robot.hcm.state(), State::Animation);
  }
  dive.last = true;
  robot.animate(dive, robot.goals({{2, 1.0}}));
  EXPECT_TRUE(robot.run_until(State::GettingUp, 3.0));  // and then it gets up
}

TEST_F(HcmTest, AnAnimationMayLeanFartherThanAStandingRobotButAFallInItIsNoticed) {
  const auto lean = [&](double pitch) { robot.up = {-std::sin(pitch), 0, std::cos(pitch)}; };
  Hcm::AnimationGoals squat;
  squat.first = true;
  robot.animate(squat, robot.legs(1.5));
  squat.first = false;
  lean(0.75);  // beyond the limit of a robot that stands
  for (int i = 0; i < 50; ++i) {
    robot.cycle();
    robot.animate(squat, robot.legs(1.5));
    ASSERT_EQ(robot.hcm.state(), State::Animation);
  }
  lean(1.0);
  EXPECT_TRUE(robot.run_until(State::Falling, 0.1));
}

TEST_F(HcmTest, APenalisedRobotStopsWithinAStepAndStandsUntilReleased) {
  robot.walk(0.53);
  robot.hcm.on_paused(true, robot.now);
  robot.collect();
  EXPECT_EQ(robot.hcm.state(), State::PenaltyIn);
  for (int i = 0; i < 60; ++i) {
    robot.cycle();
    EXPECT_FALSE(robot.ask(Source::Walking, robot.legs(1.5)).granted);
  }
  EXPECT_EQ(robot.hcm.state(), State::Penalty);
  EXPECT_NEAR(robot.sent[4], -0.9, 1e-9);
  const std::size_t before = robot.messages;
  robot.run(5.0);
  EXPECT_EQ(robot.messages, before);
  robot.hcm.on_paused(false, robot.now);
  EXPECT_TRUE(robot.run_until(State::Controllable, 1.0));
}

TEST_F(HcmTest, WhoLeansWhenAnAnimationEndsProtectsItself) {
  Hcm::AnimationGoals animation;
  animation.first = true;
  ASSERT_TRUE(robot.animate(animation, robot.goals({{2, 0.1}})).granted);
  robot.cycle();
  ASSERT_EQ(robot.hcm.state(), State::Animation);
  robot.up = {-std::sin(0.75), 0, std::cos(0.75)};  // less than the wider limit in an animation
  robot.cycle();
  ASSERT_EQ(robot.hcm.state(), State::Animation);
  animation.first = false;
  animation.last = true;
  robot.animate(animation, robot.goals({{2, 0.1}}));
  robot.cycle();
  EXPECT_EQ(robot.hcm.state(), State::Falling);
  EXPECT_STREQ(robot.hcm.last_transition().reason, "leans after the animation");
  EXPECT_EQ(robot.hcm.fall_direction(), Direction::Front);
  robot.run(0.3);
  EXPECT_DOUBLE_EQ(robot.sent[2], -1.0) << "the protective pose";
  robot.lie(Direction::Front);
  EXPECT_TRUE(robot.run_until(State::GettingUp, 4.0));
}

TEST_F(HcmTest, ARobotThatLiesAfterItsPenaltyGetsUp) {
  robot.hcm.on_paused(true, robot.now);
  robot.run(1.0);
  robot.lie(Direction::Back);
  robot.run(1.0);
  EXPECT_EQ(robot.hcm.state(), State::Penalty);
  robot.hcm.on_paused(false, robot.now);
  EXPECT_TRUE(robot.run_until(State::GettingUp, 3.0));
}

TEST_F(HcmTest, OldSensorDataCountAsNone) {
  robot.joints = false;
  for (int i = 0; i < 50; ++i) {
    robot.cycle();
    robot.hcm.on_joint_states(robot.measured, robot.now - 1.0, robot.now);
  }
  EXPECT_EQ(robot.hcm.state(), State::HardwareProblem);
  robot.joints = true;
  ASSERT_TRUE(robot.run_until(State::Controllable, 5.0));
  robot.imu = false;
  for (int i = 0; i < 50; ++i) {
    robot.cycle();
    robot.hcm.on_imu(robot.up, robot.rate, robot.now + 1.0, robot.now);
  }
  EXPECT_EQ(robot.hcm.state(), State::HardwareProblem);
}

TEST_F(HcmTest, LostJointStatesEndTheWalkFirst) {
  robot.walk(0.3);
  robot.joints = false;
  robot.walk(0.5);
  EXPECT_EQ(robot.hcm.state(), State::WalkStopping);
  EXPECT_STREQ(robot.hcm.last_transition().reason, "joint states lost");
  robot.hcm.on_support(false, false);
  EXPECT_TRUE(robot.run_until(State::HardwareProblem, 0.5));
}

TEST_F(HcmTest, AReportedErrorEndsTheWalkFirst) {
  robot.walk(0.3);
  robot.hardware.error = true;
  robot.walk(0.1);
  EXPECT_EQ(robot.hcm.state(), State::WalkStopping) << "cut off in the middle of a step it would fall";
  EXPECT_STREQ(robot.hcm.last_transition().reason, "hardware error");
  EXPECT_TRUE(robot.ask(Source::Walking, robot.legs(1.0)).granted);
  robot.hcm.on_support(false, false);
  EXPECT_TRUE(robot.run_until(State::HardwareProblem, 0.5));
}

TEST_F(HcmTest, LostJointStatesHoldTheRobotAndComeBack) {
  robot.joints = false;
  EXPECT_TRUE(robot.run_until(State::HardwareProblem, 0.5));
  const std::size_t before = robot.messages;
  for (int i = 0; i < 100; ++i) {
    robot.cycle();
    EXPECT_FALSE(robot.ask(Source::Walking, robot.legs(1.5)).granted);
  }
  EXPECT_EQ(robot.messages, before);
  robot.joints = true;
  EXPECT_TRUE(robot.run_until(State::Controllable, 5.0));
}

TEST_F(HcmTest, ALostImuEndsTheWalkSafelyFirst) {
  robot.walk(0.3);
  robot.imu = false;
  robot.walk(0.15);
  EXPECT_EQ(robot.hcm.state(), State::Settling);  // blind, the walk itself would not stop as well
  EXPECT_TRUE(robot.run_until(State::HardwareProblem, 1.0));
  EXPECT_NEAR(robot.sent[4], -0.9, 1e-6);
  robot.imu = true;
  EXPECT_TRUE(robot.run_until(State::Controllable, 5.0));
}

TEST_F(HcmTest, AMissingLegJointIsAProblemAMissingArmIsNot) {
  robot.measured[2] = kAbsent;
  robot.run(1.0);
  EXPECT_EQ(robot.hcm.state(), State::Controllable);
  robot.measured[4] = kAbsent;
  EXPECT_TRUE(robot.run_until(State::HardwareProblem, 1.0));
}

TEST_F(HcmTest, HotJointsEndTheWalkUntilTheyAreCool) {
  robot.walk(0.3);
  robot.hardware.hot = true;
  robot.walk(0.1);
  EXPECT_EQ(robot.hcm.state(), State::WalkStopping);
  robot.hcm.on_support(false, false);
  robot.run(0.2);
  EXPECT_FALSE(robot.ask(Source::Walking, robot.legs(1.0)).granted);
  robot.hardware.hot = false;
  robot.run(0.5);
  EXPECT_TRUE(robot.ask(Source::Walking, robot.legs(0.95)).granted);
}

TEST_F(HcmTest, EmergencyStopIsObeyedInTheCallAndReleasedSoftly) {
  robot.walk(0.3);
  robot.hcm.emergency_stop(true, robot.now);
  EXPECT_EQ(robot.hcm.state(), State::Stopped);
  EXPECT_EQ(robot.hcm.take_commands().torque, false);
  robot.hardware.torque_on = false;
  const std::size_t before = robot.messages;
  robot.walk(1.0);
  EXPECT_EQ(robot.messages, before);
  robot.hcm.emergency_stop(false, robot.now);
  EXPECT_TRUE(robot.run_until(State::Controllable, 10.0));
  EXPECT_TRUE(robot.hardware.torque_on);
}

TEST_F(HcmTest, ShutdownSitsDownThenSwitchesTheTorqueOff) {
  EXPECT_TRUE(robot.hcm.shutdown(true, robot.now).granted);
  robot.cycle();
  EXPECT_EQ(robot.hcm.state(), State::ShutdownSit);
  EXPECT_THAT(robot.played, testing::ElementsAre("sit_down"));
  robot.run(1.0);
  robot.hcm.own_animation_ended(true, robot.now);
  robot.collect();
  EXPECT_EQ(robot.hcm.state(), State::Off);
  EXPECT_FALSE(robot.hardware.torque_on);
  EXPECT_TRUE(robot.hcm.shutdown(false, robot.now).granted);
  EXPECT_TRUE(robot.run_until(State::Controllable, 10.0));
}

TEST_F(HcmTest, APenalisedRobotDoesNotSitDown) {
  robot.hcm.on_paused(true, robot.now);
  EXPECT_FALSE(robot.hcm.shutdown(true, robot.now).granted);
}

TEST_F(HcmTest, TorqueSwitchedOffByAPersonComesBackWithTheNextOrder) {
  robot.hardware.torque_on = false;
  robot.run(10.0);
  EXPECT_EQ(robot.hcm.state(), State::MotorOff);
  robot.ask(Source::Walking, robot.legs(0.9));
  robot.cycle();
  EXPECT_TRUE(robot.hardware.torque_on);
  EXPECT_TRUE(robot.run_until(State::Controllable, 5.0));
}

TEST_F(HcmTest, InHandsItHoldsStillAndResumesOnItsFeet) {
  robot.feet = 49.0;
  robot.walk(0.5);
  robot.feet = 0.0;
  robot.walk(0.6);
  EXPECT_EQ(robot.hcm.state(), State::PickedUp);
  EXPECT_FALSE(robot.ask(Source::Walking, robot.legs(1.0)).granted);
  robot.feet = 49.0;
  EXPECT_TRUE(robot.run_until(State::Controllable, 3.0));
}

TEST_F(HcmTest, RecordModeFollowsTheHandAndNeverJumps) {
  EXPECT_TRUE(robot.hcm.record(true, robot.now).granted);
  EXPECT_EQ(robot.hcm.state(), State::Record);
  robot.measured[2] = 1.5;  // moved by hand
  robot.run(1.0);
  EXPECT_TRUE(robot.ask(Source::Record, robot.goals({{2, 1.4}})).granted);
  EXPECT_NEAR(robot.sent[2], 1.5, 0.101);
  robot.lie(Direction::Front);
  robot.run(1.0);
  EXPECT_EQ(robot.hcm.state(), State::Record);  // no fall detection
  robot.stand();
  robot.hcm.record(false, robot.now);
  EXPECT_TRUE(robot.run_until(State::Controllable, 10.0));
}

TEST_F(HcmTest, BadParametersAreNamed) {
  Hcm::Params params;
  EXPECT_FALSE(params.validate());
  params.walk_timeout = 0.0;
  EXPECT_THAT(*params.validate(), HasSubstr("walk_timeout = 0 must lie in 0.08..5"));
  params = {};
  params.goals.max_step = std::nan("");
  EXPECT_THAT(*params.validate(), HasSubstr("max_step"));
}

TEST_F(HcmTest, SimulatedTimeSetBackEndsWhatRanAndThenGoesOn) {
  robot.walk(0.3);
  robot.now = 5.0;
  EXPECT_TRUE(robot.run_until(State::Controllable, 5.0));
  EXPECT_TRUE(robot.ask(Source::Walking, robot.legs(0.95)).granted);
}

TEST_F(HcmTest, TheHistoryShowsTheLastTransitionsAndTheirReasons) {
  robot.walk(0.2);
  robot.hcm.on_paused(true, robot.now);
  EXPECT_EQ(robot.hcm.transition(0).to, State::PenaltyIn);
  EXPECT_STREQ(robot.hcm.transition(0).reason, "paused");
  EXPECT_EQ(robot.hcm.transition(1).to, State::Walking);
}

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "hl_walking/controller.hpp"
#include "hl_walking/teleop_keys.hpp"
#include "robots.hpp"

namespace hl_walking {
namespace {

constexpr double kPeriod = 0.01;  // s

class ControllerTest : public testing::Test {
 protected:
  ControllerTest() : body_(load_body("minibot")) {
    walk_.trunk_height = 0.34;
    controller_ = std::make_unique<Controller>(body_, walk_, kick_, odometry_, params_);
  }

  /// One tick of a robot whose joints follow at once; false if no goals came.
  bool tick() {
    now_ += kPeriod;
    if (joints_alive_) controller_->sense_joints(controller_->joints(), now_);
    const auto goals = controller_->update(now_);
    last_ = goals;
    return goals != Controller::Goals::None;
  }
  int run(double seconds) {
    int sent = 0;
    for (double t = 0.0; t < seconds; t += kPeriod) sent += tick() ? 1 : 0;
    return sent;
  }
  /// The same, with cmd_vel at 20 Hz.
  void drive(const Velocity& velocity, double seconds) {
    for (double t = 0.0; t < seconds; t += 0.05) {
      controller_->command(velocity, now_);
      run(0.05);
    }
  }

  WalkingBody body_;
  Params walk_;
  Kick::Params kick_;
  Odometry::Params odometry_;
  Controller::Params params_;
  std::unique_ptr<Controller> controller_;
  double now_ = 100.0;
  bool joints_alive_ = true;
  Controller::Goals last_ = Controller::Goals::None;
};

TEST_F(ControllerTest, SendsNothingWithoutPermission) {
  drive({0.2, 0.0, 0.0}, 1.0);
  EXPECT_EQ(last_, Controller::Goals::None);
  EXPECT_NE(controller_->complaint().find("HCM"), std::string::npos);
}

TEST_F(ControllerTest, SilenceStopsTheRobotAndThenTheGoals) {
  controller_->permit(Permission::Full);
  EXPECT_EQ(run(0.5), 0);  // nobody asked
  drive({0.2, 0.0, 0.0}, 2.0);
  EXPECT_TRUE(controller_->walking());
  run(3.0);
  EXPECT_FALSE(controller_->walking());
  EXPECT_EQ(last_, Controller::Goals::None);
  EXPECT_TRUE(controller_->engine().standing());
}

TEST_F(ControllerTest, ThePersonWinsWhileFresh) {
  controller_->permit(Permission::Full);
  for (int i = 0; i < 60; ++i) {
    controller_->command({0.3, 0.0, 0.0}, now_);
    controller_->teleoperate({-0.1, 0.0, 0.0}, now_);
    run(0.05);
  }
  EXPECT_LT(controller_->engine().output().velocity.x, 0.0);
  drive({0.3, 0.0, 0.0}, 3.0);
  EXPECT_GT(controller_->engine().output().velocity.x, 0.0);
}

TEST_F(ControllerTest, StopRequestIsAnsweredWithSafeSteps) {
  controller_->permit(Permission::Full);
  drive({0.3, 0.0, 0.0}, 2.0);
  controller_->permit(Permission::Stop);
  drive({0.3, 0.0, 0.0}, 0.1);
  EXPECT_EQ(last_, Controller::Goals::Walking);
  drive({0.3, 0.0, 0.0}, 2.0);
  EXPECT_FALSE(controller_->walking());
}

TEST_F(ControllerTest, TakenPermissionSilencesAtOnce) {
  controller_->permit(Permission::Full);
  drive({0.3, 0.0, 0.0}, 2.0);
  controller_->permit(Permission::None);
  EXPECT_FALSE(tick());
  EXPECT_TRUE(controller_->engine().standing());
}

TEST_F(ControllerTest, DeadJointsStopTheWalkAndSayWhy) {
  controller_->permit(Permission::Full);
  drive({0.2, 0.0, 0.0}, 2.0);
  joints_alive_ = false;
  drive({0.2, 0.0, 0.0}, 3.0);
  EXPECT_FALSE(controller_->walking());
  EXPECT_NE(controller_->complaint().find("joint_states"), std::string::npos);
}

TEST_F(ControllerTest, AbsurdVelocitiesAreRefusedWithAReason) {
  controller_->permit(Permission::Full);
  const double nan = std::nan("");
  for (const Velocity& absurd :
       {Velocity{nan, 0, 0}, Velocity{0, nan, 0}, Velocity{0, 0, 1e300}, Velocity{-11, 0, 0}}) {
    EXPECT_TRUE(controller_->command(absurd, now_));
    EXPECT_TRUE(controller_->teleoperate(absurd, now_));
    EXPECT_EQ(run(0.2), 0);
  }
  EXPECT_FALSE(controller_->command({0.2, 0.0, 0.0}, now_));
}

TEST_F(ControllerTest, JumpingJointsCountAsMissing) {
  controller_->permit(Permission::Full);
  drive({0.2, 0.0, 0.0}, 2.0);
  joints_alive_ = false;
  for (int i = 0; i < 300; ++i) {
    controller_->command({0.2, 0.0, 0.0}, now_);
    controller_->sense_joints(body_.ready().array() + (i % 2 == 0 ? 1.0 : -1.0), now_);
    tick();
  }
  EXPECT_FALSE(controller_->walking());
  joints_alive_ = true;  // a single jump, as when somebody else has moved the robot, is forgiven
  drive({0.2, 0.0, 0.0}, 1.0);
  EXPECT_TRUE(controller_->walking());
}

TEST_F(ControllerTest, FrozenJointsCountAsMissing) {
  controller_->permit(Permission::Full);
  drive({0.2, 0.0, 0.0}, 2.0);
  joints_alive_ = false;
  const Joints frozen = controller_->joints();
  for (int i = 0; i < 300; ++i) {
    controller_->command({0.2, 0.0, 0.0}, now_);
    controller_->sense_joints(frozen, now_);
    tick();
  }
  EXPECT_FALSE(controller_->walking());
  EXPECT_NE(controller_->complaint().find("joint_states"), std::string::npos);
}

TEST_F(ControllerTest, TheGroundIsFeltByWhatTheRobotHas) {
  // Both feet carry half the weight all the time: a walk that feels it ends each step early.
  params_.contact_source = ContactSource::Auto;
  walk_.contact_phase = 0.5;
  const auto steps_with = [&](ContactSource source, bool cells, bool torques) {
    params_.contact_source = source;
    controller_ = std::make_unique<Controller>(body_, walk_, kick_, odometry_, params_);
    controller_->permit(Permission::Full);
    Joints held = Joints::Zero(body_.ready().size());
    for (int i = 0; i < 300; ++i) {
      controller_->command({0.1, 0.0, 0.0}, now_);
      body_.com(controller_->joints());
      for (const Side side : {Side::Left, Side::Right}) {
        if (cells) controller_->sense_foot(side, {25.0, Eigen::Vector2d::Zero()}, now_);
        const Eigen::Isometry3d sole = body_.sole(side, controller_->joints());
        const auto torque = body_.leg_torque(side, sole.translation(), sole.linear() * Eigen::Vector3d(0, 0, 25.0));
        for (std::size_t k = 0; k < 6; ++k) held[static_cast<Eigen::Index>(body_.leg(side).joints()[k])] = torque[k];
      }
      if (torques) controller_->sense_torques(held, now_);
      tick();
    }
    return controller_->engine().output().steps;
  };
  const int blind = steps_with(ContactSource::Auto, false, false);
  EXPECT_GT(steps_with(ContactSource::Auto, true, false), blind);
  EXPECT_GT(steps_with(ContactSource::Auto, false, true), blind);
  EXPECT_GT(steps_with(ContactSource::JointLoad, false, true), blind);
  EXPECT_EQ(steps_with(ContactSource::Pressure, false, true), blind);
  EXPECT_EQ(steps_with(ContactSource::Imu, true, true), blind);
  EXPECT_EQ(contact_source_from("joint_load"), ContactSource::JointLoad);
  EXPECT_FALSE(contact_source_from("nose"));
}

TEST_F(ControllerTest, AKickInWalkEndsWithItsStepOrIsLost) {
  controller_->permit(Permission::Full);
  drive({0.1, 0.0, 0.0}, 1.0);
  KickGoal goal;
  goal.ball = {0.2, 0.06};
  goal.target = {3.0, 0.06};
  controller_->command({0.1, 0.0, 0.0}, now_);
  ASSERT_FALSE(controller_->start_kick(goal, true, now_));
  EXPECT_EQ(controller_->walk_kick(), Controller::WalkKick::Waiting);
  EXPECT_TRUE(controller_->start_kick(goal, true, now_));  // one at a time
  drive({0.1, 0.0, 0.0}, 1.0);
  EXPECT_EQ(controller_->walk_kick(), Controller::WalkKick::Done);
  EXPECT_EQ(controller_->kicking_foot(), Side::Left);
  controller_->command({0.1, 0.0, 0.0}, now_);
  ASSERT_FALSE(controller_->start_kick(goal, true, now_));
  controller_->permit(Permission::None);
  EXPECT_EQ(controller_->walk_kick(), Controller::WalkKick::Lost);
}

TEST_F(ControllerTest, FirstGoalsLeadGentlyFromWhereTheJointsAre) {
  controller_->permit(Permission::Full);
  joints_alive_ = false;
  Joints elsewhere = body_.ready().array() + 0.2;
  controller_->sense_joints(elsewhere, now_);
  controller_->command({0.2, 0.0, 0.0}, now_);
  ASSERT_TRUE(tick());
  EXPECT_LT((controller_->joints() - elsewhere).cwiseAbs().maxCoeff(), 0.02);
}

TEST_F(ControllerTest, TimeGoingBackwardsIsSafe) {
  controller_->permit(Permission::Full);
  drive({0.2, 0.0, 0.0}, 1.0);
  now_ = 5.0;
  run(3.0);
  EXPECT_TRUE(controller_->joints().allFinite());
  EXPECT_FALSE(controller_->walking());
  drive({0.2, 0.0, 0.0}, 1.0);
  EXPECT_TRUE(controller_->walking());
}

TEST_F(ControllerTest, SingleStepsEndByThemselves) {
  controller_->permit(Permission::Full);
  run(0.1);
  EXPECT_TRUE(controller_->request_steps({0.02, 0.0, 0.0}, 1000, now_));
  ASSERT_FALSE(controller_->request_steps({0.02, 0.0, 0.0}, 2, now_));
  run(4.0);
  EXPECT_FALSE(controller_->walking());
  EXPECT_GE(controller_->engine().output().steps, 2);
  EXPECT_LE(controller_->engine().output().steps, 4);
  EXPECT_NEAR(controller_->odometry().footprint().x, 0.035, 0.02);
}

TEST_F(ControllerTest, KickRunsOnceAndWalkingWaits) {
  controller_->permit(Permission::Full);
  run(0.1);
  KickGoal goal;
  goal.ball = {0.15, 0.06};
  goal.target = {3.0, 0.06};
  ASSERT_FALSE(controller_->start_kick(goal, false, now_));
  tick();
  EXPECT_EQ(last_, Controller::Goals::Kick);
  drive({0.2, 0.0, 0.0}, 0.5);
  EXPECT_EQ(last_, Controller::Goals::Kick);
  EXPECT_TRUE(controller_->start_kick(goal, false, now_));  // refused
  run(4.0);
  EXPECT_FALSE(controller_->kicking());
  EXPECT_TRUE(controller_->kick().finished());
  EXPECT_NE(controller_->start_kick(goal, true, now_)->find("does not walk"), std::string::npos);
}

TEST(Teleop, KeysAreNotchesAndSpaceStops) {
  TeleopKeys keys;
  for (int i = 0; i < 100; ++i) keys.press('w');
  EXPECT_DOUBLE_EQ(keys.velocity().x, 0.4);
  keys.press('a');
  keys.press('q');
  keys.press('?');
  EXPECT_GT(keys.velocity().y, 0.0);
  EXPECT_GT(keys.velocity().yaw, 0.0);
  keys.press('d');
  EXPECT_EQ(keys.velocity().y, 0.0);
  keys.press(' ');
  EXPECT_TRUE(keys.velocity().is_zero());
  keys.press('x');
  EXPECT_TRUE(keys.quit());
}

}  // namespace
}  // namespace hl_walking

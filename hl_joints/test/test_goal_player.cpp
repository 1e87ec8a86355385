// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hl_joints/goal_player.hpp"
#include "hl_testing/allocations.hpp"
#include "message.hpp"

using namespace hl_joints;
using testing::HasSubstr;

namespace {

class Player : public testing::Test {
 protected:
  GoalPlayer player{{{{"a", -1.0, 1.0, 5.0, Limb::Leg, 2.0}, {"b", -2.0, 2.0, 5.0, Limb::Leg, 4.0}}},
                    GoalPlayer::Params()};

  static Message to(double a, double b) { return {{"a", "b"}, {point({a, b})}}; }
};

}  // namespace

TEST_F(Player, OnePointIsTheGoalAtOnce) {
  EXPECT_FALSE(player.update(0.0)[0].set);
  EXPECT_FALSE(player.accept(to(0.5, -0.5), 10.0, 10.0));
  EXPECT_DOUBLE_EQ(player.update(10.0)[0].position, 0.5);
  EXPECT_DOUBLE_EQ(player.update(10.0)[1].position, -0.5);
  EXPECT_TRUE(player.update(10.0)[1].set);
}

TEST_F(Player, ManyPointsAreInterpolatedInTime) {
  player.accept(to(0.0, 0.0), 10.0, 10.0);
  Message trajectory{{"b", "a"}, {point({1.0, 0.5}, 1.0), point({0.0, 0.5}, 2.0)}};
  trajectory.points[0].velocities = {2.0, 9.0};
  trajectory.points[0].effort = {1.0, 1.0};
  EXPECT_FALSE(player.accept(trajectory, 10.0, 10.0));
  EXPECT_DOUBLE_EQ(player.update(10.5)[1].position, 0.5);
  EXPECT_DOUBLE_EQ(player.update(10.5)[1].speed_limit, 2.0);
  EXPECT_DOUBLE_EQ(player.update(10.5)[0].speed_limit, 5.0) << "never above the joint's own limit";
  EXPECT_DOUBLE_EQ(player.update(10.5)[1].torque_limit, 0.25);
  EXPECT_DOUBLE_EQ(player.update(11.5)[1].position, 0.5);
  EXPECT_DOUBLE_EQ(player.update(12.6)[1].position, 0.0);
  EXPECT_EQ(player.activity(), GoalPlayer::Activity::Holding) << "more than 0.5 s after the end";
}

TEST_F(Player, JointsThatATrajectoryDoesNotNameGoOn) {
  player.accept(to(0.0, 0.0), 10.0, 10.0);
  player.accept(Message{{"b"}, {point({1.0}, 1.0)}}, 10.0, 10.0);
  EXPECT_DOUBLE_EQ(player.update(10.5)[1].position, 0.5);
  for (double now = 10.5; now < 10.9; now += 0.1) player.accept(Message{{"a"}, {point({0.2})}}, now, now);
  EXPECT_DOUBLE_EQ(player.update(10.9)[0].position, 0.2);
  EXPECT_NEAR(player.update(10.9)[1].position, 0.9, 1e-12);
}

TEST_F(Player, RefusesWhatCannotBeMeantAndKeepsTheOldGoal) {
  player.accept(to(0.5, 0.5), 100.0, 100.0);
  const auto refused = [&](const Message& m, double stamp = 100.0) {
    return player.accept(m, stamp, 100.0).value_or("accepted");
  };
  EXPECT_THAT(refused(to(NAN, 0.0)), HasSubstr("position of a is not a finite number"));
  EXPECT_THAT(refused(to(7.0, 0.0)), HasSubstr("beyond its limits"));
  EXPECT_THAT(refused({{"a", "x"}, {point({0.0, 0.0})}}), HasSubstr("unknown joint 'x'"));
  EXPECT_THAT(refused({{"a"}, {}}), HasSubstr("no points"));
  EXPECT_THAT(refused(to(0.0, 0.0), 99.0), HasSubstr("old"));
  EXPECT_THAT(refused(to(0.0, 0.0), 101.0), HasSubstr("future"));
  EXPECT_THAT(refused(to(0.0, 0.0), 0.0), HasSubstr("old")) << "a stamp of zero is no stamp";
  EXPECT_DOUBLE_EQ(player.update(100.0)[0].position, 0.5);
}

TEST_F(Player, SilenceHoldsThenSoftens) {
  player.accept(to(0.5, 0.5), 0.0, 0.0);
  player.update(0.4);
  EXPECT_EQ(player.activity(), GoalPlayer::Activity::Following);
  player.update(1.0);
  EXPECT_EQ(player.activity(), GoalPlayer::Activity::Holding);
  EXPECT_DOUBLE_EQ(player.stiffness(), 1.0);
  EXPECT_DOUBLE_EQ(player.update(20.0)[0].position, 0.5);
  EXPECT_EQ(player.activity(), GoalPlayer::Activity::Softened);
  EXPECT_DOUBLE_EQ(player.stiffness(), 0.4);
  player.accept(to(0.1, 0.1), 20.0, 20.0);
  EXPECT_DOUBLE_EQ(player.stiffness(), 1.0);
}

TEST_F(Player, ALongTrajectoryIsNoSilenceWhileItRuns) {
  player.accept(to(0.0, 0.0), 10.0, 10.0);
  player.accept(Message{{"a", "b"}, {point({0.8, 0.0}, 4.0)}}, 10.0, 10.0);
  EXPECT_NEAR(player.update(13.0)[0].position, 0.6, 1e-12);
  EXPECT_EQ(player.activity(), GoalPlayer::Activity::Following);
  player.update(14.4);
  EXPECT_EQ(player.activity(), GoalPlayer::Activity::Following);
  player.update(14.6);
  EXPECT_EQ(player.activity(), GoalPlayer::Activity::Holding);
}

TEST_F(Player, AJointThatIsSetStartsFromThereAndForgottenGoalsAreGone) {
  player.accept(to(0.0, 0.0), 0.0, 0.0);
  player.set(0, 0.4);
  player.accept(Message{{"a"}, {point({0.0}, 1.0)}}, 0.1, 0.1);
  EXPECT_NEAR(player.update(0.6)[0].position, 0.2, 1e-12);
  player.forget();
  EXPECT_FALSE(player.update(0.7)[0].set);
  EXPECT_EQ(player.activity(), GoalPlayer::Activity::Idle);
}

TEST_F(Player, ATickAllocatesNothingAndNeitherDoesAMessageLikeTheLast) {
  const Message message = to(0.1, 0.2);
  for (double now = 0.0; now < 0.05; now += 0.01) player.accept(message, now, now);
  const auto before = hl_testing::allocations::count;
  for (double now = 0.05; now < 0.5; now += 0.01) {
    player.accept(message, now, now);
    player.update(now);
  }
  EXPECT_EQ(hl_testing::allocations::count, before);
}

TEST(PlayerParams, NameTheBadValue) {
  EXPECT_FALSE(GoalPlayer::Params().validate());
  struct Case {
    double GoalPlayer::Params::*value;
    const char* name;
    std::vector<double> good, bad;
  };
  using P = GoalPlayer::Params;
  for (const Case& c : {Case{&P::max_age, "max_age", {0.1}, {0.0, -1.0, NAN}},
                        {&P::hold_after, "hold_after", {0.1}, {0.0, -1.0, NAN}},
                        {&P::soften_after, "soften_after", {0.6}, {0.1, NAN}},
                        {&P::soft_stiffness, "soft_stiffness", {0.1, 1.0}, {0.0, -0.5, 1.1, NAN}},
                        {&P::limit_tolerance, "limit_tolerance", {0.0, 0.2}, {-0.1, 0.25, NAN}}}) {
    GoalPlayer::Params params;
    for (const double value : c.good) {
      params.*c.value = value;
      EXPECT_FALSE(params.validate()) << c.name << " " << value;
    }
    for (const double value : c.bad) {
      params.*c.value = value;
      EXPECT_THAT(params.validate().value_or(""), HasSubstr(c.name)) << value;
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "hl_joints/trajectory.hpp"
#include "hl_testing/isolation.hpp"
#include "message.hpp"

using namespace hl_joints;
using testing::HasSubstr;

namespace {

const JointSet kJoints{{{"a", -1.0, 1.0, 5.0, Limb::Leg, 2.0}, {"b", -2.0, 2.0, 5.0, Limb::Arm, 4.0}}};

std::string problem(const Message& message) {
  Trajectory out;
  return read_trajectory(message, kJoints, 0.02, out).value_or("");
}

}  // namespace

TEST(ReadTrajectory, TakesAnySubsetInAnyOrderWithLimits) {
  Message message{{"b"}, {point({0.5}, 0.5), point({-0.5}, 1.25)}};
  message.points[0].velocities = {2.0};
  message.points[0].effort = {0.0};
  Trajectory out;
  ASSERT_FALSE(read_trajectory(message, kJoints, 0.02, out));
  ASSERT_EQ(out.points.size(), 2u);
  EXPECT_FALSE(given(out.points[0].position[0]));
  EXPECT_DOUBLE_EQ(out.points[0].position[1], 0.5);
  EXPECT_DOUBLE_EQ(out.points[0].velocity[1], 2.0);
  EXPECT_FALSE(given(out.points[0].effort[1])) << "zero means no limit";
  EXPECT_DOUBLE_EQ(out.points[1].time, 1.25);
}

TEST(ReadTrajectory, CutsWhatIsALittleBeyondALimitAndRefusesTheRest) {
  Trajectory out;
  ASSERT_FALSE(read_trajectory(Message{{"a"}, {point({1.01})}}, kJoints, 0.02, out));
  EXPECT_DOUBLE_EQ(out.points[0].position[0], 1.0);
  EXPECT_THAT(problem({{"a"}, {point({1.03})}}), HasSubstr("1.03"));
}

TEST(ReadTrajectory, RefusesWhatCannotBeMeant) {
  EXPECT_THAT(problem({{}, {point({})}}), HasSubstr("no joint"));
  EXPECT_THAT(problem({{"a"}, {}}), HasSubstr("no points"));
  EXPECT_THAT(problem({{"x"}, {point({0.0})}}), HasSubstr("unknown joint 'x'"));
  EXPECT_THAT(problem({{"a", "a"}, {point({0.0, 0.0})}}), HasSubstr("twice"));
  EXPECT_THAT(problem({{"a", "b", "a"}, {point({0.0, 0.0, 0.0})}}), HasSubstr("more joints"));
  EXPECT_THAT(problem({{"a"}, {point({0.0, 1.0})}}), HasSubstr("number of positions"));
  EXPECT_THAT(problem({{"a"}, {point({NAN})}}), HasSubstr("not a finite number"));
  EXPECT_THAT(problem({{"a"}, {point({0.0}, 1.0), point({0.0}, 1.0)}}), HasSubstr("order of time"));
  EXPECT_THAT(problem({{"a"}, {point({0.0}, 61.0)}}), HasSubstr("0..60"));
  EXPECT_THAT(problem({{"a"}, std::vector<Message::Point>(201, point({0.0}))}), HasSubstr("200"));
  Message fast{{"a"}, {point({0.0})}};
  fast.points[0].velocities = {INFINITY};
  EXPECT_THAT(problem(fast), HasSubstr("velocity of a"));
  fast.points[0].velocities = {1.0, 2.0};
  EXPECT_THAT(problem(fast), HasSubstr("velocities"));
  fast.points[0] = point({0.0});
  fast.points[0].effort = {NAN};
  EXPECT_THAT(problem(fast), HasSubstr("effort of a"));
}

/// Whatever comes, what is accepted lies within the limits.
TEST(ReadTrajectory, NothingBadGetsThrough) {
  std::mt19937 random(7);
  const auto pick = [&](std::vector<double> values) { return values[random() % values.size()]; };
  const auto rounds = hl_testing::count(20'000, 1'000'000);
  Trajectory out;
  for (std::size_t n = 0; n < rounds; ++n) {
    Message message;
    const std::vector<std::string> names{"a", "b", "c", ""};
    for (std::size_t i = random() % 4; i > 0; --i) message.joint_names.push_back(names[random() % 4]);
    for (std::size_t p = random() % 4; p > 0; --p) {
      Message::Point& to = message.points.emplace_back();
      for (auto* values : {&to.positions, &to.velocities, &to.effort}) {
        const std::size_t count = random() % 8 == 0 ? random() % 4 : message.joint_names.size();
        for (std::size_t i = 0; i < count; ++i)
          values->push_back(pick({0.0, 0.5, -0.5, 1.01, -1.01, 3.0, NAN, INFINITY, -INFINITY, 1e300}));
      }
      to.time_from_start.sec = static_cast<std::int32_t>(random() % 4);
      if (random() % 16 == 0) to.time_from_start.sec = -1;
    }
    if (read_trajectory(message, kJoints, 0.02, out)) continue;
    for (const Goals& goals : out.points) {
      for (std::size_t j = 0; j < kJoints.size(); ++j) {
        if (!given(goals.position[j])) continue;
        EXPECT_GE(goals.position[j], kJoints.joints[j].lower);
        EXPECT_LE(goals.position[j], kJoints.joints[j].upper);
        EXPECT_TRUE(!given(goals.velocity[j]) || (std::isfinite(goals.velocity[j]) && goals.velocity[j] > 0.0));
        EXPECT_TRUE(!given(goals.effort[j]) || (std::isfinite(goals.effort[j]) && goals.effort[j] > 0.0));
      }
    }
  }
}

TEST(GoalAt, IsOnStraightLinesAndRestsAtTheEnd) {
  std::vector<Goals> points(2);
  points[0].time = 1.0;
  points[0].position[0] = 1.0;
  points[0].velocity[0] = 3.0;
  points[1].time = 2.0;
  points[1].position[0] = 0.0;
  EXPECT_DOUBLE_EQ(goal_at(points, 0, 0.5, -1.0).position, 0.5) << "before the start";
  EXPECT_DOUBLE_EQ(goal_at(points, 0, 0.5, 0.5).position, 0.75);
  EXPECT_DOUBLE_EQ(goal_at(points, 0, 0.5, 0.5).velocity, 3.0);
  EXPECT_DOUBLE_EQ(goal_at(points, 0, 0.5, 1.5).position, 0.5);
  EXPECT_FALSE(given(goal_at(points, 0, 0.5, 1.5).velocity));
  EXPECT_DOUBLE_EQ(goal_at(points, 0, 0.5, 9.0).position, 0.0);
  points.resize(1);
  points[0].time = 0.0;
  EXPECT_DOUBLE_EQ(goal_at(points, 0, 0.5, 0.0).position, 1.0) << "one point is the goal at once";
}

TEST(Stamp, IsBelievedOnlyAboutNow) {
  EXPECT_EQ(stamp_problem(10.0, 10.1, 0.2), nullptr);
  EXPECT_EQ(stamp_problem(10.1, 10.0, 0.2), nullptr);
  EXPECT_STREQ(stamp_problem(10.0, 10.3, 0.2), "stamp is too old");
  EXPECT_STREQ(stamp_problem(10.3, 10.0, 0.2), "stamp lies in the future");
  EXPECT_STREQ(stamp_problem(NAN, 10.0, 0.2), "stamp is too old");
  EXPECT_STREQ(stamp_problem(0.0, 10.0, 0.2), "stamp is too old");
}

TEST(GoalAt, SegmentsTakeAsLongAsTheirTimesSay) {
  std::vector<Goals> points(2);
  points[0].time = 0.5, points[0].position[0] = 1.0;
  points[1].time = 4.5, points[1].position[0] = -1.0;
  EXPECT_NEAR(goal_at(points, 0, 0.0, 0.25).position, 0.5, 1e-12);
  EXPECT_NEAR(goal_at(points, 0, 0.0, 1.5).position, 0.5, 1e-12);
  EXPECT_NEAR(goal_at(points, 0, 0.0, 3.5).position, -0.5, 1e-12);
  EXPECT_EQ(goal_at(points, 0, 0.0, 9.0).position, -1.0);
}

// SPDX-License-Identifier: Apache-2.0
// How old the picture behind a decision is: a robot that sees through its camera goes to the ball, with all its nodes
// in lock-step, and `decision_trace` is compared with what its eyes told. In simulated time, so the machine's speed
// does not count; what the nodes need of it is the simulator's `vision_delay`.
#include <gtest/gtest.h>

#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cstdio>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/decision_trace.hpp>

#include "hl_testing/ros_main.hpp"
#include "training_ground.hpp"

namespace {

using humanoid_league_msgs::msg::BallRelative;
using humanoid_league_msgs::msg::DecisionTrace;

constexpr double kMost = 0.1505;        // s; stamps are rounded
constexpr std::size_t kDecisions = 60;  // to be judged
// The world waits for the eyes and for goals, not for model and behaviour: what these need of real time must be little
// in simulated time, also on a busy machine.
const std::string kSpeed = "0.2";  // of real time

double seconds(const builtin_interfaces::msg::Time& stamp) {
  return rclcpp::Time(stamp).seconds();
}

}  // namespace

TEST(DataAge, NoDecisionLeavesOutABallThatTheCameraSaw150MsBefore) {
  hl_bringup::TrainingGround ground(1, 1, {"vision:=true", "speed:=" + kSpeed});
  ground.place({{{0.5, 0.0, 0.0}}, {2.5, 0.3}});
  std::vector<double> seen;   // s, pictures that showed the ball
  std::vector<double> ages;   // s, of the ball's picture, of decisions that had one to rest on
  double oldest_model = 0.0;  // s
  std::size_t whole = 0;      // traces with every step
  const auto balls = ground.node()->create_subscription<BallRelative>("ball_relative", 50, [&](const BallRelative& m) {
    if (m.confidence > 0.0f) seen.push_back(seconds(m.header.stamp));
  });
  const auto traces =
      ground.node()->create_subscription<DecisionTrace>("decision_trace", 50, [&](const DecisionTrace& m) {
        const double decided = seconds(m.decided);
        oldest_model = std::max(oldest_model, decided - seconds(m.model));
        const bool fresh = std::any_of(seen.begin(), seen.end(), [&](double picture) {
          return picture > decided - 2 * kMost && picture <= decided - kMost;
        });
        if (!fresh) return;  // nothing to see that it could have left out
        ages.push_back(decided - seconds(m.image));
        whole += seconds(m.detection) > 0.0 && seconds(m.transform) > 0.0 && seconds(m.servo_goal) > 0.0;
      });
  ground.run_task(0, ament_index_cpp::get_package_share_directory("hl_behavior") + "/tasks/kick_to_goal.rtdl", {},
                  60.0);
  ground.watch(60.0, [&](const hl_match::DrillView&) { return ages.size() >= kDecisions; });
  ASSERT_GE(ages.size(), kDecisions) << ground.trace(0) << ground.log();
  std::sort(ages.begin(), ages.end());
  std::printf(
      "age of the picture behind a decision: median %.0f ms, 95 %% %.0f ms, most %.0f ms; of the model at most %.0f "
      "ms\n",
      1e3 * ages[ages.size() / 2], 1e3 * ages[ages.size() * 95 / 100], 1e3 * ages.back(), 1e3 * oldest_model);
  EXPECT_LE(ages.back(), kMost);
  EXPECT_LE(oldest_model, kMost);
  EXPECT_GT(whole, ages.size() / 2) << "steps are missing in the traces";
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
// The nodes as programs over the real middleware.
#include <gmock/gmock.h>

#include <humanoid_league_msgs/action/navigate.hpp>
#include <humanoid_league_msgs/msg/ball_in_image.hpp>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/behavior_debug.hpp>
#include <humanoid_league_msgs/msg/decision_trace.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/head_mode.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/strategy.hpp>
#include <humanoid_league_msgs/srv/list_behaviors.hpp>
#include <humanoid_league_msgs/srv/set_role.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

#include "hl_testing/ros_main.hpp"
#include "robot_around.hpp"

using humanoid_league_msgs::action::Navigate;
namespace srv = humanoid_league_msgs::srv;

namespace {

TEST(BehaviorNode, SendsTheStrikerToTheBallAndStopsItWhenPenalised) {
  Robot robot;
  Navigate::Goal last;
  int goals = 0, cancels = 0;
  using Handle = rclcpp_action::ServerGoalHandle<Navigate>;
  std::shared_ptr<Handle> running;
  const auto server = rclcpp_action::create_server<Navigate>(
      robot.node, "navigate",
      [&](const rclcpp_action::GoalUUID&, std::shared_ptr<const Navigate::Goal> goal) {
        last = *goal;
        ++goals;
        return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [&](const std::shared_ptr<Handle>&) {
        ++cancels;
        return rclcpp_action::CancelResponse::ACCEPT;
      },
      [&](const std::shared_ptr<Handle>& handle) { running = handle; });
  msg::Strategy strategy;
  const auto strategies = robot.node->create_subscription<msg::Strategy>("strategy", rclcpp::QoS(1).transient_local(),
                                                                         [&](const msg::Strategy& m) { strategy = m; });
  msg::BehaviorDebug debug;
  const auto debugs = robot.node->create_subscription<msg::BehaviorDebug>(
      "behavior_debug", 10, [&](const msg::BehaviorDebug& m) { debug = m; });
  int mode = -1;
  const auto modes = robot.node->create_subscription<msg::HeadMode>(
      "head_mode", rclcpp::QoS(1).transient_local(), [&](const msg::HeadMode& m) { mode = m.head_mode; });

  NodeProcess behavior({BEHAVIOR_PROGRAM});
  ASSERT_TRUE(robot.spin_until([&] { return goals > 0 && running; })) << behavior.output();
  // The first words of the robot may come in any order: until the model is there it looks for its pose and the ball.
  ASSERT_TRUE(robot.spin_until([&] { return last.kind == Navigate::Goal::KICK_POSE; }))
      << debug.situation << ": " << debug.move_skill << ", kind " << static_cast<int>(last.kind) << behavior.output();
  EXPECT_EQ(last.header.frame_id, "map");
  EXPECT_NEAR(last.ball.x, 1.5, 0.01);
  EXPECT_TRUE(robot.spin_until([&] { return strategy.role == msg::Strategy::ROLE_STRIKER && mode >= 0; }));
  EXPECT_TRUE(robot.spin_until([&] { return debug.situation == "play: striker"; }));
  EXPECT_FALSE(debug.reasons.empty());

  robot.penalized = true;
  EXPECT_TRUE(robot.spin_until([&] { return cancels > 0; }));
  EXPECT_TRUE(robot.spin_until([&] { return debug.situation == "penalised"; }));
  EXPECT_EQ(behavior.stop(), 0);
}

TEST(BehaviorNode, StartedAnewItEndsTheWalkThatItsPredecessorLeft) {
  Robot robot;
  int cancels = 0;
  using Handle = rclcpp_action::ServerGoalHandle<Navigate>;
  std::shared_ptr<Handle> running;
  const auto server = rclcpp_action::create_server<Navigate>(
      robot.node, "navigate",
      [](const rclcpp_action::GoalUUID&, std::shared_ptr<const Navigate::Goal>) {
        return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [&](const std::shared_ptr<Handle>&) {
        ++cancels;
        return rclcpp_action::CancelResponse::ACCEPT;
      },
      [&](const std::shared_ptr<Handle>& handle) { running = handle; });
  // The predecessor was killed: its goal runs on, and nobody holds its handle.
  const auto predecessor = rclcpp_action::create_client<Navigate>(robot.node, "navigate");
  ASSERT_TRUE(robot.spin_until([&] { return predecessor->action_server_is_ready(); }));
  predecessor->async_send_goal(Navigate::Goal());
  ASSERT_TRUE(robot.spin_until([&] { return running != nullptr; }));
  robot.penalized = true;  // the new one has nothing to order
  NodeProcess behavior({BEHAVIOR_PROGRAM});
  EXPECT_TRUE(robot.spin_until([&] { return cancels > 0; })) << behavior.output();
}

TEST(BehaviorNode, APlannerThatHasForgottenTheGoalIsToldAgain) {
  Robot robot;
  int goals = 0;
  using Handle = rclcpp_action::ServerGoalHandle<Navigate>;
  // It takes the goal and never says a word of it, as one that was killed and came again. Ball and robot rest.
  const auto server = rclcpp_action::create_server<Navigate>(
      robot.node, "navigate",
      [&](const rclcpp_action::GoalUUID&, std::shared_ptr<const Navigate::Goal> goal) {
        goals += goal->kind == Navigate::Goal::KICK_POSE ? 1 : 0;
        return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [](const std::shared_ptr<Handle>&) { return rclcpp_action::CancelResponse::ACCEPT; },
      [handles = std::vector<std::shared_ptr<Handle>>()](const std::shared_ptr<Handle>& handle) mutable {
        handles.push_back(handle);
      });
  NodeProcess behavior({BEHAVIOR_PROGRAM});
  ASSERT_TRUE(robot.spin_until([&] { return goals > 0; })) << behavior.output();
  EXPECT_TRUE(robot.spin_until([&] { return goals > 2; })) << goals;
}

TEST(BehaviorNode, ADeadGameControllersLastWordDoesNotCountForEver) {
  Robot robot;
  std::string situation;
  const auto debugs = robot.node->create_subscription<msg::BehaviorDebug>(
      "behavior_debug", 10, [&](const msg::BehaviorDebug& m) { situation = m.situation; });
  NodeProcess behavior({BEHAVIOR_PROGRAM, "--ros-args", "-p", "without_referee:=stop"});
  ASSERT_TRUE(robot.spin_until([&] { return situation == "play: striker"; })) << behavior.output();
  robot.game_controller = false;
  EXPECT_TRUE(robot.spin_until([&] { return situation == "no referee"; })) << situation;
  robot.game_controller = true;
  EXPECT_TRUE(robot.spin_until([&] { return situation == "play: striker"; })) << situation;
}

TEST(BehaviorNode, TakesARoleAndListsWhatItCan) {
  Robot robot;
  msg::Strategy strategy;
  const auto strategies = robot.node->create_subscription<msg::Strategy>("strategy", rclcpp::QoS(1).transient_local(),
                                                                         [&](const msg::Strategy& m) { strategy = m; });
  NodeProcess behavior({BEHAVIOR_PROGRAM});
  const auto set_role = robot.node->create_client<srv::SetRole>("set_role");
  ASSERT_TRUE(robot.spin_until([&] { return set_role->service_is_ready(); }));
  const auto call = [&](int role) {
    auto request = std::make_shared<srv::SetRole::Request>();
    request->role = static_cast<std::uint8_t>(role);
    auto future = set_role->async_send_request(request);
    const bool answered = robot.spin_until([&] { return future.wait_for(0s) == std::future_status::ready; });
    EXPECT_TRUE(answered);
    return answered && future.get()->success;
  };
  EXPECT_TRUE(call(msg::Strategy::ROLE_DEFENDER));
  EXPECT_TRUE(robot.spin_until([&] { return strategy.role == msg::Strategy::ROLE_DEFENDER; }));
  EXPECT_FALSE(call(9));
  const auto list = robot.node->create_client<srv::ListBehaviors>("list_behaviors");
  ASSERT_TRUE(robot.spin_until([&] { return list->service_is_ready(); }));
  auto future = list->async_send_request(std::make_shared<srv::ListBehaviors::Request>());
  ASSERT_TRUE(robot.spin_until([&] { return future.wait_for(0s) == std::future_status::ready; }));
  const auto answer = future.get();
  EXPECT_EQ(answer->roles.size(), 6u);
  EXPECT_THAT(answer->capabilities, testing::Contains(testing::StartsWith("kick_to(Place target")));
  EXPECT_THAT(answer->tasks, testing::IsSupersetOf({"kick_to_goal", "slalom", "passing_drill", "self_test"}));
}

TEST(BehaviorNode, TracesADecisionFromThePictureToTheServoGoals) {
  Robot robot;
  const auto seconds = [](const builtin_interfaces::msg::Time& t) { return rclcpp::Time(t).seconds(); };
  const auto in_image = robot.node->create_publisher<msg::BallInImage>("ball_in_image", 10);
  const auto relative = robot.node->create_publisher<msg::BallRelative>("ball_relative", 10);
  const auto goals = robot.node->create_publisher<trajectory_msgs::msg::JointTrajectory>("motor_goals", 10);
  // The picture of the ball passes detection and transform just as the model that it makes is told.
  const auto models = robot.node->create_subscription<msg::Model>("personal_model", 10, [&](const msg::Model& m) {
    msg::BallInImage detected;
    detected.header.stamp = m.ball_last_seen;
    in_image->publish(detected);
    msg::BallRelative transformed;
    transformed.header.stamp = m.ball_last_seen;
    relative->publish(transformed);
  });
  const auto servos = robot.node->create_wall_timer(10ms, [&] {
    trajectory_msgs::msg::JointTrajectory goal;
    goal.header.stamp = robot.node->now();
    goals->publish(goal);
  });
  std::optional<msg::DecisionTrace> whole;
  const auto traces =
      robot.node->create_subscription<msg::DecisionTrace>("decision_trace", 10, [&](const msg::DecisionTrace& m) {
        if (m.detection.sec != 0 && m.transform.sec != 0 && m.servo_goal.sec != 0) whole = m;
      });
  NodeProcess behavior({BEHAVIOR_PROGRAM});
  ASSERT_TRUE(robot.spin_until([&] { return whole.has_value(); })) << behavior.output();
  EXPECT_LE(seconds(whole->image), seconds(whole->detection));
  EXPECT_LE(seconds(whole->image), seconds(whole->transform));
  EXPECT_LE(seconds(whole->transform), seconds(whole->decided));
  EXPECT_LE(seconds(whole->model), seconds(whole->decided));
  EXPECT_LE(seconds(whole->decided), seconds(whole->servo_goal));
  EXPECT_THAT(whole->summary, testing::Not(testing::IsEmpty()));
}

TEST(HeadNode, TracksTheBallAndStaysStillWithoutJointStates) {
  Robot robot;
  int goals = 0;
  trajectory_msgs::msg::JointTrajectory last;
  const auto subscription = robot.node->create_subscription<trajectory_msgs::msg::JointTrajectory>(
      "head_motor_goals", 10, [&](const trajectory_msgs::msg::JointTrajectory& m) {
        last = m;
        ++goals;
      });
  const auto joints = robot.node->create_publisher<sensor_msgs::msg::JointState>("joint_states", 5);
  const auto mode = robot.node->create_publisher<msg::HeadMode>("head_mode", rclcpp::QoS(1).transient_local());
  msg::HeadMode ball;
  ball.head_mode = msg::HeadMode::BALL_MODE;
  mode->publish(ball);
  NodeProcess head({HEAD_PROGRAM, "--ros-args", "-p", "urdf_file:=" URDF_FILE, "-p", "robot_config_file:=" ROBOT_FILE});
  ASSERT_TRUE(robot.spin_until([&] { return joints->get_subscription_count() > 0; })) << head.output();
  EXPECT_EQ(goals, 0) << "nothing is sent before the head's place is known";
  const auto timer = robot.node->create_wall_timer(20ms, [&] {
    sensor_msgs::msg::JointState state;
    state.header.stamp = robot.node->now();
    state.name = {"HeadPan", "HeadTilt"};
    state.position = {0.0, 0.0};
    joints->publish(state);
  });
  ASSERT_TRUE(robot.spin_until([&] { return goals > 20; })) << head.output();
  EXPECT_EQ(last.joint_names.size(), 2u);
  // The ball lies 1.5 m ahead on the ground: straight on and down.
  EXPECT_TRUE(robot.spin_until(
      [&] { return std::abs(last.points[0].positions[0]) < 0.1 && last.points[0].positions[1] < -0.1; }));
}

TEST(HeadNode, NamesTheFileThatIsMissing) {
  NodeProcess head({HEAD_PROGRAM});
  const auto code = head.wait(120s);
  ASSERT_TRUE(code);
  EXPECT_NE(*code, 0);
  EXPECT_THAT(head.output(), testing::HasSubstr("urdf_file"));
}

}  // namespace

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
// The node over the middleware, with a robot made of messages around it that walks as it is told.
#include <gmock/gmock.h>

#include <csignal>
#include <geometry_msgs/msg/twist.hpp>
#include <hl_testing/process.hpp>
#include <hl_testing/ros_main.hpp>
#include <hl_testing/spinning.hpp>
#include <tf2_msgs/msg/tf_message.hpp>

#include "planning_node.hpp"

namespace hl_path_planning {
namespace {

using geometry_msgs::msg::Twist;
using humanoid_league_msgs::msg::GameState;
using humanoid_league_msgs::msg::Model;
using humanoid_league_msgs::msg::RobotControlState;
using Navigate = humanoid_league_msgs::action::Navigate;
using ClientHandle = rclcpp_action::ClientGoalHandle<Navigate>;
using testing::HasSubstr;

constexpr auto kPatience = std::chrono::seconds(60);

/// A robot made of messages.
class RobotTest : public testing::Test {
 protected:
  RobotTest() {
    world_ = std::make_shared<rclcpp::Node>("world");
    executor_.add_node(world_);
    tf_ = world_->create_publisher<tf2_msgs::msg::TFMessage>("tf", 10);
    model_ = world_->create_publisher<Model>("personal_model", 10);
    state_ = world_->create_publisher<RobotControlState>("robot_state", rclcpp::QoS(1).transient_local());
    game_ = world_->create_publisher<GameState>("gamestate", rclcpp::QoS(1).transient_local());
    goal_pose_ = world_->create_publisher<geometry_msgs::msg::PoseStamped>("goal_pose", 10);
    command_ = world_->create_subscription<Twist>("cmd_vel", 10, [this](const Twist& m) {
      ++commands_;
      last_command_ = m;
      moved_ = moved_ || m.linear.x != 0.0 || m.linear.y != 0.0 || m.angular.z != 0.0;
    });
    path_ = world_->create_subscription<nav_msgs::msg::Path>("path", 10, [this](const nav_msgs::msg::Path& m) {
      if (!m.poses.empty()) path_frame_ = m.header.frame_id;
    });
    client_ = rclcpp_action::create_client<Navigate>(world_, "navigate");
    timer_ = world_->create_wall_timer(std::chrono::milliseconds(20), [this] { look(); });
  }

  /// The world as it is now.
  void look() {
    const auto now = world_->now();
    tf2_msgs::msg::TFMessage message;
    for (const auto& [parent, child] :
         {std::pair<const char*, const char*>{"map", "odom"}, {"odom", "base_footprint"}}) {
      geometry_msgs::msg::TransformStamped t;
      t.header.stamp = now;
      t.header.frame_id = parent;
      t.child_frame_id = child;
      t.transform.rotation.w = 1.0;
      if (child != std::string("odom")) t.transform.translation.x = x_;
      message.transforms.push_back(t);
    }
    if (has_tf_) tf_->publish(message);
    Model model;
    model.header.stamp = now;
    model.header.frame_id = "base_footprint";
    model.robots.resize(robots_);
    if (has_model_) model_->publish(model);
  }

  template <class Condition>
  bool spin_until(Condition condition) {
    return hl_testing::spin_closely_until(executor_, condition, kPatience);
  }

  static Navigate::Goal to(double x) {
    Navigate::Goal goal;
    goal.header.frame_id = "map";
    goal.pose.x = x;
    return goal;
  }

  /// Sends a goal; the result lands in `results_` under its number.
  std::size_t send(const Navigate::Goal& goal) {
    spin_until([this] { return client_->action_server_is_ready(); });
    const std::size_t number = results_.size();
    results_.emplace_back();
    handles_.emplace_back();
    rclcpp_action::Client<Navigate>::SendGoalOptions options;
    options.result_callback = [this, number](const ClientHandle::WrappedResult& r) { results_[number] = *r.result; };
    options.feedback_callback = [this](ClientHandle::SharedPtr, const std::shared_ptr<const Navigate::Feedback> f) {
      feedback_ = *f;
    };
    auto future = client_->async_send_goal(goal, options);
    EXPECT_TRUE(spin_until([&] { return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }));
    handles_[number] = future.get();
    EXPECT_TRUE(handles_[number]);
    return number;
  }

  rclcpp::executors::SingleThreadedExecutor executor_;
  rclcpp::Node::SharedPtr world_;
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr tf_;
  rclcpp::Publisher<Model>::SharedPtr model_;
  rclcpp::Publisher<RobotControlState>::SharedPtr state_;
  rclcpp::Publisher<GameState>::SharedPtr game_;
  rclcpp::Publisher<geometry_msgs::msg::PoseStamped>::SharedPtr goal_pose_;
  rclcpp::Subscription<Twist>::SharedPtr command_;
  rclcpp::Subscription<nav_msgs::msg::Path>::SharedPtr path_;
  rclcpp_action::Client<Navigate>::SharedPtr client_;
  rclcpp::TimerBase::SharedPtr timer_;
  std::vector<std::optional<Navigate::Result>> results_;
  std::vector<ClientHandle::SharedPtr> handles_;
  std::optional<Navigate::Feedback> feedback_;
  double x_ = 0.0;
  bool has_tf_ = true, has_model_ = true, moved_ = false;
  int commands_ = 0;
  Twist last_command_;
  std::string path_frame_;
  std::size_t robots_ = 0;
};

/// Around the node in this process.
class NodeTest : public RobotTest {
 protected:
  NodeTest() {
    rclcpp::NodeOptions options;
    options.arguments({"--ros-args", "-r", "/tf:=tf", "-r", "/tf_static:=tf_static"});
    // The robot of this test jumps where it is told to: no matter how slow the machine is.
    options.parameter_overrides({{"stuck_time", 20.0}, {"pose_age", 5.0}, {"model_age", 10.0}});
    node_ = std::make_shared<PlanningNode>(options);
    executor_.add_node(node_);
  }

  /// A goal that ends as LOST, with a reason that has these words, and without any motion.
  void expect_lost(const char* words) {
    node_->set_parameter({"patience", 0.5});
    const auto number = send(to(1.0));
    ASSERT_TRUE(spin_until([&] { return results_[number].has_value(); }));
    EXPECT_EQ(results_[number]->outcome, Navigate::Result::LOST);
    EXPECT_THAT(results_[number]->reason, HasSubstr(words));
    EXPECT_FALSE(moved_);
  }

  std::shared_ptr<PlanningNode> node_;
};

/// Around the program, which can be killed.
class ProgramTest : public RobotTest {
 protected:
  ProgramTest() { start(); }

  void start() {
    program_ = std::make_unique<hl_testing::Process>(
        std::vector<std::string>{PROGRAM, "--ros-args", "-r", "/tf:=tf", "-r", "/tf_static:=tf_static", "-p",
                                 "stuck_time:=20.0", "-p", "pose_age:=5.0", "-p", "model_age:=10.0"});
  }

  /// Sends the goal until somebody takes it: what is sent to a server that has just died is lost.
  bool taken(const Navigate::Goal& goal) {
    return spin_until([&] {
      if (!client_->action_server_is_ready()) return false;
      auto answer = client_->async_send_goal(goal);
      const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(3);
      const auto answered = [&] { return answer.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
      while (!answered() && std::chrono::steady_clock::now() < end) executor_.spin_once(std::chrono::milliseconds(20));
      return answered() && answer.get() != nullptr;
    });
  }

  std::unique_ptr<hl_testing::Process> program_;
};

TEST_F(NodeTest, WalksIsReplacedAndArrives) {
  const auto first = send(to(2.0));
  EXPECT_TRUE(spin_until([this] { return moved_ && feedback_ && path_frame_ == "map"; }));
  EXPECT_GT(feedback_->distance, 1.0);
  const auto second = send(to(2.5));
  EXPECT_TRUE(spin_until([&] { return results_[first].has_value(); }));
  EXPECT_EQ(results_[first]->outcome, Navigate::Result::REPLACED);
  x_ = 2.5;
  EXPECT_TRUE(spin_until([&] { return results_[second].has_value(); }));
  EXPECT_EQ(results_[second]->outcome, Navigate::Result::REACHED);
  EXPECT_TRUE(spin_until([this] { return last_command_.linear.x == 0.0; }));
}

TEST_F(NodeTest, CancelEndsItWithZeroVelocity) {
  const auto number = send(to(2.0));
  EXPECT_TRUE(spin_until([this] { return moved_; }));
  client_->async_cancel_goal(handles_[number]);
  EXPECT_TRUE(spin_until([&] { return results_[number].has_value(); }));
  EXPECT_EQ(results_[number]->outcome, Navigate::Result::CANCELLED);
  EXPECT_TRUE(spin_until([this] { return last_command_.linear.x == 0.0 && last_command_.angular.z == 0.0; }));
}

TEST_F(NodeTest, BadGoalsEndWithAReasonAndNoMotion) {
  Navigate::Goal frame = to(1.0);
  frame.header.frame_id = "moon";
  Navigate::Goal number = to(std::nan(""));
  for (const Navigate::Goal& goal : {frame, number, to(50.0)}) {
    const auto sent = send(goal);
    ASSERT_TRUE(spin_until([&] { return results_[sent].has_value(); }));
    EXPECT_EQ(results_[sent]->outcome, Navigate::Result::BAD_GOAL);
    EXPECT_FALSE(results_[sent]->reason.empty());
  }
  EXPECT_FALSE(moved_);
}

TEST_F(NodeTest, WithoutTransformsItSaysSoAndDoesNotMove) {
  has_tf_ = false;
  expect_lost("pose");
}

TEST_F(NodeTest, WithAnOldModelItSaysSoAndDoesNotMove) {
  has_model_ = false;
  expect_lost("the model is");
}

TEST_F(NodeTest, WithTenThousandObstaclesItSaysSoAndDoesNotMove) {
  robots_ = 10'000;
  expect_lost("the model");
}

TEST_F(ProgramTest, KilledOnTheWayItWalksAgainWithTheNextGoal) {
  ASSERT_TRUE(taken(to(2.0))) << program_->output();
  ASSERT_TRUE(spin_until([this] { return moved_; })) << program_->output();
  program_->signal(SIGKILL);
  ASSERT_TRUE(program_->wait());
  moved_ = false;
  start();
  ASSERT_TRUE(taken(to(2.0))) << program_->output();
  EXPECT_TRUE(spin_until([this] { return moved_; })) << program_->output();
}

TEST_F(NodeTest, PeopleMayUseGoalPoseButNotDuringAMatch) {
  geometry_msgs::msg::PoseStamped pose;
  pose.header.frame_id = "map";
  pose.pose.position.x = 1.5;
  pose.pose.orientation.w = 1.0;
  GameState game;
  game.referee_connected = true;
  game.game_state = GameState::GAMESTATE_PLAYING;
  game.allowed_to_move = true;
  game_->publish(game);
  // A goal of the action that is served shows that the game state has arrived: its penalty refuses it.
  game.penalized = true;
  game_->publish(game);
  std::size_t probe = 0;
  EXPECT_TRUE(spin_until([&] {
    probe = send(to(1.0));
    spin_until([&] { return results_[probe].has_value() || moved_; });
    return results_[probe] && results_[probe]->outcome == Navigate::Result::NOT_ALLOWED;
  }));
  EXPECT_TRUE(spin_until([this] { return goal_pose_->get_subscription_count() > 0; }));
  path_frame_.clear();
  goal_pose_->publish(pose);
  const auto after = send(to(1.0));  // delivered later than the pose
  EXPECT_TRUE(spin_until([&] { return results_[after].has_value(); }));
  EXPECT_EQ(path_frame_, "");

  game.referee_connected = false;
  game.penalized = false;
  moved_ = false;
  game_->publish(game);
  EXPECT_TRUE(spin_until([&] {
    goal_pose_->publish(pose);
    executor_.spin_once(std::chrono::milliseconds(50));
    return moved_;
  }));
}

TEST_F(NodeTest, BadParameterIsRefusedWithTheReason) {
  EXPECT_FALSE(node_->set_parameter({"clearance", -1.0}).successful);
  EXPECT_TRUE(node_->set_parameter({"clearance", 0.2}).successful);
  EXPECT_FALSE(node_->set_parameter({"limits.forward", 0.0}).successful);
}

}  // namespace
}  // namespace hl_path_planning

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <humanoid_league_msgs/action/play_animation.hpp>
#include <humanoid_league_msgs/msg/animation.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/srv/reload_animations.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <sensor_msgs/msg/joint_state.hpp>

#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"
#include "hl_testing/spinning.hpp"
#include "hl_testing/temporary_folder.hpp"

using hl_testing::Process;
using humanoid_league_msgs::msg::RobotControlState;
using PlayAnimation = humanoid_league_msgs::action::PlayAnimation;
using AnimationMessage = humanoid_league_msgs::msg::Animation;
using Client = rclcpp_action::Client<PlayAnimation>;
using GoalHandle = rclcpp_action::ClientGoalHandle<PlayAnimation>;

namespace {

constexpr const char* kNod =
    "{name: nod, keyframes: [{duration: 0.3, joints: {HeadTilt: -30}}, {duration: 0.3, joints: {HeadTilt: 0}}]}";
constexpr const char* kLong = "{name: long, interruptible: true, keyframes: [{duration: 50, joints: {HeadPan: 30}}]}";
constexpr const char* kStubborn = "{name: stubborn, keyframes: [{duration: 50, joints: {HeadPan: 30}}]}";

constexpr const char* kSoft = "{name: soft, keyframes: [{duration: 0.3, torque: 0.5, joints: {HeadTilt: -30}}]}";

/// An animation node with four motions, and the rest of the robot played by the test.
class AnimationNode : public testing::Test {
 protected:
  void SetUp() override {
    write("nod", kNod);
    write("long", kLong);
    write("stubborn", kStubborn);
    write("soft", kSoft);
    process_ = std::make_unique<Process>(std::vector<std::string>{std::string(PROGRAM_FOLDER) + "/animation",
                                                                  "--ros-args", "-r", "__ns:=" + namespace_, "-p",
                                                                  "folder:=" + folder_.string()});
    joints_ = node_->create_publisher<sensor_msgs::msg::JointState>("joint_states", 1);
    state_ = node_->create_publisher<RobotControlState>("robot_state", rclcpp::QoS(1).transient_local());
    subscription_ =
        node_->create_subscription<AnimationMessage>("animation", 100, [this](const AnimationMessage& message) {
          goals_ += message.position.points.empty() ? 0 : 1;
          firsts_ += message.first ? 1 : 0;
          lasts_ += message.last ? 1 : 0;
          requests_ += message.request ? 1 : 0;
          if (!message.position.points.empty()) effort_ = message.position.points[0].effort;
        });
    client_ = rclcpp_action::create_client<PlayAnimation>(node_, "play_animation");
    ASSERT_TRUE(client_->wait_for_action_server(std::chrono::seconds(30))) << process_->output();
    set_state(RobotControlState::CONTROLLABLE);
    ASSERT_TRUE(wait([&] { return joints_->get_subscription_count() == 1 && state_->get_subscription_count() == 1; }));
  }

  void TearDown() override { process_->stop(); }

  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / (name + ".yaml")) << text; }

  void set_state(std::uint8_t state) {
    RobotControlState message;
    message.state = state;
    state_->publish(message);
  }

  void publish_joints() {
    sensor_msgs::msg::JointState message;
    message.name = {"HeadPan", "HeadTilt"};
    message.position = {0.0, 0.0};
    joints_->publish(message);
  }

  template <class Condition>
  bool wait(Condition condition) {
    return hl_testing::spin_until(node_, [&] {
      publish_joints();
      return condition();
    });
  }

  template <class Future>
  auto answer_of(Future& future) {
    return hl_testing::answer_of([this](const auto& arrived) { return wait(arrived); }, future);
  }

  /// Sends a goal and returns its handle.
  GoalHandle::SharedPtr send(const std::string& name, bool hcm = false) {
    PlayAnimation::Goal goal;
    goal.animation = name;
    goal.hcm = hcm;
    Client::SendGoalOptions options;
    options.feedback_callback = [this](GoalHandle::SharedPtr,
                                       const std::shared_ptr<const PlayAnimation::Feedback> feedback) {
      percent_ = feedback->percent_done;
    };
    auto future = client_->async_send_goal(goal, options);
    return answer_of(future);
  }

  GoalHandle::WrappedResult result_of(const GoalHandle::SharedPtr& handle) {
    auto future = client_->async_get_result(handle);
    return answer_of(future);
  }

  hl_testing::TemporaryFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
  // A namespace for each test: nobody meets what the test before left in the graph.
  std::string namespace_ = "/" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name());
  rclcpp::Node::SharedPtr node_ = std::make_shared<rclcpp::Node>("test_animation", namespace_);
  std::unique_ptr<Process> process_;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr joints_;
  rclcpp::Publisher<RobotControlState>::SharedPtr state_;
  rclcpp::Subscription<AnimationMessage>::SharedPtr subscription_;
  Client::SharedPtr client_;
  int goals_ = 0, firsts_ = 0, lasts_ = 0, requests_ = 0;
  std::vector<double> effort_;  // N m, of the last goals
  int percent_ = 0;
};

}  // namespace

TEST_F(AnimationNode, PlaysToTheEndWithFirstAndLastAndFeedback) {
  const auto result = result_of(send("nod"));
  EXPECT_EQ(result.code, rclcpp_action::ResultCode::SUCCEEDED);
  EXPECT_TRUE(result.result->successful);
  EXPECT_TRUE(wait([&] { return lasts_ == 1; }));
  EXPECT_EQ(firsts_, 1);
  EXPECT_GT(goals_, 10);
  EXPECT_GT(percent_, 50);
}

TEST_F(AnimationNode, UnknownNameAndUnableRobotEndWithAReason) {
  EXPECT_NE(result_of(send("no_such_motion")).result->message.find("no_such_motion"), std::string::npos);
  set_state(RobotControlState::FALLEN);
  ASSERT_TRUE(wait([&] { return result_of(send("nod")).result->message.find("cannot play") != std::string::npos; }));
  const auto result = result_of(send("nod", true));
  EXPECT_TRUE(result.result->successful) << "the HCM itself may: " << result.result->message;
}

TEST_F(AnimationNode, AsksAWalkingRobotToStopFirst) {
  set_state(RobotControlState::WALKING);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto handle = send("nod");
  ASSERT_TRUE(wait([&] { return requests_ > 1; })) << process_->output();
  EXPECT_EQ(goals_, 0);
  set_state(RobotControlState::CONTROLLABLE);
  EXPECT_TRUE(result_of(handle).result->successful);
}

TEST_F(AnimationNode, TorqueOfAKeyframeBecomesALimitOfTheGoals) {
  ASSERT_TRUE(result_of(send("nod")).result->successful);
  EXPECT_TRUE(effort_.empty());
  ASSERT_TRUE(result_of(send("soft")).result->successful);
  ASSERT_TRUE(wait([&] { return effort_.size() == 1; }));
  EXPECT_NEAR(effort_[0], 0.5 * 2.5, 1e-9) << "half of what an MX-28 can";
}

TEST_F(AnimationNode, CancelStopsSmoothly) {
  const auto handle = send("long");
  ASSERT_TRUE(wait([&] { return goals_ > 5; }));
  client_->async_cancel_goal(handle);
  EXPECT_EQ(result_of(handle).code, rclcpp_action::ResultCode::CANCELED);
  EXPECT_TRUE(wait([&] { return lasts_ == 1; }));
}

TEST_F(AnimationNode, OnlyInterruptibleMotionsYieldButTheHcmAlwaysGoesFirst) {
  const auto running = send("long");
  ASSERT_TRUE(wait([&] { return goals_ > 5; }));
  const auto stubborn = send("stubborn");
  EXPECT_NE(result_of(running).result->message.find("interrupted by 'stubborn'"), std::string::npos);
  EXPECT_NE(result_of(send("nod")).result->message.find("may not be interrupted"), std::string::npos);
  EXPECT_TRUE(result_of(send("nod", true)).result->successful);
  EXPECT_FALSE(result_of(stubborn).result->successful);
}

TEST_F(AnimationNode, BrokenFilesKeepTheirLastGoodVersion) {
  write("nod", "name: nod\nkeyframes: [");
  write("fresh", "{name: fresh, keyframes: [{duration: 0.1, joints: {HeadPan: 3}}]}");
  using Reload = humanoid_league_msgs::srv::ReloadAnimations;
  const auto answer = hl_testing::call<Reload>(node_, *node_, "reload_animations", Reload::Request());
  EXPECT_FALSE(answer.success);
  ASSERT_EQ(answer.errors.size(), 1U);
  EXPECT_NE(answer.errors[0].find("nod.yaml"), std::string::npos);
  EXPECT_EQ(answer.loaded, 5U);
  EXPECT_TRUE(result_of(send("nod")).result->successful);
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

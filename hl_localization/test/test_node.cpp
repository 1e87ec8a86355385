// SPDX-License-Identifier: Apache-2.0
// The node over the middleware, with a robot made of messages around it.
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <geometry_msgs/msg/pose_array.hpp>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/position2_d.hpp>
#include <humanoid_league_msgs/msg/team_data.hpp>
#include <humanoid_league_msgs/srv/reset_localization.hpp>
#include <map>
#include <memory>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <tf2_msgs/msg/tf_message.hpp>

#include "hl_node/interfaces.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"
#include "world_messages.hpp"

namespace {

using namespace std::chrono_literals;
using geometry_msgs::msg::PoseWithCovarianceStamped;
using humanoid_league_msgs::msg::LineInformationRelative;
using humanoid_league_msgs::srv::ResetLocalization;

using hl_localization::point;

class LocalizationNode : public ::testing::Test {
 protected:
  LocalizationNode() : world_({}, {}, 1), node_(std::make_shared<rclcpp::Node>("robot_of_messages")) {
    using namespace hl_node;
    start_program();
    clock_ = node_->create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::ClockQoS());
    world_.place({-2.0, 1.0, 0.5});
    world_.walking = false;
    odom_ = create_publisher<nav_msgs::msg::Odometry>(*node_, topics::kOdom);
    lines_ = create_publisher<LineInformationRelative>(*node_, topics::kLinesRelative);
    initial_ = create_publisher<PoseWithCovarianceStamped>(*node_, topics::kInitialpose);
    model_ = create_publisher<humanoid_league_msgs::msg::Model>(*node_, topics::kPersonalModel);
    team_ = create_publisher<humanoid_league_msgs::msg::TeamData>(*node_, topics::kTeamData);
    subscriptions_.push_back(create_subscription<PoseWithCovarianceStamped>(
        *node_, topics::kPose, [this](const PoseWithCovarianceStamped& m) { pose_ = m; }));
    subscriptions_.push_back(create_subscription<humanoid_league_msgs::msg::Position2D>(
        *node_, topics::kPosition, [this](const humanoid_league_msgs::msg::Position2D& m) { position_ = m; }));
    subscriptions_.push_back(create_subscription<tf2_msgs::msg::TFMessage>(
        *node_, topics::kTf, [this](const tf2_msgs::msg::TFMessage& m) { tf_ = m; }));
  }

  void start_program() {
    program_ = std::make_unique<hl_testing::Process>(
        std::vector<std::string>{PROGRAM, "--ros-args", "-p", "use_sim_time:=true"});
  }

  /// Plays the robot until `condition` holds. Time goes on with the robot, so a slow machine has a slow robot.
  template <class Condition>
  bool until(Condition condition) {
    return hl_testing::wait_until([this, &condition] {
      world_.advance(tick_);
      now_ += tick_;
      const rclcpp::Time stamp(static_cast<std::int64_t>(1e9 * now_));
      rosgraph_msgs::msg::Clock clock;
      clock.clock = stamp;
      clock_->publish(clock);
      odom_->publish(hl_localization::odom_of(world_, stamp));
      if (see_) lines_->publish(hl_localization::lines_of(world_.look(), stamp));
      if (mates_ball_) tell_balls(stamp);
      if (hand_on_ && pose_) hand_on(stamp);
      rclcpp::spin_some(node_);
      return condition();
    });
  }

  /// Both see the ball; the team mate says where on the field.
  void tell_balls(const rclcpp::Time& stamp) {
    humanoid_league_msgs::msg::Model model;
    model.header.stamp = stamp;
    model.ball_last_seen = stamp;
    const Eigen::Vector2d own = world_.robot.inverse() * *mates_ball_;
    model.ball.ball_relative = point(own);
    model.ball.confidence = 0.9F;
    model_->publish(model);
    humanoid_league_msgs::msg::TeamData told;
    told.robot_ids = {3};
    told.stamps.assign(1, stamp);
    told.robot_positions.resize(1);
    told.position_covariances = {0.01, 0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 0.0, 0.001};
    told.ball_relative.resize(1);
    told.ball_relative[0].pose.x = mates_ball_->x();
    told.ball_relative[0].pose.y = mates_ball_->y();
    told.ball_relative[0].confidence = 0.9F;
    team_->publish(told);
  }

  /// As the world model does: the last pose it heard, with that pose's stamp.
  void hand_on(const rclcpp::Time& stamp) {
    humanoid_league_msgs::msg::Model model;
    model.header.stamp = stamp;
    model.position = *pose_;
    model_->publish(model);
  }

  PoseWithCovarianceStamped told(double x, double yaw = 0.0) {
    PoseWithCovarianceStamped message;
    message.header.frame_id = "map";
    message.pose.pose.position.x = x;
    message.pose.pose.orientation.z = std::sin(0.5 * yaw);
    message.pose.pose.orientation.w = std::cos(0.5 * yaw);
    message.pose.covariance[0] = message.pose.covariance[7] = message.pose.covariance[35] = 0.05;
    return message;
  }
  bool stands_at(double x) const { return pose_ && std::abs(pose_->pose.pose.position.x - x) < 0.01; }

  bool found() const {
    return pose_ && std::abs(pose_->pose.pose.position.x - world_.robot.x) < 0.3 &&
           std::abs(pose_->pose.pose.position.y - world_.robot.y) < 0.3 && pose_->pose.covariance[0] < 0.5;
  }

  ResetLocalization::Response::SharedPtr reset(std::uint8_t mode) {
    const auto client = node_->create_client<ResetLocalization>(hl_node::services::kResetLocalization);
    EXPECT_TRUE(client->wait_for_service(30s));
    auto request = std::make_shared<ResetLocalization::Request>();
    request->mode = mode;
    auto future = client->async_send_request(request);
    EXPECT_EQ(rclcpp::spin_until_future_complete(node_, future, 30s), rclcpp::FutureReturnCode::SUCCESS);
    return future.get();
  }

  hl_localization::KinematicWorld world_;
  rclcpp::Node::SharedPtr node_;
  std::unique_ptr<hl_testing::Process> program_;
  rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr clock_;
  rclcpp::Publisher<nav_msgs::msg::Odometry>::SharedPtr odom_;
  rclcpp::Publisher<LineInformationRelative>::SharedPtr lines_;
  rclcpp::Publisher<PoseWithCovarianceStamped>::SharedPtr initial_;
  rclcpp::Publisher<humanoid_league_msgs::msg::Model>::SharedPtr model_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  std::optional<PoseWithCovarianceStamped> pose_;
  std::optional<humanoid_league_msgs::msg::Position2D> position_;
  std::optional<tf2_msgs::msg::TFMessage> tf_;
  rclcpp::Publisher<humanoid_league_msgs::msg::TeamData>::SharedPtr team_;
  bool see_ = true, hand_on_ = false;
  std::optional<Eigen::Vector2d> mates_ball_;  // m, map
  double now_ = 100.0, tick_ = 0.01;           // s
};

TEST_F(LocalizationNode, FindsItselfInTheOwnHalfAndTellsIt) {
  ASSERT_TRUE(until([this] { return pose_.has_value(); })) << program_->output();
  EXPECT_TRUE(reset(ResetLocalization::Request::OWN_HALF)->success);
  // Topics arrive in any order: each is waited for by itself.
  ASSERT_TRUE(until([this] { return found(); })) << program_->output();
  ASSERT_TRUE(until([this] { return position_ && position_->confidence > 0.0F; })) << program_->output();
  ASSERT_TRUE(until([this] { return tf_ && !tf_->transforms.empty(); })) << program_->output();
  EXPECT_EQ(pose_->header.frame_id, "map");
  EXPECT_EQ(tf_->transforms[0].header.frame_id, "map");
  EXPECT_EQ(tf_->transforms[0].child_frame_id, "odom");
  std::optional<geometry_msgs::msg::PoseArray> particles;
  const auto viewer = hl_node::create_subscription<geometry_msgs::msg::PoseArray>(
      *node_, hl_node::topics::kParticles, [&particles](const geometry_msgs::msg::PoseArray& m) { particles = m; });
  EXPECT_TRUE(until([&particles] { return particles && !particles->poses.empty(); }));
  const auto refused = reset(77);
  EXPECT_FALSE(refused->success);
  EXPECT_NE(refused->message.find("77"), std::string::npos);
}

TEST_F(LocalizationNode, APersonTellsWhereTheRobotStands) {
  see_ = false;
  ASSERT_TRUE(until([this] { return pose_.has_value() && initial_->get_subscription_count() > 0; }));
  initial_->publish(told(-1.5));
  EXPECT_TRUE(until([this] { return stands_at(-1.5); }));
}

TEST_F(LocalizationNode, TheTeamsBallMendsAFlip) {
  ASSERT_TRUE(until([this] {
    return pose_ && initial_->get_subscription_count() > 0 && team_->get_subscription_count() > 0 &&
           model_->get_subscription_count() > 0;
  })) << program_->output();
  auto opposite = told(2.0, 0.5 + M_PI);
  opposite.pose.pose.position.y = -1.0;
  initial_->publish(opposite);
  ASSERT_TRUE(until([this] { return pose_->pose.pose.position.x > 1.5; })) << program_->output();
  mates_ball_ = Eigen::Vector2d(-1.0, 1.5);
  EXPECT_TRUE(until([this] { return found(); })) << program_->output();
}

TEST_F(LocalizationNode, WhatMakesNoSenseIsRefusedAndCounted) {
  std::map<std::string, std::string> told;
  subscriptions_.push_back(hl_node::create_subscription<diagnostic_msgs::msg::DiagnosticArray>(
      *node_, hl_node::topics::kDiagnostics, [&told](const diagnostic_msgs::msg::DiagnosticArray& m) {
        for (const auto& status : m.status)
          for (const auto& value : status.values) told[value.key] = value.value;
      }));
  const auto counted = [&told](const char* what) { return told.count(what) > 0 && told[what] != "0"; };
  EXPECT_TRUE(until([&] {
    const rclcpp::Time stamp(static_cast<std::int64_t>(1e9 * now_));
    auto lines = hl_localization::lines_of(world_.look(), stamp);
    lines.header.frame_id = "moon";
    lines_->publish(lines);
    lines.header.frame_id = "base_footprint";
    lines.header.stamp = stamp + rclcpp::Duration::from_seconds(5.0);
    lines_->publish(lines);
    lines.header.stamp = stamp - rclcpp::Duration::from_seconds(0.002);
    lines.segments.resize(1);
    lines.segments[0].start.x = std::nan("");
    lines_->publish(lines);
    auto odom = hl_localization::odom_of(world_, stamp);
    odom.pose.pose.position.x = std::nan("");
    odom_->publish(odom);
    return counted("unknown frames") && counted("refused stamps") && counted("refused values") &&
           counted("refused odometry");
  })) << program_->output();
  ASSERT_TRUE(until([this] { return pose_.has_value(); })) << program_->output();
  EXPECT_TRUE(std::isfinite(pose_->pose.pose.position.x));
}

TEST_F(LocalizationNode, KilledInPlayItGoesOnFromTheModel) {
  see_ = false;
  ASSERT_TRUE(until([this] {
    return pose_ && initial_->get_subscription_count() > 0 && model_->get_subscription_count() > 0;
  })) << program_->output();
  initial_->publish(told(-1.5));
  ASSERT_TRUE(until([this] { return stands_at(-1.5); })) << program_->output();
  hand_on_ = true;
  for (const bool fresh : {true, false}) {
    program_->signal(SIGKILL);
    ASSERT_TRUE(program_->wait());
    while (rclcpp::Time(pose_->header.stamp).seconds() > now_ - (fresh ? 0.0 : 5.0)) now_ += 0.01;
    const double killed = now_;
    tick_ = 1e-4;  // the robot waits for a slow machine to start its program
    start_program();
    ASSERT_TRUE(until([&] {
      if (model_->get_subscription_count() > 0) tick_ = 0.01;
      return rclcpp::Time(pose_->header.stamp).seconds() > killed;
    })) << program_->output();
    EXPECT_EQ(pose_->pose.covariance[0] < 1.0, fresh);
    EXPECT_EQ(stands_at(-1.5), fresh);
  }
}

}  // namespace

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

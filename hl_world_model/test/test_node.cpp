// SPDX-License-Identifier: Apache-2.0
// The node over the middleware: a ball seen, then one told by a team mate.
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/obstacles_relative.hpp>
#include <humanoid_league_msgs/msg/position2_d.hpp>
#include <humanoid_league_msgs/msg/team_data.hpp>
#include <map>
#include <memory>
#include <nav_msgs/msg/odometry.hpp>
#include <optional>
#include <rclcpp/rclcpp.hpp>

#include "hl_node/interfaces.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"

namespace {

using namespace humanoid_league_msgs::msg;
using geometry_msgs::msg::PoseWithCovarianceStamped;
using hl_node::create_publisher;
using hl_node::create_subscription;
namespace topics = hl_node::topics;

class WorldModelNode : public ::testing::Test {
 protected:
  WorldModelNode() : node_(std::make_shared<rclcpp::Node>("robot_of_messages")) {
    start_program();
    odom_ = create_publisher<nav_msgs::msg::Odometry>(*node_, topics::kOdom);
    ball_ = create_publisher<BallRelative>(*node_, topics::kBallRelative);
    obstacles_ = create_publisher<ObstaclesRelative>(*node_, topics::kObstaclesRelative);
    pose_ = create_publisher<PoseWithCovarianceStamped>(*node_, topics::kPose);
    position_ = create_publisher<Position2D>(*node_, topics::kPosition);
    team_ = create_publisher<TeamData>(*node_, topics::kTeamData);
    subscriptions_.push_back(
        create_subscription<Model>(*node_, topics::kPersonalModel, [this](const Model& m) { personal_model_ = m; }));
    subscriptions_.push_back(
        create_subscription<Model>(*node_, topics::kTeamModel, [this](const Model& m) { team_model_ = m; }));
  }

  void start_program() { program_ = std::make_unique<hl_testing::Process>(std::vector<std::string>{PROGRAM}); }

  /// Stands at (-1, 0) and looks along x until `condition` holds.
  template <class Condition>
  bool until(Condition condition) {
    return hl_testing::wait_until([this, &condition] {
      const auto stamp = node_->now();
      nav_msgs::msg::Odometry odom;
      odom.header.stamp = stamp;
      odom.header.frame_id = "odom";
      odom.pose.pose.orientation.w = 1.0;
      odom_->publish(odom);
      PoseWithCovarianceStamped pose;
      pose.header.stamp = stamp;
      pose.header.frame_id = "map";
      pose.pose.pose.position.x = -1.0;
      pose.pose.pose.orientation.w = 1.0;
      pose.pose.covariance[0] = pose.pose.covariance[7] = pose.pose.covariance[35] = 0.01;
      pose_->publish(pose);
      Position2D position;
      position.header = pose.header;
      position.confidence = 0.9F;
      position_->publish(position);
      BallRelative ball;
      ball.header.stamp = stamp;
      ball.header.frame_id = "base_footprint";
      ball.ball_relative.x = 1.0;
      ball.ball_relative.y = 0.5;
      ball.confidence = sees_ball_ ? 0.9F : 0.0F;
      ball_->publish(ball);
      ObstaclesRelative obstacles;
      obstacles.header = ball.header;
      obstacles.obstacles.resize(1);
      obstacles.obstacles[0].color = ObstacleRelative::ROBOT_CYAN;
      obstacles.obstacles[0].player_number = 2;
      obstacles.obstacles[0].position.x = 2.0;
      obstacles.obstacles[0].confidence = 0.9F;
      obstacles_->publish(obstacles);
      if (told_) {
        told_->stamps.assign(1, stamp);
        team_->publish(*told_);
      }
      rclcpp::spin_some(node_);
      return condition();
    });
  }

  rclcpp::Node::SharedPtr node_;
  std::unique_ptr<hl_testing::Process> program_;
  rclcpp::Publisher<nav_msgs::msg::Odometry>::SharedPtr odom_;
  rclcpp::Publisher<BallRelative>::SharedPtr ball_;
  rclcpp::Publisher<ObstaclesRelative>::SharedPtr obstacles_;
  rclcpp::Publisher<PoseWithCovarianceStamped>::SharedPtr pose_;
  rclcpp::Publisher<Position2D>::SharedPtr position_;
  rclcpp::Publisher<TeamData>::SharedPtr team_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  std::optional<Model> personal_model_, team_model_;
  std::optional<TeamData> told_;
  bool sees_ball_ = true;
};

TEST_F(WorldModelNode, TellsWhatItSees) {
  ASSERT_TRUE(until([this] {
    return personal_model_ && personal_model_->ball.confidence > 0.5F && !personal_model_->robots.empty();
  })) << program_->output();
  EXPECT_NEAR(personal_model_->ball.ball_relative.x, 1.0, 0.1);
  EXPECT_NEAR(personal_model_->ball.ball_relative.y, 0.5, 0.1);
  EXPECT_EQ(personal_model_->ball_source, Model::SOURCE_OWN_EYES);
  EXPECT_EQ(personal_model_->header.frame_id, "base_footprint");
  EXPECT_EQ(personal_model_->robots[0].player_number, 2);
  EXPECT_EQ(personal_model_->robots[0].team, TrackedRobot::TEAM_OWN);
  EXPECT_TRUE(until([this] { return std::abs(personal_model_->position.pose.pose.position.x + 1.0) < 1e-6; }));
}

TEST_F(WorldModelNode, TellsWhatTheTeamSees) {
  sees_ball_ = false;
  TeamData told;
  told.robot_ids = {3};
  told.state = {TeamData::STATE_ACTIVE};
  told.robot_positions.resize(1);
  told.robot_positions[0].x = 2.0;
  told.position_covariances = {0.01, 0.0, 0.0, 0.0, 0.01, 0.0, 0.0, 0.0, 0.001};
  told.ball_relative.resize(1);
  told.ball_relative[0].pose.x = 1.0;
  told.ball_relative[0].confidence = 0.9F;
  told_ = told;
  ASSERT_TRUE(until([this] { return team_model_ && team_model_->ball.confidence > 0.3F; })) << program_->output();
  EXPECT_EQ(team_model_->ball_source, 3);
  EXPECT_NEAR(team_model_->ball.ball_relative.x, 4.0, 0.05);
  ASSERT_TRUE(until([this] { return personal_model_.has_value(); })) << program_->output();
  EXPECT_EQ(personal_model_->ball.confidence, 0.0F);
}

TEST_F(WorldModelNode, WhatMakesNoSenseIsRefusedAndCounted) {
  std::map<std::string, std::string> told;
  subscriptions_.push_back(create_subscription<diagnostic_msgs::msg::DiagnosticArray>(
      *node_, topics::kDiagnostics, [&told](const diagnostic_msgs::msg::DiagnosticArray& m) {
        for (const auto& status : m.status)
          for (const auto& value : status.values) told[value.key] = value.value;
      }));
  const auto counted = [&told](const char* what) { return told.count(what) > 0 && told[what] != "0"; };
  EXPECT_TRUE(until([&] {
    BallRelative ball;
    ball.header.stamp = node_->now();
    ball.confidence = 0.9F;
    ball.header.frame_id = "moon";
    ball_->publish(ball);
    ball.header.frame_id = "base_footprint";
    ball.ball_relative.x = std::nan("");
    ball_->publish(ball);
    ball.header.stamp = node_->now() + rclcpp::Duration::from_seconds(5.0);
    ball_->publish(ball);
    nav_msgs::msg::Odometry odom;
    odom.header.stamp = node_->now();
    odom.header.frame_id = "odom";
    odom.pose.pose.position.x = std::nan("");
    odom_->publish(odom);
    return counted("unknown frames") && counted("refused values") && counted("refused stamps") &&
           counted("refused odometry");
  })) << program_->output();
  EXPECT_TRUE(until([this] { return personal_model_ && personal_model_->ball.confidence > 0.5F; }))
      << "what makes sense still counts\n"
      << program_->output();
}

TEST_F(WorldModelNode, KilledInPlayItTellsTheBallAgain) {
  const auto tells = [this] { return personal_model_ && personal_model_->ball.confidence > 0.5F; };
  ASSERT_TRUE(until(tells)) << program_->output();
  program_->signal(SIGKILL);
  ASSERT_TRUE(program_->wait());
  personal_model_.reset();
  start_program();
  ASSERT_TRUE(until(tells)) << program_->output();
  EXPECT_NEAR(personal_model_->ball.ball_relative.x, 1.0, 0.1);
}

}  // namespace

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

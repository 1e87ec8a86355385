// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <rclcpp/rclcpp.hpp>

#include "hl_testing/process.hpp"
#include "hl_testing/spinning.hpp"

using namespace std::chrono_literals;
namespace msg = humanoid_league_msgs::msg;

/// A robot at the centre of the field that sees the ball 1.5 m ahead.
inline msg::Model ball_ahead(const rclcpp::Time& now) {
  msg::Model model;
  model.header.stamp = now;
  model.header.frame_id = "base_footprint";
  model.ball.ball_relative.x = 1.5;
  model.ball.confidence = 0.9F;
  model.ball_last_seen = now;
  model.position.header.stamp = now;
  model.position.pose.pose.orientation.w = 1.0;
  for (const std::size_t i : {0, 7, 35}) model.position.pose.covariance[i] = 0.01;
  return model;
}

/// A node that ends as a person ends it. A killed one haunts the network for the ten seconds of its lease: services of
/// the next one seem to be there before they are, and requests are lost.
class NodeProcess : public hl_testing::Process {
 public:
  using Process::Process;
  ~NodeProcess() { stop(60s); }
};

/// The rest of the robot, as far as the behaviour sees it.
class Robot {
 public:
  Robot() : node(rclcpp::Node::make_shared("robot")) {
    model_ = node->create_publisher<msg::Model>("personal_model", 10);
    game_ = node->create_publisher<msg::GameState>("gamestate", rclcpp::QoS(1).transient_local());
    body_ = node->create_publisher<msg::RobotControlState>("robot_state", rclcpp::QoS(1).transient_local());
    timer_ = node->create_wall_timer(50ms, [this] { speak(); });
    executor_.add_node(node);
  }

  template <class Condition>
  bool spin_until(Condition condition, std::chrono::seconds timeout = 120s) {
    return hl_testing::spin_closely_until(executor_, condition, timeout);
  }

  rclcpp::Node::SharedPtr node;
  bool penalized = false;
  bool referee = true;          // is heard
  bool game_controller = true;  // lives
  std::uint8_t game_state = msg::GameState::GAMESTATE_PLAYING;
  std::uint8_t body_state = msg::RobotControlState::CONTROLLABLE;

 private:
  void speak() {
    const auto now = node->now();
    model_->publish(ball_ahead(now));
    msg::GameState game;
    game.header.stamp = now;
    game.referee_connected = referee;
    game.game_state = game_state;
    game.own_player = 2;
    game.allowed_to_move = !penalized;
    game.penalized = penalized;
    if (game_controller) game_->publish(game);
    msg::RobotControlState body;
    body.header.stamp = now;
    body.state = body_state;
    body_->publish(body);
  }
  rclcpp::Publisher<msg::Model>::SharedPtr model_;
  rclcpp::Publisher<msg::GameState>::SharedPtr game_;
  rclcpp::Publisher<msg::RobotControlState>::SharedPtr body_;
  rclcpp::TimerBase::SharedPtr timer_;
  rclcpp::executors::SingleThreadedExecutor executor_;
};

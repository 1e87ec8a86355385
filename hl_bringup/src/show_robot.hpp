// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <geometry_msgs/msg/twist.hpp>
#include <hl_description/geometry.hpp>
#include <humanoid_league_msgs/action/kick.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <humanoid_league_msgs/srv/place_ball.hpp>
#include <humanoid_league_msgs/srv/place_robot.hpp>
#include <humanoid_league_msgs/srv/push_robot.hpp>
#include <humanoid_league_msgs/srv/referee_command.hpp>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <string>

namespace hl_bringup {

using humanoid_league_msgs::msg::RobotControlState;

/// What the judge sees, from the simulator's ground truth in the team's map.
struct Truth {
  double time = 0.0;  // s
  hl_description::Pose2 robot;
  double height = 0.0;  // m, of base_link
  double speed = 0.0;   // m/s over the ground
  bool upright = false;
  Eigen::Vector2d ball{0.0, 0.0};
};

/// The show's hands and eyes: it commands the robot as any behaviour would, through `cmd_vel`, actions and services.
class ShowRobot {
 public:
  explicit ShowRobot(const rclcpp::Node::SharedPtr& node);

  const std::optional<Truth>& truth() const { return truth_; }
  std::optional<std::uint8_t> state() const { return state_; }
  bool penalised() const { return penalised_; }
  std::string status_line() const;

  /// Walks with these speeds from now on; repeated by `keep_walking`, because silence means stop.
  void walk(double forward, double left, double turn);
  void keep_walking();

  /// Starts a kick at the ball (m, relative to base_footprint) towards `target`; `kick_result` tells the end.
  void kick(double ball_x, double ball_y, double target_x, double target_y);
  enum class KickResult { None, Running, Done, Refused };
  KickResult kick_result() const { return kick_result_; }
  const std::string& kick_message() const { return kick_message_; }

  /// Where the ball must lie to be kicked, m from base_footprint; as the walking node says, once it was asked.
  struct KickSpot {
    double ahead = 0.17, beside = 0.06;
  };
  const KickSpot& kick_spot() const { return kick_spot_; }
  void ask_for_kick_spot();

  void place_robot(const hl_description::Pose2& pose, const std::string& posture);
  void place_ball(double x, double y);
  void push(double forward, double left, double duration);  // N, N, s
  void referee(const std::string& word);

  /// True once everything the show needs answers.
  bool ready() const;
  std::string missing() const;

 private:
  using Kick = humanoid_league_msgs::action::Kick;

  rclcpp::Node::SharedPtr node_;
  std::optional<Truth> truth_;
  std::optional<std::uint8_t> state_;
  std::string referee_text_ = "no referee";
  bool penalised_ = false;
  geometry_msgs::msg::Twist command_;
  KickResult kick_result_ = KickResult::None;
  std::string kick_message_;
  KickSpot kick_spot_;
  rclcpp::AsyncParametersClient::SharedPtr walking_parameters_;
  rclcpp::Publisher<geometry_msgs::msg::Twist>::SharedPtr cmd_vel_;
  rclcpp::Subscription<humanoid_league_msgs::msg::SimulationState>::SharedPtr truth_subscription_;
  rclcpp::Subscription<RobotControlState>::SharedPtr state_subscription_;
  rclcpp::Subscription<humanoid_league_msgs::msg::GameState>::SharedPtr game_subscription_;
  rclcpp_action::Client<Kick>::SharedPtr kick_client_;
  rclcpp::Client<humanoid_league_msgs::srv::PlaceRobot>::SharedPtr place_robot_;
  rclcpp::Client<humanoid_league_msgs::srv::PlaceBall>::SharedPtr place_ball_;
  rclcpp::Client<humanoid_league_msgs::srv::PushRobot>::SharedPtr push_;
  rclcpp::Client<humanoid_league_msgs::srv::RefereeCommand>::SharedPtr referee_;
};

}  // namespace hl_bringup

// SPDX-License-Identifier: Apache-2.0
#include "show_robot.hpp"

#include <array>
#include <hl_description/formatted.hpp>
#include <hl_description/geometry.hpp>

#include "state_name.hpp"

namespace hl_bringup {
namespace {

namespace msg = humanoid_league_msgs::msg;
namespace srv = humanoid_league_msgs::srv;

double yaw_of(const geometry_msgs::msg::Quaternion& q) {
  return hl_description::yaw_of({q.w, q.x, q.y, q.z});
}

/// Sends a request whose answer nobody waits for; a refusal is worth a warning.
template <class Service>
void send(const rclcpp::Node::SharedPtr& node, const typename rclcpp::Client<Service>::SharedPtr& client,
          const typename Service::Request::SharedPtr& request) {
  client->async_send_request(request, [node, name = std::string(client->get_service_name())](
                                          typename rclcpp::Client<Service>::SharedFuture future) {
    const auto answer = future.get();
    if (!answer->success) RCLCPP_WARN(node->get_logger(), "%s: %s", name.c_str(), answer->message.c_str());
  });
}

}  // namespace

ShowRobot::ShowRobot(const rclcpp::Node::SharedPtr& node) : node_(node) {
  cmd_vel_ = node->create_publisher<geometry_msgs::msg::Twist>("cmd_vel", 1);
  truth_subscription_ = node->create_subscription<msg::SimulationState>(
      "ground_truth", rclcpp::QoS(1).best_effort(), [this](const msg::SimulationState& state) {
        if (state.robots.empty()) return;
        const auto& robot = state.robots.front();
        Truth truth;
        truth.time = rclcpp::Time(state.header.stamp).seconds();
        truth.robot = {robot.pose.position.x, robot.pose.position.y, yaw_of(robot.pose.orientation)};
        truth.height = robot.pose.position.z;
        truth.speed = std::hypot(robot.twist.linear.x, robot.twist.linear.y);
        truth.upright = robot.upright;
        truth.ball = {state.ball_pose.position.x, state.ball_pose.position.y};
        truth_ = truth;
      });
  state_subscription_ =
      node->create_subscription<RobotControlState>("robot_state", rclcpp::QoS(1).transient_local(),
                                                   [this](const RobotControlState& state) { state_ = state.state; });
  game_subscription_ = node->create_subscription<msg::GameState>(
      "gamestate", rclcpp::QoS(1).transient_local(), [this](const msg::GameState& game) {
        constexpr std::array<const char*, 5> kStates{"INITIAL", "READY", "SET", "PLAYING", "FINISHED"};
        penalised_ = game.penalized;
        referee_text_ = !game.referee_connected            ? "no referee"
                        : game.penalized                   ? "penalised"
                        : game.game_state < kStates.size() ? kStates[game.game_state]
                                                           : "unknown";
      });
  walking_parameters_ = std::make_shared<rclcpp::AsyncParametersClient>(node, "walking");
  kick_client_ = rclcpp_action::create_client<Kick>(node, "kick");
  place_robot_ = node->create_client<srv::PlaceRobot>("/simulator/place_robot");
  place_ball_ = node->create_client<srv::PlaceBall>("/simulator/place_ball");
  push_ = node->create_client<srv::PushRobot>("/simulator/push_robot");
  referee_ = node->create_client<srv::RefereeCommand>("referee_command");
}

bool ShowRobot::ready() const {
  return missing().empty();
}

std::string ShowRobot::missing() const {
  if (!truth_) return "the simulator (ground_truth)";
  if (!state_) return "the HCM (robot_state)";
  if (cmd_vel_->get_subscription_count() == 0) return "walking (cmd_vel)";
  if (!kick_client_->action_server_is_ready()) return "the kick action";
  if (!push_->service_is_ready()) return "/simulator/push_robot";
  if (!referee_->service_is_ready()) return "the referee (referee_command)";
  if (referee_text_ == "no referee") return "the game controller client (gamestate)";
  return "";
}

std::string ShowRobot::status_line() const {
  if (!truth_) return "waiting for the simulator";
  return hl_description::formatted("%6.1f s  %-17s  %4.2f m/s  at (%5.2f, %5.2f)  ball (%5.2f, %5.2f)  referee: %s",
                                   truth_->time, state_name(state_).c_str(), truth_->speed, truth_->robot.x,
                                   truth_->robot.y, truth_->ball.x(), truth_->ball.y(), referee_text_.c_str());
}

void ShowRobot::walk(double forward, double left, double turn) {
  command_.linear.x = forward;
  command_.linear.y = left;
  command_.angular.z = turn;
  keep_walking();
}

void ShowRobot::keep_walking() {
  cmd_vel_->publish(command_);
}

void ShowRobot::kick(double ball_x, double ball_y, double target_x, double target_y) {
  kick_result_ = KickResult::Running;
  Kick::Goal goal;
  goal.header.stamp = node_->now();
  goal.header.frame_id = "base_footprint";
  goal.ball_pos.x = ball_x;
  goal.ball_pos.y = ball_y;
  goal.target.x = target_x;
  goal.target.y = target_y;
  rclcpp_action::Client<Kick>::SendGoalOptions options;
  options.goal_response_callback = [this](rclcpp_action::ClientGoalHandle<Kick>::SharedPtr handle) {
    if (handle) return;
    kick_result_ = KickResult::Refused;
    kick_message_ = "refused";
  };
  options.result_callback = [this](const rclcpp_action::ClientGoalHandle<Kick>::WrappedResult& result) {
    kick_result_ = result.result->successful ? KickResult::Done : KickResult::Refused;
    kick_message_ = result.result->message;
  };
  kick_client_->async_send_goal(goal, options);
}

void ShowRobot::ask_for_kick_spot() {
  if (!walking_parameters_->service_is_ready()) return;  // a foreign walk: the usual place must do
  walking_parameters_->get_parameters(
      {"kick.near", "kick.far", "foot_distance"}, [this](std::shared_future<std::vector<rclcpp::Parameter>> future) {
        const auto values = future.get();
        for (const auto& value : values) {
          if (value.get_type() != rclcpp::ParameterType::PARAMETER_DOUBLE) return;
        }
        if (values.size() != 3) return;
        kick_spot_ = {0.5 * (values[0].as_double() + values[1].as_double()), 0.5 * values[2].as_double()};
      });
}

void ShowRobot::place_robot(const hl_description::Pose2& pose, const std::string& posture) {
  auto request = std::make_shared<srv::PlaceRobot::Request>();
  request->pose.position.x = pose.x;
  request->pose.position.y = pose.y;
  request->pose.orientation.z = std::sin(pose.yaw / 2);
  request->pose.orientation.w = std::cos(pose.yaw / 2);
  request->posture = posture;
  send<srv::PlaceRobot>(node_, place_robot_, request);
}

void ShowRobot::place_ball(double x, double y) {
  auto request = std::make_shared<srv::PlaceBall::Request>();
  request->position.x = x;
  request->position.y = y;
  send<srv::PlaceBall>(node_, place_ball_, request);
}

void ShowRobot::push(double forward, double left, double duration) {
  auto request = std::make_shared<srv::PushRobot::Request>();
  request->force.x = forward;
  request->force.y = left;
  request->duration = duration;
  send<srv::PushRobot>(node_, push_, request);
}

void ShowRobot::referee(const std::string& word) {
  auto request = std::make_shared<srv::RefereeCommand::Request>();
  request->command = word;
  send<srv::RefereeCommand>(node_, referee_, request);
}

}  // namespace hl_bringup

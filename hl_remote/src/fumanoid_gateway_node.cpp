// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <hl_description/robot_config.hpp>
#include <humanoid_league_msgs/msg/additional_servo_data.hpp>
#include <humanoid_league_msgs/msg/behavior_debug.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/srv/list_behaviors.hpp>
#include <memory>
#include <rcl_interfaces/msg/log.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <sensor_msgs/msg/compressed_image.hpp>
#include <sensor_msgs/msg/joint_state.hpp>

#include "fumanoid_orders.hpp"
#include "fumanoid_parameters.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"

namespace hl_remote {
namespace {

using geometry_msgs::msg::PoseWithCovarianceStamped;
using humanoid_league_msgs::msg::AdditionalServoData;
using humanoid_league_msgs::msg::BehaviorDebug;
using humanoid_league_msgs::msg::GameState;
using humanoid_league_msgs::msg::HardwareState;
using humanoid_league_msgs::msg::Model;
using humanoid_league_msgs::msg::RobotControlState;
using humanoid_league_msgs::srv::ListBehaviors;
using rcl_interfaces::msg::Log;
using sensor_msgs::msg::CompressedImage;
using sensor_msgs::msg::JointState;

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::uint8_t game_state_code(std::uint8_t state) {
  switch (state) {
    case GameState::GAMESTATE_READY:
      return 1;
    case GameState::GAMESTATE_SET:
      return 2;
    case GameState::GAMESTATE_PLAYING:
      return 3;
    default:
      return 0;
  }
}

fumanoid::LogLevel level_of(std::uint8_t level) {
  if (level >= Log::ERROR) return fumanoid::LogLevel::Error;
  if (level >= Log::WARN) return fumanoid::LogLevel::Warning;
  return level >= Log::INFO ? fumanoid::LogLevel::Info : fumanoid::LogLevel::Debug;
}

/// Which of the protocol's subsystems a node of the suite belongs to.
fumanoid::Subsystem subsystem_of(const std::string& logger) {
  using fumanoid::Subsystem;
  const std::pair<const char*, Subsystem> kNodes[] = {
      {"behavior", Subsystem::Behavior}, {"team_comm", Subsystem::Comm},        {"game_controller", Subsystem::Comm},
      {"walking", Subsystem::Motion},    {"animation", Subsystem::Motion},      {"hcm", Subsystem::Motion},
      {"hardware", Subsystem::MotorBus}, {"detection", Subsystem::Vision},      {"camera", Subsystem::Vision},
      {"transform", Subsystem::Vision},  {"visual_compass", Subsystem::Vision},
  };
  for (const auto& [name, subsystem] : kNodes)
    if (logger.find(name) != std::string::npos) return subsystem;
  return Subsystem::General;
}

}  // namespace

/// FUmanoid's protocol at the robot.
class FumanoidGatewayNode : public rclcpp::Node {
 public:
  explicit FumanoidGatewayNode(const rclcpp::NodeOptions& options)
      : Node("fumanoid_gateway", options), parameters_(*this, fumanoid_parameters()) {
    const FumanoidSettings& settings = parameters_.values();
    if (!settings.enabled || settings.match) {
      RCLCPP_WARN(get_logger(), settings.match ? "this is a match: nobody may talk to the robot, nothing is opened"
                                               : "not enabled: nothing is opened (parameter enabled)");
      return;
    }
    start(settings);
  }

 private:
  void start(const FumanoidSettings& settings) {
    FumanoidGateway::Params params = settings.core;
    for (const auto& text : settings.allowed) params.allowed.push_back(hl_network::Endpoint::from(text, 1)->address);
    if (!settings.robot_config_file.empty())
      for (const auto& servo : hl_description::RobotConfig::from_file(settings.robot_config_file).servos) {
        params.motors.push_back({static_cast<std::uint8_t>(servo.id), servo.joint, servo.offset});
        motor_of_[servo.joint] = static_cast<std::uint8_t>(servo.id);
      }
    const auto port = static_cast<std::uint16_t>(settings.port);
    everybody_ = *hl_network::Endpoint::from(settings.broadcast, port);
    gateway_ = std::make_unique<FumanoidGateway>(params);
    socket_ = std::make_unique<hl_network::UdpSocket>(settings.address, port, hl_network::UdpSocket::Sharing::Shared);
    orders_ = std::make_unique<FumanoidOrders>(*this);
    diagnostics_ = std::make_unique<hl_node::Diagnostics>(*this, "FUmanoid gateway");
    list_ = create_client<ListBehaviors>(hl_node::services::kListBehaviors);
    listen();
    tick_ = create_wall_timer(std::chrono::milliseconds(20), [this] { tick(); });
    second_ = create_wall_timer(std::chrono::seconds(1), [this] { on_second(); });
    RCLCPP_INFO(get_logger(), "port %d; %zu workstations may order", settings.port, params.allowed.size());
  }

  template <class Message, class Callback>
  void subscribe(const hl_node::Topic& topic, Callback&& callback) {
    subscriptions_.push_back(hl_node::create_subscription<Message>(*this, topic, std::forward<Callback>(callback)));
  }

  void listen() {
    using namespace hl_node;
    subscribe<PoseWithCovarianceStamped>(topics::kPose, [this](const PoseWithCovarianceStamped& pose) {
      const auto& at = pose.pose.pose;
      inputs_.pose =
          FumanoidGateway::Place{at.position.x, at.position.y, 2.0 * std::atan2(at.orientation.z, at.orientation.w)};
      pose_at_ = seconds();
    });
    subscribe<Model>(topics::kPersonalModel, [this](const Model& model) { on_model(model); });
    subscribe<HardwareState>(topics::kHardwareState, [this](const HardwareState& state) {
      const FumanoidSettings& settings = parameters_.values();
      inputs_.battery.reset();
      if (state.voltage > 0.0F)
        inputs_.battery = (static_cast<double>(state.voltage) - settings.empty_voltage) /
                          (settings.full_voltage - settings.empty_voltage);
      for (auto& [joint, id] : motor_of_) {
        const auto& limp = state.joints_limp;
        inputs_.motors[id].torque = state.torque_on && std::find(limp.begin(), limp.end(), joint) == limp.end();
      }
    });
    subscribe<GameState>(topics::kGamestate, [this](const GameState& game) {
      inputs_.match = game.referee_connected;
      inputs_.game_state = game_state_code(game.game_state);
      inputs_.own_kickoff = game.has_kick_off;
      inputs_.cyan = game.own_color == GameState::COLOR_BLUE;
      if (game.goalkeeper) inputs_.goalkeeper = game.own_player;
    });
    subscribe<RobotControlState>(topics::kRobotState, [this](const RobotControlState& state) {
      inputs_.record = state.state == RobotControlState::RECORD;
    });
    subscribe<BehaviorDebug>(topics::kBehaviorDebug, [this](const BehaviorDebug& debug) {
      inputs_.role = debug.role < inputs_.roles.size() ? inputs_.roles[debug.role] : "";
      inputs_.behavior = debug.task;
    });
    subscribe<JointState>(topics::kJointStates, [this](const JointState& state) { on_joints(state); });
    subscribe<AdditionalServoData>(topics::kServoData, [this](const AdditionalServoData& data) { on_servos(data); });
    log_ = create_subscription<Log>("/rosout", rclcpp::QoS(100), [this](const Log& line) {
      if (line.name == get_logger().get_name() && line.level < Log::WARN) return;  // our own chatter
      send(gateway_->log(level_of(line.level), subsystem_of(line.name), line.name + ": " + line.msg, seconds()));
    });
  }

  void on_model(const Model& model) {
    constexpr double kForgetPose = 2.0;  // s
    inputs_.ball.reset();
    if (seconds() - pose_at_ > kForgetPose) inputs_.pose.reset();
    if (model.ball.confidence <= 0.0F || !inputs_.pose) return;
    const auto& at = *inputs_.pose;
    const auto& ball = model.ball.ball_relative;
    inputs_.ball = FumanoidGateway::Place{at.x + std::cos(at.yaw) * ball.x - std::sin(at.yaw) * ball.y,
                                          at.y + std::sin(at.yaw) * ball.x + std::cos(at.yaw) * ball.y, 0.0};
  }

  void on_joints(const JointState& state) {
    for (std::size_t i = 0; i < state.name.size() && i < state.position.size(); ++i) {
      const auto found = motor_of_.find(state.name[i]);
      if (found == motor_of_.end()) continue;
      auto& motor = inputs_.motors[found->second];
      motor.position = state.position[i];
      if (i < state.velocity.size()) motor.speed = state.velocity[i];
    }
  }

  void on_servos(const AdditionalServoData& data) {
    for (std::size_t i = 0; i < data.joint_names.size(); ++i) {
      const auto found = motor_of_.find(data.joint_names[i]);
      if (found == motor_of_.end()) continue;
      auto& motor = inputs_.motors[found->second];
      if (i < data.voltage.size()) motor.voltage = static_cast<double>(data.voltage[i]);
      if (i < data.temperature.size()) motor.temperature = data.temperature[i].temperature;
      if (i < data.error.size()) motor.error = data.error[i];
    }
  }

  void tick() {
    const double now = seconds();
    inputs_.unix_time = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    hl_network::Endpoint from;
    std::array<std::uint8_t, 65536>& buffer = buffer_;
    while (const auto size = socket_->receive(buffer.data(), buffer.size(), from))
      act(gateway_->receive({buffer.data(), *size}, from, inputs_, now));
    act(gateway_->step(inputs_, now));
    if (!gateway_->wants_images(now)) {
      pictures_.reset();
    } else if (!pictures_) {
      pictures_ = hl_node::create_subscription<CompressedImage>(
          *this, hl_node::topics::kCameraImageMarkedCompressed,
          [this](const CompressedImage& picture) { send(gateway_->image(picture.data, seconds())); });
    }
  }

  void act(const FumanoidGateway::Outputs& out) {
    send(out.datagrams);
    for (const auto& order : out.orders) orders_->carry_out(order, inputs_.roles);
  }

  void send(const std::vector<FumanoidGateway::Outgoing>& datagrams) {
    for (const auto& one : datagrams)
      if (!socket_->send({one.datagram.data(), one.datagram.size()}, one.to.value_or(everybody_))) ++refused_;
  }

  void on_second() {
    if (list_->service_is_ready()) {
      list_->async_send_request(std::make_shared<ListBehaviors::Request>(),
                                [this](rclcpp::Client<ListBehaviors>::SharedFuture answer) {
                                  inputs_.roles = answer.get()->roles;
                                  inputs_.strategies = answer.get()->strategies;
                                  inputs_.behaviors = answer.get()->tasks;
                                });
    }
    const auto& count = gateway_->statistics();
    diagnostics_->report(hl_node::Level::Ok, inputs_.match ? "a referee is heard: orders are refused" : "takes orders",
                         {{"orders", std::to_string(count.orders)},
                          {"refused, address not allowed", std::to_string(count.refused_address)},
                          {"refused, match", std::to_string(count.refused_match)},
                          {"refused, other", std::to_string(count.refused_other)},
                          {"no message", std::to_string(count.malformed)},
                          {"not taken by the network", std::to_string(refused_)}});
  }

  hl_node::NodeParameters<FumanoidSettings> parameters_;
  FumanoidGateway::Inputs inputs_;
  std::map<std::string, std::uint8_t> motor_of_;  // joint: id
  hl_network::Endpoint everybody_;
  std::unique_ptr<FumanoidGateway> gateway_;
  std::unique_ptr<hl_network::UdpSocket> socket_;
  std::unique_ptr<FumanoidOrders> orders_;
  std::unique_ptr<hl_node::Diagnostics> diagnostics_;
  rclcpp::Client<ListBehaviors>::SharedPtr list_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::Subscription<Log>::SharedPtr log_;
  rclcpp::Subscription<CompressedImage>::SharedPtr pictures_;  // while somebody wants them
  double pose_at_ = -1e9;                                      // s
  std::uint64_t refused_ = 0;
  std::array<std::uint8_t, 65536> buffer_{};
  rclcpp::TimerBase::SharedPtr tick_, second_;
};

}  // namespace hl_remote

RCLCPP_COMPONENTS_REGISTER_NODE(hl_remote::FumanoidGatewayNode)

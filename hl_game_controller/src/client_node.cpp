// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cstdlib>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/position2_d.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <memory>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <thread>

#include "game_state_message.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "parameters.hpp"

namespace hl_game_controller {
namespace {

using humanoid_league_msgs::msg::BallRelative;
using humanoid_league_msgs::msg::GameState;
using humanoid_league_msgs::msg::Position2D;
using humanoid_league_msgs::msg::RobotControlState;

}  // namespace

/// Hears the referee on UDP, says what it means on `gamestate`, and answers.
class ClientNode : public rclcpp::Node {
 public:
  explicit ClientNode(const rclcpp::NodeOptions& options)
      : Node("game_controller", options),
        parameters_(*this, client_parameters()),
        params_(parameters_.values().client()),
        client_(params_),
        diagnostics_(*this, "referee", "network") {
    const ClientParams& params = parameters_.values();
    answer_port_ = static_cast<std::uint16_t>(params.answer_port);
    socket_ = std::make_unique<hl_network::UdpSocket>(params.listen_address, static_cast<std::uint16_t>(params.port),
                                                      hl_network::UdpSocket::Sharing::Shared);
    parameters_.on_change([this](const ClientParams& changed) {
      const std::lock_guard lock(mutex_);
      params_ = changed.client();
      client_.set_params(params_);
    });
    game_state_ = hl_node::create_publisher<GameState>(*this, hl_node::topics::kGamestate);
    listen();
    publish_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(0.5), [this] {
      const std::lock_guard lock(mutex_);
      publish();
    });
    diagnostics_timer_ =
        rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { publish_diagnostics(); });
    receiver_ = std::thread([this] { receive(); });
    RCLCPP_INFO(get_logger(), "team %d, player %d: listening for the referee on port %d", params_.team, params_.player,
                params.port);
  }

  ~ClientNode() override {
    stopping_ = true;
    receiver_.join();
  }

 private:
  template <class Message, class Callback>
  void subscribe(const hl_node::Topic& topic, Callback&& callback) {
    subscriptions_.push_back(hl_node::create_subscription<Message>(*this, topic, std::forward<Callback>(callback)));
  }

  void listen() {
    using namespace hl_node;
    subscribe<RobotControlState>(topics::kRobotState, [this](const RobotControlState& state) {
      const std::lock_guard lock(mutex_);
      inputs_.body = static_cast<hl_soccer::BodyState>(state.state);
    });
    subscribe<Position2D>(topics::kPosition, [this](const Position2D& position) {
      const std::lock_guard lock(mutex_);
      inputs_.pose = {static_cast<float>(position.pose.x), static_cast<float>(position.pose.y),
                      static_cast<float>(position.pose.theta)};
    });
    subscribe<BallRelative>(topics::kBallRelative, [this](const BallRelative& ball) {
      if (ball.confidence <= 0.0F) return;
      const std::lock_guard lock(mutex_);
      inputs_.ball = {static_cast<float>(ball.ball_relative.x), static_cast<float>(ball.ball_relative.y)};
      inputs_.ball_seen_at = seconds_now();
    });
  }

  void receive() {
    constexpr int kWaitMilliseconds = 200;  // so that the thread notices the end of the node
    std::array<std::uint8_t, 2048> buffer{};
    while (!stopping_) {
      if (!socket_->wait_readable(kWaitMilliseconds)) continue;
      hl_network::Endpoint sender;
      const auto size = socket_->receive(buffer.data(), buffer.size(), sender);
      if (!size) continue;
      const std::lock_guard lock(mutex_);
      if (client_.receive({buffer.data(), *size}, sender, seconds_now()) != Client::Verdict::Accepted) continue;
      answer();
      if (changed()) publish();
    }
  }

  /// Whether the last packet says something else than the last message; the clocks alone do not count.
  bool changed() {
    auto message = game_state_from(client_, params_, seconds_now());
    const auto seconds_remaining = message.seconds_remaining;
    message.seconds_remaining = last_message_.seconds_remaining;
    message.secondary_seconds_remaining = last_message_.secondary_seconds_remaining;
    message.header = last_message_.header;
    const bool clock_jumped = std::abs(seconds_remaining - last_message_.seconds_remaining) > 2;
    return clock_jumped || message != last_message_;
  }

  void publish() {
    last_message_ = game_state_from(client_, params_, seconds_now());
    last_message_.header.stamp = now();
    game_state_->publish(last_message_);
  }

  void answer() {
    const double now = seconds_now();
    const auto out = client_.step(inputs_, now);
    if (!out.answer) return;
    std::array<std::uint8_t, kMaxReturnPacketSize> bytes{};
    const auto size = encode(*out.answer, bytes.data(), bytes.size());
    if (!socket_->send({bytes.data(), size}, {out.referee, answer_port_})) {
      RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 10'000, "the network does not take answers to the referee");
    }
  }

  void publish_diagnostics() {
    const std::lock_guard lock(mutex_);
    const bool connected = client_.connected(seconds_now());
    const auto& counters = client_.counters();
    diagnostics_.report(
        connected ? hl_node::Level::Ok : hl_node::Level::Warn,
        connected ? std::string(name(client_.packet()->dialect))
                  : "no referee for team " + std::to_string(params_.team) + ": check network, team number and port",
        {{"accepted", std::to_string(counters.accepted)},
         {"for other teams", std::to_string(counters.not_for_us)},
         {"from another referee", std::to_string(counters.other_referee)},
         {"old", std::to_string(counters.old)},
         {"malformed", std::to_string(counters.malformed)}});
  }

  double seconds_now() { return now().seconds(); }

  hl_node::NodeParameters<ClientParams> parameters_;
  std::mutex mutex_;  // protects what the receiving thread and the executor share
  Client::Params params_;
  Client client_;
  hl_node::Diagnostics diagnostics_;
  Client::Inputs inputs_;
  GameState last_message_;
  std::uint16_t answer_port_ = 0;
  std::unique_ptr<hl_network::UdpSocket> socket_;
  rclcpp::Publisher<GameState>::SharedPtr game_state_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::TimerBase::SharedPtr publish_timer_;
  rclcpp::TimerBase::SharedPtr diagnostics_timer_;
  std::atomic<bool> stopping_{false};
  std::thread receiver_;
};

}  // namespace hl_game_controller

RCLCPP_COMPONENTS_REGISTER_NODE(hl_game_controller::ClientNode)

// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <cstdlib>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
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
#include "hl_game_controller/client.hpp"

namespace hl_game_controller {
namespace {

using diagnostic_msgs::msg::DiagnosticArray;
using diagnostic_msgs::msg::DiagnosticStatus;
using humanoid_league_msgs::msg::BallRelative;
using humanoid_league_msgs::msg::GameState;
using humanoid_league_msgs::msg::Position2D;
using humanoid_league_msgs::msg::RobotControlState;

rcl_interfaces::msg::ParameterDescriptor described(const std::string& text, bool read_only = false) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = text;
  descriptor.read_only = read_only;
  return descriptor;
}

rcl_interfaces::msg::ParameterDescriptor described(const std::string& text, int from, int to, bool read_only = false) {
  auto descriptor = described(text, read_only);
  rcl_interfaces::msg::IntegerRange range;
  range.from_value = from;
  range.to_value = to;
  range.step = 1;
  descriptor.integer_range.push_back(range);
  return descriptor;
}

std::optional<WithoutReferee> policy_from(const std::string& word) {
  if (word == "keep") return WithoutReferee::Keep;
  if (word == "play") return WithoutReferee::Play;
  if (word == "stop") return WithoutReferee::Stop;
  return std::nullopt;
}

diagnostic_msgs::msg::KeyValue entry(const std::string& key, std::uint64_t value) {
  diagnostic_msgs::msg::KeyValue result;
  result.key = key;
  result.value = std::to_string(value);
  return result;
}

}  // namespace

/// Hears the referee on UDP, says what it means on `gamestate`, and answers.
class ClientNode : public rclcpp::Node {
 public:
  explicit ClientNode(const rclcpp::NodeOptions& options)
      : Node("game_controller", options), params_(declared_params()), client_(params_) {
    const auto port = declare_parameter("port", 3838, described("UDP port of the referee's broadcast", 1, 65535, true));
    answer_port_ = static_cast<std::uint16_t>(
        declare_parameter("answer_port", 3939, described("UDP port the referee listens on", 1, 65535, true)));
    const auto address =
        declare_parameter("listen_address", "0.0.0.0", described("address to listen on; 0.0.0.0 = all", true));
    socket_ = std::make_unique<hl_network::UdpSocket>(address, static_cast<std::uint16_t>(port),
                                                      hl_network::UdpSocket::Sharing::Shared);

    rclcpp::PublisherOptions latched;
    latched.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    game_state_publisher_ = create_publisher<GameState>("gamestate", rclcpp::QoS(1).transient_local(), latched);
    diagnostics_publisher_ = create_publisher<DiagnosticArray>("diagnostics", 10);
    rclcpp::SubscriptionOptions latched_subscription;
    latched_subscription.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    robot_state_subscription_ = create_subscription<RobotControlState>(
        "robot_state", rclcpp::QoS(1).transient_local(),
        [this](const RobotControlState& state) {
          const std::lock_guard lock(mutex_);
          report_.fallen = state.state == RobotControlState::FALLEN || state.state == RobotControlState::FALLING ||
                           state.state == RobotControlState::GETTING_UP;
        },
        latched_subscription);
    position_subscription_ = create_subscription<Position2D>("position", 1, [this](const Position2D& position) {
      const std::lock_guard lock(mutex_);
      report_.pose = {static_cast<float>(position.pose.x), static_cast<float>(position.pose.y),
                      static_cast<float>(position.pose.theta)};
    });
    ball_subscription_ = create_subscription<BallRelative>("ball_relative", 1, [this](const BallRelative& ball) {
      if (ball.confidence <= 0.0F) return;
      const std::lock_guard lock(mutex_);
      report_.ball = {static_cast<float>(ball.ball_relative.x), static_cast<float>(ball.ball_relative.y)};
      ball_seen_at_ = seconds_now();
    });
    parameter_callback_ = add_on_set_parameters_callback(
        [this](const std::vector<rclcpp::Parameter>& changed) { return on_parameters(changed); });

    publish_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(0.5), [this] {
      const std::lock_guard lock(mutex_);
      publish();
    });
    diagnostics_timer_ =
        rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { publish_diagnostics(); });
    receiver_ = std::thread([this] { receive(); });
    RCLCPP_INFO(get_logger(), "team %d, player %d: listening for the referee on port %d", params_.team, params_.player,
                static_cast<int>(port));
  }

  ~ClientNode() override {
    stopping_ = true;
    receiver_.join();
  }

 private:
  Client::Params declared_params() {
    Client::Params params;
    params.team = static_cast<int>(declare_parameter("team_id", 1, described("own team number", 1, 254, true)));
    params.player = static_cast<int>(
        declare_parameter("player_id", 1, described("own player number", 1, static_cast<int>(kMaxPlayers), true)));
    params.goalkeeper = declare_parameter("goalkeeper", false, described("announce this robot as the goalkeeper"));
    const auto word = declare_parameter("without_referee", "keep",
                                        described("while no referee is heard: keep (its last word), play, or stop"));
    params.lost_after = declare_parameter("lost_after", params.lost_after, described("s without a packet", true));
    const auto policy = policy_from(word);
    if (!policy) throw std::invalid_argument("without_referee is '" + word + "'; use keep, play or stop");
    params.without_referee = *policy;
    if (const auto error = params.validate()) throw std::invalid_argument(*error);
    return params;
  }

  rcl_interfaces::msg::SetParametersResult on_parameters(const std::vector<rclcpp::Parameter>& changed) {
    rcl_interfaces::msg::SetParametersResult result;
    result.successful = true;
    const std::lock_guard lock(mutex_);
    auto params = params_;
    for (const auto& parameter : changed) {
      if (parameter.get_name() == "goalkeeper") params.goalkeeper = parameter.as_bool();
      if (parameter.get_name() == "without_referee") {
        const auto policy = policy_from(parameter.as_string());
        if (!policy) {
          result.successful = false;
          result.reason = "without_referee must be keep, play or stop";
          return result;
        }
        params.without_referee = *policy;
      }
    }
    params_ = params;
    client_.set_params(params);
    return result;
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
    game_state_publisher_->publish(last_message_);
  }

  void answer() {
    const double now = seconds_now();
    auto report = report_;
    if (ball_seen_at_) report.ball_age = static_cast<float>(now - *ball_seen_at_);
    const auto packet = client_.answer(report, now);
    const auto address = client_.referee_address(now);
    if (!packet || !address) return;
    std::array<std::uint8_t, kMaxReturnPacketSize> bytes{};
    const auto size = encode(*packet, bytes.data(), bytes.size());
    if (!socket_->send({bytes.data(), size}, {*address, answer_port_})) {
      RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 10'000, "the network does not take answers to the referee");
    }
  }

  void publish_diagnostics() {
    const std::lock_guard lock(mutex_);
    DiagnosticStatus status;
    status.name = "game controller: referee";
    status.hardware_id = "network";
    const bool connected = client_.connected(seconds_now());
    status.level = connected ? DiagnosticStatus::OK : DiagnosticStatus::WARN;
    status.message =
        connected ? std::string(name(client_.packet()->dialect))
                  : "no referee for team " + std::to_string(params_.team) + ": check network, team number and port";
    const auto& counters = client_.counters();
    status.values = {entry("accepted", counters.accepted), entry("for other teams", counters.not_for_us),
                     entry("from another referee", counters.other_referee), entry("old", counters.old),
                     entry("malformed", counters.malformed)};
    DiagnosticArray message;
    message.header.stamp = now();
    message.status.push_back(status);
    diagnostics_publisher_->publish(message);
  }

  double seconds_now() { return now().seconds(); }

  std::mutex mutex_;  // protects what the receiving thread and the executor share
  Client::Params params_;
  Client client_;
  Client::RobotReport report_;
  std::optional<double> ball_seen_at_;  // s
  GameState last_message_;
  std::uint16_t answer_port_ = 0;
  std::unique_ptr<hl_network::UdpSocket> socket_;
  rclcpp::Publisher<GameState>::SharedPtr game_state_publisher_;
  rclcpp::Publisher<DiagnosticArray>::SharedPtr diagnostics_publisher_;
  rclcpp::Subscription<RobotControlState>::SharedPtr robot_state_subscription_;
  rclcpp::Subscription<Position2D>::SharedPtr position_subscription_;
  rclcpp::Subscription<BallRelative>::SharedPtr ball_subscription_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr parameter_callback_;
  rclcpp::TimerBase::SharedPtr publish_timer_;
  rclcpp::TimerBase::SharedPtr diagnostics_timer_;
  std::atomic<bool> stopping_{false};
  std::thread receiver_;
};

}  // namespace hl_game_controller

RCLCPP_COMPONENTS_REGISTER_NODE(hl_game_controller::ClientNode)

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/position2_d.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/strategy.hpp>
#include <humanoid_league_msgs/msg/team_data.hpp>
#include <memory>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <thread>
#include <vector>

#include "hl_network/udp_socket.hpp"
#include "hl_team_comm/message_budget.hpp"
#include "hl_team_comm/roster.hpp"
#include "team_data_message.hpp"

namespace hl_team_comm {
namespace {

using diagnostic_msgs::msg::DiagnosticArray;
using diagnostic_msgs::msg::DiagnosticStatus;
using humanoid_league_msgs::msg::GameState;
using humanoid_league_msgs::msg::Model;
using humanoid_league_msgs::msg::Position2D;
using humanoid_league_msgs::msg::RobotControlState;
using humanoid_league_msgs::msg::Strategy;
using humanoid_league_msgs::msg::TeamData;

rcl_interfaces::msg::ParameterDescriptor read_only(const std::string& text) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = text;
  descriptor.read_only = true;
  return descriptor;
}

diagnostic_msgs::msg::KeyValue entry(const std::string& key, const std::string& value) {
  diagnostic_msgs::msg::KeyValue result;
  result.key = key;
  result.value = value;
  return result;
}

bool is_down(std::uint8_t state) {
  return state == RobotControlState::FALLING || state == RobotControlState::FALLEN ||
         state == RobotControlState::GETTING_UP;
}

}  // namespace

/// Tells the team what this robot knows, and ROS what the team mates say.
class TeamCommNode : public rclcpp::Node {
 public:
  explicit TeamCommNode(const rclcpp::NodeOptions& options)
      : Node("team_comm", options),
        roster_params_(declared_roster()),
        roster_(roster_params_),
        budget_(declared_budget()) {
    const bool loopback = declare_parameter("loopback", false, read_only("send to this machine only"));
    const auto local_port = declare_parameter("local_port", 12321, read_only("UDP port to listen on"));
    const auto remote_port = declare_parameter("remote_port", 12321, read_only("UDP port to send to"));
    send_interval_ = declare_parameter("send_interval", 0.5, read_only("s between routine messages, at least 0.1"));
    if (!(send_interval_ >= 0.1)) throw std::invalid_argument("send_interval must be at least 0.1 s");
    own_.walking_speed = declare_parameter("walking_speed", 0.2, read_only("m/s, told to the team"));
    own_.kicking_distance = declare_parameter("kicking_distance", 3.0, read_only("m, told to the team"));
    socket_ = std::make_unique<hl_network::UdpSocket>("0.0.0.0", static_cast<std::uint16_t>(local_port),
                                                      hl_network::UdpSocket::Sharing::Shared);
    constexpr std::uint32_t kLoopbackBroadcast = 0x7FFFFFFF;  // 127.255.255.255
    auto addresses = loopback ? std::vector<std::uint32_t>{kLoopbackBroadcast} : hl_network::broadcast_addresses();
    if (addresses.empty()) {
      RCLCPP_WARN(get_logger(), "no network with broadcast: team mates cannot be reached; see `ip address`");
    }
    for (const auto address : addresses) {
      receivers_.push_back({address, static_cast<std::uint16_t>(remote_port)});
    }
    subscribe();
    team_data_publisher_ = create_publisher<TeamData>("team_data", 1);
    diagnostics_publisher_ = create_publisher<DiagnosticArray>("diagnostics", 10);
    send_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(kTick), [this] { tick(); });
    diagnostics_timer_ =
        rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { publish_diagnostics(); });
    receiver_ = std::thread([this] { receive(); });
  }

  ~TeamCommNode() override {
    stopping_ = true;
    receiver_.join();
  }

 private:
  static constexpr double kTick = 0.1;  // s; how fast an event may leave

  Roster::Params declared_roster() {
    Roster::Params params;
    params.team = static_cast<int>(declare_parameter("team_id", 1, read_only("own team number, 1..65535")));
    params.player = static_cast<int>(declare_parameter("player_id", 1, read_only("own player number, 1..20")));
    params.expiry = declare_parameter("expiry", params.expiry, read_only("s after which a message no longer counts"));
    if (const auto error = params.validate()) throw std::invalid_argument(*error);
    return params;
  }

  MessageBudget::Params declared_budget() {
    MessageBudget::Params params;
    params.team_size = static_cast<int>(declare_parameter("team_size", 4, read_only("robots that share the budget")));
    params.burst = declare_parameter("burst", params.burst, read_only("messages that may be saved up"));
    if (const auto error = params.validate()) throw std::invalid_argument(*error);
    half_duration_ = declare_parameter("half_duration", 600.0, read_only("s, to project the budget to the whistle"));
    return params;
  }

  void subscribe() {
    rclcpp::SubscriptionOptions latched;
    latched.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    const auto latched_qos = rclcpp::QoS(1).transient_local();
    strategy_subscription_ = create_subscription<Strategy>(
        "strategy", latched_qos,
        [this](const Strategy& strategy) {
          const auto before = own_;
          apply(strategy, own_);
          if (own_.role != before.role || own_.action != before.action) raise(Urgency::Event);
        },
        latched);
    // The own model is told: what came from the team must not return to it as a second opinion.
    model_subscription_ = create_subscription<Model>("personal_model", 1, [this](const Model& model) {
      const bool knew_ball = own_.ball.has_value();
      apply(model, own_);
      if (own_.ball.has_value() != knew_ball) raise(Urgency::Event);
    });
    position_subscription_ = create_subscription<Position2D>("position", 1, [this](const Position2D& position) {
      if (position.confidence <= 0.0F) return;
      own_.position = BelievedPoint{position.pose.x, position.pose.y, position.confidence};
      own_.orientation = position.pose.theta;
    });
    robot_state_subscription_ = create_subscription<RobotControlState>(
        "robot_state", latched_qos,
        [this](const RobotControlState& state) {
          if (is_down(state.state) && !down_) raise(Urgency::Important);
          down_ = is_down(state.state);
        },
        latched);
    game_state_subscription_ = create_subscription<GameState>(
        "gamestate", latched_qos, [this](const GameState& game) { on_game_state(game); }, latched);
  }

  void on_game_state(const GameState& game) {
    penalized_ = game.penalized;
    const bool has_budget = game.message_budget != GameState::NO_BUDGET;
    const double to_whistle = game.seconds_remaining + (game.first_half ? half_duration_ : 0.0);
    budget_.set_remaining(has_budget ? std::optional<double>(game.message_budget) : std::nullopt, to_whistle);
  }

  void raise(Urgency urgency) { pending_ = std::max(pending_, urgency); }

  void tick() {
    const double now = seconds_now();
    const bool due = now - sent_at_ >= send_interval_;
    if (!penalized_ && (due || pending_ != Urgency::Routine) && budget_.request(pending_, now)) send(now);
    const std::lock_guard lock(mutex_);
    auto data = team_data_from(roster_, now);
    if (data.robot_ids.empty() && !had_team_mates_) return;  // one empty message tells that the last one is gone
    had_team_mates_ = !data.robot_ids.empty();
    data.header.stamp = this->now();
    data.header.frame_id = "map";
    team_data_publisher_->publish(data);
  }

  void send(double now) {
    own_.activity = down_ ? Activity::Inactive : Activity::Active;
    mitecom::Message message;
    message.team = static_cast<std::uint16_t>(roster_params_.team);
    message.robot = static_cast<std::uint16_t>(roster_params_.player);
    write(own_, message);
    message.add(mitecom::Key::Sequence, sequence_++);
    constexpr double kWrap = 2'000'000.0;  // s; milliseconds must fit 31 bits
    message.add(mitecom::Key::SendTime, static_cast<std::int32_t>(std::fmod(now, kWrap) * 1000.0));
    std::array<std::uint8_t, mitecom::kMaxMessageSize> bytes{};
    const auto size = mitecom::encode(message, bytes.data(), bytes.size());
    for (const auto& receiver : receivers_) {
      if (!socket_->send({bytes.data(), size}, receiver)) {
        RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 10'000, "the network takes no messages for %s",
                             receiver.address_text().c_str());
      }
    }
    sent_at_ = now;
    pending_ = Urgency::Routine;
  }

  void receive() {
    constexpr int kWaitMilliseconds = 200;  // so that the thread notices the end of the node
    std::array<std::uint8_t, 2048> buffer{};
    hl_network::Endpoint sender;
    while (!stopping_) {
      if (!socket_->wait_readable(kWaitMilliseconds)) continue;
      const auto size = socket_->receive(buffer.data(), buffer.size(), sender);
      if (!size) continue;
      const double now = seconds_now();
      const std::lock_guard lock(mutex_);
      roster_.receive({buffer.data(), *size}, now);
    }
  }

  void publish_diagnostics() {
    const double now = seconds_now();
    DiagnosticArray message;
    message.header.stamp = this->now();
    const std::lock_guard lock(mutex_);
    for (const auto& [robot, known] : roster_.entries()) {
      DiagnosticStatus status;
      const auto connection = roster_.connection(known, now);
      status.name = "team comm: player " + std::to_string(robot);
      status.hardware_id = "network";
      status.level = connection == Connection::Online        ? DiagnosticStatus::OK
                     : connection == Connection::Unreachable ? DiagnosticStatus::WARN
                                                             : DiagnosticStatus::ERROR;
      status.message = std::string(name(connection));
      status.values = {entry("received", std::to_string(known.link.received)),
                       entry("lost", std::to_string(known.link.lost)),
                       entry("silent (s)", std::to_string(now - known.link.heard_at))};
      if (known.link.delay) status.values.push_back(entry("delay (s)", std::to_string(*known.link.delay)));
      message.status.push_back(status);
    }
    if (!message.status.empty()) diagnostics_publisher_->publish(message);
  }

  double seconds_now() { return now().seconds(); }

  Roster::Params roster_params_;
  std::mutex mutex_;  // protects the roster from the receiving thread
  Roster roster_;
  double half_duration_ = 600.0;  // s
  MessageBudget budget_;
  TeamMate own_;
  Urgency pending_ = Urgency::Routine;
  bool down_ = false;
  bool penalized_ = false;
  bool had_team_mates_ = false;
  double send_interval_ = 0.5;  // s
  double sent_at_ = -1e9;       // s
  std::int32_t sequence_ = 0;
  std::unique_ptr<hl_network::UdpSocket> socket_;
  std::vector<hl_network::Endpoint> receivers_;
  rclcpp::Subscription<Strategy>::SharedPtr strategy_subscription_;
  rclcpp::Subscription<Model>::SharedPtr model_subscription_;
  rclcpp::Subscription<Position2D>::SharedPtr position_subscription_;
  rclcpp::Subscription<RobotControlState>::SharedPtr robot_state_subscription_;
  rclcpp::Subscription<GameState>::SharedPtr game_state_subscription_;
  rclcpp::Publisher<TeamData>::SharedPtr team_data_publisher_;
  rclcpp::Publisher<DiagnosticArray>::SharedPtr diagnostics_publisher_;
  rclcpp::TimerBase::SharedPtr send_timer_;
  rclcpp::TimerBase::SharedPtr diagnostics_timer_;
  std::atomic<bool> stopping_{false};
  std::thread receiver_;
};

}  // namespace hl_team_comm

RCLCPP_COMPONENTS_REGISTER_NODE(hl_team_comm::TeamCommNode)

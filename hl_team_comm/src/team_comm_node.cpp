// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/position2_d.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/strategy.hpp>
#include <humanoid_league_msgs/msg/team_data.hpp>
#include <humanoid_league_msgs/msg/team_link.hpp>
#include <map>
#include <memory>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <thread>
#include <vector>

#include "hl_network/udp_socket.hpp"
#include "hl_team_comm/team_comm.hpp"
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
using humanoid_league_msgs::msg::TeamLink;

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

}  // namespace

/// Tells the team what this robot knows, and ROS what the team mates say.
class TeamCommNode : public rclcpp::Node {
 public:
  explicit TeamCommNode(const rclcpp::NodeOptions& options) : Node("team_comm", options), core_(declared()) {
    const bool loopback = declare_parameter("loopback", false, read_only("send to this machine only"));
    const auto local_port = declare_parameter("local_port", 12321, read_only("UDP port to listen on"));
    const auto remote_port = declare_parameter("remote_port", 12321, read_only("UDP port to send to"));
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
    team_link_publisher_ = create_publisher<TeamLink>("team_link", 10);
    diagnostics_publisher_ = create_publisher<DiagnosticArray>("diagnostics", 10);
    send_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(kTick), [this] { tick(); });
    diagnostics_timer_ =
        rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { on_second(); });
    receiver_ = std::thread([this] { receive(); });
  }

  ~TeamCommNode() override {
    stopping_ = true;
    receiver_.join();
  }

 private:
  static constexpr double kTick = 0.1;  // s; how fast an event may leave

  TeamComm::Params declared() {
    TeamComm::Params params;
    params.roster.team = static_cast<int>(declare_parameter("team_id", 1, read_only("own team number, 1..65535")));
    params.roster.player = static_cast<int>(declare_parameter("player_id", 1, read_only("own player number, 1..20")));
    params.roster.expiry =
        declare_parameter("expiry", params.roster.expiry, read_only("s after which a message no longer counts"));
    params.budget.team_size =
        static_cast<int>(declare_parameter("team_size", 4, read_only("robots that share the budget")));
    params.budget.burst = declare_parameter("burst", params.budget.burst, read_only("messages that may be saved up"));
    params.half_duration =
        declare_parameter("half_duration", params.half_duration, read_only("s, to project the budget to the whistle"));
    params.send_interval =
        declare_parameter("send_interval", params.send_interval, read_only("s between routine messages, at least 0.1"));
    params.walking_speed = declare_parameter("walking_speed", params.walking_speed, read_only("m/s, told to the team"));
    params.kicking_distance =
        declare_parameter("kicking_distance", params.kicking_distance, read_only("m, told to the team"));
    if (const auto error = params.validate()) throw std::invalid_argument(*error);
    return params;
  }

  void subscribe() {
    rclcpp::SubscriptionOptions latched;
    latched.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    const auto latched_qos = rclcpp::QoS(1).transient_local();
    strategy_subscription_ = create_subscription<Strategy>(
        "strategy", latched_qos, [this](const Strategy& strategy) { apply(strategy, inputs_); }, latched);
    // The own model is told: what came from the team must not return to it as a second opinion.
    model_subscription_ = create_subscription<Model>("personal_model", 1, [this](const Model& model) {
      model_ = model_from(model);
      inputs_.model = &model_;
    });
    position_subscription_ = create_subscription<Position2D>("position", 1, [this](const Position2D& position) {
      if (position.confidence <= 0.0F) return;
      model_.pose.pose = {position.pose.x, position.pose.y, position.pose.theta};
      model_.pose.confidence = static_cast<double>(position.confidence);
      model_.pose.covariance = Eigen::Matrix3d::Identity() * variance_from(model_.pose.confidence);
      inputs_.model = &model_;
    });
    robot_state_subscription_ = create_subscription<RobotControlState>(
        "robot_state", latched_qos,
        [this](const RobotControlState& state) { inputs_.body = static_cast<hl_soccer::BodyState>(state.state); },
        latched);
    game_state_subscription_ = create_subscription<GameState>(
        "gamestate", latched_qos, [this](const GameState& game) { on_game_state(game); }, latched);
  }

  void on_game_state(const GameState& game) {
    game_.penalized = game.penalized;
    game_.first_half = game.first_half;
    game_.seconds_remaining = game.seconds_remaining;
    game_.message_budget = game.message_budget == GameState::NO_BUDGET ? -1 : game.message_budget;
    inputs_.game = &game_;
  }

  void tick() {
    const double now = seconds_now();
    const std::lock_guard lock(mutex_);
    const auto datagram = core_.step(inputs_, now).datagram;
    if (!datagram.empty()) send(datagram);
    auto data = team_data_from(core_.roster(), now);
    if (data.robot_ids.empty() && !had_team_mates_) return;  // one empty message tells that the last one is gone
    had_team_mates_ = !data.robot_ids.empty();
    data.header.stamp = this->now();
    data.header.frame_id = "map";
    team_data_publisher_->publish(data);
  }

  void send(const std::vector<std::uint8_t>& datagram) {
    ++sent_;
    for (const auto& receiver : receivers_) {
      if (!socket_->send({datagram.data(), datagram.size()}, receiver)) {
        RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 10'000, "the network takes no messages for %s",
                             receiver.address_text().c_str());
      }
    }
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
      core_.receive({buffer.data(), *size}, now);
    }
  }

  void on_second() {
    const double now = seconds_now();
    const std::lock_guard lock(mutex_);
    publish_diagnostics(now);
    publish_link(now);
  }

  void publish_link(double now) {
    TeamLink link;
    link.header.stamp = this->now();
    const double interval = now - linked_at_;
    for (const auto& [robot, known] : core_.roster().entries()) {
      std::uint64_t& before = received_[robot];
      link.mates.push_back(link_from(core_.roster(), robot, known, before, interval, now));
      before = known.link.received;
    }
    link.message_budget =
        game_.message_budget < 0 ? TeamLink::NO_BUDGET : static_cast<std::uint16_t>(game_.message_budget);
    link.send_rate = interval > 0.0 ? static_cast<float>(static_cast<double>(sent_) / interval) : 0.0F;
    sent_ = 0;
    linked_at_ = now;
    team_link_publisher_->publish(link);
  }

  void publish_diagnostics(double now) {
    DiagnosticArray message;
    message.header.stamp = this->now();
    for (const auto& [robot, known] : core_.roster().entries()) {
      DiagnosticStatus status;
      const auto connection = core_.roster().connection(known, now);
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

  std::mutex mutex_;  // protects the core from the receiving thread
  TeamComm core_;
  TeamComm::Inputs inputs_;
  hl_soccer::Model model_;
  hl_soccer::GameState game_;
  bool had_team_mates_ = false;
  std::map<int, std::uint64_t> received_;  // messages of each team mate when team_link was last told
  double linked_at_ = 0.0;                 // s, when that was
  int sent_ = 0;                           // messages since then
  std::unique_ptr<hl_network::UdpSocket> socket_;
  std::vector<hl_network::Endpoint> receivers_;
  rclcpp::Subscription<Strategy>::SharedPtr strategy_subscription_;
  rclcpp::Subscription<Model>::SharedPtr model_subscription_;
  rclcpp::Subscription<Position2D>::SharedPtr position_subscription_;
  rclcpp::Subscription<RobotControlState>::SharedPtr robot_state_subscription_;
  rclcpp::Subscription<GameState>::SharedPtr game_state_subscription_;
  rclcpp::Publisher<TeamData>::SharedPtr team_data_publisher_;
  rclcpp::Publisher<TeamLink>::SharedPtr team_link_publisher_;
  rclcpp::Publisher<DiagnosticArray>::SharedPtr diagnostics_publisher_;
  rclcpp::TimerBase::SharedPtr send_timer_;
  rclcpp::TimerBase::SharedPtr diagnostics_timer_;
  std::atomic<bool> stopping_{false};
  std::thread receiver_;
};

}  // namespace hl_team_comm

RCLCPP_COMPONENTS_REGISTER_NODE(hl_team_comm::TeamCommNode)

// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <atomic>
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
#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "parameters.hpp"
#include "team_data_message.hpp"

namespace hl_team_comm {
namespace {

using humanoid_league_msgs::msg::GameState;
using humanoid_league_msgs::msg::Model;
using humanoid_league_msgs::msg::Position2D;
using humanoid_league_msgs::msg::RobotControlState;
using humanoid_league_msgs::msg::Strategy;
using humanoid_league_msgs::msg::TeamData;
using humanoid_league_msgs::msg::TeamLink;

hl_node::Level level_of(Connection connection) {
  switch (connection) {
    case Connection::Online:
      return hl_node::Level::Ok;
    case Connection::Unreachable:
      return hl_node::Level::Warn;
    case Connection::Offline:
      break;
  }
  return hl_node::Level::Error;
}

}  // namespace

/// Tells the team what this robot knows, and ROS what the team mates say.
class TeamCommNode : public rclcpp::Node {
 public:
  explicit TeamCommNode(const rclcpp::NodeOptions& options)
      : Node("team_comm", options),
        parameters_(*this, parameters()),
        core_(parameters_.values().core),
        diagnostics_(*this, "network", "network") {
    const NodeParams& params = parameters_.values();
    socket_ = std::make_unique<hl_network::UdpSocket>("0.0.0.0", static_cast<std::uint16_t>(params.local_port),
                                                      hl_network::UdpSocket::Sharing::Shared);
    constexpr std::uint32_t kLoopbackBroadcast = 0x7FFFFFFF;  // 127.255.255.255
    auto addresses =
        params.loopback ? std::vector<std::uint32_t>{kLoopbackBroadcast} : hl_network::broadcast_addresses();
    if (addresses.empty()) {
      RCLCPP_WARN(get_logger(), "no network with broadcast: team mates cannot be reached; see `ip address`");
    }
    for (const auto address : addresses) {
      receivers_.push_back({address, static_cast<std::uint16_t>(params.remote_port)});
    }
    listen();
    team_data_ = hl_node::create_publisher<TeamData>(*this, hl_node::topics::kTeamData);
    team_link_ = hl_node::create_publisher<TeamLink>(*this, hl_node::topics::kTeamLink);
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

  template <class Message, class Callback>
  void subscribe(const hl_node::Topic& topic, Callback&& callback) {
    subscriptions_.push_back(hl_node::create_subscription<Message>(*this, topic, std::forward<Callback>(callback)));
  }

  void listen() {
    using namespace hl_node;
    subscribe<Strategy>(topics::kStrategy, [this](const Strategy& strategy) { apply(strategy, inputs_); });
    // The own model is told: what came from the team must not return to it as a second opinion.
    subscribe<Model>(topics::kPersonalModel, [this](const Model& model) {
      model_ = model_from(model);
      inputs_.model = &model_;
    });
    subscribe<Position2D>(topics::kPosition, [this](const Position2D& position) {
      if (position.confidence <= 0.0F) return;
      model_.pose.pose = {position.pose.x, position.pose.y, position.pose.theta};
      model_.pose.confidence = static_cast<double>(position.confidence);
      model_.pose.covariance = Eigen::Matrix3d::Identity() * variance_from(model_.pose.confidence);
      inputs_.model = &model_;
    });
    subscribe<RobotControlState>(topics::kRobotState, [this](const RobotControlState& state) {
      inputs_.body = static_cast<hl_soccer::BodyState>(state.state);
    });
    subscribe<GameState>(topics::kGamestate, [this](const GameState& game) { on_game_state(game); });
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
    team_data_->publish(data);
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
    team_link_->publish(link);
  }

  void publish_diagnostics(double now) {
    std::vector<hl_node::Diagnostics::Line> lines;
    for (const auto& [robot, known] : core_.roster().entries()) {
      const auto connection = core_.roster().connection(known, now);
      auto& line = lines.emplace_back();
      line = {"player " + std::to_string(robot), level_of(connection), std::string(name(connection)), {}};
      line.values = {{"received", std::to_string(known.link.received)},
                     {"lost", std::to_string(known.link.lost)},
                     {"silent (s)", std::to_string(now - known.link.heard_at)}};
      if (known.link.delay) line.values.emplace_back("delay (s)", std::to_string(*known.link.delay));
    }
    diagnostics_.report(lines);
  }

  double seconds_now() { return now().seconds(); }

  hl_node::NodeParameters<NodeParams> parameters_;
  std::mutex mutex_;  // protects the core from the receiving thread
  TeamComm core_;
  hl_node::Diagnostics diagnostics_;
  TeamComm::Inputs inputs_;
  hl_soccer::Model model_;
  hl_soccer::GameState game_;
  bool had_team_mates_ = false;
  std::map<int, std::uint64_t> received_;  // messages of each team mate when team_link was last told
  double linked_at_ = 0.0;                 // s, when that was
  int sent_ = 0;                           // messages since then
  std::unique_ptr<hl_network::UdpSocket> socket_;
  std::vector<hl_network::Endpoint> receivers_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::Publisher<TeamData>::SharedPtr team_data_;
  rclcpp::Publisher<TeamLink>::SharedPtr team_link_;
  rclcpp::TimerBase::SharedPtr send_timer_;
  rclcpp::TimerBase::SharedPtr diagnostics_timer_;
  std::atomic<bool> stopping_{false};
  std::thread receiver_;
};

}  // namespace hl_team_comm

RCLCPP_COMPONENTS_REGISTER_NODE(hl_team_comm::TeamCommNode)

// SPDX-License-Identifier: Apache-2.0
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
#include <vector>

#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "parameters.hpp"
#include "team_data_message.hpp"
#include "team_socket.hpp"

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
    case Connection::Connected:
      return hl_node::Level::Ok;
    case Connection::Connecting:
      return hl_node::Level::Warn;
    case Connection::Disconnected:
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
        core_(parameters_.values().core_params()),
        diagnostics_(*this, "network", "network") {
    const NodeParams& params = parameters_.values();
    core_.limit(params.team_mates);
    parameters_.on_change([this](const NodeParams& changed) {
      const std::lock_guard lock(mutex_);
      core_.limit(changed.team_mates);
    });
    socket_ = std::make_unique<TeamSocket>(*this, TeamSocket::Params{static_cast<std::uint16_t>(params.local_port),
                                                                     static_cast<std::uint16_t>(params.remote_port),
                                                                     params.loopback ? "lo" : params.interface});
    listen();
    team_data_ = hl_node::create_publisher<TeamData>(*this, hl_node::topics::kTeamData);
    team_link_ = hl_node::create_publisher<TeamLink>(*this, hl_node::topics::kTeamLink);
    send_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(kTick), [this] { tick(); });
    diagnostics_timer_ =
        rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { on_second(); });
    socket_->start([this](hl_network::Bytes datagram) {
      const double now = seconds_now();
      const std::lock_guard lock(mutex_);
      core_.receive(datagram, now);
    });
  }

  ~TeamCommNode() override { socket_.reset(); }

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
    game_.own_team = game.own_team;
    game_.own_color_blue = game.own_color == GameState::COLOR_BLUE;
    game_.first_half = game.first_half;
    game_.seconds_remaining = game.seconds_remaining;
    game_.message_budget = game.message_budget == GameState::NO_BUDGET ? -1 : game.message_budget;
    inputs_.game = &game_;
  }

  void tick() {
    const double now = seconds_now();
    const std::lock_guard lock(mutex_);
    const auto datagram = core_.step(inputs_, now).datagram;
    if (!datagram.empty()) {
      ++sent_;
      socket_->send(datagram);
    }
    auto data = team_data_from(core_.roster(), now);
    if (data.robot_ids.empty() && !had_team_mates_) return;  // one empty message tells that the last one is gone
    had_team_mates_ = !data.robot_ids.empty();
    data.header.stamp = this->now();
    data.header.frame_id = "map";
    team_data_->publish(data);
  }

  void on_second() {
    const double now = seconds_now();
    const std::lock_guard lock(mutex_);
    socket_->find_network();
    publish_diagnostics(now);
    publish_link(now);
  }

  void publish_link(double now) {
    TeamLink link;
    link.header.stamp = this->now();
    const double interval = now - linked_at_;
    for (const auto& [robot, known] : core_.roster().entries()) {
      std::uint64_t& before = received_[robot];
      link.mates.push_back(link_from(robot, known, before, interval, now));
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
      const auto connection = known.state.connection();
      auto& line = lines.emplace_back();
      line = {"player " + std::to_string(robot), level_of(connection), std::string(name(connection)), {}};
      line.values = {{"received", std::to_string(known.link.received)},
                     {"lost", std::to_string(known.link.lost)},
                     {"silent (s)", std::to_string(now - known.link.last_message_time)},
                     {"dialect", std::string(name(known.dialect))}};
      if (known.link.delay) line.values.emplace_back("delay (s)", std::to_string(*known.link.delay));
    }
    if (core_.roster().doubles() != doubles_) {
      doubles_ = core_.roster().doubles();
      const std::string own = std::to_string(parameters_.values().core.roster.player);
      lines.push_back({"player " + own,
                       hl_node::Level::Error,
                       "another robot speaks as player " + own + ": give one of them another player_id",
                       {}});
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
  std::uint64_t doubles_ = 0;              // messages with our number when diagnostics last told
  std::unique_ptr<TeamSocket> socket_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::Publisher<TeamData>::SharedPtr team_data_;
  rclcpp::Publisher<TeamLink>::SharedPtr team_link_;
  rclcpp::TimerBase::SharedPtr send_timer_;
  rclcpp::TimerBase::SharedPtr diagnostics_timer_;
};

}  // namespace hl_team_comm

RCLCPP_COMPONENTS_REGISTER_NODE(hl_team_comm::TeamCommNode)

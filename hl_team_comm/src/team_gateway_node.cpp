// SPDX-License-Identifier: Apache-2.0
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <memory>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>

#include "gateway_parameters.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "team_socket.hpp"

namespace hl_team_comm {

using humanoid_league_msgs::msg::GameState;

/// Says what it hears in one dialect again in the other, on the ports where each is spoken.
class TeamGatewayNode : public rclcpp::Node {
 public:
  explicit TeamGatewayNode(const rclcpp::NodeOptions& options)
      : Node("team_gateway", options),
        parameters_(*this, gateway_parameters()),
        core_(parameters_.values().core),
        diagnostics_(*this, "gateway", "gateway") {
    const GatewayNodeParams& params = parameters_.values();
    mitecom_ = open(params.mitecom_port);
    if (params.robocup_protocol_port != params.mitecom_port) robocup_protocol_ = open(params.robocup_protocol_port);
    game_ = hl_node::create_subscription<GameState>(*this, hl_node::topics::kGamestate,
                                                    [this](const GameState& game) { on_game_state(game); });
    timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(0.1), [this] { tick(); });
    second_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { on_second(); });
    for (auto* socket : {mitecom_.get(), robocup_protocol_.get()}) {
      if (socket == nullptr) continue;
      socket->start([this](hl_network::Bytes datagram) {
        const double arrived = now().seconds();
        const std::lock_guard lock(mutex_);
        core_.receive(datagram, arrived);
      });
    }
  }

  ~TeamGatewayNode() override {
    mitecom_.reset();
    robocup_protocol_.reset();
  }

 private:
  std::unique_ptr<TeamSocket> open(int port) {
    const GatewayNodeParams& params = parameters_.values();
    const auto number = static_cast<std::uint16_t>(port);
    return std::make_unique<TeamSocket>(*this,
                                        TeamSocket::Params{number, number, params.loopback ? "lo" : params.interface});
  }

  void on_game_state(const GameState& game) {
    const double rest = game.first_half ? parameters_.values().half_duration : 0.0;
    const std::lock_guard lock(mutex_);
    core_.set_remaining(
        game.message_budget == GameState::NO_BUDGET ? std::nullopt : std::optional<double>(game.message_budget),
        game.seconds_remaining + rest);
  }

  void tick() {
    const std::lock_guard lock(mutex_);
    for (const auto& outgoing : core_.step(now().seconds())) {
      const bool own_port = outgoing.dialect == Dialect::RobocupProtocol && robocup_protocol_;
      (own_port ? robocup_protocol_ : mitecom_)->send(outgoing.datagram);
    }
  }

  void on_second() {
    const std::lock_guard lock(mutex_);
    mitecom_->find_network();
    if (robocup_protocol_) robocup_protocol_->find_network();
    diagnostics_.report(hl_node::Level::Ok, std::to_string(core_.translated()) + " messages translated", {});
  }

  hl_node::NodeParameters<GatewayNodeParams> parameters_;
  std::mutex mutex_;  // protects the core from the receiving threads
  DialectGateway core_;
  hl_node::Diagnostics diagnostics_;
  std::unique_ptr<TeamSocket> mitecom_, robocup_protocol_;  // the second is none where both share a port
  rclcpp::Subscription<GameState>::SharedPtr game_;
  rclcpp::TimerBase::SharedPtr timer_, second_;
};

}  // namespace hl_team_comm

RCLCPP_COMPONENTS_REGISTER_NODE(hl_team_comm::TeamGatewayNode)

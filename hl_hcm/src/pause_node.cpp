// SPDX-License-Identifier: Apache-2.0
#include <humanoid_league_msgs/msg/buttons.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/srv/manual_penalize.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <std_msgs/msg/bool.hpp>

#include "hl_hcm/pause.hpp"
#include "hl_node/interfaces.hpp"

namespace hl_hcm {

/// The penalty path: referee, buttons and the handler's word become `paused`.
class PauseNode : public rclcpp::Node {
 public:
  explicit PauseNode(const rclcpp::NodeOptions& options) : Node("pause", options) {
    paused_pub_ = hl_node::create_publisher<std_msgs::msg::Bool>(*this, hl_node::topics::kPaused);
    game_state_sub_ = hl_node::create_subscription<GameState>(*this, hl_node::topics::kGamestate,
                                                              [this](const GameState::ConstSharedPtr& message) {
                                                                if (message->protocol_version == 0)
                                                                  return;  // no referee was ever heard
                                                                Pause::Inputs inputs;
                                                                inputs.penalized = message->penalized;
                                                                step(inputs);
                                                              });
    buttons_sub_ = hl_node::create_subscription<Buttons>(*this, hl_node::topics::kButtons,
                                                         [this](const Buttons::ConstSharedPtr& message) {
                                                           Pause::Inputs inputs;
                                                           inputs.buttons = {message->mode, message->start};
                                                           step(inputs);
                                                         });
    service_ = create_service<ManualPenalize>(
        hl_node::services::kManualPenalize,
        [this](const ManualPenalize::Request::SharedPtr request, ManualPenalize::Response::SharedPtr response) {
          response->success = request->word <= ManualPenalize::Request::UNPENALIZE;
          if (response->success) {
            Pause::Inputs inputs;
            inputs.manual = static_cast<PauseLogic::Manual>(request->word);
            step(inputs);
          } else {
            response->message = "word " + std::to_string(request->word) +
                                " is none of 0 (follow referee), 1 (penalize), 2 (unpenalize)";
          }
          response->paused = pause_.paused();
        });
    button_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(0.05), [this] { step({}); });
    second_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { publish(); });
    publish();
  }

 private:
  using GameState = humanoid_league_msgs::msg::GameState;
  using Buttons = humanoid_league_msgs::msg::Buttons;
  using ManualPenalize = humanoid_league_msgs::srv::ManualPenalize;

  void step(const Pause::Inputs& inputs) {
    const auto out = pause_.step(inputs, now().seconds());
    if (out.reason == nullptr) return;
    RCLCPP_INFO(get_logger(), "%s: %s", out.paused ? "paused" : "released", out.reason);
    publish();
  }

  void publish() {
    std_msgs::msg::Bool message;
    message.data = pause_.paused();
    paused_pub_->publish(message);
  }

  Pause pause_;
  rclcpp::Publisher<std_msgs::msg::Bool>::SharedPtr paused_pub_;
  rclcpp::Subscription<GameState>::SharedPtr game_state_sub_;
  rclcpp::Subscription<Buttons>::SharedPtr buttons_sub_;
  rclcpp::Service<ManualPenalize>::SharedPtr service_;
  rclcpp::TimerBase::SharedPtr button_timer_, second_timer_;
};

}  // namespace hl_hcm

RCLCPP_COMPONENTS_REGISTER_NODE(hl_hcm::PauseNode)

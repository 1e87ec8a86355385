// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <humanoid_league_msgs/action/play_animation.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <string>

namespace hl_hcm {

/// Plays the HCM's own animations through the action `play_animation`.
class AnimationPlayer {
 public:
  AnimationPlayer(rclcpp::Node& node, std::function<void(bool successful, const std::string& message)> on_end)
      : client_(rclcpp_action::create_client<PlayAnimation>(&node, "play_animation")), on_end_(std::move(on_end)) {}

  bool available() const { return client_->action_server_is_ready(); }

  void play(const std::string& name) {
    const auto run = ++run_;  // answers of earlier runs are ignored
    PlayAnimation::Goal goal;
    goal.animation = name;
    goal.hcm = true;
    rclcpp_action::Client<PlayAnimation>::SendGoalOptions options;
    options.goal_response_callback = [this, run, name](const Handle::SharedPtr& handle) {
      if (run != run_) {
        if (handle) client_->async_cancel_goal(handle);
        return;
      }
      handle_ = handle;
      if (!handle) on_end_(false, "the animation server refused '" + name + "'");
    };
    options.result_callback = [this, run](const Handle::WrappedResult& result) {
      if (run != run_) return;
      handle_.reset();
      on_end_(result.code == rclcpp_action::ResultCode::SUCCEEDED && result.result->successful, result.result->message);
    };
    client_->async_send_goal(goal, options);
  }

  void cancel() {
    ++run_;
    if (handle_) client_->async_cancel_goal(handle_);
    handle_.reset();
  }

 private:
  using PlayAnimation = humanoid_league_msgs::action::PlayAnimation;
  using Handle = rclcpp_action::ClientGoalHandle<PlayAnimation>;
  rclcpp_action::Client<PlayAnimation>::SharedPtr client_;
  std::function<void(bool, const std::string&)> on_end_;
  Handle::SharedPtr handle_;
  unsigned run_ = 0;
};

}  // namespace hl_hcm

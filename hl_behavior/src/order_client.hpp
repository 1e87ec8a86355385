// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <string>

#include "hl_behavior/orders.hpp"

namespace hl_behavior {

/// Keeps one action server doing what the orders say: sends what is new, cancels what is gone, tells what became of it.
template <class ActionType>
class OrderClient {
 public:
  using Goal = typename ActionType::Goal;
  using Handle = rclcpp_action::ClientGoalHandle<ActionType>;
  /// Why the result is no success; empty = it is one.
  using Verdict = std::function<std::string(const typename ActionType::Result&)>;

  OrderClient(rclcpp::Node& node, const std::string& name, Verdict verdict)
      : client_(rclcpp_action::create_client<ActionType>(&node, name)), verdict_(std::move(verdict)) {}

  const Feedback::Entry& feedback() const { return feedback_; }

  /// `key` changes when the goal must be sent again, `id` names the order. A server that has said nothing of a running
  /// goal for `patience` (s) may have died and come again without it: it is sent once more.
  void want(std::uint32_t id, std::uint64_t key, const Goal& goal, double now,
            double patience = std::numeric_limits<double>::infinity()) {
    now_ = now;
    const bool forgotten = feedback_.state == Feedback::State::Running && now - heard_ > patience;
    if (wanted_ && key == key_ && !forgotten) return;
    if (!client_->action_server_is_ready()) return;  // tried again with the next step; the executor knows the limit
    const bool same_order = wanted_ && id == id_;
    wanted_ = begun_ = true;
    id_ = id;
    key_ = key;
    heard_ = now;
    const auto run = ++run_;
    if (!same_order) feedback_ = {id, Feedback::State::Running, 0.0, ""};
    typename rclcpp_action::Client<ActionType>::SendGoalOptions options;
    options.goal_response_callback = [this, run](const typename Handle::SharedPtr& handle) {
      if (run != run_) {
        if (handle && !wanted_) client_->async_cancel_goal(handle);
        return;
      }
      handle_ = handle;
      heard_ = now_;
      if (!handle) end(Feedback::State::Failed, "refused");
    };
    options.feedback_callback = [this, run](const typename Handle::SharedPtr&,
                                            const std::shared_ptr<const typename ActionType::Feedback>& feedback) {
      if (run != run_) return;
      heard_ = now_;
      set_progress(*feedback, 0);
    };
    options.result_callback = [this, run](const typename Handle::WrappedResult& result) {
      if (run != run_) return;
      handle_.reset();
      const std::string fault = verdict_(*result.result);
      const bool good = result.code == rclcpp_action::ResultCode::SUCCEEDED && fault.empty();
      end(good ? Feedback::State::Succeeded : Feedback::State::Failed, good ? "" : fault.empty() ? "cancelled" : fault);
    };
    client_->async_send_goal(goal, options);
  }

  /// Once: cancels what a process that died before this one has left running, if nothing of ours has replaced it.
  void end_leftovers() {
    if (begun_ || !client_->action_server_is_ready()) return;
    begun_ = true;
    client_->async_cancel_all_goals();
  }

  void want_nothing() {
    if (!wanted_) return;
    wanted_ = false;
    ++run_;
    if (handle_) client_->async_cancel_goal(handle_);
    handle_.reset();
  }

 private:
  void end(Feedback::State state, const std::string& reason) {
    feedback_ = {id_, state, state == Feedback::State::Succeeded ? 1.0 : feedback_.progress, reason};
  }
  template <class F>
  auto set_progress(const F& feedback, int) -> decltype(feedback.percent_done, void()) {
    feedback_.progress = 0.01 * feedback.percent_done;
  }
  template <class F>
  void set_progress(const F&, long) {}

  typename rclcpp_action::Client<ActionType>::SharedPtr client_;
  Verdict verdict_;
  typename Handle::SharedPtr handle_;
  Feedback::Entry feedback_;
  bool wanted_ = false;
  bool begun_ = false;  // has told the server what counts now
  std::uint32_t id_ = 0;
  std::uint64_t key_ = 0;
  unsigned run_ = 0;
  double now_ = 0.0, heard_ = 0.0;  // s, of the last call; of the server's last word
};

}  // namespace hl_behavior

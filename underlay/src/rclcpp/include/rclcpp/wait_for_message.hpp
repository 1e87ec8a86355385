// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <future>
#include <memory>
#include <string>

#include "rclcpp/executors/single_threaded_executor.hpp"
#include "rclcpp/node.hpp"
#include "rclcpp/wait_set.hpp"

namespace rclcpp {

/// Waits for the next message of a subscription that no executor serves. False after the timeout (negative: none) or a
/// shutdown.
template <typename MsgT, typename Rep = int64_t, typename Period = std::milli>
bool wait_for_message(MsgT& out, std::shared_ptr<Subscription<MsgT>> subscription, std::shared_ptr<Context> context,
                      std::chrono::duration<Rep, Period> time_to_wait = std::chrono::duration<Rep, Period>(-1)) {
  WaitSet wait_set({}, {}, {}, {}, {}, {}, std::move(context));
  SubscriptionWaitSetMask only_messages;
  only_messages.include_events = false;
  wait_set.add_subscription(subscription, only_messages);
  const auto result = wait_set.wait(time_to_wait);
  MessageInfo info;
  return result.kind() == WaitResultKind::Ready && subscription->take(out, info);
}

/// Waits for the next message of a topic, without the node being spun. False after the timeout (negative: none) or a
/// shutdown.
template <typename MsgT, typename Rep = int64_t, typename Period = std::milli>
bool wait_for_message(MsgT& out, std::shared_ptr<Node> node, const std::string& topic,
                      std::chrono::duration<Rep, Period> time_to_wait = std::chrono::duration<Rep, Period>(-1)) {
  auto group = node->create_callback_group(CallbackGroupType::MutuallyExclusive, false);
  SubscriptionOptions options;
  options.callback_group = group;
  options.use_intra_process_comm = IntraProcessSetting::Disable;
  std::promise<void> received;
  bool done = false;
  auto subscription = node->create_subscription<MsgT>(
      topic, QoS(1),
      [&](const MsgT& message) {
        if (done) return;
        done = true;
        out = message;
        received.set_value();
      },
      options);
  ExecutorOptions executor_options;
  executor_options.context = node->get_node_base_interface()->get_context();
  executors::SingleThreadedExecutor executor(executor_options);
  executor.add_callback_group(group, node->get_node_base_interface());
  return executor.spin_until_future_complete(received.get_future(), time_to_wait) == FutureReturnCode::SUCCESS;
}

}  // namespace rclcpp

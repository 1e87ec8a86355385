// SPDX-License-Identifier: Apache-2.0
// Counts Fibonacci numbers, one every 20 ms, until told to stop.
#include <cstdio>
#include <thread>

#include "example_interfaces/action/fibonacci.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_action/rclcpp_action.hpp"

using Fibonacci = example_interfaces::action::Fibonacci;
using Handle = rclcpp_action::ServerGoalHandle<Fibonacci>;

namespace {

void count(const std::shared_ptr<Handle>& handle) {
  auto feedback = std::make_shared<Fibonacci::Feedback>();
  auto result = std::make_shared<Fibonacci::Result>();
  auto& sequence = feedback->sequence;
  sequence = {0, 1};
  while (static_cast<int>(sequence.size()) < handle->get_goal()->order) {
    if (!rclcpp::sleep_for(std::chrono::milliseconds(20))) {
      return;
    }
    result->sequence = sequence;
    if (handle->is_canceling()) {
      handle->canceled(result);
      return;
    }
    sequence.push_back(static_cast<int32_t>(static_cast<uint32_t>(sequence.back()) +
                                            static_cast<uint32_t>(sequence[sequence.size() - 2])));
    handle->publish_feedback(feedback);
  }
  result->sequence = sequence;
  handle->succeed(result);
}

}  // namespace

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  auto node = std::make_shared<rclcpp::Node>("action_test_server");
  std::vector<std::thread> threads;
  auto server = rclcpp_action::create_server<Fibonacci>(
      node, "fibonacci",
      [](const rclcpp_action::GoalUUID&, std::shared_ptr<const Fibonacci::Goal> goal) {
        return goal->order < 0 ? rclcpp_action::GoalResponse::REJECT : rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
      },
      [](std::shared_ptr<Handle>) { return rclcpp_action::CancelResponse::ACCEPT; },
      [&](std::shared_ptr<Handle> handle) { threads.emplace_back(count, handle); });
  std::printf("ready\n");
  std::fflush(stdout);
  rclcpp::spin(node);
  rclcpp::shutdown();
  for (auto& thread : threads) {
    thread.join();
  }
  return 0;
}

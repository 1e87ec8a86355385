// SPDX-License-Identifier: Apache-2.0
// Sends one goal, tells what it hears of it, and ends with the result.
#include <cstdio>
#include <cstdlib>

#include "example_interfaces/action/fibonacci.hpp"
#include "rclcpp/rclcpp.hpp"
#include "rclcpp_action/rclcpp_action.hpp"

using Fibonacci = example_interfaces::action::Fibonacci;
using Handle = rclcpp_action::ClientGoalHandle<Fibonacci>;

namespace {

void say(const char* text) {
  std::printf("%s\n", text);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = rclcpp::init_and_remove_ros_arguments(argc, argv);
  auto node = std::make_shared<rclcpp::Node>("action_test_client");
  auto client = rclcpp_action::create_client<Fibonacci>(node, "fibonacci");
  if (!client->wait_for_action_server(std::chrono::seconds(20))) {
    say("no server");
    return 1;
  }
  Fibonacci::Goal goal;
  goal.order = std::atoi(arguments.at(1).c_str());
  rclcpp_action::Client<Fibonacci>::SendGoalOptions options;
  options.goal_response_callback = [](Handle::SharedPtr handle) {
    say(handle ? "accepted" : "rejected");
    if (!handle) {
      rclcpp::shutdown();
    }
  };
  options.feedback_callback = [](Handle::SharedPtr, std::shared_ptr<const Fibonacci::Feedback>) { say("feedback"); };
  options.result_callback = [](const Handle::WrappedResult& result) {
    say(result.code == rclcpp_action::ResultCode::SUCCEEDED ? "succeeded" : "not succeeded");
    rclcpp::shutdown();
  };
  client->async_send_goal(goal, options);
  rclcpp::spin(node);
  rclcpp::shutdown();
  return 0;
}

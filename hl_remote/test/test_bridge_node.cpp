// SPDX-License-Identifier: Apache-2.0
// The bridge over the real middleware, driven by an independent implementation of the protocol (npm's ws-protocol).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <rcl_interfaces/msg/log.hpp>
#include <rclcpp/rclcpp.hpp>
#include <regex>
#include <std_msgs/msg/string.hpp>
#include <thread>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/spinning.hpp"

namespace hl_remote {

using hl_testing::Process;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(BridgeNode, AnIndependentClientSeesDecodesAndChanges) {
  if (!std::filesystem::exists(PAGE_FOLDER "/node_modules/@foxglove/ws-protocol"))
    GTEST_SKIP() << "npm could not fetch the page's packages, so there is no client to test with";
  hl_testing::isolate();
  const auto token_file = std::filesystem::temp_directory_path() / ("hl_remote_token_" + std::to_string(::getpid()));
  std::ofstream(token_file) << "0123456789abcdef\n";
  Process bridge({PROGRAM_FOLDER "/bridge", "--ros-args", "-p", "port:=0", "-p", "token_file:=" + token_file.string()});
  ASSERT_TRUE(bridge.wait_for_output("look: http://", minutes(1))) << bridge.output();
  std::smatch port;
  const std::string said = bridge.output();
  ASSERT_TRUE(std::regex_search(said, port, std::regex("127\\.0\\.0\\.1:(\\d+)/"))) << said;

  const auto context = std::make_shared<rclcpp::Context>();
  context->init(0, nullptr);
  rclcpp::NodeOptions options;
  options.context(context);
  const auto talker = std::make_shared<rclcpp::Node>("talker", options);
  talker->declare_parameter("word", "hello");
  const auto publisher = talker->create_publisher<std_msgs::msg::String>("/chatter", 10);
  const auto timer = talker->create_wall_timer(std::chrono::milliseconds(50), [&] {
    std_msgs::msg::String message;
    message.data = "hello";
    publisher->publish(message);
  });
  // Of some types every message counts, however many come at once.
  const auto log = talker->create_publisher<rcl_interfaces::msg::Log>("/burst", 100);
  const auto burst = talker->create_wall_timer(seconds(1), [&] {
    for (std::uint32_t line = 0; line < 50; ++line) {
      rcl_interfaces::msg::Log message;
      message.line = line;
      log->publish(message);
    }
  });
  rclcpp::ExecutorOptions executor_options;
  executor_options.context = context;
  rclcpp::executors::SingleThreadedExecutor executor(executor_options);
  executor.add_node(talker);
  Process client(
      {"node", PAGE_FOLDER "/test/protocol.mjs", "ws://127.0.0.1:" + port[1].str() + "/", "0123456789abcdef"});
  hl_testing::spin_closely_until(
      executor, [&] { return !client.running(); }, minutes(2));
  EXPECT_EQ(client.wait(seconds(1)), 0) << client.output() << bridge.output();
  EXPECT_EQ(bridge.stop(seconds(30)), 0) << bridge.output();
  context->shutdown("the test is over");
  std::filesystem::remove(token_file);
}

}  // namespace hl_remote

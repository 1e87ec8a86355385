// SPDX-License-Identifier: Apache-2.0
// Two and more processes over the real middleware.
#include <algorithm>
#include <csignal>
#include <memory>
#include <set>

#include "example_interfaces/srv/add_two_ints.hpp"
#include "fixture.hpp"
#include "std_msgs/msg/int64.hpp"
#include "std_msgs/msg/string.hpp"

using example_interfaces::srv::AddTwoInts;
using hl_testing::Process;
using std_msgs::msg::Int64;
using std_msgs::msg::String;

namespace {

std::unique_ptr<Process> peer(const std::string& role, const std::string& name = "",
                              std::vector<std::string> extra = {}) {
  std::vector<std::string> arguments{PEER, role};
  if (!name.empty()) arguments.push_back(name);
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  return std::make_unique<Process>(arguments);
}

}  // namespace

class Processes : public WithRos {};

TEST_F(Processes, SubscriberHearsAPublisherThatIsKilledAndStartedAgain) {
  auto node = make_node("hearing");
  int received = 0;
  auto subscription = node->create_subscription<Int64>("numbers", 10, [&](const Int64&) { ++received; });
  for (int round = 0; round < 2; ++round) {
    auto talker = peer("talk");
    const int before = received;
    ASSERT_TRUE(spin_until([&] { return received >= before + 10; })) << talker->output();
    talker->signal(SIGKILL);
    talker->wait();
    spin_until([&] { return false; }, 20ms);
  }
}

TEST_F(Processes, PublisherReachesASubscriberThatIsKilledAndStartedAgain) {
  auto node = make_node("talking");
  auto publisher = node->create_publisher<Int64>("numbers", 10);
  auto timer = node->create_wall_timer(5ms, [&] { publisher->publish(Int64()); });
  for (int round = 0; round < 2; ++round) {
    auto listener = peer("listen");
    ASSERT_TRUE(spin_until([&] { return listener->output().find("received") != std::string::npos; }))
        << listener->output();
    listener->signal(SIGKILL);
    listener->wait();
  }
}

TEST_F(Processes, ServiceSurvivesAKilledClientAndClientAKilledServer) {
  auto node = make_node("serving");
  {
    auto service = node->create_service<AddTwoInts>(
        "add", [](const std::shared_ptr<AddTwoInts::Request> request, std::shared_ptr<AddTwoInts::Response> response) {
          response->sum = request->a + request->b;
        });
    for (int round = 0; round < 2; ++round) {
      auto client = peer("call");
      ASSERT_TRUE(spin_until([&] { return client->output().find("sum 42") != std::string::npos; })) << client->output();
      client->signal(SIGKILL);
      client->wait();
    }
  }
  auto client = node->create_client<AddTwoInts>("add");
  for (int round = 0; round < 2; ++round) {
    auto server = peer("serve");
    ASSERT_TRUE(server->wait_for_output("ready"));
    // The dead server of the last round is in the graph until its lease ends, so a request may be lost: ask again.
    int64_t sum = 0;
    ASSERT_TRUE(spin_until([&] {
      if (!client->service_is_ready()) return false;
      auto request = std::make_shared<AddTwoInts::Request>();
      request->a = round;
      request->b = 1;
      auto future = client->async_send_request(request);
      if (executor_->spin_until_future_complete(future, 1s) == rclcpp::FutureReturnCode::SUCCESS) {
        sum = future.get()->sum;
      }
      return sum == round + 1;
    }));
    server->signal(SIGKILL);
    server->wait();
  }
}

TEST_F(Processes, LateJoinerGetsTheLatchedMessage) {
  auto latching = peer("latch", "keeper");
  ASSERT_TRUE(latching->wait_for_output("ready"));
  auto node = make_node("late");
  std::string heard;
  auto subscription = node->create_subscription<String>("latched", rclcpp::QoS(1).transient_local(),
                                                        [&](const String& message) { heard = message.data; });
  ASSERT_TRUE(spin_until([&] { return !heard.empty(); }));
  EXPECT_EQ(heard, "kept by keeper");
  EXPECT_EQ(latching->stop(), 0);
}

TEST_F(Processes, FortyNodesAreSeenWithTheirTopics) {
  auto crowd = peer("crowd", "member");
  ASSERT_TRUE(crowd->wait_for_output("ready"));
  auto node = make_node("census");
  const auto members = [&] {
    const auto names = node->get_node_names();
    return std::count_if(names.begin(), names.end(),
                         [](const std::string& name) { return name.rfind("/crowd/member", 0) == 0; });
  };
  EXPECT_TRUE(spin_until([&] { return members() == 40; })) << members();
  EXPECT_TRUE(spin_until([&] { return node->get_topic_names_and_types().count("/crowd/member39/data") == 1; }));
  EXPECT_EQ(node->get_node_graph_interface()->get_service_names_and_types_by_node("member7", "/crowd").size(), 6u);
  EXPECT_EQ(crowd->stop(), 0);
  EXPECT_TRUE(spin_until([&] { return members() == 0; })) << members();
}

TEST_F(Processes, SixtyProcessesFindEachOtherOnLoopback) {
  const std::size_t count = hl_testing::count(60, 110);
  auto node = make_node("meeting");
  std::size_t received = 0;
  auto subscription = node->create_subscription<Int64>("many", rclcpp::QoS(rclcpp::KeepAll()).transient_local(),
                                                       [&](const Int64&) { ++received; });
  std::vector<std::unique_ptr<Process>> processes;
  for (std::size_t i = 0; i < count; ++i) processes.push_back(peer("many", "many_" + std::to_string(i)));
  EXPECT_TRUE(spin_until([&] { return received == count; }, 120s)) << received;
  EXPECT_TRUE(spin_until([&] { return node->get_node_names().size() == count + 1; }, 60s))
      << node->get_node_names().size();
  for (const auto& process : processes) process->signal(SIGINT);
  for (const auto& process : processes) EXPECT_EQ(process->wait(), 0) << process->output();
}

TEST_F(Processes, ArgumentsOfTheCommandLineReachTheNode) {
  auto other = peer("parameters", "", {"--ros-args", "-r", "__node:=tuned", "-r", "__ns:=/lab", "-p", "gain:=2.5"});
  ASSERT_TRUE(other->wait_for_output("gain 2.5")) << other->output();
  auto node = std::make_shared<rclcpp::Node>("tuner");
  rclcpp::SyncParametersClient client(node, "/lab/tuned");
  ASSERT_TRUE(client.wait_for_service(30s));
  EXPECT_TRUE(client.set_parameters({rclcpp::Parameter("gain", 3.0)}).at(0).successful);
  EXPECT_EQ(client.get_parameter<double>("gain"), 3.0);
  other->signal(SIGTERM);
  EXPECT_EQ(other->wait(), 0) << other->output();
}

TEST_F(Processes, BadArgumentsEndTheProcessWithTheirText) {
  auto other = peer("parameters", "", {"--ros-args", "-p", "no_value"});
  EXPECT_NE(other->wait().value_or(0), 0);
  EXPECT_NE(other->output().find("no_value"), std::string::npos) << other->output();
}

RCLCPP_TEST_MAIN

// SPDX-License-Identifier: Apache-2.0
// The programs against real nodes, over the middleware.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/string.hpp>
#include <std_srvs/srv/set_bool.hpp>
#include <thread>

#include "hl_testing/isolation.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "tools.hpp"

namespace {

using hl_testing::Process;
using tools::command;
using tools::contains;
using tools::patience;
using tools::run;

/// A node with a topic, a service and parameters, spinning in the background.
class Tools : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    hl_testing::isolate();
    rclcpp::init(0, nullptr);
  }
  static void TearDownTestSuite() { rclcpp::shutdown(); }

  void SetUp() override {
    node_ = std::make_shared<rclcpp::Node>("walker", "robot1");
    rcl_interfaces::msg::ParameterDescriptor descriptor;
    descriptor.description = "steps per second";
    rcl_interfaces::msg::FloatingPointRange range;
    range.from_value = 0.5;
    range.to_value = 4.0;
    descriptor.floating_point_range = {range};
    node_->declare_parameter("gait.rate", 2.0, descriptor);
    node_->declare_parameter("joints", std::vector<std::string>{"l_hip", "r_hip"});
    node_->declare_parameter("side", "left");
    rcl_interfaces::msg::ParameterDescriptor dynamic;
    dynamic.dynamic_typing = true;
    node_->declare_parameter("extra", rclcpp::ParameterValue(7), dynamic);
    publisher_ = node_->create_publisher<std_msgs::msg::String>("status", rclcpp::QoS(1).transient_local());
    std_msgs::msg::String message;
    message.data = "walking: yes";
    publisher_->publish(message);
    subscription_ =
        node_->create_subscription<std_msgs::msg::String>("orders", 10, [this](const std_msgs::msg::String& order) {
          const std::lock_guard lock(mutex_);
          orders_.push_back(order.data);
        });
    service_ = node_->create_service<std_srvs::srv::SetBool>(
        "set_torque", [](const std_srvs::srv::SetBool::Request::SharedPtr request,
                         std_srvs::srv::SetBool::Response::SharedPtr response) {
          response->success = request->data;
          response->message = request->data ? "on" : "off";
        });
    executor_.add_node(node_);
    thread_ = std::thread([this] { executor_.spin(); });
  }

  void TearDown() override {
    executor_.cancel();
    thread_.join();
    executor_.remove_node(node_);
  }

  std::vector<std::string> orders() {
    const std::lock_guard lock(mutex_);
    return orders_;
  }

  rclcpp::executors::SingleThreadedExecutor executor_;
  rclcpp::Node::SharedPtr node_;
  rclcpp::Publisher<std_msgs::msg::String>::SharedPtr publisher_;
  rclcpp::Subscription<std_msgs::msg::String>::SharedPtr subscription_;
  rclcpp::Service<std_srvs::srv::SetBool>::SharedPtr service_;
  std::thread thread_;
  std::mutex mutex_;
  std::vector<std::string> orders_;
};

TEST_F(Tools, TopicListInfoTypeFind) {
  EXPECT_TRUE(contains(run("topic", {"list", "-t"}).output, "/robot1/status [std_msgs/msg/String]\n"));
  EXPECT_EQ(run("topic", {"type", "/robot1/status"}).output, "std_msgs/msg/String\n");
  EXPECT_TRUE(contains(run("topic", {"find", "std_msgs/msg/String"}).output, "/robot1/orders\n/robot1/status\n"));
  EXPECT_EQ(run("topic", {"info", "/robot1/status"}).output,
            "Type: std_msgs/msg/String\nPublisher count: 1\nSubscription count: 0\n");
  const auto verbose = run("topic", {"info", "-v", "robot1/status"}).output;
  EXPECT_TRUE(contains(verbose, "Node name: walker\nNode namespace: /robot1\n"));
  EXPECT_TRUE(contains(verbose, "Durability: TRANSIENT_LOCAL"));
}

TEST_F(Tools, UnknownTopicGetsAHint) {
  const auto result = run("topic", {"echo", "/robot1/staus"});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(contains(result.output, "did you mean '/robot1/status'?"));
}

TEST_F(Tools, EchoMatchesTheQosOfALatchedTopic) {
  const auto result = run("topic", {"echo", "--once", "/robot1/status"});
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(result.output, "data: 'walking: yes'\n---\n");
  EXPECT_EQ(run("topic", {"echo", "--once", "--field", "data", "--csv", "/robot1/status"}).output, "walking: yes\n");
}

TEST_F(Tools, EchoOfAnotherTypeFailsCleanly) {
  const auto result = run("topic", {"echo", "--once", "--timeout", "1", "/robot1/status", "std_msgs/msg/Int64"});
  EXPECT_EQ(result.code, 1);
  EXPECT_TRUE(contains(result.output, "no message on '/robot1/status'"));
}

TEST_F(Tools, PubReachesASubscriber) {
  const auto result =
      run("topic", {"pub", "-t", "3", "-r", "50", "/robot1/orders", "std_msgs/msg/String", "{data: kick}"});
  EXPECT_EQ(result.code, 0);
  EXPECT_TRUE(contains(result.output, "publishing #3: std_msgs.msg.String(data='kick')"));
  EXPECT_TRUE(hl_testing::wait_until([&] { return orders().size() == 3; }));
}

TEST_F(Tools, HzAndBwMeasure) {
  Process source(command("topic", {"pub", "-r", "20", "-p", "1000", "/beat", "std_msgs/msg/String", "{data: hello}"}));
  Process hz(command("topic", {"hz", "--spin-time", "60", "/beat"}));
  Process bw(command("topic", {"bw", "--spin-time", "60", "/beat"}));
  EXPECT_TRUE(hz.wait_for_output("average rate: ", patience)) << hz.output();
  EXPECT_TRUE(bw.wait_for_output("/s from ", patience)) << bw.output();
  EXPECT_EQ(hz.stop().value_or(-1), 0);
  EXPECT_EQ(bw.stop().value_or(-1), 0);
  EXPECT_EQ(source.stop().value_or(-1), 0);
}

TEST_F(Tools, NodeListAndInfo) {
  EXPECT_TRUE(contains(run("node", {"list"}).output, "/robot1/walker\n"));
  const auto info = run("node", {"info", "/robot1/walker"}).output;
  EXPECT_TRUE(contains(info, "  Subscribers:\n"));
  EXPECT_TRUE(contains(info, "    /robot1/orders: std_msgs/msg/String\n"));
  EXPECT_TRUE(contains(info, "    /robot1/set_torque: std_srvs/srv/SetBool\n"));
  EXPECT_TRUE(contains(run("node", {"info", "/robot1/walkr"}).output, "did you mean '/robot1/walker'?"));
}

TEST_F(Tools, ServiceListTypeFindCall) {
  EXPECT_TRUE(contains(run("service", {"list", "-t"}).output, "/robot1/set_torque [std_srvs/srv/SetBool]\n"));
  EXPECT_EQ(run("service", {"type", "/robot1/set_torque"}).output, "std_srvs/srv/SetBool\n");
  EXPECT_EQ(run("service", {"find", "std_srvs/srv/SetBool"}).output, "/robot1/set_torque\n");
  const auto call = run("service", {"call", "/robot1/set_torque", "std_srvs/srv/SetBool", "{data: true}"});
  EXPECT_EQ(call.code, 0);
  EXPECT_TRUE(contains(call.output,
                       "requester: making request: std_srvs.srv.SetBool_Request(data=True)\n\nresponse:\n"
                       "std_srvs.srv.SetBool_Response(success=True, message='on')\n"));
  const auto missing = run("service", {"call", "--timeout", "1", "/robot1/set_torqe", "std_srvs/srv/SetBool"});
  EXPECT_EQ(missing.code, 1);
  EXPECT_TRUE(contains(missing.output, "did you mean '/robot1/set_torque'?"));
}

TEST_F(Tools, ParameterListGetSet) {
  EXPECT_TRUE(contains(run("param", {"list", "/robot1/walker"}).output, "  gait.rate\n  joints\n  side\n"));
  EXPECT_TRUE(contains(run("param", {"list"}).output, "/robot1/walker:\n"));
  EXPECT_EQ(run("param", {"get", "/robot1/walker", "gait.rate"}).output, "Double value is: 2.0\n");
  EXPECT_EQ(run("param", {"get", "/robot1/walker", "joints"}).output, "String values are: [l_hip, r_hip]\n");
  EXPECT_EQ(run("param", {"set", "/robot1/walker", "gait.rate", "3.5"}).output, "Set parameter successful\n");
  EXPECT_EQ(node_->get_parameter("gait.rate").as_double(), 3.5);
  const auto refused = run("param", {"set", "/robot1/walker", "gait.rate", "9.0"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(contains(refused.output, "Setting parameter failed: "));
  const auto wrong_type = run("param", {"set", "/robot1/walker", "gait.rate", "fast"});
  EXPECT_EQ(wrong_type.code, 1);
  EXPECT_TRUE(contains(run("param", {"get", "/robot1/walker", "sid"}).output, "did you mean 'side'?"));
}

TEST_F(Tools, ParameterDescribeDumpLoadDelete) {
  const auto text = run("param", {"describe", "/robot1/walker", "gait.rate"}).output;
  EXPECT_TRUE(contains(text,
                       "Parameter name: gait.rate\n  Type: double\n  Description: steps per second\n  Constraints:\n"
                       "    Min value: 0.5\n    Max value: 4.0\n"));
  const auto dump = run("param", {"dump", "/robot1/walker"});
  EXPECT_TRUE(contains(dump.output, "/robot1/walker:\n  ros__parameters:\n    extra: 7\n    gait:\n      rate: 2.0\n"));
  auto edited = dump.output;
  edited.replace(edited.find("rate: 2.0"), 9, "rate: 1.5");
  const hl_testing::TemporaryFolder folder;
  const auto path = folder.path() / "parameters.yaml";
  std::ofstream(path) << edited;
  EXPECT_TRUE(contains(run("param", {"load", "/robot1/walker", path}).output, "Set parameter gait.rate successful\n"));
  EXPECT_EQ(node_->get_parameter("gait.rate").as_double(), 1.5);
  std::ofstream(path) << "a: [1";
  const auto broken = run("param", {"load", "/robot1/walker", path});
  EXPECT_EQ(broken.code, 1);
  EXPECT_TRUE(contains(broken.output, path.string() + ":"));
  EXPECT_EQ(run("param", {"delete", "/robot1/walker", "extra"}).output, "Deleted parameter successfully\n");
}

}  // namespace

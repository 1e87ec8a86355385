// SPDX-License-Identifier: Apache-2.0
// The other process of test_processes: `peer ROLE [NAME]`.
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "example_interfaces/srv/add_two_ints.hpp"
#include "geometry_msgs/msg/twist.hpp"
#include "rclcpp/rclcpp.hpp"
#include "std_msgs/msg/int64.hpp"
#include "std_msgs/msg/string.hpp"

using example_interfaces::srv::AddTwoInts;
using geometry_msgs::msg::Twist;
using std_msgs::msg::Int64;
using std_msgs::msg::String;
using namespace std::chrono_literals;

namespace {

void say(const std::string& text) {
  std::printf("%s\n", text.c_str());
  std::fflush(stdout);
}

void talk(const std::string& name) {
  auto node = std::make_shared<rclcpp::Node>(name);
  auto publisher = node->create_publisher<Int64>("numbers", 10);
  Int64 message;
  auto timer = node->create_wall_timer(10ms, [&] {
    ++message.data;
    publisher->publish(message);
  });
  rclcpp::spin(node);
}

void listen(const std::string& name) {
  auto node = std::make_shared<rclcpp::Node>(name);
  int received = 0;
  auto subscription = node->create_subscription<Int64>("numbers", 10, [&](const Int64&) {
    if (++received % 10 == 0) say("received");
  });
  say("ready");
  rclcpp::spin(node);
}

void latch(const std::string& name) {
  auto node = std::make_shared<rclcpp::Node>(name);
  auto publisher = node->create_publisher<String>("latched", rclcpp::QoS(1).transient_local());
  String message;
  message.data = "kept by " + name;
  publisher->publish(message);
  say("ready");
  rclcpp::spin(node);
}

void serve(const std::string& name) {
  auto node = std::make_shared<rclcpp::Node>(name);
  auto service = node->create_service<AddTwoInts>(
      "add", [](const std::shared_ptr<AddTwoInts::Request> request, std::shared_ptr<AddTwoInts::Response> response) {
        response->sum = request->a + request->b;
      });
  say("ready");
  rclcpp::spin(node);
}

void call(const std::string& name) {
  auto node = std::make_shared<rclcpp::Node>(name);
  auto client = node->create_client<AddTwoInts>("add");
  if (!client->wait_for_service(60s)) return;
  auto request = std::make_shared<AddTwoInts::Request>();
  request->a = 20;
  request->b = 22;
  auto future = client->async_send_request(request);
  if (rclcpp::spin_until_future_complete(node, future, 60s) == rclcpp::FutureReturnCode::SUCCESS) {
    say("sum " + std::to_string(future.get()->sum));
  }
}

/// Forty nodes in one process, each with a topic of its own.
void crowd(const std::string& name) {
  rclcpp::executors::SingleThreadedExecutor executor;
  std::vector<rclcpp::Node::SharedPtr> nodes;
  std::vector<rclcpp::Publisher<Int64>::SharedPtr> publishers;
  for (int i = 0; i < 40; ++i) {
    nodes.push_back(std::make_shared<rclcpp::Node>(name + std::to_string(i), "/crowd"));
    publishers.push_back(nodes.back()->create_publisher<Int64>("~/data", 1));
    executor.add_node(nodes.back());
  }
  say("ready");
  executor.spin();
}

/// One of very many processes, with one latched topic.
void one_of_many(const std::string& name) {
  auto node = std::make_shared<rclcpp::Node>(name, rclcpp::NodeOptions().start_parameter_services(false));
  auto publisher = node->create_publisher<Int64>("many", rclcpp::QoS(1).transient_local());
  publisher->publish(Int64());
  say("ready");
  rclcpp::spin(node);
}

/// Sends back what it receives.
void mirror(const std::string& name) {
  auto node = std::make_shared<rclcpp::Node>(name);
  auto publisher = node->create_publisher<Twist>("back", 10);
  auto subscription =
      node->create_subscription<Twist>("there", 10, [&](const Twist& message) { publisher->publish(message); });
  auto timer = node->create_wall_timer(5ms, [&](rclcpp::TimerBase& self) {
    if (publisher->get_subscription_count() == 0 || subscription->get_publisher_count() == 0) return;
    self.cancel();
    say("matched");
  });
  rclcpp::spin(node);
}

void parameters(const std::string& name) {
  auto node = std::make_shared<rclcpp::Node>(name);
  node->declare_parameter("gain", 1.0);
  say("gain " + std::to_string(node->get_parameter("gain").as_double()));
  rclcpp::spin(node);
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = rclcpp::init_and_remove_ros_arguments(argc, argv);
  const std::map<std::string, std::function<void(const std::string&)>> roles{
      {"talk", talk},   {"listen", listen},    {"latch", latch},           {"serve", serve},  {"call", call},
      {"crowd", crowd}, {"many", one_of_many}, {"parameters", parameters}, {"mirror", mirror}};
  const auto role = roles.find(arguments.size() > 1 ? arguments[1] : "");
  if (role == roles.end()) return 2;
  role->second(arguments.size() > 2 ? arguments[2] : role->first);
  rclcpp::shutdown();
  return 0;
}

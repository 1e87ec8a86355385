// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <thread>

#include "fixture.hpp"
#include "rcl_interfaces/msg/log.hpp"
#include "rosgraph_msgs/msg/clock.hpp"
#include "std_msgs/msg/int64.hpp"

using rclcpp::NodeOptions;
using rclcpp::Parameter;
using rosgraph_msgs::msg::Clock;
using std_msgs::msg::Int64;
using Names = std::vector<std::string>;

class Nodes : public WithRos {
 protected:
  template <class Container, class Value>
  static bool contains(const Container& container, const Value& value) {
    return std::find(container.begin(), container.end(), value) != container.end();
  }
};

TEST_F(Nodes, ArgumentsRemapNamesAndGiveParameters) {
  NodeOptions options;
  options.arguments({"--ros-args", "-r", "__node:=renamed", "-r", "__ns:=/robot", "-r", "chatter:=talk", "-p",
                     "speed:=1.5", "-p", "name:=minibot"});
  auto node = make_node("original", options, "/elsewhere");
  EXPECT_STREQ(node->get_fully_qualified_name(), "/robot/renamed");
  EXPECT_STREQ(node->get_logger().get_name(), "robot.renamed");
  EXPECT_STREQ(node->create_publisher<Int64>("chatter", 1)->get_topic_name(), "/robot/talk");
  EXPECT_STREQ(node->create_publisher<Int64>("~/own", 1)->get_topic_name(), "/robot/renamed/own");
  EXPECT_STREQ(node->create_publisher<Int64>("/global", 1)->get_topic_name(), "/global");
  EXPECT_EQ(node->declare_parameter("speed", 0.0), 1.5);
  EXPECT_EQ(node->declare_parameter<std::string>("name"), "minibot");
  EXPECT_THROW(node->declare_parameter<int>("missing"),
               rclcpp::exceptions::UninitializedStaticallyTypedParameterException);
}

TEST_F(Nodes, SubNodeDeepensRelativeNames) {
  auto node = make_node("parent", {}, "/ns");
  auto sub = node->create_sub_node("left")->create_sub_node("arm");
  EXPECT_EQ(sub->get_effective_namespace(), "/ns/left/arm");
  EXPECT_STREQ(sub->create_publisher<Int64>("x", 1)->get_topic_name(), "/ns/left/arm/x");
  EXPECT_STREQ(sub->create_publisher<Int64>("/x", 1)->get_topic_name(), "/x");
  using rclcpp::exceptions::NameValidationError;
  for (const char* bad : {"/absolute", "", "with space", "~private", "1st", "a//b", "tail/"}) {
    EXPECT_THROW(node->create_sub_node(bad), NameValidationError) << bad;
  }
}

TEST_F(Nodes, ParametersAreReadAndSetOverServices) {
  auto node = make_node("with_parameters");
  rcl_interfaces::msg::ParameterDescriptor percent;
  percent.description = "how much";
  percent.integer_range.resize(1);
  percent.integer_range[0].to_value = 100;
  node->declare_parameter("percent", 50, percent);
  node->declare_parameter("gains.p", 1.0);
  auto refuse = node->add_on_set_parameters_callback([](const std::vector<Parameter>& parameters) {
    rcl_interfaces::msg::SetParametersResult result;
    result.successful = !std::any_of(parameters.begin(), parameters.end(),
                                     [](const Parameter& p) { return p.get_name() == "gains.p" && p.as_double() < 0; });
    result.reason = result.successful ? "" : "a gain is never negative";
    return result;
  });

  auto asker = std::make_shared<rclcpp::Node>("asker");
  std::vector<std::string> changed;
  rclcpp::ParameterEventHandler handler(asker);
  auto watch = handler.add_parameter_callback(
      "percent", [&](const Parameter& p) { changed.push_back(p.value_to_string()); }, "/with_parameters");
  std::thread spinner([&] { executor_->spin(); });
  {
    rclcpp::SyncParametersClient client(asker, "/with_parameters");
    EXPECT_TRUE(client.wait_for_service(30s));
    EXPECT_EQ(client.get_parameter<int>("percent"), 50);
    EXPECT_EQ(client.get_parameter("absent", 7), 7);
    EXPECT_TRUE(client.has_parameter("percent"));
    EXPECT_FALSE(client.has_parameter("absent"));
    EXPECT_TRUE(client.set_parameters({Parameter("percent", 60)}).at(0).successful);
    EXPECT_EQ(node->get_parameter("percent").as_int(), 60);
    const auto beyond = client.set_parameters({Parameter("percent", 101)}).at(0);
    EXPECT_FALSE(beyond.successful);
    EXPECT_NE(beyond.reason.find("101"), std::string::npos) << beyond.reason;
    EXPECT_FALSE(client.set_parameters({Parameter("percent", "text")}).at(0).successful);
    EXPECT_FALSE(client.set_parameters({Parameter("absent", 1)}).at(0).successful);
    const auto refused = client.set_parameters_atomically({Parameter("percent", 70), Parameter("gains.p", -1.0)});
    EXPECT_EQ(refused.reason, "a gain is never negative");
    EXPECT_EQ(node->get_parameter("percent").as_int(), 60);
    EXPECT_EQ(client.describe_parameters({"percent"}).at(0).description, "how much");
    EXPECT_EQ(client.get_parameter_types({"gains.p"}).at(0), rclcpp::PARAMETER_DOUBLE);
    EXPECT_EQ(client.list_parameters({"gains"}, 0).names, Names{"gains.p"});
    rclcpp::executors::SingleThreadedExecutor events;
    events.add_node(asker);
    EXPECT_TRUE(hl_testing::wait_until([&] {
      events.spin_once(10ms);
      return !changed.empty();
    }));
    EXPECT_EQ(changed, Names{"60"});
  }
  executor_->cancel();
  spinner.join();
}

TEST_F(Nodes, GraphShowsNodesTopicsAndServices) {
  auto one = make_node("one", {}, "/ns");
  auto two = make_node("two");
  auto event = two->get_graph_event();
  auto publisher = one->create_publisher<Int64>("data", 1);
  auto subscription = two->create_subscription<Int64>("/ns/data", 1, [](const Int64&) {});
  ASSERT_TRUE(
      spin_until([&] { return two->count_publishers("/ns/data") == 1 && two->count_subscribers("/ns/data") == 1; }));
  two->wait_for_graph_change(event, 30s);
  EXPECT_TRUE(event->check_and_clear());
  two->wait_for_graph_change(event, 1ms);  // returns
  EXPECT_TRUE(contains(two->get_node_names(), "/ns/one"));
  EXPECT_EQ(two->get_topic_names_and_types().at("/ns/data"), Names{"std_msgs/msg/Int64"});
  EXPECT_EQ(two->get_service_names_and_types().at("/ns/one/get_parameters"), Names{"rcl_interfaces/srv/GetParameters"});
  const auto graph = two->get_node_graph_interface();
  EXPECT_TRUE(graph->get_publisher_names_and_types_by_node("one", "/ns").count("/ns/data"));
  EXPECT_TRUE(graph->get_subscriber_names_and_types_by_node("two", "/").count("/ns/data"));
  EXPECT_TRUE(graph->get_service_names_and_types_by_node("one", "/ns").count("/ns/one/list_parameters"));
  EXPECT_THROW(graph->get_publisher_names_and_types_by_node("nobody", "/"), std::runtime_error);
  publisher.reset();
  EXPECT_TRUE(spin_until([&] { return two->count_publishers("/ns/data") == 0; }));
}

TEST_F(Nodes, LogGoesToRosout) {
  auto node = make_node("chatty");
  auto listener = make_node("reader");
  std::vector<rcl_interfaces::msg::Log> logs;
  auto subscription = listener->create_subscription<rcl_interfaces::msg::Log>(
      "/rosout", rclcpp::RosoutQoS(), [&](const rcl_interfaces::msg::Log& log) { logs.push_back(log); });
  RCLCPP_WARN(node->get_logger(), "battery at %d %%", 12);
  RCLCPP_INFO(rclcpp::get_logger("somebody_else"), "not of a node");
  ASSERT_TRUE(spin_until([&] { return !logs.empty(); }));
  EXPECT_EQ(logs[0].msg, "battery at 12 %");
  EXPECT_EQ(logs[0].name, "chatty");
  EXPECT_EQ(logs[0].level, rcl_interfaces::msg::Log::WARN);
  EXPECT_GT(logs[0].line, 0u);
  executor_->spin_some();
  EXPECT_EQ(logs.size(), 1u);
}

class SimulatedTime : public Nodes {
 protected:
  SimulatedTime() {
    source_ = make_node("simulator");
    publisher_ = source_->create_publisher<Clock>("/clock", rclcpp::QoS(10));
  }
  void set_clock(double seconds) {
    Clock message;
    message.clock = rclcpp::Time(static_cast<int64_t>(seconds * 1e9));
    publisher_->publish(message);
  }
  rclcpp::Node::SharedPtr source_;
  rclcpp::Publisher<Clock>::SharedPtr publisher_;
};

TEST_F(SimulatedTime, TimersFollowTheClockThroughPauseAndJumps) {
  auto node = make_node("simulated", NodeOptions().append_parameter_override("use_sim_time", true));
  ASSERT_TRUE(spin_until([&] { return publisher_->get_subscription_count() == 1; }));
  EXPECT_EQ(node->now().nanoseconds(), 0);
  set_clock(100.0);
  ASSERT_TRUE(spin_until([&] { return node->now().seconds() == 100.0; }));
  int calls = 0;
  auto timer = rclcpp::create_timer(node, node->get_clock(), rclcpp::Duration(1s), [&] { ++calls; });
  int wall = 0;
  auto wall_timer = node->create_wall_timer(5ms, [&] { ++wall; });

  ASSERT_TRUE(spin_until([&] { return wall >= 5; }));  // the simulation pauses, real time goes on
  EXPECT_EQ(calls, 0);
  set_clock(101.0);
  EXPECT_TRUE(spin_until([&] { return calls == 1; }));
  set_clock(101.5);
  executor_->spin_all(0s);
  EXPECT_EQ(calls, 1);
  set_clock(110.25);  // a jump forward is one call, and the rhythm is kept
  EXPECT_TRUE(spin_until([&] { return calls == 2; }));
  set_clock(110.75);
  executor_->spin_all(0s);
  EXPECT_EQ(calls, 2);
  set_clock(111.0);
  EXPECT_TRUE(spin_until([&] { return calls == 3; }));

  int jumps = 0;
  auto handler = node->get_clock()->create_jump_callback(
      nullptr, [&](const rcl_time_jump_t& jump) { jumps += jump.delta.nanoseconds < 0; }, {false, {0}, {-1}});
  set_clock(5.0);  // the simulation was reset: the timer starts anew
  ASSERT_TRUE(spin_until([&] { return node->now().seconds() == 5.0; }));
  EXPECT_EQ(jumps, 1);
  EXPECT_EQ(calls, 3);
  set_clock(6.0);
  EXPECT_TRUE(spin_until([&] { return calls == 4; }));
}

TEST_F(SimulatedTime, SleepEndsWhenTheClockSaysSo) {
  auto node = make_node("sleeper", NodeOptions().append_parameter_override("use_sim_time", true));
  ASSERT_TRUE(spin_until([&] { return publisher_->get_subscription_count() == 1; }));
  set_clock(10.0);
  ASSERT_TRUE(spin_until([&] { return node->now().seconds() == 10.0; }));
  std::atomic<bool> awake{false};
  std::thread sleeper([&] {
    EXPECT_TRUE(node->get_clock()->sleep_for(rclcpp::Duration(2s)));
    awake = true;
  });
  set_clock(11.0);
  std::this_thread::sleep_for(10ms);
  EXPECT_FALSE(awake);
  for (double time = 12.0; !awake; time += 1.0) {
    set_clock(time);
    std::this_thread::sleep_for(1ms);
  }
  sleeper.join();
}

TEST_F(SimulatedTime, CanBeSwitchedAtRunTime) {
  auto node = make_node("switching");
  EXPECT_GT(node->now().seconds(), 1e9);
  int calls = 0;
  auto timer = rclcpp::create_timer(node, node->get_clock(), rclcpp::Duration(5ms), [&] { ++calls; });
  EXPECT_TRUE(spin_until([&] { return calls >= 2; }));
  EXPECT_TRUE(node->set_parameter(Parameter("use_sim_time", true)).successful);
  EXPECT_FALSE(node->set_parameter(Parameter("use_sim_time", 1)).successful);
  ASSERT_TRUE(spin_until([&] { return publisher_->get_subscription_count() == 1; }));
  set_clock(42.0);
  ASSERT_TRUE(spin_until([&] { return node->now().seconds() == 42.0; }));
  EXPECT_TRUE(node->set_parameter(Parameter("use_sim_time", false)).successful);
  EXPECT_GT(node->now().seconds(), 1e9);
  const int before = calls;
  EXPECT_TRUE(spin_until([&] { return calls >= before + 2; }));
}

TEST(Contexts, NodeBeforeInitAndSecondInitAreRefused) {
  EXPECT_THROW(rclcpp::Node("early"), rclcpp::exceptions::RCLError);
  rclcpp::init(0, nullptr);
  EXPECT_THROW(rclcpp::init(0, nullptr), rclcpp::ContextAlreadyInitialized);
  rclcpp::shutdown();
  EXPECT_FALSE(rclcpp::shutdown());
}

TEST(Contexts, SignalShutsDownAndCallsBack) {
  rclcpp::init(0, nullptr);
  EXPECT_TRUE(rclcpp::signal_handlers_installed());
  std::atomic<bool> told{false};
  rclcpp::on_shutdown([&] { told = true; });
  std::raise(SIGINT);
  EXPECT_FALSE(rclcpp::sleep_for(30s));
  EXPECT_FALSE(rclcpp::ok());
  EXPECT_TRUE(hl_testing::wait_until([&] { return told.load(); }));
  rclcpp::shutdown();
  EXPECT_FALSE(rclcpp::signal_handlers_installed());
}

TEST(Contexts, SeveralCanBeUsedInOneProcess) {
  auto context = std::make_shared<rclcpp::Context>();
  context->init(0, nullptr);
  {
    rclcpp::Node node("apart", NodeOptions().context(context));
    EXPECT_FALSE(rclcpp::ok());
    EXPECT_TRUE(rclcpp::ok(context));
  }
  EXPECT_TRUE(context->shutdown("enough"));
  EXPECT_EQ(context->shutdown_reason(), "enough");
}

RCLCPP_TEST_MAIN

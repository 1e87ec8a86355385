// SPDX-License-Identifier: Apache-2.0
// What nodes of other teams use, and how it behaves in Humble and Jazzy.
#include "rclcpp/rclcpp.hpp"  // first and alone: the programs below rely on what it brings along

namespace only_the_header {

int everything() {
  const std::set<int> numbers{1, 2, 3};
  const int sum = std::accumulate(numbers.begin(), numbers.end(), 0);
  assert(sum == 6);
  std::this_thread::yield();
  std::cout << std::max(sum, 0) << std::endl;
  return sum;
}

}  // namespace only_the_header

#include <rcutils/logging.h>

#include <rosgraph_msgs/msg/clock.hpp>
#include <std_msgs/msg/int64.hpp>

#include "fixture.hpp"
#include "rclcpp/node_interfaces/get_node_base_interface.hpp"
#include "rclcpp/node_interfaces/get_node_parameters_interface.hpp"
#include "rclcpp/node_interfaces/get_node_timers_interface.hpp"
#include "rclcpp/node_interfaces/get_node_topics_interface.hpp"
#include "rclcpp/time_source.hpp"

using rcl_interfaces::msg::ParameterEvent;
using rclcpp::ParameterEventsFilter;
using std_msgs::msg::Int64;

class HumbleApi : public WithRos {};

TEST_F(HumbleApi, OneHeaderIsEnough) {
  EXPECT_EQ(only_the_header::everything(), 6);
}

TEST_F(HumbleApi, SystemDefaultsAllowIntraProcessCommunication) {
  auto node = make_node("composed", rclcpp::NodeOptions().use_intra_process_comms(true));
  int received = 0;
  auto subscription =
      node->create_subscription<Int64>("t", rclcpp::SystemDefaultsQoS(), [&](Int64::UniquePtr) { ++received; });
  auto publisher = node->create_publisher<Int64>("t", rclcpp::SystemDefaultsQoS());
  ASSERT_TRUE(spin_until([&] { return publisher->get_subscription_count() == 1; }));
  publisher->publish(std::make_unique<Int64>());
  EXPECT_TRUE(spin_until([&] { return received == 1; }));
  EXPECT_THROW(node->create_publisher<Int64>("latched", rclcpp::QoS(1).transient_local()), std::invalid_argument);
  EXPECT_THROW(node->create_publisher<Int64>("none", rclcpp::QoS(0)), std::invalid_argument);
  EXPECT_THROW(node->create_publisher<Int64>("all", rclcpp::QoS(rclcpp::KeepAll())), std::invalid_argument);
}

TEST_F(HumbleApi, StaticSingleThreadedExecutorSpins) {
  auto node = std::make_shared<rclcpp::Node>("static_executor");
  rclcpp::executors::StaticSingleThreadedExecutor executor;
  executor.add_node(node);
  auto timer = node->create_wall_timer(1ms, [&] { executor.cancel(); });
  executor.spin();
  EXPECT_FALSE(executor.is_spinning());
}

TEST_F(HumbleApi, RateTellsItsPeriod) {
  EXPECT_EQ(rclcpp::Rate(4.0).period(), 250ms);
  EXPECT_EQ(rclcpp::WallRate(20ms).period(), 20ms);
}

TEST_F(HumbleApi, ParameterEventsAreFilteredByNameAndKind) {
  auto event = std::make_shared<ParameterEvent>();
  const auto parameter = [](const char* name) { return rclcpp::Parameter(name, 1).to_parameter_msg(); };
  event->new_parameters = {parameter("a"), parameter("b")};
  event->changed_parameters = {parameter("a")};
  event->deleted_parameters = {parameter("c")};
  using Type = ParameterEventsFilter::EventType;
  const ParameterEventsFilter both(event, {"a", "c"}, {Type::NEW, Type::CHANGED, Type::DELETED});
  ASSERT_EQ(both.get_events().size(), 3u);
  EXPECT_EQ(both.get_events()[0], (ParameterEventsFilter::EventPair{Type::NEW, &event->new_parameters[0]}));
  EXPECT_EQ(both.get_events()[1].first, Type::CHANGED);
  EXPECT_EQ(both.get_events()[2].second->name, "c");
  EXPECT_TRUE(ParameterEventsFilter(event, {"b"}, {Type::DELETED}).get_events().empty());
}

namespace {
std::atomic<int> handled{0};
void handler(const rcutils_log_location_t*, int, const char*, rcutils_time_point_value_t, const char*, va_list*) {
  ++handled;
}
}  // namespace

TEST_F(HumbleApi, LogLinesGoToTheHandlerOfTheProgram) {
  const auto before = rcutils_logging_get_output_handler();
  rcutils_logging_set_output_handler(handler);
  RCLCPP_INFO(rclcpp::get_logger("handled"), "one");
  auto node = make_node("handled");
  RCLCPP_WARN(node->get_logger(), "two");
  EXPECT_EQ(handled, 2);
  rcutils_logging_set_output_handler(before);
}

TEST_F(HumbleApi, ATimeSourceFollowsTheNodeItIsAttachedTo) {
  auto node = make_node("followed");
  rclcpp::TimeSource source;
  auto clock = std::make_shared<rclcpp::Clock>(RCL_ROS_TIME);
  source.attachClock(clock);
  EXPECT_FALSE(clock->ros_time_is_active());
  source.attachNode(node);
  EXPECT_FALSE(clock->ros_time_is_active());
  node->set_parameter({"use_sim_time", true});
  EXPECT_TRUE(spin_until([&] { return clock->ros_time_is_active(); }));
  auto publisher = node->create_publisher<rosgraph_msgs::msg::Clock>("/clock", 1);
  rosgraph_msgs::msg::Clock message;
  message.clock.sec = 42;
  EXPECT_TRUE(spin_until([&] {
    publisher->publish(message);
    return clock->now().seconds() == 42;
  }));
  source.detachNode();
  EXPECT_FALSE(clock->ros_time_is_active());
  EXPECT_THROW(source.attachClock(std::make_shared<rclcpp::Clock>(RCL_STEADY_TIME)), std::invalid_argument);
}

TEST_F(HumbleApi, ANodeAddsOneGroupByItself) {
  auto node = make_node("groups");
  EXPECT_EQ(executor_->get_automatically_added_callback_groups_from_nodes().size(), 1u);
  auto group = node->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  auto manual = node->create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive, false);
  EXPECT_EQ(executor_->get_automatically_added_callback_groups_from_nodes().size(), 2u);
}

namespace {

/// Not a node, but it has what a node has.
struct LikeANode {
  rclcpp::Node::SharedPtr node;
  rclcpp::node_interfaces::NodeTopicsInterface* get_node_topics_interface() const {
    return node->get_node_topics_interface().get();
  }
};

}  // namespace

TEST_F(HumbleApi, InterfacesAreTakenFromNodesPointersAndWhatIsLikeANode) {
  using namespace rclcpp::node_interfaces;
  auto node = make_node("interfaces");
  const auto topics = node->get_node_topics_interface();
  EXPECT_EQ(get_node_topics_interface(node), topics.get());
  EXPECT_EQ(get_node_topics_interface(*node), topics.get());
  EXPECT_EQ(get_node_topics_interface(node.get()), topics.get());
  EXPECT_EQ(get_node_topics_interface(topics), topics.get());
  EXPECT_EQ(get_node_topics_interface(LikeANode{node}), topics.get());
  EXPECT_EQ(get_node_base_interface(node), node->get_node_base_interface().get());
  EXPECT_EQ(get_node_timers_interface(node), node->get_node_timers_interface().get());
  EXPECT_EQ(get_node_parameters_interface(node), node->get_node_parameters_interface().get());
}

// A handler that the program set before anything of ROS ran.
int main(int argc, char** argv) {
  hl_testing::isolate();
  testing::InitGoogleTest(&argc, argv);
  rcutils_logging_set_output_handler(handler);
  RCLCPP_INFO(rclcpp::get_logger("early"), "early");
  if (handled.exchange(0) != 1) return 1;
  return RUN_ALL_TESTS();
}

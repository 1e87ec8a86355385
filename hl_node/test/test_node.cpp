// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <hl_testing/process.hpp>
#include <hl_testing/ros_main.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <std_msgs/msg/bool.hpp>

#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"

namespace hl_node {
namespace {

struct Params {
  double low = 1.0, high = 2.0;
  int count = 3;
  std::string robot = "minibot";
  std::optional<std::string> validate() const {
    if (low > high) return "low must not be greater than high";
    return std::nullopt;
  }
};

const ParameterTable<Params>& table() {
  static const ParameterTable<Params> rows = {
      {"low", &Params::low, 0.0, 10.0, "m"},
      {"high", &Params::high, 0.0, 10.0, "m"},
      {"count", &Params::count, 1, 5, "steps"},
      {"robot", &Params::robot, "folder of the robot", Change::AtStart},
  };
  return rows;
}

rclcpp::Node::SharedPtr node_with(std::vector<rclcpp::Parameter> overrides) {
  return std::make_shared<rclcpp::Node>("n", rclcpp::NodeOptions().parameter_overrides(std::move(overrides)));
}

TEST(NodeParameters, ValuesGivenAtTheStartReplaceDefaults) {
  const auto node = node_with({{"high", 7.5}, {"count", 5}, {"robot", "darwin_op"}});
  const NodeParameters<Params> parameters(*node, table());
  EXPECT_EQ(parameters.values().low, 1.0);
  EXPECT_EQ(parameters.values().high, 7.5);
  EXPECT_EQ(parameters.values().count, 5);
  EXPECT_EQ(parameters.values().robot, "darwin_op");
}

TEST(NodeParameters, BadValueAtTheStartIsRefused) {
  try {
    NodeParameters<Params>(*node_with({{"count", 6}}), table());
    ADD_FAILURE() << "6 steps were taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("count must lie in 1..5: steps"));
  }
  EXPECT_THROW(NodeParameters<Params>(*node_with({{"low", 3.0}}), table()), std::invalid_argument);
}

TEST(NodeParameters, GoodChangeIsAppliedBadOneLeavesEverythingAsItWas) {
  const auto node = node_with({});
  NodeParameters<Params> parameters(*node, table());
  int changes = 0;
  parameters.on_change([&](const Params&) { ++changes; });
  EXPECT_TRUE(node->set_parameter({"low", 1.5}).successful);
  EXPECT_EQ(parameters.values().low, 1.5);
  EXPECT_EQ(changes, 1);

  const auto contradiction = node->set_parameter({"low", 5.0});
  EXPECT_FALSE(contradiction.successful);
  EXPECT_THAT(contradiction.reason, testing::HasSubstr("greater than high"));
  EXPECT_FALSE(node->set_parameter({"count", 9}).successful);
  EXPECT_FALSE(node->set_parameter({"robot", "darwin_op"}).successful) << "read only";
  EXPECT_EQ(parameters.values().low, 1.5);
  EXPECT_EQ(parameters.values().count, 3);
  EXPECT_EQ(changes, 1);

  // Two that only together make sense.
  EXPECT_TRUE(node->set_parameters_atomically({{"low", 5.0}, {"high", 6.0}}).successful);
  EXPECT_EQ(parameters.values().high, 6.0);
}

TEST(NodeParameters, SomebodyElsesParameterIsNotOurs) {
  const auto node = node_with({});
  NodeParameters<Params> parameters(*node, table());
  bool changed = false;
  parameters.on_change([&](const Params&) { changed = true; });
  node->declare_parameter("other", 1.0);
  EXPECT_TRUE(node->set_parameter({"other", 2.0}).successful);
  EXPECT_FALSE(changed);
}

TEST(Interfaces, WrongTypeForATopicOfTheContractIsRefused) {
  const auto node = node_with({});
  EXPECT_NO_THROW(create_publisher<sensor_msgs::msg::Imu>(*node, topics::kImuData));
  EXPECT_THROW(create_publisher<std_msgs::msg::Bool>(*node, topics::kImuData), std::logic_error);
}

TEST(Interfaces, LatchedTopicReachesALateSubscriberAlsoInAComposedNode) {
  const auto node = std::make_shared<rclcpp::Node>("n", rclcpp::NodeOptions().use_intra_process_comms(true));
  const auto publisher = create_publisher<std_msgs::msg::Bool>(*node, topics::kPaused);
  std_msgs::msg::Bool yes;
  yes.data = true;
  publisher->publish(yes);
  bool paused = false;
  const auto subscription = create_subscription<std_msgs::msg::Bool>(
      *node, topics::kPaused, [&](const std_msgs::msg::Bool& message) { paused = message.data; });
  EXPECT_TRUE(hl_testing::wait_until([&] {
    rclcpp::spin_some(node);
    return paused;
  }));
}

TEST(Diagnostics, LineCarriesNodeSubjectLevelAndValues) {
  const auto node = std::make_shared<rclcpp::Node>("walk", "robot1");
  Diagnostics diagnostics(*node, "control");
  diagnostic_msgs::msg::DiagnosticArray heard;
  const auto subscription = create_subscription<diagnostic_msgs::msg::DiagnosticArray>(
      *node, topics::kDiagnostics, [&](const diagnostic_msgs::msg::DiagnosticArray& array) { heard = array; });
  ASSERT_TRUE(hl_testing::wait_until([&] {
    diagnostics.report(Level::Warn, "slow", {{"rate", "80 Hz"}});
    rclcpp::spin_some(node);
    return !heard.status.empty();
  }));
  EXPECT_EQ(heard.status[0].name, "/robot1/walk: control");
  EXPECT_EQ(heard.status[0].level, diagnostic_msgs::msg::DiagnosticStatus::WARN);
  EXPECT_EQ(heard.status[0].message, "slow");
  ASSERT_EQ(heard.status[0].values.size(), 1u);
  EXPECT_EQ(heard.status[0].values[0].key, "rate");
}

}  // namespace
}  // namespace hl_node

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <rclcpp/rclcpp.hpp>
#include <rosgraph_msgs/msg/clock.hpp>

#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"
#include "tf2_eigen/tf2_eigen.hpp"
#include "tf2_geometry_msgs/tf2_geometry_msgs.hpp"
#include "tf2_ros/buffer.h"
#include "tf2_ros/create_timer_ros.h"
#include "tf2_ros/static_transform_broadcaster.h"
#include "tf2_ros/transform_broadcaster.h"
#include "tf2_ros/transform_listener.h"

namespace {

using hl_testing::wait_until;
using namespace std::chrono_literals;
using testing::HasSubstr;

struct Listening {
  explicit Listening(const std::string& name, const std::vector<std::string>& arguments = {})
      : node(rclcpp::Node::make_shared(name, rclcpp::NodeOptions().arguments(arguments))),
        buffer(node->get_clock()),
        listener(buffer, node) {}
  rclcpp::Node::SharedPtr node;
  tf2_ros::Buffer buffer;
  tf2_ros::TransformListener listener;
};

geometry_msgs::msg::TransformStamped link(const std::string& parent, const std::string& child, rclcpp::Time stamp,
                                          double x) {
  geometry_msgs::msg::TransformStamped t;
  t.header.frame_id = parent;
  t.header.stamp = stamp;
  t.child_frame_id = child;
  t.transform.translation.x = x;
  t.transform.rotation.w = 1.0;
  return t;
}

TEST(TwoProcesses, ATreeOf60LinksArrivesAt100Hz) {
  Listening us("us");
  hl_testing::Process publisher({TREE_PUBLISHER});
  ASSERT_TRUE(us.buffer.canTransform("link0", "link60", tf2::TimePointZero, 30s));
  const auto t = us.buffer.lookupTransform("link0", "link60", tf2::TimePointZero);
  EXPECT_NEAR(t.transform.translation.x, 6.0, 1e-9);

  // A second of history: any moment in it can be looked up.
  ASSERT_TRUE(wait_until([&] {
    const auto latest = tf2_ros::fromMsg(us.buffer.lookupTransform("link0", "link60", tf2::TimePointZero).header.stamp);
    return us.buffer.canTransform("link0", "link60", latest - 1s);
  }));
  const auto latest = tf2_ros::fromMsg(us.buffer.lookupTransform("link0", "link60", tf2::TimePointZero).header.stamp);
  EXPECT_NEAR(us.buffer.lookupTransform("link60", "link0", latest - 500ms).transform.translation.x, -6.0, 1e-9);
  EXPECT_THROW(us.buffer.lookupTransform("link0", "link60", latest + 3600s), tf2::ExtrapolationException);
  EXPECT_THROW(us.buffer.lookupTransform("link0", "link60", latest - 3600s), tf2::ExtrapolationException);
  EXPECT_THROW(us.buffer.lookupTransform("link0", "elsewhere", tf2::TimePointZero), tf2::LookupException);

  geometry_msgs::msg::PointStamped point;
  point.header.frame_id = "link60";
  point.point.x = 1.0;
  EXPECT_NEAR(us.buffer.transform(point, "link0").point.x, 7.0, 1e-9);
}

TEST(TwoProcesses, ALookupWaitsForWhatIsStillToCome) {
  Listening us("us");
  hl_testing::Process publisher({TREE_PUBLISHER});
  ASSERT_TRUE(us.buffer.canTransform("link0", "link9", tf2::TimePointZero, 30s));
  const rclcpp::Time soon = us.node->now() + rclcpp::Duration::from_seconds(0.1);
  EXPECT_FALSE(us.buffer.canTransform("link0", "link9", soon));
  EXPECT_NO_THROW(us.buffer.lookupTransform("link0", "link9", soon, rclcpp::Duration::from_seconds(20)));
  std::string why;
  EXPECT_FALSE(us.buffer.canTransform("link0", "nothing", tf2::TimePointZero, tf2::durationFromSec(0.05), &why));
  EXPECT_THAT(why, HasSubstr("nothing"));
}

TEST(TwoProcesses, NamespacesSeparateTreesByRemapping) {
  const std::vector<std::string> one = {"--ros-args", "-r", "__ns:=/one",           "-r",
                                        "/tf:=tf",    "-r", "/tf_static:=tf_static"};
  Listening inside("us", one), outside("us");
  std::vector<std::string> command = {TREE_PUBLISHER};
  command.insert(command.end(), one.begin(), one.end());
  hl_testing::Process publisher(command);
  EXPECT_TRUE(inside.buffer.canTransform("link0", "link60", tf2::TimePointZero, 30s));
  EXPECT_FALSE(outside.buffer._frameExists("link60"));
}

TEST(TwoProcesses, StaticTransformsReachLateListenersAndTheEcho) {
  hl_testing::Process publisher(
      {STATIC_TRANSFORM_PUBLISHER, "--x", "1.5", "--yaw", "0.5", "--frame-id", "base", "--child-frame-id", "camera"});
  ASSERT_TRUE(publisher.wait_for_output("Publishing"));
  Listening late("late");
  ASSERT_TRUE(late.buffer.canTransform("base", "camera", tf2::TimePointZero, 30s));
  hl_testing::Process echo({TF2_ECHO, "base", "camera", "10"});
  EXPECT_TRUE(echo.wait_for_output("- Translation: [1.500, 0.000, 0.000]")) << echo.output();
  EXPECT_TRUE(echo.wait_for_output("- Rotation: in RPY (radian) [0.000, -0.000, 0.500]")) << echo.output();
  EXPECT_EQ(echo.stop(), 0);
  EXPECT_EQ(publisher.stop(), 0);
}

TEST(Tools, BadArgumentsAreExplained) {
  hl_testing::Process no_frame({STATIC_TRANSFORM_PUBLISHER, "--x", "1"});
  EXPECT_EQ(no_frame.wait(), 1);
  EXPECT_THAT(no_frame.output(), HasSubstr("--frame-id is missing"));
  hl_testing::Process no_number({STATIC_TRANSFORM_PUBLISHER, "--x", "one", "--frame-id", "a", "--child-frame-id", "b"});
  EXPECT_EQ(no_number.wait(), 1);
  EXPECT_THAT(no_number.output(), HasSubstr("'one' is not a number"));
  hl_testing::Process echo({TF2_ECHO, "a"});
  EXPECT_EQ(echo.wait(), 1);
}

TEST(Async, WaitForTransformAnswersOrTimesOut) {
  Listening us("us");
  auto timers = std::make_shared<tf2_ros::CreateTimerROS>(us.node->get_node_base_interface(),
                                                          us.node->get_node_timers_interface());
  EXPECT_THROW(us.buffer.waitForTransform("a", "b", tf2::TimePointZero, 1s, nullptr),
               tf2_ros::CreateTimerInterfaceException);
  us.buffer.setCreateTimerInterface(timers);
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(us.node);

  std::atomic<int> calls{0};
  const auto count = [&](const tf2_ros::TransformStampedFuture&) { ++calls; };
  auto arrives = us.buffer.waitForTransform("a", "b", tf2::TimePointZero, 3600s, count);
  auto never = us.buffer.waitForTransform("a", "c", tf2::TimePointZero, 100ms, count);
  auto cancelled = us.buffer.waitForTransform("a", "d", tf2::TimePointZero, 3600s, count);
  us.buffer.cancel(cancelled);
  us.buffer.setTransform(link("a", "b", us.node->now(), 2.0), "test");
  EXPECT_NEAR(arrives.get().transform.translation.x, 2.0, 1e-9);
  EXPECT_TRUE(wait_until([&] {
    executor.spin_some();
    return calls == 2;
  }));
  EXPECT_THROW(never.get(), tf2::TimeoutException);
  auto at_once = us.buffer.waitForTransform("a", "b", tf2::TimePointZero, 1s, count);
  EXPECT_EQ(calls, 3);
  EXPECT_NEAR(at_once.get().transform.translation.x, 2.0, 1e-9);
}

TEST(Listener, WorksWithoutAThreadOnTheNodesExecutor) {
  auto node = rclcpp::Node::make_shared("single");
  tf2_ros::Buffer buffer(node->get_clock());
  tf2_ros::TransformListener listener(buffer, node, false);
  tf2_ros::TransformBroadcaster broadcaster(node);
  tf2_ros::StaticTransformBroadcaster static_broadcaster(node);
  static_broadcaster.sendTransform(link("base", "fixed", node->now(), 1.0));
  static_broadcaster.sendTransform(link("base", "fixed2", node->now(), 2.0));
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  EXPECT_TRUE(wait_until([&] {
    broadcaster.sendTransform(link("odom", "base", node->now(), 1.0));
    executor.spin_some();
    return buffer.canTransform("odom", "fixed", tf2::TimePointZero) &&
           buffer.canTransform("odom", "fixed2", tf2::TimePointZero);
  }));
  tf2_ros::TransformListener own_node(buffer);  // with a node of its own
}

// Humble refuses the latched /tf_static in such a node; who composes gives options in which it is switched off.
TEST(Composed, LatchedTransformsNeedOptionsWithoutIntraProcessCommunication) {
  auto node = rclcpp::Node::make_shared("composed", rclcpp::NodeOptions().use_intra_process_comms(true));
  tf2_ros::Buffer buffer(node->get_clock());
  EXPECT_THROW(tf2_ros::TransformListener(buffer, node, false), std::invalid_argument);
  EXPECT_THROW(tf2_ros::StaticTransformBroadcaster{node}, std::invalid_argument);

  rclcpp::SubscriptionOptions listening;
  listening.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  tf2_ros::TransformListener listener(buffer, node, false, tf2_ros::DynamicListenerQoS(), tf2_ros::StaticListenerQoS(),
                                      rclcpp::SubscriptionOptions(), listening);
  rclcpp::PublisherOptions sending;
  sending.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  tf2_ros::StaticTransformBroadcaster fixed(node, tf2_ros::StaticBroadcasterQoS(), sending);
  tf2_ros::TransformBroadcaster moving(node);  // volatile: as it is
  fixed.sendTransform(link("base", "camera", node->now(), 1.0));
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  EXPECT_TRUE(wait_until([&] {
    moving.sendTransform(link("odom", "base", node->now(), 1.0));
    executor.spin_some();
    return buffer.canTransform("odom", "camera", tf2::TimePointZero);
  }));
}

TEST(Buffer, TransformsWhatEigenComputesWith) {
  tf2_ros::Buffer buffer(std::make_shared<rclcpp::Clock>(RCL_ROS_TIME));
  geometry_msgs::msg::TransformStamped transform;
  transform.header.frame_id = "map";
  transform.header.stamp.sec = 5;
  transform.child_frame_id = "robot";
  transform.transform.translation.x = 2.0;
  transform.transform.rotation.z = 1.0;  // half a turn
  transform.transform.rotation.w = 0.0;
  buffer.setTransform(transform, "test");
  const tf2::Stamped<Eigen::Vector3d> ahead(Eigen::Vector3d(0.5, 0.0, 0.0), tf2::timeFromSec(5.0), "robot");
  const auto seen = buffer.transform(ahead, "map");
  EXPECT_TRUE(seen.isApprox(Eigen::Vector3d(1.5, 0.0, 0.0))) << seen;
  EXPECT_EQ(seen.frame_id_, "map");
  const tf2::Stamped<Eigen::Isometry3d> pose(Eigen::Isometry3d::Identity(), tf2::timeFromSec(5.0), "robot");
  geometry_msgs::msg::PoseStamped message;
  buffer.transform(pose, message, "map");
  EXPECT_DOUBLE_EQ(message.pose.position.x, 2.0);
  EXPECT_EQ(message.header.frame_id, "map");
}

TEST(Buffer, AClockThatJumpsBackEmptiesIt) {
  auto node =
      rclcpp::Node::make_shared("simulated", rclcpp::NodeOptions().parameter_overrides({{"use_sim_time", true}}));
  auto clock_publisher = node->create_publisher<rosgraph_msgs::msg::Clock>("/clock", 10);
  tf2_ros::Buffer buffer(node->get_clock());
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  const auto set_clock = [&](int seconds) {
    rosgraph_msgs::msg::Clock message;
    message.clock.sec = seconds;
    return wait_until([&] {
      clock_publisher->publish(message);
      executor.spin_some();
      return node->now().nanoseconds() == rclcpp::Time(message.clock).nanoseconds();
    });
  };
  ASSERT_TRUE(set_clock(100));
  buffer.setTransform(link("a", "b", node->now(), 1.0), "test");
  ASSERT_TRUE(set_clock(101));
  EXPECT_TRUE(buffer.canTransform("a", "b", tf2::TimePointZero)) << "forwards is no jump";
  ASSERT_TRUE(set_clock(10));
  EXPECT_TRUE(wait_until([&] { return !buffer.canTransform("a", "b", tf2::TimePointZero); }));
  EXPECT_TRUE(buffer.setTransform(link("a", "b", node->now(), 2.0), "test")) << "the earlier time is welcome again";
}

}  // namespace

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
// view.launch.xml as a person starts it: what arrives over the middleware is the robot that the library computes.
#include <gtest/gtest.h>
#include <tf2_ros/buffer.h>
#include <tf2_ros/transform_listener.h>

#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/string.hpp>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "robots.hpp"

namespace {

Eigen::Isometry3d to_eigen(const geometry_msgs::msg::Transform& transform) {
  const auto& q = transform.rotation;
  Eigen::Isometry3d pose(Eigen::Quaterniond(q.w, q.x, q.y, q.z));
  pose.translation() << transform.translation.x, transform.translation.y, transform.translation.z;
  return pose;
}

class ViewLaunch : public ::testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() {
    hl_testing::isolate();
    rclcpp::init(0, nullptr);
  }
  static void TearDownTestSuite() { rclcpp::shutdown(); }
};

}  // namespace

TEST_P(ViewLaunch, PublishesTheModelAndTheWholeTreeOfItsPose) {
  const auto node = std::make_shared<rclcpp::Node>("viewer");
  tf2_ros::Buffer buffer(node->get_clock());
  const tf2_ros::TransformListener listener(buffer, node);
  hl_testing::Process view(
      {"ros2", "launch", "hl_description", "view.launch.xml", "robot:=" + GetParam(), "pose:=walkready"});

  std_msgs::msg::String description;
  const auto subscription = node->create_subscription<std_msgs::msg::String>(
      "robot_description", rclcpp::QoS(1).transient_local(), [&](const std_msgs::msg::String& m) { description = m; });
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  ASSERT_TRUE(hl_testing::wait_until(
      [&] {
        executor.spin_some();
        return !description.data.empty();
      },
      std::chrono::seconds(60)))
      << view.output();
  const auto published = hl_description::RobotModel::from_urdf(description.data);
  const auto model = model_of(GetParam());
  EXPECT_EQ(published.name(), GetParam());
  EXPECT_EQ(published.joint_names(), model.joint_names());
  EXPECT_NEAR(published.mass(), model.mass(), 1e-9);

  const auto posture = model.forward(config_of(GetParam()).pose(model, "walkready"));
  for (std::size_t n = 0; n < model.links().size(); ++n) {
    const std::string& link = model.links()[n].name;
    ASSERT_TRUE(hl_testing::wait_until([&] {
      return buffer.canTransform("base_link", link, tf2::TimePointZero, tf2::durationFromSec(0.0));
    })) << link
        << " is not in TF\n"
        << view.output();
    const auto pose = to_eigen(buffer.lookupTransform("base_link", link, tf2::TimePointZero).transform);
    EXPECT_TRUE(pose.isApprox(posture.links[n], 1e-6)) << link;
  }
  EXPECT_EQ(view.stop(), 0) << view.output();
}

INSTANTIATE_TEST_SUITE_P(Robots, ViewLaunch, ::testing::Values("minibot", "darwin_op"),
                         [](const auto& robot) { return robot.param; });

TEST_F(ViewLaunch, UnknownPoseEndsWithItsNameAndThePosesThatExist) {
  hl_testing::Process view({"ros2", "launch", "hl_description", "view.launch.xml", "pose:=handstand"});
  EXPECT_TRUE(view.wait_for_output("handstand", std::chrono::seconds(60))) << view.output();
  EXPECT_TRUE(view.wait_for_output("walkready", std::chrono::seconds(10))) << view.output();
}

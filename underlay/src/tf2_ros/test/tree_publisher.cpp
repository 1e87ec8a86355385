// SPDX-License-Identifier: Apache-2.0
// A chain of 60 links at 100 Hz; link i is turned about z against link i-1 and every tenth link is static.
#include <rclcpp/rclcpp.hpp>

#include "tf2_ros/static_transform_broadcaster.h"
#include "tf2_ros/transform_broadcaster.h"

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  auto node = rclcpp::Node::make_shared("tree_publisher");
  tf2_ros::TransformBroadcaster broadcaster(node);
  tf2_ros::StaticTransformBroadcaster static_broadcaster(node);
  std::vector<geometry_msgs::msg::TransformStamped> moving, fixed;
  for (int i = 1; i <= 60; ++i) {
    geometry_msgs::msg::TransformStamped t;
    t.header.frame_id = "link" + std::to_string(i - 1);
    t.child_frame_id = "link" + std::to_string(i);
    t.transform.translation.x = 0.1;
    t.transform.rotation.w = 1.0;
    (i % 10 == 0 ? fixed : moving).push_back(t);
  }
  static_broadcaster.sendTransform(fixed);
  auto timer = node->create_wall_timer(std::chrono::milliseconds(10), [&] {
    for (auto& t : moving) t.header.stamp = node->now();
    broadcaster.sendTransform(moving);
  });
  rclcpp::spin(node);
  rclcpp::shutdown();
  return 0;
}

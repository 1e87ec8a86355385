// SPDX-License-Identifier: Apache-2.0
#include <tf2/LinearMath/Matrix3x3.h>
#include <tf2/utils.h>

#include <cstdio>
#include <cstdlib>
#include <rclcpp/rclcpp.hpp>
#include <thread>

#include "tf2_ros/buffer.h"
#include "tf2_ros/transform_listener.h"

int main(int argc, char** argv) {
  const auto words = rclcpp::init_and_remove_ros_arguments(argc, argv);
  const double rate = words.size() == 4 ? std::atof(words[3].c_str()) : 1.0;
  if (words.size() < 3 || words.size() > 4 || !(rate > 0.0 && rate <= 1000.0)) {
    std::fprintf(
        stderr,
        "usage: tf2_echo SOURCE TARGET [HZ]\nprints where TARGET is in SOURCE, HZ times a second (default 1)\n");
    return 1;
  }
  auto node = rclcpp::Node::make_shared("tf2_echo");
  tf2_ros::Buffer buffer(node->get_clock());
  tf2_ros::TransformListener listener(buffer, node);
  const auto period = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::duration<double>(1.0 / rate));
  while (rclcpp::ok()) {
    try {
      const auto t = buffer.lookupTransform(words[1], words[2], tf2::TimePointZero);
      const auto& p = t.transform.translation;
      const auto& q = t.transform.rotation;
      double yaw = 0.0, pitch = 0.0, roll = 0.0;
      tf2::getEulerYPR(q, yaw, pitch, roll);
      std::printf(
          "At time %d.%09u\n- Translation: [%.3f, %.3f, %.3f]\n- Rotation: in Quaternion [%.3f, %.3f, %.3f, %.3f]\n"
          "- Rotation: in RPY (radian) [%.3f, %.3f, %.3f]\n- Rotation: in RPY (degree) [%.3f, %.3f, %.3f]\n",
          t.header.stamp.sec, t.header.stamp.nanosec, p.x, p.y, p.z, q.x, q.y, q.z, q.w, roll, pitch, yaw,
          tf2Degrees(roll), tf2Degrees(pitch), tf2Degrees(yaw));
    } catch (const tf2::TransformException& e) {
      std::printf("Waiting for transform %s ->  %s: %s\n", words[1].c_str(), words[2].c_str(), e.what());
    }
    std::fflush(stdout);
    for (auto left = period; rclcpp::ok() && left > std::chrono::nanoseconds::zero();) {
      const auto nap = std::min<std::chrono::nanoseconds>(left, std::chrono::milliseconds(100));
      std::this_thread::sleep_for(nap);
      left -= nap;
    }
  }
  rclcpp::shutdown();
  return 0;
}

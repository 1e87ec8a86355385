// SPDX-License-Identifier: Apache-2.0
#include "joint_state_publisher/joint_state_publisher.hpp"

int main(int argc, char** argv) {
  return joint_state_publisher::run(argc, argv, [](const auto& node) { rclcpp::spin(node); });
}

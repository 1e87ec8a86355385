// SPDX-License-Identifier: Apache-2.0
// A node to compare with itself: says the ball again, shifted by a parameter.
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <rclcpp/rclcpp.hpp>

int main(int argc, char** argv) {
  using humanoid_league_msgs::msg::BallRelative;
  rclcpp::init(argc, argv);
  const auto node = std::make_shared<rclcpp::Node>("shifted_ball");
  const double shift = node->declare_parameter("shift", 0.0);
  const auto out = node->create_publisher<BallRelative>("ball_shifted", 10);
  const auto in = node->create_subscription<BallRelative>("ball_relative", 10, [&](const BallRelative& ball) {
    BallRelative shifted = ball;
    shifted.ball_relative.y += shift;
    out->publish(shifted);
  });
  rclcpp::spin(node);
  rclcpp::shutdown();
  return 0;
}

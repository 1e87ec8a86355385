// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_walking teleop_keyboard: walk the robot with the keys of a terminal.
#include <termios.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <geometry_msgs/msg/twist.hpp>
#include <rclcpp/rclcpp.hpp>

#include "hl_node/interfaces.hpp"
#include "hl_walking/teleop_keys.hpp"

namespace {

/// The terminal hands over single keys without echo, and is put back at the end.
class RawTerminal {
 public:
  RawTerminal() {
    if (tcgetattr(STDIN_FILENO, &before_) != 0) return;
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    changed_ = tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0;
  }
  ~RawTerminal() {
    if (changed_) tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;

 private:
  termios before_{};
  bool changed_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  if (isatty(STDIN_FILENO) == 0) {  // a pipe would hold the loop up, and a closed one keep the last command for ever
    std::fprintf(stderr, "teleop_keyboard: no terminal to read keys from; run it by hand, not through a pipe\n");
    return 1;
  }
  rclcpp::init(argc, argv);
  {
    auto node = std::make_shared<rclcpp::Node>("teleop_keyboard");
    auto publisher = hl_node::create_publisher<geometry_msgs::msg::Twist>(*node, hl_node::topics::kTeleopCmdVel);
    const RawTerminal terminal;
    hl_walking::TeleopKeys keys;
    std::printf("%s", hl_walking::TeleopKeys::help());
    rclcpp::WallRate rate(20.0);
    while (rclcpp::ok() && !keys.quit()) {
      char key = 0;
      while (read(STDIN_FILENO, &key, 1) == 1) keys.press(key);
      const hl_walking::Velocity v = keys.velocity();
      geometry_msgs::msg::Twist twist;
      twist.linear.x = v.x;
      twist.linear.y = v.y;
      twist.angular.z = v.yaw;
      publisher->publish(twist);
      std::printf("\rx %+.2f m/s   y %+.2f m/s   turn %+.2f rad/s   ", v.x, v.y, v.yaw);
      std::fflush(stdout);
      rate.sleep();
    }
    std::printf("\n");
  }
  rclcpp::shutdown();
  return 0;
}

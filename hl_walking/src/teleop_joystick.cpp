// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_walking teleop_joystick: walk the robot with a joystick, read from the Linux device or, with
// `-p device:=''`, from the topic `joy`. Only while the enable button is held.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <geometry_msgs/msg/twist.hpp>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joy.hpp>
#include <string>

#include "hl_walking/joystick.hpp"

namespace hl_walking {
namespace {

class TeleopJoystick : public rclcpp::Node {
 public:
  TeleopJoystick() : Node("teleop_joystick") {
    device_ = declare_parameter("device", "/dev/input/js0", text("Linux joystick device; empty: the topic joy"));
    JoystickMapping& m = mapping_;
    m.enable_button = number("enable_button", m.enable_button, "must be held; -1: none is needed");
    m.forward_axis = number("forward_axis", m.forward_axis, "axis for walking forward and back");
    m.sideways_axis = number("sideways_axis", m.sideways_axis, "axis for walking aside");
    m.turn_axis = number("turn_axis", m.turn_axis, "axis for turning");
    m.forward = declare_parameter("forward", m.forward, text("m/s at full deflection, -5..5"));
    m.sideways = declare_parameter("sideways", m.sideways, text("m/s at full deflection, -5..5"));
    m.turn = declare_parameter("turn", m.turn, text("rad/s at full deflection, -5..5"));
    m.dead_zone = declare_parameter("dead_zone", m.dead_zone, text("part of the deflection that counts as rest, 0..1"));
    if (const auto bad = m.validate()) throw std::invalid_argument(*bad);
    publisher_ = create_publisher<geometry_msgs::msg::Twist>("teleop_cmd_vel", 5);
    if (device_.empty()) {
      joy_ = create_subscription<sensor_msgs::msg::Joy>("joy", rclcpp::SensorDataQoS(),
                                                        [this](const sensor_msgs::msg::Joy& joy) { take(joy); });
    }
    timer_ = create_wall_timer(std::chrono::milliseconds(50), [this] { tick(); });
  }
  ~TeleopJoystick() override { close_device(); }

 private:
  static rcl_interfaces::msg::ParameterDescriptor text(const std::string& description) {
    rcl_interfaces::msg::ParameterDescriptor descriptor;
    descriptor.description = description;
    descriptor.read_only = true;
    return descriptor;
  }
  int number(const std::string& name, int otherwise, const std::string& description) {
    return static_cast<int>(declare_parameter(name, static_cast<std::int64_t>(otherwise), text(description)));
  }

  void take(const sensor_msgs::msg::Joy& joy) {
    state_.axes.assign(joy.axes.begin(), joy.axes.end());
    state_.buttons.clear();
    for (const auto button : joy.buttons) state_.buttons.push_back(button != 0);
    joy_at_ = std::chrono::steady_clock::now();
  }

  void tick() {
    if (device_.empty()) {
      if (std::chrono::steady_clock::now() - joy_at_ > std::chrono::milliseconds(500)) state_ = {};
    } else {
      read_device();
      state_ = reader_.state();
    }
    const auto wish = mapping_.velocity(state_);
    if (!wish && !moved_) return;  // the robot is left to others
    moved_ = wish.has_value();
    const Velocity v = wish.value_or(Velocity{});  // a last zero when the button is let go
    geometry_msgs::msg::Twist twist;
    twist.linear.x = v.x;
    twist.linear.y = v.y;
    twist.angular.z = v.yaw;
    publisher_->publish(twist);
  }

  void close_device() {
    if (file_ >= 0) close(file_);
    file_ = -1;
    reader_ = {};  // an unplugged joystick holds no button
  }

  void read_device() {
    if (file_ < 0) file_ = open(device_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file_ < 0) {
      RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 5000, "cannot open %s: is the joystick plugged in?",
                           device_.c_str());
      return;
    }
    std::uint8_t bytes[64 * 8];
    ssize_t count = 0;
    while ((count = read(file_, bytes, sizeof bytes)) > 0) reader_.feed(bytes, static_cast<std::size_t>(count));
    if (count == 0 || errno != EAGAIN) close_device();
  }

  std::string device_;
  JoystickMapping mapping_;
  JoystickReader reader_;
  JoystickState state_;
  bool moved_ = false;
  int file_ = -1;
  std::chrono::steady_clock::time_point joy_at_;
  rclcpp::Publisher<geometry_msgs::msg::Twist>::SharedPtr publisher_;
  rclcpp::Subscription<sensor_msgs::msg::Joy>::SharedPtr joy_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace
}  // namespace hl_walking

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  int result = 0;
  try {
    rclcpp::spin(std::make_shared<hl_walking::TeleopJoystick>());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "teleop_joystick: %s\n", e.what());
    result = 1;
  }
  rclcpp::shutdown();
  return result;
}

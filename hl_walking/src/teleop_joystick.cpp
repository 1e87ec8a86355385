// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_walking teleop_joystick: walk the robot with a joystick, read from the Linux device or, with
// `-p device:=''`, from the topic `joy`. Only while the enable button is held.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <geometry_msgs/msg/twist.hpp>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joy.hpp>
#include <string>

#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "hl_walking/joystick.hpp"

namespace hl_walking {
namespace {

struct TeleopParams {
  std::string device = "/dev/input/js0";
  JoystickMapping mapping;
  std::optional<std::string> validate() const { return mapping.validate(); }
};

const hl_node::ParameterTable<TeleopParams>& parameters() {
  using M = JoystickMapping;
  static const hl_node::ParameterTable<M> mapping({
      {"enable_button", &M::enable_button, -1, 255, "must be held; -1: none is needed"},
      {"forward_axis", &M::forward_axis, 0, 255, "axis for walking forward and back"},
      {"sideways_axis", &M::sideways_axis, 0, 255, "axis for walking aside"},
      {"turn_axis", &M::turn_axis, 0, 255, "axis for turning"},
      {"forward", &M::forward, -5.0, 5.0, "at full deflection, m/s"},
      {"sideways", &M::sideways, -5.0, 5.0, "at full deflection, m/s"},
      {"turn", &M::turn, -5.0, 5.0, "at full deflection, rad/s"},
      {"dead_zone", &M::dead_zone, 0.0, 0.99, "part of the deflection that counts as rest"},
  });
  static const auto table =
      hl_node::ParameterTable<TeleopParams>(
          {{"device", &TeleopParams::device, "Linux joystick device; empty: the topic joy", hl_node::Change::AtStart}})
          .with_at_start(&TeleopParams::mapping, mapping);
  return table;
}

class TeleopJoystick : public rclcpp::Node {
 public:
  TeleopJoystick()
      : Node("teleop_joystick"),
        parameters_(*this, parameters()),
        device_(parameters_.values().device),
        mapping_(parameters_.values().mapping) {
    publisher_ = hl_node::create_publisher<geometry_msgs::msg::Twist>(*this, hl_node::topics::kTeleopCmdVel);
    if (device_.empty()) {
      joy_ = create_subscription<sensor_msgs::msg::Joy>("joy", rclcpp::SensorDataQoS(),
                                                        [this](const sensor_msgs::msg::Joy& joy) { take(joy); });
    }
    timer_ = create_wall_timer(std::chrono::milliseconds(50), [this] { tick(); });
  }
  ~TeleopJoystick() override { close_device(); }

 private:
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
    const auto commanded = mapping_.velocity(state_);
    if (!commanded && !moved_) return;  // the robot is left to others
    moved_ = commanded.has_value();
    const Velocity v = commanded.value_or(Velocity{});  // a last zero when the button is let go
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

  /// Nothing while the device is open; else why it is not, and what to do.
  std::optional<std::string> open_device() {
    if (file_ >= 0) return std::nullopt;
    file_ = open(device_.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file_ < 0) {
      return "cannot open " + device_ + ": " + std::strerror(errno) +
             "; plug the joystick in, or name its device with -p device:=...";
    }
    struct stat status {};
    if (fstat(file_, &status) != 0 || !(S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode))) {
      close_device();
      return device_ + " is not a joystick device; name one with -p device:=/dev/input/js0";
    }
    RCLCPP_INFO(get_logger(), "reading %s", device_.c_str());
    return std::nullopt;
  }

  void read_device() {
    constexpr int kMostReads = 16;  // per tick; a stick gives a few records, an endless device must not hold the node
    if (const auto error = open_device()) {
      RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 5000, "%s", error->c_str());
      return;
    }
    std::array<std::uint8_t, 64 * 8> bytes{};
    for (int i = 0; i < kMostReads; ++i) {
      const ssize_t count = read(file_, bytes.data(), bytes.size());
      if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
      if (count <= 0) {
        RCLCPP_WARN(get_logger(), "lost %s: the robot is left to others until it is back", device_.c_str());
        return close_device();
      }
      reader_.feed(bytes.data(), static_cast<std::size_t>(count));
    }
  }

  hl_node::NodeParameters<TeleopParams> parameters_;
  const std::string device_;
  const JoystickMapping mapping_;
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

// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <thread>

#include "rclcpp/rclcpp.hpp"
#include "rclcpp_components/register_node_macro.hpp"
#include "std_msgs/msg/string.hpp"
#include "std_msgs/msg/u_int64.hpp"

namespace underlay_component_tests {

/// Publishes its parameter `text` on `chatter`, and on `address` messages that hold their own address.
class Talker : public rclcpp::Node {
 public:
  explicit Talker(const rclcpp::NodeOptions& options) : Node("talker", options) {
    text_ = declare_parameter("text", std::string("hello"));
    chatter_ = create_publisher<std_msgs::msg::String>("chatter", 10);
    address_ = create_publisher<std_msgs::msg::UInt64>("address", 10);
    timer_ = create_wall_timer(std::chrono::milliseconds(20), [this] {
      std_msgs::msg::String message;
      message.data = text_;
      chatter_->publish(message);
      auto self = std::make_unique<std_msgs::msg::UInt64>();
      self->data = reinterpret_cast<std::uintptr_t>(self.get());
      address_->publish(std::move(self));
    });
  }

 private:
  std::string text_;
  rclcpp::Publisher<std_msgs::msg::String>::SharedPtr chatter_;
  rclcpp::Publisher<std_msgs::msg::UInt64>::SharedPtr address_;
  rclcpp::TimerBase::SharedPtr timer_;
};

/// Says on `verdict` whether what came on `address` is the very object that was published.
class Listener : public rclcpp::Node {
 public:
  explicit Listener(const rclcpp::NodeOptions& options) : Node("listener", options) {
    verdict_ = create_publisher<std_msgs::msg::String>("verdict", 10);
    subscription_ = create_subscription<std_msgs::msg::UInt64>(
        "address", 10, [this](std::unique_ptr<std_msgs::msg::UInt64> received) {
          std_msgs::msg::String message;
          message.data = received->data == reinterpret_cast<std::uintptr_t>(received.get()) ? "same" : "copy";
          verdict_->publish(message);
        });
  }

 private:
  rclcpp::Publisher<std_msgs::msg::String>::SharedPtr verdict_;
  rclcpp::Subscription<std_msgs::msg::UInt64>::SharedPtr subscription_;
};

/// Is slow in its callback, and tells when it is destroyed.
class Sleeper : public rclcpp::Node {
 public:
  explicit Sleeper(const rclcpp::NodeOptions& options) : Node("sleeper", options) {
    timer_ = create_wall_timer(std::chrono::milliseconds(10), [this] {
      RCLCPP_INFO(get_logger(), "falls asleep");
      std::this_thread::sleep_for(std::chrono::milliseconds(500));
      RCLCPP_INFO(get_logger(), "wakes up");
    });
  }
  ~Sleeper() override { RCLCPP_INFO(get_logger(), "is gone"); }

 private:
  rclcpp::TimerBase::SharedPtr timer_;
};

class Thrower : public rclcpp::Node {
 public:
  explicit Thrower(const rclcpp::NodeOptions& options) : Node("thrower", options) {
    throw std::runtime_error("no camera is connected");
  }
};

}  // namespace underlay_component_tests

RCLCPP_COMPONENTS_REGISTER_NODE(underlay_component_tests::Talker)
RCLCPP_COMPONENTS_REGISTER_NODE(underlay_component_tests::Listener)
RCLCPP_COMPONENTS_REGISTER_NODE(underlay_component_tests::Sleeper)
RCLCPP_COMPONENTS_REGISTER_NODE(underlay_component_tests::Thrower)

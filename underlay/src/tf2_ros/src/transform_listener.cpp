// SPDX-License-Identifier: Apache-2.0
#include "tf2_ros/transform_listener.h"

#include <sstream>

namespace tf2_ros {
namespace {

rclcpp::Node::SharedPtr make_own_node(const void* listener) {
  std::ostringstream name;
  name << "transform_listener_impl_" << std::hex << reinterpret_cast<uintptr_t>(listener);
  rclcpp::NodeOptions options;
  options.arguments({"--ros-args", "-r", "__node:=" + name.str()});  // not the process's own name
  options.start_parameter_event_publisher(false);
  options.start_parameter_services(false);
  return rclcpp::Node::make_shared("_", options);
}

}  // namespace

TransformListener::TransformListener(tf2::BufferCore& buffer, bool spin_thread)
    : buffer_(buffer), own_node_(make_own_node(this)) {
  init(own_node_, spin_thread, DynamicListenerQoS(), StaticListenerQoS(),
       detail::get_default_transform_listener_sub_options(),
       detail::get_default_transform_listener_static_sub_options());
}

TransformListener::~TransformListener() {
  if (!thread_.joinable()) return;
  executor_->cancel();
  thread_.join();
}

void TransformListener::start_thread(const rclcpp::node_interfaces::NodeBaseInterface::SharedPtr& base) {
  buffer_.setUsingDedicatedThread(true);
  executor_ = std::make_shared<rclcpp::executors::SingleThreadedExecutor>();
  executor_->add_callback_group(callback_group_, base);
  thread_ = std::thread([executor = executor_] { executor->spin(); });
}

void TransformListener::take(const tf2_msgs::msg::TFMessage& message, bool is_static) {
  for (const auto& transform : message.transforms) {
    buffer_.setTransform(transform, is_static ? "/tf_static" : "/tf", is_static);  // says what it refuses
  }
}

}  // namespace tf2_ros

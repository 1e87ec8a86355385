// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tf2/buffer_core.h>
#include <tf2/convert.h>
#include <tf2/time.h>
#include <tf2/transform_datatypes.h>

#include <builtin_interfaces/msg/duration.hpp>
#include <builtin_interfaces/msg/time.hpp>
#include <functional>
#include <future>
#include <geometry_msgs/msg/transform_stamped.hpp>
#include <rclcpp/duration.hpp>
#include <rclcpp/time.hpp>
#include <string>

namespace tf2_ros {

inline tf2::TimePoint fromMsg(const builtin_interfaces::msg::Time& time_msg) {
  return tf2::TimePoint(std::chrono::seconds(time_msg.sec) + std::chrono::nanoseconds(time_msg.nanosec));
}
inline tf2::Duration fromMsg(const builtin_interfaces::msg::Duration& duration_msg) {
  return std::chrono::seconds(duration_msg.sec) + std::chrono::nanoseconds(duration_msg.nanosec);
}
inline builtin_interfaces::msg::Time toMsg(const tf2::TimePoint& t) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(t.time_since_epoch());
  builtin_interfaces::msg::Time message;
  message.sec = static_cast<int32_t>(seconds.count());
  message.nanosec = static_cast<uint32_t>((t.time_since_epoch() - seconds).count());
  return message;
}
inline builtin_interfaces::msg::Duration toMsg(const tf2::Duration& t) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(t);
  builtin_interfaces::msg::Duration message;
  message.sec = static_cast<int32_t>(seconds.count());
  message.nanosec = static_cast<uint32_t>((t - seconds).count());
  return message;
}
inline tf2::TimePoint fromRclcpp(const rclcpp::Time& time) {
  return tf2::TimePoint(std::chrono::nanoseconds(time.nanoseconds()));
}
inline tf2::Duration fromRclcpp(const rclcpp::Duration& duration) {
  return std::chrono::nanoseconds(duration.nanoseconds());
}
inline rclcpp::Time toRclcpp(const tf2::TimePoint& time) {
  return rclcpp::Time(time.time_since_epoch().count(), RCL_ROS_TIME);
}
inline rclcpp::Duration toRclcpp(const tf2::Duration& duration) {
  return rclcpp::Duration(duration);
}

/// Lookups that may wait, and the transformation of whole messages.
class BufferInterface {
 public:
  virtual ~BufferInterface() = default;

  virtual geometry_msgs::msg::TransformStamped lookupTransform(const std::string& target_frame,
                                                               const std::string& source_frame,
                                                               const tf2::TimePoint& time,
                                                               const tf2::Duration timeout) const = 0;
  virtual geometry_msgs::msg::TransformStamped lookupTransform(
      const std::string& target_frame, const tf2::TimePoint& target_time, const std::string& source_frame,
      const tf2::TimePoint& source_time, const std::string& fixed_frame, const tf2::Duration timeout) const = 0;
  virtual bool canTransform(const std::string& target_frame, const std::string& source_frame,
                            const tf2::TimePoint& time, const tf2::Duration timeout,
                            std::string* errstr = nullptr) const = 0;
  virtual bool canTransform(const std::string& target_frame, const tf2::TimePoint& target_time,
                            const std::string& source_frame, const tf2::TimePoint& source_time,
                            const std::string& fixed_frame, const tf2::Duration timeout,
                            std::string* errstr = nullptr) const = 0;

  template <class T>
  T& transform(const T& in, T& out, const std::string& target_frame,
               tf2::Duration timeout = tf2::durationFromSec(0.0)) const {
    tf2::doTransform(in, out, lookupTransform(target_frame, tf2::getFrameId(in), tf2::getTimestamp(in), timeout));
    return out;
  }
  template <class T>
  T transform(const T& in, const std::string& target_frame, tf2::Duration timeout = tf2::durationFromSec(0.0)) const {
    T out;
    return transform(in, out, target_frame, timeout);
  }
  template <class A, class B>
  B& transform(const A& in, B& out, const std::string& target_frame,
               tf2::Duration timeout = tf2::durationFromSec(0.0)) const {
    A copy = transform(in, target_frame, timeout);
    tf2::convert(copy, out);
    return out;
  }
  template <class T>
  T& transform(const T& in, T& out, const std::string& target_frame, const tf2::TimePoint& target_time,
               const std::string& fixed_frame, tf2::Duration timeout = tf2::durationFromSec(0.0)) const {
    tf2::doTransform(
        in, out,
        lookupTransform(target_frame, target_time, tf2::getFrameId(in), tf2::getTimestamp(in), fixed_frame, timeout));
    return out;
  }
  template <class T>
  T transform(const T& in, const std::string& target_frame, const tf2::TimePoint& target_time,
              const std::string& fixed_frame, tf2::Duration timeout = tf2::durationFromSec(0.0)) const {
    T out;
    return transform(in, out, target_frame, target_time, fixed_frame, timeout);
  }
};

}  // namespace tf2_ros

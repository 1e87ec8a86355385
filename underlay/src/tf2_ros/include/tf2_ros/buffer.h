// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tf2/buffer_core.h>
#include <tf2/time.h>

#include <map>
#include <memory>
#include <mutex>
#include <rclcpp/clock.hpp>
#include <rclcpp/duration.hpp>
#include <rclcpp/node.hpp>
#include <rclcpp/time.hpp>
#include <string>

#include "tf2_ros/async_buffer_interface.h"
#include "tf2_ros/buffer_interface.h"
#include "tf2_ros/create_timer_interface.h"

namespace tf2_ros {

/// The transform buffer of a node: lookups wait on the node's clock, and a clock that jumps back empties it.
class Buffer : public BufferInterface, public AsyncBufferInterface, public tf2::BufferCore {
 public:
  using tf2::BufferCore::canTransform;
  using tf2::BufferCore::lookupTransform;
  using SharedPtr = std::shared_ptr<Buffer>;

  explicit Buffer(rclcpp::Clock::SharedPtr clock,
                  tf2::Duration cache_time = tf2::Duration(tf2::BUFFER_CORE_DEFAULT_CACHE_TIME),
                  rclcpp::Node::SharedPtr node = nullptr);
  ~Buffer() override;

  geometry_msgs::msg::TransformStamped lookupTransform(const std::string& target_frame, const std::string& source_frame,
                                                       const tf2::TimePoint& time,
                                                       const tf2::Duration timeout) const override;
  geometry_msgs::msg::TransformStamped lookupTransform(
      const std::string& target_frame, const std::string& source_frame, const rclcpp::Time& time,
      const rclcpp::Duration timeout = rclcpp::Duration::from_nanoseconds(0)) const {
    return lookupTransform(target_frame, source_frame, fromRclcpp(time), fromRclcpp(timeout));
  }

  geometry_msgs::msg::TransformStamped lookupTransform(
      const std::string& target_frame, const tf2::TimePoint& target_time, const std::string& source_frame,
      const tf2::TimePoint& source_time, const std::string& fixed_frame, const tf2::Duration timeout) const override;
  geometry_msgs::msg::TransformStamped lookupTransform(
      const std::string& target_frame, const rclcpp::Time& target_time, const std::string& source_frame,
      const rclcpp::Time& source_time, const std::string& fixed_frame,
      const rclcpp::Duration timeout = rclcpp::Duration::from_nanoseconds(0)) const {
    return lookupTransform(target_frame, fromRclcpp(target_time), source_frame, fromRclcpp(source_time), fixed_frame,
                           fromRclcpp(timeout));
  }

  bool canTransform(const std::string& target_frame, const std::string& source_frame, const tf2::TimePoint& time,
                    const tf2::Duration timeout, std::string* errstr = nullptr) const override;
  bool canTransform(const std::string& target_frame, const std::string& source_frame, const rclcpp::Time& time,
                    const rclcpp::Duration timeout = rclcpp::Duration::from_nanoseconds(0),
                    std::string* errstr = nullptr) const {
    return canTransform(target_frame, source_frame, fromRclcpp(time), fromRclcpp(timeout), errstr);
  }
  bool canTransform(const std::string& target_frame, const tf2::TimePoint& target_time, const std::string& source_frame,
                    const tf2::TimePoint& source_time, const std::string& fixed_frame, const tf2::Duration timeout,
                    std::string* errstr = nullptr) const override;
  bool canTransform(const std::string& target_frame, const rclcpp::Time& target_time, const std::string& source_frame,
                    const rclcpp::Time& source_time, const std::string& fixed_frame,
                    const rclcpp::Duration timeout = rclcpp::Duration::from_nanoseconds(0),
                    std::string* errstr = nullptr) const {
    return canTransform(target_frame, fromRclcpp(target_time), source_frame, fromRclcpp(source_time), fixed_frame,
                        fromRclcpp(timeout), errstr);
  }

  /// Needs setCreateTimerInterface before.
  TransformStampedFuture waitForTransform(const std::string& target_frame, const std::string& source_frame,
                                          const tf2::TimePoint& time, const tf2::Duration& timeout,
                                          TransformReadyCallback callback) override;
  TransformStampedFuture waitForTransform(const std::string& target_frame, const std::string& source_frame,
                                          const rclcpp::Time& time, const rclcpp::Duration& timeout,
                                          TransformReadyCallback callback) {
    return waitForTransform(target_frame, source_frame, fromRclcpp(time), fromRclcpp(timeout), std::move(callback));
  }
  void cancel(const TransformStampedFuture& ts_future);

  void setCreateTimerInterface(CreateTimerInterface::SharedPtr create_timer_interface) {
    timer_interface_ = std::move(create_timer_interface);
  }

 private:
  struct Wait;

  template <class Ready>
  bool wait_until(Ready ready, tf2::Duration timeout) const;
  void finish(tf2::TransformableRequestHandle handle, bool timed_out);

  rclcpp::Clock::SharedPtr clock_;
  rclcpp::JumpHandler::SharedPtr jump_handler_;
  CreateTimerInterface::SharedPtr timer_interface_;
  std::mutex waits_mutex_;
  std::map<tf2::TransformableRequestHandle, std::shared_ptr<Wait>> waits_;
};

}  // namespace tf2_ros

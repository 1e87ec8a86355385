// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <future>
#include <string>
#include <utility>

#include "tf2_ros/buffer_interface.h"

namespace tf2_ros {

class TransformStampedFuture : public std::shared_future<geometry_msgs::msg::TransformStamped> {
  using BaseType = std::shared_future<geometry_msgs::msg::TransformStamped>;

 public:
  using BaseType::BaseType;
  TransformStampedFuture() = default;
  explicit TransformStampedFuture(const BaseType& future) : BaseType(future) {}
  explicit TransformStampedFuture(BaseType&& future) : BaseType(std::move(future)) {}

  void setHandle(const tf2::TransformableRequestHandle handle) { handle_ = handle; }
  tf2::TransformableRequestHandle getHandle() const { return handle_; }

 private:
  tf2::TransformableRequestHandle handle_ = {};
};

using TransformReadyCallback = std::function<void(const TransformStampedFuture&)>;

class AsyncBufferInterface {
 public:
  virtual ~AsyncBufferInterface() = default;

  /// The future gets the transform as soon as it is available, or tf2::TimeoutException; the callback follows.
  virtual TransformStampedFuture waitForTransform(const std::string& target_frame, const std::string& source_frame,
                                                  const tf2::TimePoint& time, const tf2::Duration& timeout,
                                                  TransformReadyCallback callback) = 0;
};

}  // namespace tf2_ros

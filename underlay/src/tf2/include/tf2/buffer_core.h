// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <geometry_msgs/msg/transform_stamped.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tf2/LinearMath/Transform.h"
#include "tf2/buffer_core_interface.h"
#include "tf2/exceptions.h"
#include "tf2/time.h"
#include "tf2/transform_datatypes.h"

namespace tf2 {

using TransformStampedData = std::pair<tf2::TimePoint, std::string>;
using TransformableRequestHandle = uint64_t;

enum TransformableResult {
  TransformAvailable,
  TransformFailure,
};

/// How long transforms are kept unless the constructor says otherwise.
static constexpr Duration BUFFER_CORE_DEFAULT_CACHE_TIME = std::chrono::seconds(10);

/// Remembers how coordinate frames move against each other and computes the transform between any two of them at any
/// remembered time. May be used from many threads at once.
///
/// A lookup returns the transform that takes coordinates in `source_frame` to coordinates in `target_frame`.
class BufferCore : public BufferCoreInterface {
 public:
  using TransformableCallback =
      std::function<void(TransformableRequestHandle request_handle, const std::string& target_frame,
                         const std::string& source_frame, tf2::TimePoint time, TransformableResult result)>;

  explicit BufferCore(tf2::Duration cache_time_ = BUFFER_CORE_DEFAULT_CACHE_TIME);
  ~BufferCore() override;

  void clear() override;  // static transforms stay

  /// False, with the reason on standard error, if the transform is unusable or older than what is kept.
  bool setTransform(const geometry_msgs::msg::TransformStamped& transform, const std::string& authority,
                    bool is_static = false);

  geometry_msgs::msg::TransformStamped lookupTransform(const std::string& target_frame, const std::string& source_frame,
                                                       const tf2::TimePoint& time) const override;

  /// Where `source_frame` was at `source_time`, seen from where `target_frame` was at `target_time`, on the assumption
  /// that `fixed_frame` did not move in between.
  geometry_msgs::msg::TransformStamped lookupTransform(const std::string& target_frame,
                                                       const tf2::TimePoint& target_time,
                                                       const std::string& source_frame,
                                                       const tf2::TimePoint& source_time,
                                                       const std::string& fixed_frame) const override;

  bool canTransform(const std::string& target_frame, const std::string& source_frame, const tf2::TimePoint& time,
                    std::string* error_msg = nullptr) const override;
  bool canTransform(const std::string& target_frame, const tf2::TimePoint& target_time, const std::string& source_frame,
                    const tf2::TimePoint& source_time, const std::string& fixed_frame,
                    std::string* error_msg = nullptr) const override;

  std::vector<std::string> getAllFrameNames() const override;

  std::string allFramesAsYAML(tf2::TimePoint current_time) const;
  std::string allFramesAsYAML() const;
  std::string allFramesAsString() const;
  std::string _allFramesAsDot(tf2::TimePoint current_time) const;
  std::string _allFramesAsDot() const;

  /// Calls back once, from the thread that delivers the missing transform. Returns 0 if the transform is available
  /// already, and 0xffffffffffffffff if it never will be because the time has left the buffer.
  TransformableRequestHandle addTransformableRequest(const TransformableCallback& cb, const std::string& target_frame,
                                                     const std::string& source_frame, tf2::TimePoint time);
  void cancelTransformableRequest(TransformableRequestHandle handle);

  void setUsingDedicatedThread(bool value) { using_dedicated_thread_ = value; }
  bool isUsingDedicatedThread() const { return using_dedicated_thread_; }

  bool _frameExists(const std::string& frame_id_str) const;
  bool _getParent(const std::string& frame_id, tf2::TimePoint time, std::string& parent) const;
  void _getFrameStrings(std::vector<std::string>& ids) const;
  void _chainAsVector(const std::string& target_frame, tf2::TimePoint target_time, const std::string& source_frame,
                      tf2::TimePoint source_time, const std::string& fixed_frame,
                      std::vector<std::string>& output) const;
  tf2::Duration getCacheLength() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
  std::atomic<bool> using_dedicated_thread_{false};
};

}  // namespace tf2

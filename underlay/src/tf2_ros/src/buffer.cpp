// SPDX-License-Identifier: Apache-2.0
#include "tf2_ros/buffer.h"

#include <algorithm>
#include <rclcpp/logging.hpp>
#include <rclcpp/utilities.hpp>
#include <thread>

namespace tf2_ros {
namespace {

constexpr auto kLook =
    std::chrono::milliseconds(3);  // between two looks at the buffer and at a clock that may be simulated

constexpr tf2::TransformableRequestHandle kNever = 0xffffffffffffffffull;

}  // namespace

struct Buffer::Wait {
  std::promise<geometry_msgs::msg::TransformStamped> promise;
  TransformStampedFuture future;
  TransformReadyCallback callback;
  std::string target_frame, source_frame;
  tf2::TimePoint time;
  TimerHandle timer = 0;
};

Buffer::Buffer(rclcpp::Clock::SharedPtr clock, tf2::Duration cache_time, rclcpp::Node::SharedPtr)
    : BufferCore(cache_time), clock_(std::move(clock)) {
  if (!clock_) throw std::invalid_argument("tf2_ros::Buffer needs a clock, for instance node->get_clock()");
  rcl_jump_threshold_t backwards;
  backwards.on_clock_change = true;
  backwards.min_forward.nanoseconds = 0;
  backwards.min_backward.nanoseconds = -1;
  jump_handler_ = clock_->create_jump_callback(
      nullptr,
      [this](const rcl_time_jump_t& jump) {
        if (jump.delta.nanoseconds >= 0 && jump.clock_change == RCL_ROS_TIME_NO_CHANGE) return;
        RCLCPP_WARN(rclcpp::get_logger("tf2_buffer"), "Detected jump back in time. Clearing TF buffer.");
        clear();
      },
      backwards);
}

Buffer::~Buffer() {
  std::lock_guard<std::mutex> lock(waits_mutex_);
  for (auto& [handle, wait] : waits_) {
    cancelTransformableRequest(handle);
    if (timer_interface_) timer_interface_->remove(wait->timer);
  }
}

template <class Ready>
bool Buffer::wait_until(Ready ready, tf2::Duration timeout) const {
  if (ready()) return true;
  if (timeout <= tf2::Duration::zero()) return false;
  if (!isUsingDedicatedThread()) {
    RCLCPP_ERROR_ONCE(rclcpp::get_logger("tf2_buffer"),
                      "A lookup with a time-out waits for transforms that nobody receives meanwhile: build the "
                      "TransformListener with spin_thread = true, or look up without a time-out.");
    return false;
  }
  // The clock may be simulated, and stand still: real time counts too when the process is to end.
  const rclcpp::Time end = clock_->now() + rclcpp::Duration(timeout);
  while (rclcpp::ok() && clock_->now() < end) {
    const auto left = std::chrono::nanoseconds((end - clock_->now()).nanoseconds());
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(left, kLook));
    if (ready()) return true;
  }
  return ready();
}

geometry_msgs::msg::TransformStamped Buffer::lookupTransform(const std::string& target_frame,
                                                             const std::string& source_frame,
                                                             const tf2::TimePoint& time,
                                                             const tf2::Duration timeout) const {
  canTransform(target_frame, source_frame, time, timeout);
  return lookupTransform(target_frame, source_frame, time);
}

geometry_msgs::msg::TransformStamped Buffer::lookupTransform(
    const std::string& target_frame, const tf2::TimePoint& target_time, const std::string& source_frame,
    const tf2::TimePoint& source_time, const std::string& fixed_frame, const tf2::Duration timeout) const {
  canTransform(target_frame, target_time, source_frame, source_time, fixed_frame, timeout);
  return lookupTransform(target_frame, target_time, source_frame, source_time, fixed_frame);
}

bool Buffer::canTransform(const std::string& target_frame, const std::string& source_frame, const tf2::TimePoint& time,
                          const tf2::Duration timeout, std::string* errstr) const {
  return wait_until([&] { return canTransform(target_frame, source_frame, time, errstr); }, timeout);
}

bool Buffer::canTransform(const std::string& target_frame, const tf2::TimePoint& target_time,
                          const std::string& source_frame, const tf2::TimePoint& source_time,
                          const std::string& fixed_frame, const tf2::Duration timeout, std::string* errstr) const {
  return wait_until(
      [&] { return canTransform(target_frame, target_time, source_frame, source_time, fixed_frame, errstr); }, timeout);
}

TransformStampedFuture Buffer::waitForTransform(const std::string& target_frame, const std::string& source_frame,
                                                const tf2::TimePoint& time, const tf2::Duration& timeout,
                                                TransformReadyCallback callback) {
  if (!timer_interface_) {
    throw CreateTimerInterfaceException("call setCreateTimerInterface before waitForTransform");
  }
  auto wait = std::make_shared<Wait>();
  wait->future = TransformStampedFuture(wait->promise.get_future().share());
  wait->callback = std::move(callback);
  wait->target_frame = target_frame;
  wait->source_frame = source_frame;
  wait->time = time;

  std::unique_lock<std::mutex> lock(waits_mutex_);  // no answer before the wait is filed
  const auto handle =
      addTransformableRequest([this](tf2::TransformableRequestHandle request, const std::string&, const std::string&,
                                     tf2::TimePoint, tf2::TransformableResult) { finish(request, false); },
                              target_frame, source_frame, time);
  if (handle == 0 || handle == kNever) {
    lock.unlock();
    try {
      wait->promise.set_value(lookupTransform(target_frame, source_frame, time));
    } catch (const tf2::TransformException&) {
      wait->promise.set_exception(std::current_exception());
    }
    if (wait->callback) wait->callback(wait->future);
    return wait->future;
  }
  wait->future.setHandle(handle);
  wait->timer =
      timer_interface_->createTimer(clock_, timeout, [this, handle](const TimerHandle&) { finish(handle, true); });
  waits_[handle] = wait;
  return wait->future;
}

void Buffer::finish(tf2::TransformableRequestHandle handle, bool timed_out) {
  std::shared_ptr<Wait> wait;
  {
    std::lock_guard<std::mutex> lock(waits_mutex_);
    const auto entry = waits_.find(handle);
    if (entry == waits_.end()) return;
    wait = entry->second;
    waits_.erase(entry);
  }
  if (timed_out) cancelTransformableRequest(handle);
  timer_interface_->remove(wait->timer);
  try {
    if (timed_out) {
      throw tf2::TimeoutException("The transform from \"" + wait->source_frame + "\" to \"" + wait->target_frame +
                                  "\" did not arrive in time");
    }
    wait->promise.set_value(lookupTransform(wait->target_frame, wait->source_frame, wait->time));
  } catch (const tf2::TransformException&) {
    wait->promise.set_exception(std::current_exception());
  }
  if (wait->callback) wait->callback(wait->future);
}

void Buffer::cancel(const TransformStampedFuture& ts_future) {
  std::shared_ptr<Wait> wait;
  {
    std::lock_guard<std::mutex> lock(waits_mutex_);
    const auto entry = waits_.find(ts_future.getHandle());
    if (entry == waits_.end()) return;
    wait = entry->second;
    waits_.erase(entry);
  }
  cancelTransformableRequest(ts_future.getHandle());
  timer_interface_->remove(wait->timer);
}

}  // namespace tf2_ros

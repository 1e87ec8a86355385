// SPDX-License-Identifier: Apache-2.0
#include "tf2/buffer_core.h"

#include <rcutils/logging_macros.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <mutex>

#include "frame_tree.hpp"

namespace tf2 {
namespace {

constexpr double kUnitTolerance = 1e-2;  // of a quaternion's squared length: more is no rounding error
constexpr TransformableRequestHandle kNever = std::numeric_limits<TransformableRequestHandle>::max();

builtin_interfaces::msg::Time to_stamp(TimePoint time) {
  const auto nanoseconds = time.time_since_epoch().count();
  const auto seconds = nanoseconds >= 0 ? nanoseconds / 1'000'000'000 : -((-nanoseconds + 999'999'999) / 1'000'000'000);
  builtin_interfaces::msg::Time stamp;
  stamp.sec = static_cast<int32_t>(seconds);
  stamp.nanosec = static_cast<uint32_t>(nanoseconds - seconds * 1'000'000'000);
  return stamp;
}

TimePoint from_stamp(const builtin_interfaces::msg::Time& stamp) {
  return TimePoint(std::chrono::seconds(stamp.sec) + std::chrono::nanoseconds(stamp.nanosec));
}

/// Old code writes "/base_link"; frames have no slash in ROS 2.
std::string strip_slash(const std::string& frame) {
  return !frame.empty() && frame[0] == '/' ? frame.substr(1) : frame;
}

bool finite(const geometry_msgs::msg::Transform& t) {
  const double sum =
      t.translation.x + t.translation.y + t.translation.z + t.rotation.x + t.rotation.y + t.rotation.z + t.rotation.w;
  return std::isfinite(sum);
}

}  // namespace

TimePoint get_now() {
  return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
}

std::string displayTimePoint(const TimePoint& stamp) {
  char text[48];
  std::snprintf(text, sizeof(text), "%.6f", timeToSec(stamp));
  return text;
}

/// The frames, who waits for them, and the lock around both.
class BufferCore::Impl {
 public:
  explicit Impl(Duration cache_time) : cache_time_(cache_time) {}

  struct Request {
    TransformableRequestHandle handle;
    TransformableCallback callback;
    std::string target, source;
    TimePoint time;
  };

  /// Takes out the requests that can be served (or never will be), to be called without the lock.
  std::vector<std::pair<Request, TransformableResult>> take_decided_requests() {
    std::vector<std::pair<Request, TransformableResult>> decided;
    for (auto request = requests_.begin(); request != requests_.end();) {
      Pose pose;
      TimePoint time = request->time;
      const bool available =
          tree_.lookup("addTransformableRequest", request->target, request->source, time, pose).none();
      if (available || left_the_buffer(*request)) {
        decided.emplace_back(std::move(*request), available ? TransformAvailable : TransformFailure);
        request = requests_.erase(request);
      } else {
        ++request;
      }
    }
    return decided;
  }

  bool left_the_buffer(const Request& request) const {
    const FrameId target = tree_.find(request.target);
    const FrameId source = tree_.find(request.source);
    TimePoint latest;
    if (request.time == TimePointZero || !target || !source ||
        !tree_.latest_common_time(target, source, latest).none()) {
      return false;
    }
    return latest != TimePointZero && request.time + cache_time_ < latest;
  }

  mutable std::mutex mutex_;
  Duration cache_time_;
  FrameTree tree_;
  std::vector<Request> requests_;
  TransformableRequestHandle next_handle_ = 1;
};

namespace {

geometry_msgs::msg::TransformStamped message(const std::string& target, const std::string& source, TimePoint time,
                                             const Pose& pose) {
  geometry_msgs::msg::TransformStamped result;
  result.header.frame_id = target;
  result.header.stamp = to_stamp(time);
  result.child_frame_id = source;
  result.transform.translation.x = pose.translation.x();
  result.transform.translation.y = pose.translation.y();
  result.transform.translation.z = pose.translation.z();
  result.transform.rotation.x = pose.rotation.x();
  result.transform.rotation.y = pose.rotation.y();
  result.transform.rotation.z = pose.rotation.z();
  result.transform.rotation.w = pose.rotation.w();
  return result;
}

bool report(const Failure& failure, std::string* error_msg) {
  if (error_msg) *error_msg = failure.text;
  return failure.none();
}

}  // namespace

BufferCore::BufferCore(Duration cache_time) : impl_(std::make_unique<Impl>(cache_time)) {}
BufferCore::~BufferCore() = default;

void BufferCore::clear() {
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  for (auto& frame : impl_->tree_.frames()) {
    if (!frame.cache.is_static()) frame.cache.clear();
  }
}

bool BufferCore::setTransform(const geometry_msgs::msg::TransformStamped& transform, const std::string& authority,
                              bool is_static) {
  const std::string child = strip_slash(transform.child_frame_id);
  const std::string parent = strip_slash(transform.header.frame_id);
  const auto refuse = [&](const std::string& reason) {
    RCUTILS_LOG_ERROR_NAMED("tf2", "Ignoring the transform \"%s\" -> \"%s\" from \"%s\": %s", parent.c_str(),
                            child.c_str(), authority.c_str(), reason.c_str());
    return false;
  };
  if (child.empty()) return refuse("child_frame_id is empty");
  if (parent.empty()) return refuse("header.frame_id is empty");
  if (child == parent) return refuse("parent and child are the same frame");
  const auto& q = transform.transform.rotation;
  if (!finite(transform.transform)) {
    return refuse("it contains nan or infinity");
  }
  const double length2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  if (std::abs(length2 - 1.0) > kUnitTolerance) {
    return refuse("its quaternion (" + std::to_string(q.x) + " " + std::to_string(q.y) + " " + std::to_string(q.z) +
                  " " + std::to_string(q.w) + ") is not normalized");
  }

  Placement placement;
  placement.rotation = Quaternion(q.x, q.y, q.z, q.w).normalized();
  placement.translation =
      Vector3(transform.transform.translation.x, transform.transform.translation.y, transform.transform.translation.z);
  placement.stamp = from_stamp(transform.header.stamp);

  std::vector<std::pair<Impl::Request, TransformableResult>> decided;
  {
    std::lock_guard<std::mutex> lock(impl_->mutex_);
    const FrameId id = impl_->tree_.find_or_add(child);
    placement.parent = impl_->tree_.find_or_add(parent);
    switch (impl_->tree_.frames()[id].cache.insert(placement, authority, is_static, impl_->cache_time_)) {
      case FrameCache::Insertion::TooOld:
        RCUTILS_LOG_WARN_NAMED("tf2",
                               "Ignoring old data for the frame \"%s\" at time %s from \"%s\": the buffer already has "
                               "time %s. Was the clock set back, or do two publishers disagree on the time?",
                               child.c_str(), displayTimePoint(placement.stamp).c_str(), authority.c_str(),
                               displayTimePoint(impl_->tree_.frames()[id].cache.latest()).c_str());
        return false;
      case FrameCache::Insertion::Done:
        break;
    }
    if (!impl_->requests_.empty()) decided = impl_->take_decided_requests();
  }
  for (const auto& [request, result] : decided) {
    request.callback(request.handle, request.target, request.source, request.time, result);
  }
  return true;
}

geometry_msgs::msg::TransformStamped BufferCore::lookupTransform(const std::string& target_frame,
                                                                 const std::string& source_frame,
                                                                 const TimePoint& time) const {
  Pose pose;
  TimePoint at = time;
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  const Failure failure = impl_->tree_.lookup("lookupTransform", target_frame, source_frame, at, pose);
  if (!failure.none()) failure.raise();
  return message(target_frame, source_frame, at, pose);
}

geometry_msgs::msg::TransformStamped BufferCore::lookupTransform(const std::string& target_frame,
                                                                 const TimePoint& target_time,
                                                                 const std::string& source_frame,
                                                                 const TimePoint& source_time,
                                                                 const std::string& fixed_frame) const {
  Pose pose;
  TimePoint at = target_time;
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  const Failure failure =
      impl_->tree_.lookup("lookupTransform", target_frame, at, source_frame, source_time, fixed_frame, pose);
  if (!failure.none()) failure.raise();
  return message(target_frame, source_frame, at, pose);
}

bool BufferCore::canTransform(const std::string& target_frame, const std::string& source_frame, const TimePoint& time,
                              std::string* error_msg) const {
  Pose pose;
  TimePoint at = time;
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  return report(impl_->tree_.lookup("canTransform", target_frame, source_frame, at, pose), error_msg);
}

bool BufferCore::canTransform(const std::string& target_frame, const TimePoint& target_time,
                              const std::string& source_frame, const TimePoint& source_time,
                              const std::string& fixed_frame, std::string* error_msg) const {
  Pose pose;
  TimePoint at = target_time;
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  return report(impl_->tree_.lookup("canTransform", target_frame, at, source_frame, source_time, fixed_frame, pose),
                error_msg);
}

std::vector<std::string> BufferCore::getAllFrameNames() const {
  std::vector<std::string> names;
  _getFrameStrings(names);
  return names;
}

void BufferCore::_getFrameStrings(std::vector<std::string>& ids) const {
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  ids.clear();
  for (size_t i = 1; i < impl_->tree_.frames().size(); ++i) ids.push_back(impl_->tree_.frames()[i].name);
}

std::string BufferCore::allFramesAsString() const {
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  return impl_->tree_.as_string();
}

std::string BufferCore::allFramesAsYAML() const {
  return allFramesAsYAML(TimePointZero);
}

std::string BufferCore::allFramesAsYAML(TimePoint current_time) const {
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  return impl_->tree_.as_yaml(current_time);
}

std::string BufferCore::_allFramesAsDot() const {
  return _allFramesAsDot(TimePointZero);
}

std::string BufferCore::_allFramesAsDot(TimePoint current_time) const {
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  return impl_->tree_.as_dot(current_time);
}

TransformableRequestHandle BufferCore::addTransformableRequest(const TransformableCallback& cb,
                                                               const std::string& target_frame,
                                                               const std::string& source_frame, TimePoint time) {
  if (target_frame == source_frame) return 0;
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  Pose pose;
  TimePoint at = time;
  if (impl_->tree_.lookup("addTransformableRequest", target_frame, source_frame, at, pose).none()) return 0;
  Impl::Request request{impl_->next_handle_, cb, strip_slash(target_frame), strip_slash(source_frame), time};
  if (impl_->left_the_buffer(request)) return kNever;
  impl_->requests_.push_back(std::move(request));
  return impl_->next_handle_++;
}

void BufferCore::cancelTransformableRequest(TransformableRequestHandle handle) {
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  auto& requests = impl_->requests_;
  requests.erase(
      std::remove_if(requests.begin(), requests.end(), [&](const auto& request) { return request.handle == handle; }),
      requests.end());
}

bool BufferCore::_frameExists(const std::string& frame_id_str) const {
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  return impl_->tree_.find(frame_id_str) != kNoFrame;
}

bool BufferCore::_getParent(const std::string& frame_id, TimePoint time, std::string& parent) const {
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  Placement placement;
  const FrameId id = impl_->tree_.find(frame_id);
  if (!id || impl_->tree_.frames()[id].cache.find(time, placement) != FrameCache::Lookup::Found) return false;
  parent = impl_->tree_.name(placement.parent);
  return true;
}

void BufferCore::_chainAsVector(const std::string& target_frame, TimePoint target_time, const std::string& source_frame,
                                TimePoint source_time, const std::string& fixed_frame,
                                std::vector<std::string>& output) const {
  output.clear();
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  const auto append_way = [&](const std::string& to, const std::string& from, TimePoint time) {
    for (const FrameId frame : impl_->tree_.way("_chainAsVector", to, from, time)) {
      output.push_back(impl_->tree_.name(frame));
    }
  };
  append_way(fixed_frame, source_frame, source_time);
  if (fixed_frame == target_frame) return;
  output.pop_back();  // the fixed frame comes again as the start of the second half
  append_way(target_frame, fixed_frame, target_time);
}

Duration BufferCore::getCacheLength() const {
  return impl_->cache_time_;
}

}  // namespace tf2

// SPDX-License-Identifier: Apache-2.0
#include "tf2/buffer_core.h"

#include <rcutils/logging_macros.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <mutex>
#include <optional>
#include <sstream>
#include <unordered_map>

#include "frame_cache.hpp"

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

struct Pose {
  Quaternion rotation = Quaternion::getIdentity();
  Vector3 translation;

  Pose operator*(const Pose& inner) const {
    return {rotation * inner.rotation, quatRotate(rotation, inner.translation) + translation};
  }
  Pose inverse() const { return {rotation.inverse(), quatRotate(rotation.inverse(), -translation)}; }
};

struct Failure {
  TF2Error code = TF2Error::TF2_NO_ERROR;
  std::string text;

  bool none() const { return code == TF2Error::TF2_NO_ERROR; }
  [[noreturn]] void raise() const {
    switch (code) {
      case TF2Error::TF2_LOOKUP_ERROR:
        throw LookupException(text);
      case TF2Error::TF2_CONNECTIVITY_ERROR:
        throw ConnectivityException(text);
      case TF2Error::TF2_EXTRAPOLATION_ERROR:
        throw ExtrapolationException(text);
      case TF2Error::TF2_INVALID_ARGUMENT_ERROR:
        throw InvalidArgumentException(text);
      default:
        throw TransformException(text);
    }
  }
};

}  // namespace

TimePoint get_now() {
  return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
}

std::string displayTimePoint(const TimePoint& stamp) {
  char text[48];
  std::snprintf(text, sizeof(text), "%.6f", timeToSec(stamp));
  return text;
}

class BufferCore::Impl {
 public:
  explicit Impl(Duration cache_time) : cache_time_(cache_time) { frames_.resize(1); }

  struct Frame {
    std::string name;
    FrameCache cache;
  };

  struct Request {
    TransformableRequestHandle handle;
    TransformableCallback callback;
    std::string target, source;
    TimePoint time;
  };

  // One step of the way from a frame towards the root.
  struct Step {
    FrameId frame;
    Pose to_parent;
  };

  struct Chain {
    std::vector<Step> steps;  // the last one has no to_parent: nothing is known above it
    FrameCache::Lookup end = FrameCache::Lookup::Empty;
    bool loop = false;
  };

  FrameId find(const std::string& name) const {
    const auto entry = ids_.find(name);
    return entry == ids_.end() ? kNoFrame : entry->second;
  }

  FrameId find_or_add(const std::string& name) {
    const auto [entry, added] = ids_.emplace(name, static_cast<FrameId>(frames_.size()));
    if (added) frames_.push_back({name, {}});
    return entry->second;
  }

  Failure check(const std::string& name, const char* function, const char* argument, FrameId& id) const {
    const std::string where = std::string(" (argument ") + argument + " of " + function + ")";
    if (name.empty()) return {TF2Error::TF2_INVALID_ARGUMENT_ERROR, "A frame name is empty" + where};
    if (name[0] == '/') {
      return {TF2Error::TF2_INVALID_ARGUMENT_ERROR, "The frame name \"" + name +
                                                        "\" starts with '/', which tf2 does not allow; use \"" +
                                                        name.substr(1) + "\"" + where};
    }
    id = find(name);
    if (id == kNoFrame) {
      return {TF2Error::TF2_LOOKUP_ERROR, "The frame \"" + name + "\" does not exist" + where +
                                              ": no transform with that name has been received so far"};
    }
    return {};
  }

  Chain walk(FrameId frame, TimePoint time) const {
    Chain chain;
    chain.steps.reserve(16);
    for (;;) {
      Placement placement;
      chain.end = frames_[frame].cache.find(time, placement);
      if (chain.end != FrameCache::Lookup::Found) {
        chain.steps.push_back({frame, {}});
        return chain;
      }
      chain.steps.push_back({frame, {placement.rotation, placement.translation}});
      frame = placement.parent;
      if (chain.steps.size() > frames_.size()) {
        chain.loop = true;
        return chain;
      }
    }
  }

  /// Drops the part of both ways above their lowest common frame, which stays the last step of both.
  static void cut_common_end(Chain& a, Chain& b) {
    while (a.steps.size() > 1 && b.steps.size() > 1 &&
           a.steps[a.steps.size() - 2].frame == b.steps[b.steps.size() - 2].frame) {
      a.steps.pop_back();
      b.steps.pop_back();
    }
  }

  static Pose to_last(const Chain& chain) {
    Pose pose;
    for (size_t i = 0; i + 1 < chain.steps.size(); ++i) pose = chain.steps[i].to_parent * pose;
    return pose;
  }

  std::string name(FrameId id) const { return frames_[id].name; }

  std::string extrapolation_text(const Chain& chain, TimePoint time) const {
    const FrameId frame = chain.steps.back().frame;
    const FrameCache& cache = frames_[frame].cache;
    const std::string begin = "Lookup would require extrapolation ";
    const std::string parent = " (of \"" + name(frame) + "\" in \"" + name(cache.newest().parent) + "\")";
    switch (chain.end) {
      case FrameCache::Lookup::Past:
        return begin + "into the past. Requested time " + displayTimePoint(time) + " but the earliest data" + parent +
               " is at time " + displayTimePoint(cache.oldest());
      case FrameCache::Lookup::Future:
        return begin + "into the future. Requested time " + displayTimePoint(time) + " but the latest data" + parent +
               " is at time " + displayTimePoint(cache.latest());
      default:
        return begin + "at time " + displayTimePoint(time) + ", but only time " + displayTimePoint(cache.latest()) +
               parent + " is in the buffer";
    }
  }

  static bool blocked(const Chain& chain) {
    return chain.end == FrameCache::Lookup::Past || chain.end == FrameCache::Lookup::Future ||
           chain.end == FrameCache::Lookup::OnlyOne;
  }

  /// Both ways up to the lowest common frame at `time`.
  Failure connect(FrameId target, FrameId source, TimePoint time, Chain& from_target, Chain& from_source) const {
    from_source = walk(source, time);
    from_target = walk(target, time);
    if (from_source.loop || from_target.loop) {
      return {TF2Error::TF2_CONNECTIVITY_ERROR,
              "The transform tree contains a loop above \"" + name(from_source.loop ? source : target) +
                  "\": two publishers give the same frame different parents.\n" + frames_as_string()};
    }
    if (from_source.steps.back().frame == from_target.steps.back().frame) {
      cut_common_end(from_source, from_target);
      return {};
    }
    // One frame may lie on the other's way up even though its own way up is blocked.
    if (meet(from_source, from_target)) return {};

    const std::string wanted =
        ", when looking up transform from frame [" + name(source) + "] to frame [" + name(target) + "]";
    for (const Chain* chain : {&from_target, &from_source}) {
      if (blocked(*chain)) return {TF2Error::TF2_EXTRAPOLATION_ERROR, extrapolation_text(*chain, time) + wanted};
    }
    return {TF2Error::TF2_CONNECTIVITY_ERROR, "Could not find a connection between '" + name(target) + "' and '" +
                                                  name(source) + "' because they are not part of the same tree: '" +
                                                  name(target) + "' hangs below '" +
                                                  name(from_target.steps.back().frame) + "', '" + name(source) +
                                                  "' below '" + name(from_source.steps.back().frame) + "'"};
  }

  static bool meet(Chain& a, Chain& b) {
    for (size_t i = 0; i < a.steps.size(); ++i) {
      for (size_t j = 0; j < b.steps.size(); ++j) {
        if (a.steps[i].frame != b.steps[j].frame) continue;
        a.steps.resize(i + 1);
        b.steps.resize(j + 1);
        return true;
      }
    }
    return false;
  }

  /// The latest time at which every link between the two frames is known; zero if all of them are static.
  Failure latest_common_time(FrameId target, FrameId source, TimePoint& time) const {
    Chain from_target, from_source;
    Failure failure = connect(target, source, TimePointZero, from_target, from_source);
    if (!failure.none()) return failure;
    std::optional<TimePoint> latest;
    for (const Chain* chain : {&from_target, &from_source}) {
      for (size_t i = 0; i + 1 < chain->steps.size(); ++i) {
        const FrameCache& cache = frames_[chain->steps[i].frame].cache;
        if (!cache.is_static() && (!latest || cache.latest() < *latest)) latest = cache.latest();
      }
    }
    time = latest.value_or(TimePointZero);
    return {};
  }

  /// From `source` to `target` coordinates; a zero `time` becomes the latest common one.
  Failure transform(FrameId target, FrameId source, TimePoint& time, Pose& result) const {
    if (target == source) {
      if (time == TimePointZero && !frames_[target].cache.empty() && !frames_[target].cache.is_static()) {
        time = frames_[target].cache.latest();
      }
      result = {};
      return {};
    }
    if (time == TimePointZero) {
      Failure failure = latest_common_time(target, source, time);
      if (!failure.none()) return failure;
    }
    Chain from_target, from_source;
    Failure failure = connect(target, source, time, from_target, from_source);
    if (failure.none()) result = to_last(from_target).inverse() * to_last(from_source);
    return failure;
  }

  Failure lookup(const char* function, const std::string& target, const std::string& source, TimePoint& time,
                 Pose& result) const {
    FrameId target_id = kNoFrame, source_id = kNoFrame;
    Failure failure = check(target, function, "target_frame", target_id);
    if (failure.none()) failure = check(source, function, "source_frame", source_id);
    return failure.none() ? transform(target_id, source_id, time, result) : failure;
  }

  Failure lookup(const char* function, const std::string& target, TimePoint& target_time, const std::string& source,
                 TimePoint source_time, const std::string& fixed, Pose& result) const {
    FrameId target_id = kNoFrame, source_id = kNoFrame, fixed_id = kNoFrame;
    Failure failure = check(target, function, "target_frame", target_id);
    if (failure.none()) failure = check(source, function, "source_frame", source_id);
    if (failure.none()) failure = check(fixed, function, "fixed_frame", fixed_id);
    Pose fixed_from_source, target_from_fixed;
    if (failure.none()) failure = transform(fixed_id, source_id, source_time, fixed_from_source);
    if (failure.none()) failure = transform(target_id, fixed_id, target_time, target_from_fixed);
    if (failure.none()) result = target_from_fixed * fixed_from_source;
    return failure;
  }

  std::string frames_as_string() const {
    std::string text;
    for (size_t i = 1; i < frames_.size(); ++i) {
      const FrameCache& cache = frames_[i].cache;
      const FrameId parent = cache.empty() ? kNoFrame : cache.newest().parent;
      text += "Frame " + frames_[i].name + " exists with parent " + (parent ? name(parent) : "NO_PARENT") + ".\n";
    }
    return text;
  }

  /// Takes out the requests that can be served (or never will be), to be called without the lock.
  std::vector<std::pair<Request, TransformableResult>> take_decided_requests() {
    std::vector<std::pair<Request, TransformableResult>> decided;
    for (auto request = requests_.begin(); request != requests_.end();) {
      Pose pose;
      TimePoint time = request->time;
      const bool available = lookup("addTransformableRequest", request->target, request->source, time, pose).none();
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
    const FrameId target = find(request.target);
    const FrameId source = find(request.source);
    TimePoint latest;
    if (request.time == TimePointZero || !target || !source || !latest_common_time(target, source, latest).none()) {
      return false;
    }
    return latest != TimePointZero && request.time + cache_time_ < latest;
  }

  mutable std::mutex mutex_;
  Duration cache_time_;
  std::vector<Frame> frames_;  // number 0 is "no frame"
  std::unordered_map<std::string, FrameId> ids_;
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
  for (auto& frame : impl_->frames_) {
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
    const FrameId id = impl_->find_or_add(child);
    placement.parent = impl_->find_or_add(parent);
    switch (impl_->frames_[id].cache.insert(placement, authority, is_static, impl_->cache_time_)) {
      case FrameCache::Insertion::TooOld:
        RCUTILS_LOG_WARN_NAMED("tf2",
                               "Ignoring old data for the frame \"%s\" at time %s from \"%s\": the buffer already has "
                               "time %s. Was the clock set back, or do two publishers disagree on the time?",
                               child.c_str(), displayTimePoint(placement.stamp).c_str(), authority.c_str(),
                               displayTimePoint(impl_->frames_[id].cache.latest()).c_str());
        return false;
      case FrameCache::Insertion::Repeated:
        return false;  // the same again, as a publisher with a slow clock sends it: harmless
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
  const Failure failure = impl_->lookup("lookupTransform", target_frame, source_frame, at, pose);
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
      impl_->lookup("lookupTransform", target_frame, at, source_frame, source_time, fixed_frame, pose);
  if (!failure.none()) failure.raise();
  return message(target_frame, source_frame, at, pose);
}

bool BufferCore::canTransform(const std::string& target_frame, const std::string& source_frame, const TimePoint& time,
                              std::string* error_msg) const {
  Pose pose;
  TimePoint at = time;
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  return report(impl_->lookup("canTransform", target_frame, source_frame, at, pose), error_msg);
}

bool BufferCore::canTransform(const std::string& target_frame, const TimePoint& target_time,
                              const std::string& source_frame, const TimePoint& source_time,
                              const std::string& fixed_frame, std::string* error_msg) const {
  Pose pose;
  TimePoint at = target_time;
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  return report(impl_->lookup("canTransform", target_frame, at, source_frame, source_time, fixed_frame, pose),
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
  for (size_t i = 1; i < impl_->frames_.size(); ++i) ids.push_back(impl_->frames_[i].name);
}

std::string BufferCore::allFramesAsString() const {
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  return impl_->frames_as_string();
}

std::string BufferCore::allFramesAsYAML() const {
  return allFramesAsYAML(TimePointZero);
}

std::string BufferCore::allFramesAsYAML(TimePoint current_time) const {
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  std::ostringstream yaml;
  yaml.setf(std::ios::fixed);
  yaml.precision(3);
  for (size_t i = 1; i < impl_->frames_.size(); ++i) {
    const auto& frame = impl_->frames_[i];
    if (frame.cache.empty()) continue;  // a root has no parent to tell about
    const double length = durationToSec(frame.cache.latest() - frame.cache.oldest());
    const double rate = length > 0.0 ? static_cast<double>(frame.cache.size() - 1) / length : 10000.0;
    yaml << frame.name << ":\n  parent: '" << impl_->name(frame.cache.newest().parent) << "'\n  broadcaster: '"
         << frame.cache.authority() << "'\n  rate: " << rate
         << "\n  most_recent_transform: " << timeToSec(frame.cache.latest())
         << "\n  oldest_transform: " << timeToSec(frame.cache.oldest()) << "\n";
    if (current_time != TimePointZero) {
      yaml << "  transform_delay: " << durationToSec(current_time - frame.cache.latest()) << "\n";
    }
    yaml << "  buffer_length: " << length << "\n";
  }
  const std::string text = yaml.str();
  return text.empty() ? "{}" : text;
}

std::string BufferCore::_allFramesAsDot() const {
  return _allFramesAsDot(TimePointZero);
}

std::string BufferCore::_allFramesAsDot(TimePoint current_time) const {
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  std::ostringstream dot;
  dot.setf(std::ios::fixed);
  dot.precision(3);
  dot << "digraph G {\n";
  for (size_t i = 1; i < impl_->frames_.size(); ++i) {
    const auto& frame = impl_->frames_[i];
    if (frame.cache.empty()) continue;
    dot << "\"" << impl_->name(frame.cache.newest().parent) << "\" -> \"" << frame.name << "\" [label=\""
        << (frame.cache.is_static() ? "static" : "at " + displayTimePoint(frame.cache.latest()));
    if (current_time != TimePointZero && !frame.cache.is_static()) {
      dot << "\\n" << durationToSec(current_time - frame.cache.latest()) << " s old";
    }
    dot << "\"];\n";
  }
  dot << "}";
  return dot.str();
}

TransformableRequestHandle BufferCore::addTransformableRequest(const TransformableCallback& cb,
                                                               const std::string& target_frame,
                                                               const std::string& source_frame, TimePoint time) {
  if (target_frame == source_frame) return 0;
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  Pose pose;
  TimePoint at = time;
  if (impl_->lookup("addTransformableRequest", target_frame, source_frame, at, pose).none()) return 0;
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
  return impl_->find(frame_id_str) != kNoFrame;
}

bool BufferCore::_getParent(const std::string& frame_id, TimePoint time, std::string& parent) const {
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  Placement placement;
  const FrameId id = impl_->find(frame_id);
  if (!id || impl_->frames_[id].cache.find(time, placement) != FrameCache::Lookup::Found) return false;
  parent = impl_->name(placement.parent);
  return true;
}

void BufferCore::_chainAsVector(const std::string& target_frame, TimePoint target_time, const std::string& source_frame,
                                TimePoint source_time, const std::string& fixed_frame,
                                std::vector<std::string>& output) const {
  output.clear();
  std::lock_guard<std::mutex> lock(impl_->mutex_);
  // The frames on the way from `from` to `to`, both included.
  const auto append_way = [&](const std::string& to, const std::string& from, TimePoint time) {
    FrameId to_id = kNoFrame, from_id = kNoFrame;
    Failure failure = impl_->check(to, "_chainAsVector", "target_frame", to_id);
    if (failure.none()) failure = impl_->check(from, "_chainAsVector", "source_frame", from_id);
    Impl::Chain up, down;
    if (failure.none() && time == TimePointZero) failure = impl_->latest_common_time(to_id, from_id, time);
    if (failure.none()) failure = impl_->connect(to_id, from_id, time, down, up);
    if (!failure.none()) failure.raise();
    for (const auto& step : up.steps) output.push_back(impl_->name(step.frame));
    for (size_t i = down.steps.size() - 1; i-- > 0;) output.push_back(impl_->name(down.steps[i].frame));
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

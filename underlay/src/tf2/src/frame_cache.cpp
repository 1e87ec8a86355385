// SPDX-License-Identifier: Apache-2.0
#include "frame_cache.hpp"

#include <algorithm>

namespace tf2 {
namespace {

Placement interpolate(const Placement& before, const Placement& after, TimePoint time) {
  if (before.parent != after.parent) return before;  // it was hung elsewhere in between: there is no "half way"
  const double ratio = durationToSec(time - before.stamp) / durationToSec(after.stamp - before.stamp);
  Placement result = before;
  result.stamp = time;
  result.translation.setInterpolate3(before.translation, after.translation, ratio);
  result.rotation = before.rotation.slerp(after.rotation, ratio);
  return result;
}

}  // namespace

FrameCache::Insertion FrameCache::insert(const Placement& placement, const std::string& authority, bool is_static,
                                         Duration cache_time) {
  if (is_static != is_static_) history_.clear();
  is_static_ = is_static;
  if (is_static) {
    history_.assign(1, placement);
    authority_ = authority;
    return Insertion::Done;
  }

  if (!history_.empty() && placement.stamp < latest() - cache_time) return Insertion::TooOld;
  const auto position =
      std::upper_bound(history_.begin(), history_.end(), placement.stamp,
                       [](const TimePoint& stamp, const Placement& sample) { return stamp < sample.stamp; });
  if (position != history_.begin() && std::prev(position)->stamp == placement.stamp) {
    *std::prev(position) = placement;
  } else {
    history_.insert(position, placement);
  }
  authority_ = authority;
  while (history_.front().stamp < latest() - cache_time) history_.pop_front();
  return Insertion::Done;
}

FrameCache::Lookup FrameCache::find(TimePoint time, Placement& result) const {
  if (history_.empty()) return Lookup::Empty;
  if (is_static_ || time == TimePointZero || time == latest()) {
    result = history_.back();
    if (is_static_) result.stamp = time;
    return Lookup::Found;
  }
  if (history_.size() == 1) return Lookup::OnlyOne;
  if (time > latest()) return Lookup::Future;
  if (time < oldest()) return Lookup::Past;
  const auto after = std::lower_bound(history_.begin(), history_.end(), time,
                                      [](const Placement& sample, const TimePoint& t) { return sample.stamp < t; });
  result = after->stamp == time ? *after : interpolate(*std::prev(after), *after, time);
  return Lookup::Found;
}

}  // namespace tf2

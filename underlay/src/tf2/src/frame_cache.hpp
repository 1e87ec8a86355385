// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>

#include "tf2/LinearMath/Quaternion.h"
#include "tf2/LinearMath/Vector3.h"
#include "tf2/time.h"

namespace tf2 {

using FrameId = uint32_t;
constexpr FrameId kNoFrame = 0;

/// Where a frame is in its parent.
struct Placement {
  Quaternion rotation = Quaternion::getIdentity();
  Vector3 translation;
  FrameId parent = kNoFrame;
  FrameId child = kNoFrame;  // only for who keeps caches of his own; a tree knows it
  TimePoint stamp;
};

/// The history of one frame against its parent, in the order of time.
class FrameCache {
 public:
  enum class Insertion { Done, TooOld };
  enum class Lookup { Found, Empty, OnlyOne, Past, Future };

  bool is_static() const { return is_static_; }
  bool empty() const { return history_.empty(); }
  size_t size() const { return history_.size(); }
  TimePoint oldest() const { return history_.front().stamp; }
  TimePoint latest() const { return history_.back().stamp; }
  const Placement& newest() const { return history_.back(); }
  const std::string& authority() const { return authority_; }

  /// Of two with one stamp the later one counts.
  Insertion insert(const Placement& placement, const std::string& authority, bool is_static, Duration cache_time);
  void clear() { history_.clear(); }

  /// The placement at `time` (zero: the newest), interpolated between its neighbours.
  Lookup find(TimePoint time, Placement& result) const;

 private:
  std::deque<Placement> history_;
  std::string authority_;
  bool is_static_ = false;
};

}  // namespace tf2

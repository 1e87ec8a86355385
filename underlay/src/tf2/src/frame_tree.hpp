// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "frame_cache.hpp"
#include "tf2/exceptions.h"

namespace tf2 {

struct Pose {
  Quaternion rotation = Quaternion::getIdentity();
  Vector3 translation;

  Pose operator*(const Pose& inner) const {
    return {rotation * inner.rotation, quatRotate(rotation, inner.translation) + translation};
  }
  Pose inverse() const { return {rotation.inverse(), quatRotate(rotation.inverse(), -translation)}; }
};

/// Why a transform is not known, in words for a person.
struct Failure {
  TF2Error code = TF2Error::TF2_NO_ERROR;
  std::string text;

  bool none() const { return code == TF2Error::TF2_NO_ERROR; }
  [[noreturn]] void raise() const;  // as the exception of its kind
};

/// The frames, what is remembered of each one's place in its parent, and the way from one to another. No locks.
class FrameTree {
 public:
  struct Frame {
    std::string name;
    FrameCache cache;
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

  /// All frames; number 0 is "no frame".
  std::vector<Frame>& frames() { return frames_; }
  const std::vector<Frame>& frames() const { return frames_; }
  std::string name(FrameId id) const { return frames_[id].name; }

  FrameId find(const std::string& name) const;
  FrameId find_or_add(const std::string& name);

  /// The latest time at which every link between the two frames is known; zero if all of them are static.
  Failure latest_common_time(FrameId target, FrameId source, TimePoint& time) const;

  /// From `source` to `target` coordinates; a zero `time` becomes the latest common one. `function` is who asks.
  Failure lookup(const char* function, const std::string& target, const std::string& source, TimePoint& time,
                 Pose& result) const;
  /// The same across time, by a frame that did not move in between.
  Failure lookup(const char* function, const std::string& target, TimePoint& target_time, const std::string& source,
                 TimePoint source_time, const std::string& fixed, Pose& result) const;

  /// The frames on the way between the two, both included; throws if there is none.
  std::vector<FrameId> way(const char* function, const std::string& to, const std::string& from, TimePoint time) const;

  std::string as_string() const;
  std::string as_yaml(TimePoint current_time) const;
  std::string as_dot(TimePoint current_time) const;

 private:
  Failure check(const std::string& name, const char* function, const char* argument, FrameId& id) const;
  Chain walk(FrameId frame, TimePoint time) const;
  /// Both ways up to the lowest common frame at `time`.
  Failure connect(FrameId target, FrameId source, TimePoint time, Chain& from_target, Chain& from_source) const;
  Failure transform(FrameId target, FrameId source, TimePoint& time, Pose& result) const;
  std::string extrapolation_text(const Chain& chain, TimePoint time) const;

  std::vector<Frame> frames_ = std::vector<Frame>(1);
  std::unordered_map<std::string, FrameId> ids_;
};

}  // namespace tf2

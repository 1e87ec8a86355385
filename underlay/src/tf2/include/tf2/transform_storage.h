// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "tf2/LinearMath/Quaternion.h"
#include "tf2/LinearMath/Vector3.h"
#include "tf2/time.h"

namespace tf2 {

using CompactFrameID = std::uint32_t;  // 0: none

/// A transform at one time, with its frames as numbers.
class TransformStorage {
 public:
  TransformStorage() = default;
  TransformStorage(const TimePoint& stamp, const Quaternion& q, const Vector3& t, CompactFrameID frame_id,
                   CompactFrameID child_frame_id)
      : rotation_(q), translation_(t), stamp_(stamp), frame_id_(frame_id), child_frame_id_(child_frame_id) {}

  bool operator==(const TransformStorage& other) const {
    return rotation_ == other.rotation_ && translation_ == other.translation_ && stamp_ == other.stamp_ &&
           frame_id_ == other.frame_id_ && child_frame_id_ == other.child_frame_id_;
  }
  bool operator!=(const TransformStorage& other) const { return !(*this == other); }

  Quaternion rotation_;
  Vector3 translation_;
  TimePoint stamp_;
  CompactFrameID frame_id_ = 0;
  CompactFrameID child_frame_id_ = 0;
};

}  // namespace tf2

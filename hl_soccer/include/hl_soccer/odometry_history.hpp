// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

#include "hl_description/geometry.hpp"

namespace hl_soccer {

/// How the robot walked: base_footprint in odom at `stamp` (s).
struct Odometry {
  double stamp = 0.0;
  hl_description::Pose2 pose;
};

/// The odometry of the last seconds, so that a late picture counts where it was taken. Takes no memory from the heap.
class OdometryHistory {
 public:
  static constexpr std::size_t kCapacity = 256;  // 2.5 s at 100 Hz

  /// Stamps must grow; others are refused.
  bool add(const Odometry& odometry) {
    if (!odometry.pose.finite() || !std::isfinite(odometry.stamp)) return false;
    if (size_ > 0 && odometry.stamp <= newest().stamp) return false;
    entries_[(first_ + size_) % kCapacity] = odometry;
    if (size_ < kCapacity) {
      ++size_;
    } else {
      first_ = (first_ + 1) % kCapacity;
    }
    return true;
  }

  void clear() { size_ = first_ = 0; }
  bool empty() const { return size_ == 0; }
  const Odometry& newest() const { return at(size_ - 1); }
  const Odometry& oldest() const { return at(0); }

  /// base_footprint in odom at `stamp`, between two entries; the newest if `stamp` is later, nothing if it is earlier
  /// than all that is known.
  std::optional<hl_description::Pose2> pose_at(double stamp) const {
    if (size_ == 0 || !std::isfinite(stamp) || stamp < oldest().stamp) return std::nullopt;
    if (stamp >= newest().stamp) return newest().pose;
    std::size_t low = 0, high = size_ - 1;
    while (high - low > 1) {
      const std::size_t middle = (low + high) / 2;
      (at(middle).stamp <= stamp ? low : high) = middle;
    }
    const Odometry &a = at(low), &b = at(high);
    const double share = (stamp - a.stamp) / (b.stamp - a.stamp);
    return hl_description::Pose2{a.pose.x + share * (b.pose.x - a.pose.x), a.pose.y + share * (b.pose.y - a.pose.y),
                                 a.pose.yaw + share * hl_description::wrap_angle(b.pose.yaw - a.pose.yaw)};
  }

 private:
  const Odometry& at(std::size_t n) const { return entries_[(first_ + n) % kCapacity]; }

  std::array<Odometry, kCapacity> entries_;
  std::size_t first_ = 0, size_ = 0;
};

}  // namespace hl_soccer

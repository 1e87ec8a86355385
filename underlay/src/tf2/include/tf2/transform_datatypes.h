// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include "tf2/time.h"

namespace tf2 {

/// A value with the time and the frame it belongs to.
template <typename T>
class Stamped : public T {
 public:
  TimePoint stamp_;
  std::string frame_id_;

  Stamped() : frame_id_("NO_ID_STAMPED_DEFAULT_CONSTRUCTION") {}
  Stamped(const T& input, const TimePoint& timestamp, const std::string& frame_id)
      : T(input), stamp_(timestamp), frame_id_(frame_id) {}

  void setData(const T& input) { *static_cast<T*>(this) = input; }
};

template <typename T>
bool operator==(const Stamped<T>& a, const Stamped<T>& b) {
  return a.frame_id_ == b.frame_id_ && a.stamp_ == b.stamp_ && static_cast<const T&>(a) == static_cast<const T&>(b);
}

template <typename T>
class WithCovarianceStamped : public T {
 public:
  TimePoint stamp_;
  std::string frame_id_;
  std::array<std::array<double, 6>, 6> cov_mat_{};

  WithCovarianceStamped() : frame_id_("NO_ID_STAMPED_DEFAULT_CONSTRUCTION") {}
  WithCovarianceStamped(const T& input, const TimePoint& timestamp, const std::string& frame_id,
                        const std::array<std::array<double, 6>, 6>& covariance_matrix)
      : T(input), stamp_(timestamp), frame_id_(frame_id), cov_mat_(covariance_matrix) {}

  void setData(const T& input) { *static_cast<T*>(this) = input; }
};

template <typename T>
bool operator==(const WithCovarianceStamped<T>& a, const WithCovarianceStamped<T>& b) {
  return a.frame_id_ == b.frame_id_ && a.stamp_ == b.stamp_ && a.cov_mat_ == b.cov_mat_ &&
         static_cast<const T&>(a) == static_cast<const T&>(b);
}

}  // namespace tf2

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>

#include "message_filters/sync_policies/exact_time.h"

namespace message_filters {

/// A synchronizer of messages with equal stamps: `TimeSynchronizer<A, B> sync(filter_a, filter_b, queue_size)`.
template <class... M>
class TimeSynchronizer : public Synchronizer<sync_policies::ExactTime<M...>> {
 public:
  using Base = Synchronizer<sync_policies::ExactTime<M...>>;

  explicit TimeSynchronizer(std::uint32_t queue_size) : Base(sync_policies::ExactTime<M...>(queue_size)) {}
  template <class F0, class F1>
  TimeSynchronizer(F0& f0, F1& f1, std::uint32_t queue_size) : TimeSynchronizer(queue_size) {
    this->connectInput(f0, f1);
  }
  template <class F0, class F1, class F2>
  TimeSynchronizer(F0& f0, F1& f1, F2& f2, std::uint32_t queue_size) : TimeSynchronizer(queue_size) {
    this->connectInput(f0, f1, f2);
  }
  template <class F0, class F1, class F2, class F3>
  TimeSynchronizer(F0& f0, F1& f1, F2& f2, F3& f3, std::uint32_t queue_size) : TimeSynchronizer(queue_size) {
    this->connectInput(f0, f1, f2, f3);
  }
};

}  // namespace message_filters

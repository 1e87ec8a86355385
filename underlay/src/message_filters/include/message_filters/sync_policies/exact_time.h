// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "message_filters/synchronizer.h"

namespace message_filters::sync_policies {

/// Messages with exactly the same stamp.
template <class... M>
class ExactTime : public detail::PolicyBase<detail::ExactMatcher, M...> {
 public:
  explicit ExactTime(std::uint32_t queue_size) : detail::PolicyBase<detail::ExactMatcher, M...>(queue_size) {}
};

}  // namespace message_filters::sync_policies

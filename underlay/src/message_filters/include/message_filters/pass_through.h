// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "message_filters/simple_filter.h"

namespace message_filters {

/// Hands on what it is given: by `add`, or by the filter it is connected to.
template <class M>
class PassThrough : public SimpleFilter<M> {
 public:
  using typename SimpleFilter<M>::MConstPtr;

  PassThrough() = default;
  template <class F>
  explicit PassThrough(F& filter) {
    connectInput(filter);
  }
  ~PassThrough() override { input_.disconnect(); }

  template <class F>
  void connectInput(F& filter) {
    input_.disconnect();
    input_ = filter.registerCallback([this](const MConstPtr& message) { add(message); });
  }
  void add(const MConstPtr& message) { this->signalMessage(message); }

 private:
  Connection input_;
};

}  // namespace message_filters

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <utility>

#include "rclcpp/macros.hpp"
#include "rclcpp/wait_result_kind.hpp"

namespace rclcpp {

/// What a wait set found. While it exists the entities are kept alive and the set does not wait again; it must not
/// outlive the set.
template <class WaitSetT>
class WaitResult final {
 public:
  static WaitResult from_ready_wait_result_kind(WaitSetT& wait_set) {
    return WaitResult(WaitResultKind::Ready, &wait_set);
  }
  static WaitResult from_timeout_wait_result_kind() { return WaitResult(WaitResultKind::Timeout, nullptr); }
  static WaitResult from_empty_wait_result_kind() { return WaitResult(WaitResultKind::Empty, nullptr); }

  WaitResult(WaitResult&& other) noexcept : kind_(other.kind_), wait_set_(std::exchange(other.wait_set_, nullptr)) {}
  ~WaitResult() {
    if (wait_set_ != nullptr) wait_set_->wait_result_release();
  }

  WaitResultKind kind() const { return kind_; }
  /// Throws std::runtime_error if nothing was ready.
  const WaitSetT& get_wait_set() const { return checked(); }
  WaitSetT& get_wait_set() { return checked(); }

 private:
  RCLCPP_DISABLE_COPY(WaitResult)
  WaitResult(WaitResultKind kind, WaitSetT* wait_set) : kind_(kind), wait_set_(wait_set) {}
  WaitSetT& checked() const {
    if (kind_ != WaitResultKind::Ready) {
      throw std::runtime_error("cannot access wait set when the result was not ready");
    }
    return *wait_set_;
  }

  WaitResultKind kind_;
  WaitSetT* wait_set_;
};

}  // namespace rclcpp

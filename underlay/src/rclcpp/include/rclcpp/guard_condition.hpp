// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/macros.hpp"

namespace rclcpp {

namespace detail {
class Executable;
class Trigger;
}  // namespace detail

/// Something of the program's own that a wait set can wait for. It stays met until a wait set has seen it.
class GuardCondition {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(GuardCondition)

  /// Throws std::invalid_argument without a context.
  explicit GuardCondition(Context::SharedPtr context = contexts::get_global_default_context());
  virtual ~GuardCondition();

  Context::SharedPtr get_context() const { return context_; }
  /// From any thread.
  void trigger();
  /// Returns the state before.
  bool exchange_in_use_by_wait_set_state(bool in_use_state);
  /// `callback` is called at each trigger with 1, at once with how many there were before; an empty one ends that.
  void set_on_trigger_callback(std::function<void(std::size_t)> callback);

  // For wait sets.
  detail::Executable& executable();

 private:
  Context::SharedPtr context_;
  std::shared_ptr<detail::Trigger> trigger_;
};

}  // namespace rclcpp

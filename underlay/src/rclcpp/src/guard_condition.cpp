// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/guard_condition.hpp"

#include <atomic>
#include <stdexcept>
#include <utility>

#include "arrival_callback.hpp"
#include "rclcpp/detail/executable.hpp"

namespace rclcpp {
namespace detail {

class Trigger : public Executable {
 public:
  void trigger() {
    met_ = true;
    notify();
    arrivals_.arrived();
  }
  /// Met once for each wait set that asks.
  bool pending() override { return met_.exchange(false); }
  bool execute() override { return false; }
  ArrivalCallback& arrivals() { return arrivals_; }

 private:
  std::atomic<bool> met_{false};
  ArrivalCallback arrivals_;
};

}  // namespace detail

GuardCondition::GuardCondition(Context::SharedPtr context)
    : context_(std::move(context)), trigger_(std::make_shared<detail::Trigger>()) {
  if (!context_) throw std::invalid_argument("context argument unexpectedly nullptr");
}

GuardCondition::~GuardCondition() = default;

void GuardCondition::trigger() {
  trigger_->trigger();
}

bool GuardCondition::exchange_in_use_by_wait_set_state(bool in_use_state) {
  return trigger_->exchange_in_use_by_wait_set_state(in_use_state);
}

void GuardCondition::set_on_trigger_callback(std::function<void(std::size_t)> callback) {
  if (callback) {
    trigger_->arrivals().set(std::move(callback), "set_on_trigger_callback");
  } else {
    trigger_->arrivals().clear();
  }
}

detail::Executable& GuardCondition::executable() {
  return *trigger_;
}

}  // namespace rclcpp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "rclcpp/detail/node_access.hpp"
#include "rclcpp/duration.hpp"
#include "rclcpp/timer.hpp"

namespace rclcpp {
namespace detail {

/// Throws std::invalid_argument for a negative period or one that does not fit nanoseconds.
template <typename DurationRepT, typename DurationT>
std::chrono::nanoseconds checked_period(std::chrono::duration<DurationRepT, DurationT> period) {
  if (period < std::chrono::duration<DurationRepT, DurationT>::zero()) {
    throw std::invalid_argument("timer period cannot be negative");
  }
  constexpr auto limit = std::chrono::duration<double, std::nano>(std::chrono::nanoseconds::max());
  if (std::chrono::duration<double, std::nano>(period) >= limit) {
    throw std::invalid_argument("timer period must be less than std::chrono::nanoseconds::max()");
  }
  return std::chrono::duration_cast<std::chrono::nanoseconds>(period);
}

}  // namespace detail

/// A timer on any clock, e.g. the node's, which may show simulated time.
template <typename CallbackT>
typename TimerBase::SharedPtr create_timer(std::shared_ptr<node_interfaces::NodeBaseInterface> node_base,
                                           std::shared_ptr<node_interfaces::NodeTimersInterface> node_timers,
                                           Clock::SharedPtr clock, Duration period, CallbackT&& callback,
                                           CallbackGroup::SharedPtr group = nullptr) {
  auto timer = std::make_shared<GenericTimer<std::decay_t<CallbackT>>>(
      std::move(clock), detail::checked_period(period.to_chrono<std::chrono::nanoseconds>()),
      std::forward<CallbackT>(callback), node_base->get_context());
  node_timers->add_timer(timer, std::move(group));
  return timer;
}

template <typename NodeT, typename CallbackT>
typename TimerBase::SharedPtr create_timer(NodeT node, Clock::SharedPtr clock, Duration period, CallbackT&& callback,
                                           CallbackGroup::SharedPtr group = nullptr) {
  auto timer = std::make_shared<GenericTimer<std::decay_t<CallbackT>>>(
      std::move(clock), detail::checked_period(period.to_chrono<std::chrono::nanoseconds>()),
      std::forward<CallbackT>(callback), node_interfaces::get_node_base_interface(node)->get_context());
  node_interfaces::get_node_timers_interface(node)->add_timer(timer, std::move(group));
  return timer;
}

template <typename DurationRepT, typename DurationT, typename CallbackT>
typename WallTimer<CallbackT>::SharedPtr create_wall_timer(std::chrono::duration<DurationRepT, DurationT> period,
                                                           CallbackT callback, CallbackGroup::SharedPtr group,
                                                           node_interfaces::NodeBaseInterface* node_base,
                                                           node_interfaces::NodeTimersInterface* node_timers) {
  auto timer = std::make_shared<WallTimer<CallbackT>>(detail::checked_period(period), std::move(callback),
                                                      node_base->get_context());
  node_timers->add_timer(timer, std::move(group));
  return timer;
}

}  // namespace rclcpp

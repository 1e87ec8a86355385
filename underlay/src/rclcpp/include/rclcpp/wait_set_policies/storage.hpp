// SPDX-License-Identifier: Apache-2.0
// What a wait set holds, how its constructor takes it, and who may change it when.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "rclcpp/client.hpp"
#include "rclcpp/guard_condition.hpp"
#include "rclcpp/service.hpp"
#include "rclcpp/subscription_base.hpp"
#include "rclcpp/subscription_wait_set_mask.hpp"
#include "rclcpp/timer.hpp"
#include "rclcpp/waitable.hpp"

namespace rclcpp {
namespace wait_set_policies {
namespace detail {

struct SubscriptionEntry {
  SubscriptionEntry(std::shared_ptr<SubscriptionBase> subscription_in = nullptr,  // NOLINT(runtime/explicit)
                    const SubscriptionWaitSetMask& mask_in = {})
      : subscription(std::move(subscription_in)), mask(mask_in) {}

  std::shared_ptr<SubscriptionBase> subscription;
  SubscriptionWaitSetMask mask;
};

struct WaitableEntry {
  WaitableEntry(std::shared_ptr<Waitable> waitable_in = nullptr,  // NOLINT(runtime/explicit)
                std::shared_ptr<void> associated_entity_in = nullptr) noexcept
      : waitable(std::move(waitable_in)), associated_entity(std::move(associated_entity_in)) {}

  std::shared_ptr<Waitable> waitable;
  std::shared_ptr<void> associated_entity;
};

}  // namespace detail

/// Entities come and go; those that nobody else keeps leave by themselves.
struct DynamicStorage {
  using SubscriptionEntry = detail::SubscriptionEntry;
  using WaitableEntry = detail::WaitableEntry;
  using SubscriptionsIterable = std::vector<SubscriptionEntry>;
  using GuardConditionsIterable = std::vector<std::shared_ptr<GuardCondition>>;
  using TimersIterable = std::vector<std::shared_ptr<TimerBase>>;
  using ClientsIterable = std::vector<std::shared_ptr<ClientBase>>;
  using ServicesIterable = std::vector<std::shared_ptr<ServiceBase>>;
  using WaitablesIterable = std::vector<WaitableEntry>;
  static constexpr bool fixed = false;
};

/// What the constructor was given, kept alive until the end.
template <std::size_t n_subscriptions, std::size_t n_guard_conditions, std::size_t n_timers, std::size_t n_clients,
          std::size_t n_services, std::size_t n_waitables>
struct StaticStorage {
  using SubscriptionEntry = detail::SubscriptionEntry;
  using WaitableEntry = detail::WaitableEntry;
  using SubscriptionsIterable = std::array<SubscriptionEntry, n_subscriptions>;
  using GuardConditionsIterable = std::array<std::shared_ptr<GuardCondition>, n_guard_conditions>;
  using TimersIterable = std::array<std::shared_ptr<TimerBase>, n_timers>;
  using ClientsIterable = std::array<std::shared_ptr<ClientBase>, n_clients>;
  using ServicesIterable = std::array<std::shared_ptr<ServiceBase>, n_services>;
  using WaitablesIterable = std::array<WaitableEntry, n_waitables>;
  static constexpr bool fixed = true;
};

/// The program promises not to change the set while another thread waits.
struct SequentialSynchronization {};
/// Others may change it at any time: the thread that waits looks again.
struct ThreadSafeSynchronization {};

}  // namespace wait_set_policies
}  // namespace rclcpp

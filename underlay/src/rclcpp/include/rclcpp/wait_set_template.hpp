// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "rclcpp/contexts/default_context.hpp"
#include "rclcpp/detail/event_queue.hpp"
#include "rclcpp/detail/wait_set_core.hpp"
#include "rclcpp/macros.hpp"
#include "rclcpp/wait_result.hpp"
#include "rclcpp/wait_set_policies/storage.hpp"

namespace rclcpp {

/// Waits for entities without an executor: the program decides what to take, and in which order. After a wait,
/// `get_rcl_wait_set()` has a list per kind of entity, in the order they were added, null where one is not ready.
template <class StoragePolicy, class SynchronizationPolicy>
class WaitSetTemplate final {
 public:
  RCLCPP_SMART_PTR_DEFINITIONS_NOT_COPYABLE(WaitSetTemplate)
  using SubscriptionEntry = typename StoragePolicy::SubscriptionEntry;
  using WaitableEntry = typename StoragePolicy::WaitableEntry;

  explicit WaitSetTemplate(const typename StoragePolicy::SubscriptionsIterable& subscriptions = {},
                           const typename StoragePolicy::GuardConditionsIterable& guard_conditions = {},
                           const typename StoragePolicy::TimersIterable& timers = {},
                           const typename StoragePolicy::ClientsIterable& clients = {},
                           const typename StoragePolicy::ServicesIterable& services = {},
                           const typename StoragePolicy::WaitablesIterable& waitables = {},
                           Context::SharedPtr context = contexts::get_global_default_context())
      : core_(std::move(context), StoragePolicy::fixed ? Core::Ownership::Shared : Core::Ownership::Weak) {
    for (const auto& entry : subscriptions) include(entry.subscription, entry.mask);
    for (const auto& guard_condition : guard_conditions) include(guard_condition);
    for (const auto& timer : timers) include(Core::Timers, timer, "timer");
    for (const auto& client : clients) include(Core::Clients, client, "client");
    for (const auto& service : services) include(Core::Services, service, "service");
    for (const auto& entry : waitables) include(entry.waitable, entry.associated_entity);
  }

  const rcl_wait_set_t& get_rcl_wait_set() const { return core_.found(); }

  // Each throws std::invalid_argument for a null pointer, and std::runtime_error if the entity is in a wait set already
  // or, to be removed, is not in this one.
  void add_subscription(std::shared_ptr<SubscriptionBase> subscription, SubscriptionWaitSetMask mask = {}) {
    check_open();
    include(subscription, mask);
  }
  void remove_subscription(std::shared_ptr<SubscriptionBase> subscription, SubscriptionWaitSetMask mask = {}) {
    check_open();
    check(subscription, "subscription");
    if (mask.include_subscription) core_.remove(Core::Subscriptions, *subscription);
    if (mask.include_events) core_.remove(Core::Waitables, *subscription->events());
  }
  void add_guard_condition(std::shared_ptr<GuardCondition> guard_condition) {
    check_open();
    include(guard_condition);
  }
  void remove_guard_condition(std::shared_ptr<GuardCondition> guard_condition) {
    check_open();
    check(guard_condition, "guard_condition");
    core_.remove(Core::GuardConditions, guard_condition->executable());
  }
  void add_timer(std::shared_ptr<TimerBase> timer) {
    check_open();
    include(Core::Timers, timer, "timer");
  }
  void remove_timer(std::shared_ptr<TimerBase> timer) { exclude(Core::Timers, timer, "timer"); }
  void add_client(std::shared_ptr<ClientBase> client) {
    check_open();
    include(Core::Clients, client, "client");
  }
  void remove_client(std::shared_ptr<ClientBase> client) { exclude(Core::Clients, client, "client"); }
  void add_service(std::shared_ptr<ServiceBase> service) {
    check_open();
    include(Core::Services, service, "service");
  }
  void remove_service(std::shared_ptr<ServiceBase> service) { exclude(Core::Services, service, "service"); }
  void add_waitable(std::shared_ptr<Waitable> waitable, std::shared_ptr<void> associated_entity = nullptr) {
    check_open();
    include(waitable, associated_entity);
  }
  void remove_waitable(std::shared_ptr<Waitable> waitable) { exclude(Core::Waitables, waitable, "waitable"); }

  /// Forgets those that nobody keeps any more; each wait does so too.
  void prune_deleted_entities() { core_.prune(); }

  /// Returns as soon as something is ready; a negative time waits for ever.
  template <class Rep = int64_t, class Period = std::milli>
  [[nodiscard]] WaitResult<WaitSetTemplate> wait(
      std::chrono::duration<Rep, Period> time_to_wait = std::chrono::duration<Rep, Period>(-1)) {
    using Result = WaitResult<WaitSetTemplate>;
    switch (core_.wait(std::chrono::duration_cast<std::chrono::nanoseconds>(time_to_wait))) {
      case WaitResultKind::Ready:
        return Result::from_ready_wait_result_kind(*this);
      case WaitResultKind::Timeout:
        return Result::from_timeout_wait_result_kind();
      case WaitResultKind::Empty:
        break;
    }
    return Result::from_empty_wait_result_kind();
  }

 private:
  using Core = detail::WaitSetCore;
  friend WaitResult<WaitSetTemplate>;
  void wait_result_release() { core_.release(); }

  static constexpr void check_open() {
    static_assert(!StoragePolicy::fixed, "a static wait set cannot be changed: give its constructor what it waits for");
  }
  template <class T>
  static void check(const std::shared_ptr<T>& entity, const char* name) {
    if (!entity) throw std::invalid_argument(std::string(name) + " is nullptr");
  }
  template <class T>
  void include(Core::Kind kind, const std::shared_ptr<T>& entity, const char* name) {
    check(entity, name);
    core_.add(kind, entity, *entity);
  }
  void include(const std::shared_ptr<SubscriptionBase>& subscription, const SubscriptionWaitSetMask& mask) {
    check(subscription, "subscription");
    if (mask.include_subscription) core_.add(Core::Subscriptions, subscription, *subscription);
    if (mask.include_events) core_.add(Core::Waitables, subscription, *subscription->events());
  }
  void include(const std::shared_ptr<GuardCondition>& guard_condition) {
    check(guard_condition, "guard_condition");
    core_.add(Core::GuardConditions, guard_condition, guard_condition->executable());
  }
  void include(const std::shared_ptr<Waitable>& waitable, const std::shared_ptr<void>& associated_entity) {
    check(waitable, "waitable");
    // Both or none: a waitable whose entity is gone has nothing to say.
    core_.add(Core::Waitables, associated_entity ? associated_entity : std::shared_ptr<void>(waitable), *waitable);
  }
  template <class T>
  void exclude(Core::Kind kind, const std::shared_ptr<T>& entity, const char* name) {
    check_open();
    check(entity, name);
    core_.remove(kind, *entity);
  }

  Core core_;
};

}  // namespace rclcpp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <mutex>
#include <vector>

#include "rcl/wait.h"
#include "rclcpp/context.hpp"
#include "rclcpp/wait_result_kind.hpp"

namespace rclcpp {
namespace detail {

class Executable;
class WaitSignal;

/// Waits until one of several entities is ready. The untyped part of wait sets; adding and removing is safe while
/// another thread waits.
class WaitSetCore {
 public:
  enum Kind { Subscriptions, GuardConditions, Timers, Clients, Services, Waitables, kinds };
  enum class Ownership { Weak, Shared };  // between two waits

  /// Throws std::invalid_argument without a context.
  WaitSetCore(Context::SharedPtr context, Ownership ownership);
  ~WaitSetCore();
  WaitSetCore(const WaitSetCore&) = delete;
  WaitSetCore& operator=(const WaitSetCore&) = delete;

  /// `owner` keeps `entity` alive. Throws std::runtime_error if the entity is in a wait set, `remove` if it is not in
  /// this one.
  void add(Kind kind, std::shared_ptr<void> owner, Executable& entity);
  void remove(Kind kind, Executable& entity);
  void prune();
  /// A negative time waits for ever. After Ready the entities are kept until `release`; throws std::runtime_error if
  /// that has not been called.
  WaitResultKind wait(std::chrono::nanoseconds time_to_wait);
  void release();
  const rcl_wait_set_t& found() const { return found_; }

 private:
  struct Entry {
    std::weak_ptr<void> weak;
    std::shared_ptr<void> shared;  // with Ownership::Shared
    Executable* entity;            // valid while the owner lives
  };
  /// Looks at everything; the moment of the next timer otherwise.
  bool look(std::chrono::steady_clock::time_point& next, bool& empty);
  template <class T>
  void show(Kind kind, std::vector<const T*>& entries, const T**& found, std::size_t& size);

  const Context::SharedPtr context_;
  const Ownership ownership_;
  OnShutdownCallbackHandle on_shutdown_;
  std::shared_ptr<WaitSignal> signal_;
  std::mutex mutex_;  // of what follows
  std::array<std::vector<Entry>, kinds> entries_;
  std::vector<std::shared_ptr<void>> held_;               // while a result is out
  bool waiting_ = false;                                  // a thread waits, or its result is out
  std::array<std::vector<const void*>, kinds> ready_;     // null where an entity is not
  std::vector<const rcl_subscription_t*> subscriptions_;  // the same, as `found_` shows it
  std::vector<const rcl_guard_condition_t*> guard_conditions_;
  std::vector<const rcl_timer_t*> timers_;
  std::vector<const rcl_client_t*> clients_;
  std::vector<const rcl_service_t*> services_;
  std::vector<const rcl_event_t*> events_;
  rcl_wait_set_t found_{};
};

}  // namespace detail
}  // namespace rclcpp

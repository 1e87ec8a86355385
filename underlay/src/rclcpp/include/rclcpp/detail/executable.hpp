// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

namespace rclcpp {

class CallbackGroup;

namespace detail {

struct ReadyToken;
class WaitSignal;

/// Something an executor runs. It outlives its notifications: those hold the token, not the object.
class Executable : public std::enable_shared_from_this<Executable> {
 public:
  Executable();
  virtual ~Executable();
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  /// Handles at most one item, and calls `more` before it does, as there may be another. False if there was none.
  virtual bool execute() = 0;
  /// Whether `execute` has something to do; asked by wait sets, which have no queue.
  virtual bool pending() { return false; }

  /// Asks for a call of `execute`; from any thread.
  void notify();
  const std::shared_ptr<ReadyToken>& token() const { return token_; }

  /// Must be called once the object is owned by a shared_ptr, before the first notification.
  void join(const std::shared_ptr<CallbackGroup>& group);

  /// Every notification also wakes `signal`; null ends that.
  void watch(std::shared_ptr<WaitSignal> signal);
  /// An entity belongs to one wait set at most. Returns the state before.
  bool exchange_in_use_by_wait_set_state(bool in_use_state) { return in_use_by_wait_set_.exchange(in_use_state); }

 protected:
  /// Only from `execute`. In a reentrant group another thread may take the next item at once.
  void more();

 private:
  std::shared_ptr<ReadyToken> token_;
  std::atomic<bool> in_use_by_wait_set_{false};
};

/// The same without the object: what a listener of the middleware keeps.
void notify(const std::shared_ptr<ReadyToken>& token);

}  // namespace detail
}  // namespace rclcpp

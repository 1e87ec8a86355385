// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace rclcpp {

class CallbackGroup;

namespace detail {

struct ReadyToken;

/// Something an executor runs. It outlives its notifications: those hold the token, not the object.
class Executable : public std::enable_shared_from_this<Executable> {
 public:
  Executable();
  virtual ~Executable();
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  /// Handles at most one item, and calls `more` before it does, as there may be another. False if there was none.
  virtual bool execute() = 0;

  /// Asks for a call of `execute`; from any thread.
  void notify();
  const std::shared_ptr<ReadyToken>& token() const { return token_; }

  /// Must be called once the object is owned by a shared_ptr, before the first notification.
  void join(const std::shared_ptr<CallbackGroup>& group);

 protected:
  /// Only from `execute`. In a reentrant group another thread may take the next item at once.
  void more();

 private:
  std::shared_ptr<ReadyToken> token_;
};

/// The same without the object: what a listener of the middleware keeps.
void notify(const std::shared_ptr<ReadyToken>& token);

}  // namespace detail
}  // namespace rclcpp

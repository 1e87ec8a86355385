// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <rclcpp/time.hpp>
#include <string>
#include <tuple>
#include <utility>

#include "message_filters/connection.h"
#include "message_filters/detail/matchers.hpp"

namespace message_filters {

namespace detail {

/// What the policies share: the types of the messages, and who is told of a match.
template <class Matcher, class... M>
class PolicyBase {
 public:
  static constexpr std::size_t kTopics = sizeof...(M);
  using Messages = std::tuple<M...>;
  using Callback = std::function<void(const std::shared_ptr<const M>&...)>;

  explicit PolicyBase(std::uint32_t queue_size) : queue_size_(queue_size) {
    static_assert(kTopics >= 2, "one topic needs no synchronizer");
  }
  /// Before anything is connected, as policies are given to a synchronizer by value.
  PolicyBase(const PolicyBase& other) : queue_size_(other.queue_size_) {}
  PolicyBase& operator=(const PolicyBase&) = delete;

  template <std::size_t I>
  void add(const std::shared_ptr<const std::tuple_element_t<I, Messages>>& message) {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    matcher().add(I, rclcpp::Time(message->header.stamp, RCL_ROS_TIME).nanoseconds(), message);
  }

  Connection registerCallback(Callback callback) {
    const std::lock_guard<std::recursive_mutex> lock(mutex_);
    const auto place = callbacks_->insert(callbacks_->end(), std::move(callback));
    return Connection([this, weak = std::weak_ptr<std::list<Callback>>(callbacks_), place] {
      if (const auto callbacks = weak.lock()) {
        const std::lock_guard<std::recursive_mutex> inner(mutex_);
        callbacks->erase(place);
      }
    });
  }
  template <class T, class... P>
  Connection registerCallback(void (T::*callback)(P...), T* object) {
    return registerCallback(
        Callback([=](const std::shared_ptr<const M>&... messages) { (object->*callback)(messages...); }));
  }

 protected:
  virtual ~PolicyBase() = default;
  virtual void prepare(Matcher&) {}
  Matcher& matcher() {
    if (!matcher_) {
      matcher_ = std::make_unique<Matcher>(
          kTopics, queue_size_, [this](const Match& match) { tell(match, std::index_sequence_for<M...>()); });
      prepare(*matcher_);
    }
    return *matcher_;
  }

  std::recursive_mutex mutex_;  // a callback may add

 private:
  template <std::size_t... I>
  void tell(const Match& match, std::index_sequence<I...>) {
    const auto callbacks = *callbacks_;
    for (const auto& callback : callbacks) callback(std::static_pointer_cast<const M>(match[I])...);
  }

  std::uint32_t queue_size_;
  std::unique_ptr<Matcher> matcher_;
  std::shared_ptr<std::list<Callback>> callbacks_ = std::make_shared<std::list<Callback>>();
};

}  // namespace detail

/// Calls back with one message of each of its inputs; `Policy` says which belong together.
template <class Policy>
class Synchronizer : public Policy {
 public:
  using Messages = typename Policy::Messages;

  Synchronizer() = default;
  explicit Synchronizer(const Policy& policy) : Policy(policy) {}
  template <class F0, class F1, class... F>
  Synchronizer(const Policy& policy, F0& f0, F1& f1, F&... f) : Policy(policy) {
    connectInput(f0, f1, f...);
  }
  ~Synchronizer() override { disconnect(); }

  template <class... F>
  void connectInput(F&... filters) {
    static_assert(sizeof...(F) == Policy::kTopics, "one filter for each message type");
    disconnect();
    connect(std::index_sequence_for<F...>(), filters...);
  }

  void setName(const std::string& name) { name_ = name; }
  const std::string& getName() const { return name_; }
  Policy* getPolicy() { return this; }

 private:
  template <std::size_t... I, class... F>
  void connect(std::index_sequence<I...>, F&... filters) {
    ((inputs_[I] =
          filters.registerCallback([this](const std::shared_ptr<const std::tuple_element_t<I, Messages>>& message) {
            this->template add<I>(message);
          })),
     ...);
  }
  void disconnect() {
    for (auto& input : inputs_) input.disconnect();
  }

  std::array<Connection, Policy::kTopics> inputs_;
  std::string name_;
};

}  // namespace message_filters

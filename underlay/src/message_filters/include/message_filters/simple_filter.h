// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "message_filters/connection.h"

namespace message_filters {

/// Something that gives messages of one type to whoever has registered. Safe to use from several threads.
template <class M>
class SimpleFilter {
 public:
  using MConstPtr = std::shared_ptr<const M>;
  using Callback = std::function<void(const MConstPtr&)>;

  SimpleFilter() = default;
  SimpleFilter(const SimpleFilter&) = delete;
  SimpleFilter& operator=(const SimpleFilter&) = delete;
  virtual ~SimpleFilter() = default;

  Connection registerCallback(Callback callback) {
    const std::lock_guard<std::mutex> lock(signal_->mutex);
    const auto place =
        signal_->callbacks.insert(signal_->callbacks.end(), std::make_shared<Callback>(std::move(callback)));
    return Connection([weak = std::weak_ptr<Signal>(signal_), place] {
      if (const auto signal = weak.lock()) {
        const std::lock_guard<std::mutex> inner(signal->mutex);
        signal->callbacks.erase(place);
      }
    });
  }
  template <class T, class P>
  Connection registerCallback(void (T::*callback)(P), T* object) {
    return registerCallback(Callback([=](const MConstPtr& message) { (object->*callback)(message); }));
  }

  void setName(const std::string& name) { name_ = name; }
  const std::string& getName() const { return name_; }

 protected:
  void signalMessage(const MConstPtr& message) {
    std::list<std::shared_ptr<Callback>> callbacks;
    {
      const std::lock_guard<std::mutex> lock(signal_->mutex);
      callbacks = signal_->callbacks;
    }
    for (const auto& callback : callbacks) (*callback)(message);
  }

 private:
  struct Signal {
    std::mutex mutex;
    std::list<std::shared_ptr<Callback>> callbacks;
  };
  std::shared_ptr<Signal> signal_ = std::make_shared<Signal>();
  std::string name_;
};

}  // namespace message_filters

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

namespace message_filters {

/// What registerCallback returns: ends the registration.
class Connection {
 public:
  Connection() = default;
  explicit Connection(std::function<void()> disconnect) : disconnect_(std::move(disconnect)) {}
  void disconnect() {
    if (disconnect_) std::exchange(disconnect_, nullptr)();
  }

 private:
  std::function<void()> disconnect_;
};

}  // namespace message_filters

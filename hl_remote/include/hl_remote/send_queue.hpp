// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace hl_remote {

/// What one client is still to be sent. Control frames go first, in order; of each subscription only the newest
/// messages are kept (one, or a few where each counts), and the subscriptions take turns. So a slow client gets fewer
/// messages, not older ones, and its memory is bounded.
class SendQueue {
 public:
  using Payload = std::shared_ptr<const std::string>;

  struct Frame {
    bool binary = false;
    std::string head;  // the whole frame, or what stands before the shared payload
    Payload payload;   // null: none
  };

  /// False: the client reads nothing any more, close it.
  bool control(std::string frame, bool binary);
  void data(std::uint32_t subscription, std::string head, Payload payload, std::size_t depth);
  void forget(std::uint32_t subscription) { slots_.erase(subscription); }

  /// The next frame to send; nothing if all is sent.
  std::optional<Frame> next();

  std::uint64_t dropped() const { return dropped_; }
  std::size_t control_bytes() const { return control_bytes_; }

  static constexpr std::size_t kMostControlBytes = 16u << 20;

 private:
  std::deque<Frame> control_;
  std::size_t control_bytes_ = 0;
  std::map<std::uint32_t, std::deque<Frame>> slots_;
  std::uint32_t turn_ = 0;  // the subscription whose turn is next, or the first after it
  std::uint64_t dropped_ = 0;
};

}  // namespace hl_remote

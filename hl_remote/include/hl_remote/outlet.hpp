// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "hl_remote/send_queue.hpp"

namespace hl_remote {

using ClientId = std::uint32_t;

/// The way to the clients. Unknown ones are ignored: they may just have gone.
class Outlet {
 public:
  virtual ~Outlet() = default;
  /// In order, nothing left out.
  virtual void send(ClientId client, std::string frame, bool binary) = 0;
  /// Of each subscription only the newest `depth` frames.
  virtual void send_newest(ClientId client, std::uint32_t subscription, std::string head, SendQueue::Payload payload,
                           std::size_t depth) = 0;
  virtual void forget(ClientId client, std::uint32_t subscription) = 0;
  /// Frames left out so far because the client was too slow.
  virtual std::uint64_t dropped(ClientId client) const = 0;
};

}  // namespace hl_remote

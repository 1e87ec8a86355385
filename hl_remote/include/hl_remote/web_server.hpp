// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "hl_remote/outlet.hpp"

namespace hl_remote {

/// Files by HTTP and clients by WebSocket on one port. One thread does it all; other threads only `post`. A client that
/// does not read gets fewer messages and delays nobody.
class WebServer : public Outlet {
 public:
  struct Params {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8765;         // 0: any free one
    std::string folder;                // of the page; empty: a page that says there is none
    std::string certificate, key;      // PEM files; empty: no TLS
    std::vector<std::string> origins;  // of other pages that may connect
    std::string token;                 // of those who may command; empty: nobody
    std::size_t most_clients = 32;
    double handshake_timeout = 5.0;  // s
  };

  /// Called in the server's thread.
  struct Events {
    std::function<void(ClientId, bool may_command)> opened;
    std::function<void(ClientId, std::string_view frame, bool binary)> received;
    std::function<void(ClientId)> closed;
    std::function<void(const std::string& what)> refused;  // each kind of refusal at most once a minute
  };

  /// Throws std::runtime_error in words if the port is taken or a certificate cannot be read.
  explicit WebServer(const Params& params);
  ~WebServer() override;
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  std::uint16_t port() const;

  /// Lets clients in; once.
  void start(Events events);

  /// From any thread: runs `task` in the server's.
  void post(std::function<void()> task);

  // In the server's thread; unknown clients are ignored, they may just have gone.
  void send(ClientId client, std::string frame, bool binary) override;
  void send_newest(ClientId client, std::uint32_t subscription, std::string head, SendQueue::Payload payload,
                   std::size_t depth) override;
  void forget(ClientId client, std::uint32_t subscription) override;
  std::uint64_t dropped(ClientId client) const override;

  struct Implementation;  // knows Beast; the rest of the world need not

 private:
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace hl_remote

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace hl_remote {

constexpr const char* kProtocol = "foxglove.websocket.v1";

/// A client written with plain sockets, so that it can also misbehave.
class Peer {
 public:
  /// `patience` is that of a read, s.
  explicit Peer(std::uint16_t port, int receive_buffer = 0, int patience = 20)
      : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer > 0) ::setsockopt(socket_, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const timeval time_limit{patience, 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &time_limit, sizeof time_limit);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("nobody listens");
  }
  ~Peer() { ::close(socket_); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  int socket() const { return socket_; }
  /// Ends waiting reads.
  void shut_down() { ::shutdown(socket_, SHUT_RDWR); }

  void send(const std::string& text) { ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL); }

  /// Up to the end of the connection or until `end` has been read.
  std::string read_until(const std::string& end) {
    forget_read();
    while (end.empty() || input_.find(end) == std::string::npos) {
      char buffer[4096];
      const auto count = ::recv(socket_, buffer, sizeof buffer, 0);
      if (count <= 0) break;
      input_.append(buffer, static_cast<std::size_t>(count));
    }
    const std::size_t at = end.empty() ? std::string::npos : input_.find(end);
    const std::size_t length = at == std::string::npos ? input_.size() : at + end.size();
    const std::string result = input_.substr(0, length);
    input_.erase(0, length);
    return result;
  }

  std::string ask(const std::string& target, const std::string& more = {}) {
    send("GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + more + "\r\n");
    return read_until({});
  }

  std::string upgrade(const std::string& target, const std::string& protocols, const std::string& more = {}) {
    send("GET " + target +
         " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
         (protocols.empty() ? "" : "Sec-WebSocket-Protocol: " + protocols + "\r\n") + more + "\r\n");
    return read_until("\r\n\r\n");
  }

  /// A masked frame of a client, as RFC 6455 wants it.
  void frame(const std::string& payload, unsigned char opcode = 1) {
    std::string head(1, static_cast<char>(0x80 | opcode));
    if (payload.size() < 126) {
      head.push_back(static_cast<char>(0x80 | payload.size()));
    } else {
      const bool large = payload.size() > 0xffff;
      head.push_back(static_cast<char>(0x80 | (large ? 127 : 126)));
      for (int i = large ? 7 : 1; i >= 0; --i) head.push_back(static_cast<char>(payload.size() >> (8 * i) & 0xff));
    }
    send(head + std::string(4, '\0') + payload);  // a mask of zeros changes nothing
  }

  /// That we are there, asked or not; the server closes who says nothing for long.
  void pong() { frame({}, 10); }

  /// Payload of the next frame of the server; empty at the end. Its pings are answered.
  std::string next_frame() {
    for (;;) {
      if (!need(2)) return {};
      const auto byte = [this](std::size_t at) { return static_cast<unsigned char>(input_[read_ + at]); };
      const int opcode = byte(0) & 0x0f;
      std::size_t length = byte(1) & 0x7f, head = 2;
      const std::size_t extra = length == 126 ? 2 : length == 127 ? 8 : 0;
      if (!need(2 + extra)) return {};
      if (extra > 0) length = 0;
      for (std::size_t i = 0; i < extra; ++i) length = length << 8 | byte(2 + i);
      head += extra;
      if (!need(head + length)) return {};
      const std::string payload = input_.substr(read_ + head, length);
      read_ += head + length;
      if (opcode == 8) return {};
      if (opcode < 8) return payload;
      if (opcode == 9) pong();
    }
  }

 private:
  bool need(std::size_t size) {
    if (input_.size() - read_ >= size) return true;
    forget_read();
    while (input_.size() < size) {
      char buffer[65536];
      const auto count = ::recv(socket_, buffer, sizeof buffer, 0);
      if (count <= 0) return false;
      input_.append(buffer, static_cast<std::size_t>(count));
    }
    return true;
  }
  void forget_read() {
    input_.erase(0, read_);
    read_ = 0;
  }

  int socket_;
  std::string input_;
  std::size_t read_ = 0;  // so much of it has been handed out
};

}  // namespace hl_remote

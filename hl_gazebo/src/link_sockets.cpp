// SPDX-License-Identifier: Apache-2.0
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "hl_gazebo/link.hpp"

namespace hl_gazebo {
namespace {

constexpr std::size_t kLongest = 4096;  // bytes of a line
constexpr std::size_t kMostClients = 8;
constexpr int kQueue = 4;  // clients that may knock at once

using Clock = std::chrono::steady_clock;

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path))
    throw std::runtime_error("'" + path + "' is empty or too long for a socket; choose a shorter folder");
  std::copy(path.begin(), path.end(), address.sun_path);
  return address;
}

/// The next line; nothing if none waits, an error if the other side is gone.
enum class Heard { Nothing, Line, Gone };
Heard hear(int socket, std::string& line) {
  char buffer[kLongest];
  const ssize_t size = ::recv(socket, buffer, sizeof(buffer), MSG_DONTWAIT);
  if (size == 0) return Heard::Gone;
  if (size < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR ? Heard::Nothing : Heard::Gone;
  line.assign(buffer, static_cast<std::size_t>(size));
  return Heard::Line;
}

void say(int socket, const std::string& line) {
  [[maybe_unused]] const ssize_t sent =
      ::send(socket, line.data(), std::min(line.size(), kLongest), MSG_DONTWAIT | MSG_NOSIGNAL);
}

}  // namespace

LinkServer::LinkServer(const std::string& path) : path_(path) {
  const sockaddr_un address = address_of(path);
  ::unlink(path.c_str());
  listener_ = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener_ < 0 || ::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      ::listen(listener_, kQueue) != 0) {
    const std::string why = std::strerror(errno);
    if (listener_ >= 0) ::close(listener_);
    throw std::runtime_error("socket " + path + ": " + why);
  }
}

LinkServer::~LinkServer() {
  for (const int client : clients_) ::close(client);
  ::close(listener_);
  ::unlink(path_.c_str());
}

void LinkServer::tell(const WorldState& state) {
  const std::string line = to_line(state);
  for (const int client : clients_) say(client, line);
}

std::optional<std::string> LinkServer::take() {
  const int fresh = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fresh >= 0) {
    if (clients_.size() < kMostClients) {
      clients_.push_back(fresh);
    } else {
      ::close(fresh);
    }
  }
  for (std::size_t n = 0; n < clients_.size();) {
    std::string line;
    const Heard heard = hear(clients_[n], line);
    if (heard == Heard::Line) {
      asked_by_ = clients_[n];
      return line;
    }
    if (heard == Heard::Gone) {
      ::close(clients_[n]);
      clients_.erase(clients_.begin() + static_cast<std::ptrdiff_t>(n));
    } else {
      ++n;
    }
  }
  return std::nullopt;
}

void LinkServer::answer(const std::string& error) {
  if (asked_by_ >= 0) say(asked_by_, error.empty() ? "done" : "error " + error);
  asked_by_ = -1;
}

LinkClient::LinkClient(const std::string& path, double patience) {
  const sockaddr_un address = address_of(path);
  const auto end = Clock::now() + std::chrono::duration<double>(patience);
  for (;;) {
    socket_ = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (socket_ >= 0 && ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) return;
    const std::string why = std::strerror(errno);
    if (socket_ >= 0) ::close(socket_);
    if (Clock::now() > end) throw std::runtime_error(path + ": " + why + "; does gzserver run there?");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

LinkClient::~LinkClient() {
  ::close(socket_);
}

bool LinkClient::read_one(double patience) {
  pollfd fd{socket_, POLLIN, 0};
  if (::poll(&fd, 1, static_cast<int>(patience * 1e3)) <= 0) return false;
  std::string line;
  const Heard heard = hear(socket_, line);
  if (heard == Heard::Gone) alive_ = false;
  if (heard != Heard::Line) return false;
  if (const auto state = read_state(line)) {
    state_ = *state;
  } else {
    answer_ = line == "done" ? "" : line;
  }
  return true;
}

bool LinkClient::update(double patience) {
  for (double wait = patience; alive_ && read_one(wait);) wait = 0.0;
  return alive_;
}

std::string LinkClient::ask(const Request& request) {
  constexpr double kPatience = 30.0;  // s; the world may stand still for a while
  answer_.reset();
  say(socket_, to_line(request));
  const auto end = Clock::now() + std::chrono::duration<double>(kPatience);
  while (!answer_ && alive_ && Clock::now() < end) read_one(0.1);
  return answer_ ? *answer_ : "gzserver does not answer";
}

}  // namespace hl_gazebo

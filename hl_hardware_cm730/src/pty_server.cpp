// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/pty_server.hpp"

#include <fcntl.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace hl_hardware_cm730 {

PtyServer::PtyServer(Emulator& emulator, std::string link) : emulator_(emulator), link_(std::move(link)) {
  plug();
}

PtyServer::~PtyServer() {
  unplug();
}

void PtyServer::plug() {
  char name[128] = {};
  if (::openpty(&master_, &slave_, name, nullptr, nullptr) != 0) {
    throw std::runtime_error(std::string("no pseudo-terminal: ") + std::strerror(errno));
  }
  ::fcntl(master_, F_SETFL, O_NONBLOCK);
  ::fcntl(master_, F_SETFD, FD_CLOEXEC);
  ::fcntl(slave_, F_SETFD, FD_CLOEXEC);
  termios raw{};
  ::tcgetattr(slave_, &raw);
  ::cfmakeraw(&raw);
  ::tcsetattr(slave_, TCSANOW, &raw);
  terminal_ = name;
  if (link_.empty()) return;
  ::unlink(link_.c_str());
  if (::symlink(name, link_.c_str()) != 0) {
    throw std::runtime_error("cannot make the link " + link_ + ": " + std::strerror(errno));
  }
}

void PtyServer::unplug() {
  if (master_ < 0) return;
  if (!link_.empty()) ::unlink(link_.c_str());
  ::close(master_);
  ::close(slave_);
  master_ = slave_ = -1;
  terminal_.clear();
  request_.clear();
  sent_ = 0;
  emulator_.replies().clear();
}

void PtyServer::receive(double wall) {
  if (emulator_.faults().unplugged != (master_ < 0)) emulator_.faults().unplugged ? unplug() : plug();
  if (master_ < 0) return;
  uint8_t bytes[1024];
  const ssize_t count = ::read(master_, bytes, sizeof(bytes));
  if (count <= 0) return;
  if (sent_ == request_.size()) {
    request_.clear();
    sent_ = 0;
  }
  request_.insert(request_.end(), bytes, bytes + count);
  last_byte_time_ = wall;
}

void PtyServer::pass(double bus) {
  while (sent_ < request_.size()) {
    const double room = std::floor((bus - emulator_.now()) / kSecondsPerByte + 1e-6);
    if (room < 1.0) break;
    const size_t count = std::min(request_.size() - sent_, static_cast<size_t>(room));
    emulator_.transmit(request_.data() + sent_, count);
    sent_ += count;
    quiet_since_ = emulator_.now();
  }
  emulator_.advance_to(bus);
  if (master_ >= 0) deliver(bus);
}

void PtyServer::deliver(double bus) {
  auto& replies = emulator_.replies();
  uint8_t bytes[512];
  while (!replies.empty() && replies.front().time <= bus + 1e-9) {
    size_t count = 0;
    while (count < sizeof(bytes) && count < replies.size() && replies[count].time <= bus + 1e-9) {
      bytes[count] = replies[count].value;
      ++count;
    }
    quiet_since_ = std::max(quiet_since_, replies[count - 1].time);
    [[maybe_unused]] const ssize_t written = ::write(master_, bytes, count);  // if nobody listens, they are lost
    replies.erase(replies.begin(), replies.begin() + static_cast<std::ptrdiff_t>(count));
  }
}

double PtyServer::next(double frame) const {
  if (sent_ < request_.size()) {
    return emulator_.now() + static_cast<double>(request_.size() - sent_) * kSecondsPerByte;
  }
  const auto& replies = emulator_.replies();
  if (replies.empty()) return std::numeric_limits<double>::infinity();
  return std::min(replies.back().time, std::max(replies.front().time, emulator_.now() + frame));
}

}  // namespace hl_hardware_cm730

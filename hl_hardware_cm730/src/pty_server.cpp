// SPDX-License-Identifier: Apache-2.0
#include "hl_hardware_cm730/pty_server.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace hl_hardware_cm730 {
namespace {

constexpr double kFrame = 1e-3;  // s between two deliveries, as a USB adapter bundles bytes

double wall_time() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

PtyServer::PtyServer(Emulator& emulator, Params params)
    : emulator_(emulator), params_(std::move(params)), last_wall_(wall_time()), bus_(emulator.now()) {
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
  if (params_.link.empty()) return;
  ::unlink(params_.link.c_str());
  if (::symlink(name, params_.link.c_str()) != 0) {
    throw std::runtime_error("cannot make the link " + params_.link + ": " + std::strerror(errno));
  }
}

void PtyServer::unplug() {
  if (master_ < 0) return;
  if (!params_.link.empty()) ::unlink(params_.link.c_str());
  ::close(master_);
  ::close(slave_);
  master_ = slave_ = -1;
  terminal_.clear();
  emulator_.replies().clear();
}

double PtyServer::bus_time(double wall) {
  const bool waiting = params_.patience > 0.0 && bus_ - last_host_ > params_.patience;
  if (!waiting) bus_ += std::min(wall - last_wall_, params_.longest_jump);
  last_wall_ = wall;
  return bus_;
}

void PtyServer::deliver() {
  auto& replies = emulator_.replies();
  uint8_t bytes[512];
  while (!replies.empty() && replies.front().time <= bus_) {
    size_t count = 0;
    while (count < sizeof(bytes) && count < replies.size() && replies[count].time <= bus_) {
      bytes[count] = replies[count].value;
      ++count;
    }
    const ssize_t written = ::write(master_, bytes, count);
    if (written <= 0) return;  // nobody reads: the bytes wait
    replies.erase(replies.begin(), replies.begin() + written);
  }
}

void PtyServer::spin(double timeout) {
  const double end = wall_time() + timeout;
  do {
    if (emulator_.faults().unplugged != (master_ < 0)) emulator_.faults().unplugged ? unplug() : plug();
    emulator_.advance_to(bus_time(wall_time()));
    if (master_ >= 0) deliver();

    double wait = end - wall_time();
    if (!emulator_.replies().empty()) wait = std::min(wait, std::max(kFrame, emulator_.replies().front().time - bus_));
    if (wait <= 0.0) break;
    pollfd poll_fd{master_, POLLIN, 0};
    const timespec time{static_cast<time_t>(wait), static_cast<long>((wait - std::floor(wait)) * 1e9)};
    if (::ppoll(&poll_fd, master_ >= 0 ? 1 : 0, &time, nullptr) <= 0) continue;
    uint8_t bytes[1024];
    const ssize_t count = ::read(master_, bytes, sizeof(bytes));
    if (count <= 0) continue;
    emulator_.advance_to(bus_time(wall_time()));
    last_host_ = bus_;
    emulator_.transmit(bytes, static_cast<size_t>(count));
  } while (wall_time() < end);
}

}  // namespace hl_hardware_cm730

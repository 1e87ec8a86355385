// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

#include "hl_hardware_cm730/bus_port.hpp"
#include "hl_hardware_cm730/emulator.hpp"

namespace hl_hardware_cm730 {

/// The emulator as a port in its own bus time: no real time passes, so tests do not depend on the machine.
class EmulatedPort : public BusPort {
 public:
  /// `latency`: s that every answer is held back by the adapter.
  explicit EmulatedPort(Emulator& emulator, double latency = 0.0) : emulator_(emulator), latency_(latency) {}

  bool open() override {
    open_ = !emulator_.faults().unplugged;
    return open_;
  }
  void close() override { open_ = false; }
  std::string error() const override { return open_ ? "" : "the emulated cable is unplugged"; }

  double now() const override { return std::max(now_, emulator_.now()); }
  void sleep_until(double time) override {
    now_ = std::max(now(), time);
    emulator_.advance_to(now_);
  }

  bool write(const uint8_t* bytes, size_t size) override {
    if (lost()) return false;
    emulator_.advance_to(now_);
    emulator_.transmit(bytes, size);
    return true;
  }

  int read(uint8_t* bytes, size_t capacity, double deadline) override {
    if (lost()) return -1;
    auto& replies = emulator_.replies();
    if (replies.empty() || replies.front().time + latency_ > std::max(deadline, now())) {
      sleep_until(deadline);
      return lost() ? -1 : 0;
    }
    sleep_until(replies.front().time + latency_);
    size_t count = 0;
    while (count < capacity && !replies.empty() && replies.front().time + latency_ <= now_ + 1e-12) {
      bytes[count++] = replies.front().value;
      replies.pop_front();
    }
    return static_cast<int>(count);
  }

  void discard_input() override {
    auto& replies = emulator_.replies();
    while (!replies.empty() && replies.front().time + latency_ <= now()) replies.pop_front();
  }

 private:
  bool lost() {
    if (emulator_.faults().unplugged) open_ = false;
    return !open_;
  }

  Emulator& emulator_;
  double latency_;
  double now_ = 0.0;
  bool open_ = false;
};

}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

#include "hl_hardware_cm730/emulator.hpp"

namespace hl_hardware_cm730 {

/// Serves an emulator on a pseudo-terminal, so that an unmodified driver (or any other program) can open it. It keeps
/// no time of its own: `BusTime` says when which moment of bus time has come.
class PtyServer {
 public:
  /// `link`: path of a symbolic link to the terminal, empty = none. Throws std::runtime_error if there is no
  /// pseudo-terminal, or the link cannot be made.
  PtyServer(Emulator& emulator, std::string link);
  ~PtyServer();
  PtyServer(const PtyServer&) = delete;
  PtyServer& operator=(const PtyServer&) = delete;

  Emulator& emulator() { return emulator_; }
  /// Path of the terminal itself; empty while the cable is pulled.
  const std::string& terminal() const { return terminal_; }
  int descriptor() const { return master_; }  // to poll; -1 while the cable is pulled

  /// Takes what the host has written, at `wall` s of real time; pulls or plugs the cable as the faults ask.
  void receive(double wall);
  /// Lets bus time pass to `bus`: the host's bytes cross the wire, and answers that have arrived are handed over.
  void pass(double bus);

  bool busy() const { return sent_ < request_.size() || !emulator_.replies().empty(); }
  /// Bus time at which the wire will have something for the host, whose adapter bundles bytes for `frame` s.
  double next(double frame) const;
  /// Bus time of the last byte in either direction; ahead while the servos start, because the host waits for them.
  double quiet_since() const { return std::max(quiet_since_, emulator_.started_at()); }
  double last_byte_time() const { return last_byte_time_; }  // real time of the host's last byte

 private:
  void plug();
  void unplug();
  void deliver(double bus);

  Emulator& emulator_;
  std::string link_, terminal_;
  int master_ = -1;
  int slave_ = -1;   // kept open, or the line would hang up whenever a host leaves
  Bytes request_;    // of the host
  size_t sent_ = 0;  // bytes of it that have crossed the wire
  double quiet_since_ = 0.0;
  double last_byte_time_ = -1e9;
};

}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hl_hardware_cm730/emulator.hpp"

namespace hl_hardware_cm730 {

/// Serves an emulator on a pseudo-terminal, so that an unmodified driver (or any other program) can open it.
///
/// Bus time follows real time and every byte takes its time on the wire. A machine that stalls slows the emulated world
/// down instead of breaking the robot: time does not jump, and it waits for a host that has fallen silent.
class PtyServer {
 public:
  struct Params {
    std::string link;            // path of a symbolic link to the terminal; empty = none
    double longest_jump = 0.02;  // s of bus time that one look may catch up
    double patience = 0.5;       // s of silence of the host after which the world waits for it, 0 = never
  };

  /// Throws std::runtime_error if there is no pseudo-terminal, or the link cannot be made.
  PtyServer(Emulator& emulator, Params params);
  ~PtyServer();
  PtyServer(const PtyServer&) = delete;
  PtyServer& operator=(const PtyServer&) = delete;

  /// Serves for at most `timeout` s, sleeping when there is nothing to do.
  void spin(double timeout);

  /// Path of the terminal itself; empty while the cable is pulled.
  const std::string& terminal() const { return terminal_; }

 private:
  void plug();
  void unplug();
  void deliver();
  double bus_time(double wall);

  Emulator& emulator_;
  Params params_;
  std::string terminal_;
  int master_ = -1;
  int slave_ = -1;  // kept open, or the line would hang up whenever a host leaves
  double last_wall_;
  double bus_ = 0.0;
  double last_host_ = 0.0;  // bus time of the host's last byte
};

}  // namespace hl_hardware_cm730

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hl_hardware_cm730/pty_server.hpp"

namespace hl_hardware_cm730 {

/// The clock of one or more emulated buses that real programs talk to. Every byte takes its time on the wire; a machine
/// that stalls slows the emulated world down instead of breaking the robot.
///
/// - While bytes are on the wire, time passes at `factor` of real time, or at once if that is 0.
/// - On an idle wire it passes like real time for `grace` s, then it waits for the host, which may have been stalled.
/// - A host that has not spoken for `patience` s of real time is gone: time passes like real time without it.
class BusTime {
 public:
  struct Params {
    double factor = 1.0;      // bus time per real time, 0 = as fast as the host speaks
    double grace = 0.025;     // s of bus time; more than the pause that the host makes between two cycles
    double patience = 0.5;    // s of real time
    double most_lag = 0.004;  // s of bus time that may be caught up at once
    std::optional<std::string> validate() const;  // the first bad value, in words
  };

  /// The lines must outlive it.
  BusTime(std::vector<PtyServer*> lines, const Params& params);

  void set_factor(double factor) { params_.factor = factor; }
  void set_patience(double patience) { params_.patience = patience; }
  double now() const { return bus_; }  // s

  /// Serves until bus time `until` has come, sleeping when there is nothing to do; false if it has not within `timeout`
  /// s of real time.
  bool run(double until, double timeout);

 private:
  double limit(double until, double wall, bool& busy) const;
  void wait(double seconds);

  std::vector<PtyServer*> lines_;
  Params params_;
  double bus_ = 0.0;
  double last_wall_;
  double credit_ = 0.0;  // s of bus time that real time allows and nobody has used yet
};

}  // namespace hl_hardware_cm730

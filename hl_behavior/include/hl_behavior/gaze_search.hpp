// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace hl_behavior {

/// Which way to look next for something that may be anywhere around: where nobody has looked yet, without going back
/// and forth over what was seen. Two lines: one from 0.7 m to the horizon, and after every second round of it one at
/// the feet. What was seen stays with the ground while the body turns.
class GazeSearch {
 public:
  struct View {
    double yaw = 0.0;   // rad, base_footprint
    bool near = false;  // the line at the feet
  };
  struct Neck {
    double reach = 1.75;  // rad to either side
    double view = 1.0;    // rad, of the camera from side to side
  };

  /// Nothing has been seen; `side` (+1 left, -1 right) is looked to first.
  void begin(double side);
  void body_turned(double angle);  // rad
  /// The camera looks there now.
  void looked(const View& now, const Neck& neck);
  /// `turn_rate` (rad/s) of the body: it brings what is behind to one side.
  View next(double yaw, double turn_rate, const Neck& neck);

 private:
  static constexpr int kBins = 72;
  using Line = std::array<bool, kBins>;
  double bearing(int bin) const;  // rad, base_footprint
  /// The gaze that shows the farthest unseen place on this side; `yaw` itself if there is none.
  double farthest(const Line& line, double side, double yaw, const Neck& neck) const;

  std::array<Line, 2> seen_{};  // far, near
  double turned_ = 0.0;         // rad, of the body since `begin`
  double side_ = 1.0;
  bool near_ = false;
  int rounds_ = 0;  // of the far line
};

}  // namespace hl_behavior

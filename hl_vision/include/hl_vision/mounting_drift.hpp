// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hl_description/field.hpp"
#include "hl_vision/compass_recorder.hpp"
#include "hl_vision/mounting.hpp"

namespace hl_vision {

/// Learns while playing how pitch and roll of the camera drift away from what the calibration said: a servo horn that
/// slips, a head that was knocked. Slowly, within bounds, and only from line points of sure poses.
class MountingDrift {
 public:
  struct Inputs {
    MountingCalibration::Frame frame;  // as the calibration says, without what was learned here
    KnownPose pose;                    // localisation's, at the time of the picture
  };
  struct Params {
    bool learn = true;
    double most = 0.05;               // rad, that is learned of each angle
    double gain = 0.3;                // share of a new answer in what is known
    double place_deviation = 0.3;     // m, of the pose, up to which it is sure
    double heading_deviation = 0.15;  // rad
    double oldest_pose = 0.2;         // s
    std::optional<std::string> validate() const;
  };

  MountingDrift(const Params& params, const hl_description::Field& field) : params_(params), field_(field) {}
  void set_params(const Params& params);

  /// True if what is known changed.
  bool step(const Inputs& inputs, double now);

  /// The calibration with what was learned.
  Mounting corrected(const Mounting& calibration) const;
  double pitch() const { return pitch_; }  // rad, learned
  double roll() const { return roll_; }
  int lessons() const { return lessons_; }  // answers that were used so far
  bool at_bound() const;                    // more drift than may be learned: calibrate

 private:
  Params params_;
  hl_description::Field field_;
  std::vector<MountingCalibration::Frame> frames_;
  std::vector<MountingCalibration::Pose> poses_;
  double last_ = -1e9, pitch_ = 0.0, roll_ = 0.0;
  int lessons_ = 0;
};

}  // namespace hl_vision

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hl_hardware_cm730 {

/// What a joint did while it was moved by itself: goals as they were written, answers as they came. Servo direction.
struct Recording {
  struct Goal {
    double time, position;  // s, rad
  };
  struct Sample {
    double time, position, velocity, load;  // s, rad, rad/s, -1..1 of the torque at the stall
  };
  std::vector<Goal> goals;
  std::vector<Sample> samples;
};

struct Measured {
  double value = 0.0;
  double uncertainty = 0.0;  // one standard deviation
};

/// What data sheets do not say of a servo in a robot.
struct Identified {
  Measured friction;   // N m, dry, of gear and bearings at the horn
  Measured stiffness;  // N m/rad, torque per error of the position
  Measured lag;        // s, from writing a goal until it acts
  Measured backlash;   // rad, error within which it gives no torque
};

/// Fits a servo to recordings of the same excitation, each by itself; how they differ is the uncertainty. The torque is
/// `load` times `stall_torque` (N m). Nothing, and why, if a recording does not tell.
std::optional<Identified> identify(const std::vector<Recording>& recordings, double stall_torque, std::string& why_not);

/// A safe motion about a middle: to and fro at two speeds, then swinging at two frequencies. Offset in rad, of at most
/// `kExcitationReach`; the motion begins and ends at zero.
constexpr double kExcitationReach = 0.14;  // rad
double excitation(double time);            // s
double excitation_duration();              // s

}  // namespace hl_hardware_cm730

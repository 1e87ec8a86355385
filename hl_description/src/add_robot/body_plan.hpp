// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>

#include "hl_description/robot_model.hpp"
#include "urdf_draft.hpp"

namespace hl_description {

/// The twenty joints of the suite, without the side; the first two have none.
constexpr std::array<const char*, 2> kHeadJoints = {"HeadPan", "HeadTilt"};
constexpr std::array<const char*, 3> kArmJoints = {"ShoulderPitch", "ShoulderRoll", "Elbow"};
constexpr std::array<const char*, 6> kLegJoints = {"HipYaw", "HipRoll", "HipPitch", "Knee", "AnklePitch", "AnkleRoll"};

/// What somebody says of a robot beforehand: our name -> theirs.
struct Told {
  std::map<std::string, std::string> joints;
  std::map<std::string, std::string> frames;  // l_sole, r_sole, imu_frame, camera_frame -> link
};

/// Which joint of somebody's robot is which of ours.
struct BodyPlan {
  std::map<std::string, int> joints;  // ours -> index in the draft
  int trunk = -1;                     // link on which all limbs hang
  std::array<int, 2> soles{-1, -1};   // links, -1: there is none
  int camera = -1, imu = -1;          // links

  bool complete() const { return trunk >= 0; }
  int joint(const std::string& name) const { return joints.at(name); }
};

/// By name (hip, knee, ankle, shoulder, elbow, head; yaw, roll, pitch; left, right), else by structure: legs are the
/// lowest two chains of six joints, arms the other pair of three, the head the chain of two. `told` comes first.
/// The draft hangs together.
BodyPlan find_body(const Draft& draft, const Told& told, Findings& findings);

}  // namespace hl_description

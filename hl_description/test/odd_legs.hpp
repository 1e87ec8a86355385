// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "hl_description/leg_kinematics.hpp"

namespace hl_description {

/// A leg that is built otherwise than ours.
struct Hip {
  const char* name;
  Eigen::Vector3d yaw_axis{0, 0, 1};
  Eigen::Vector3d roll{0, 0, -0.04}, pitch{0, 0, 0}, ankle_roll{0, 0, 0};  // m, of the frames against the joint above
  double knee_x = 0.0;                                                     // m, knee ahead of the straight leg
  double pitch_tilt = 0.0;                                                 // rad, of the hip pitch axis
};

inline std::string joint_of(const std::string& name, const std::string& parent, const std::string& child,
                            const Eigen::Vector3d& at, const Eigen::Vector3d& axis) {
  char text[600];
  std::snprintf(text, sizeof text,
                "<link name='%s'/><joint name='%s' type='revolute'><parent link='%s'/><child link='%s'/>"
                "<origin xyz='%.9f %.9f %.9f'/><axis xyz='%.9f %.9f %.9f'/>"
                "<limit lower='-1.2' upper='1.2' velocity='5' effort='5'/></joint>",
                child.c_str(), name.c_str(), parent.c_str(), child.c_str(), at.x(), at.y(), at.z(), axis.x(), axis.y(),
                axis.z());
  return text;
}

inline RobotModel robot_with(const Hip& hip) {
  std::string urdf =
      "<robot name='r'><link name='base_link'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>";
  for (const Side side : {Side::Left, Side::Right}) {
    const std::string s = link_prefix(side), j = joint_prefix(side);
    const auto mirrored = [&](Eigen::Vector3d v) {
      v.y() *= sign(side);
      return v;
    };
    urdf += joint_of(j + "HipYaw", "base_link", s + "yaw", {0, 0.05 * sign(side), 0}, mirrored(hip.yaw_axis));
    urdf += joint_of(j + "HipRoll", s + "yaw", s + "roll", mirrored(hip.roll), {1, 0, 0});
    urdf += joint_of(j + "HipPitch", s + "roll", s + "thigh", mirrored(hip.pitch),
                     {std::sin(hip.pitch_tilt), std::cos(hip.pitch_tilt), 0});
    urdf += joint_of(j + "Knee", s + "thigh", s + "shank", {hip.knee_x, 0, -0.15}, {0, -1, 0});
    urdf += joint_of(j + "AnklePitch", s + "shank", s + "ankle", {-hip.knee_x, 0, -0.15}, {0, 1, 0});
    urdf += joint_of(j + "AnkleRoll", s + "ankle", s + "foot", mirrored(hip.ankle_roll), {-1, 0, 0});
    urdf += "<link name='" + s + "sole'/><joint name='" + s + "sole_joint' type='fixed'><parent link='" + s +
            "foot'/><child link='" + s + "sole'/><origin xyz='0 0 -0.04'/></joint>";
  }
  for (const char* s : {"l_", "r_"}) {
    const std::string foot = "<link name='" + std::string(s) + "foot'/>";
    urdf.replace(urdf.find(foot), foot.size(),
                 "<link name='" + std::string(s) +
                     "foot'><collision><origin xyz='0 0 -0.03'/><geometry><box size='0.1 "
                     "0.06 0.02'/></geometry></collision></link>");
  }
  return RobotModel::from_urdf(urdf + "</robot>");
}

/// One of every kind: inclined or offset hips, feet aside, axes that nearly meet.
inline std::vector<Hip> odd_legs() {
  const double kHalf = std::sqrt(0.5);
  return {Hip{"meeting", {0, 0, 1}},
          Hip{"inclined", {0, kHalf, -kHalf}},
          Hip{"offset", {0, 0, -1}, {0.023, 0, -0.04}},
          Hip{"origins_along_axes", {0, 0, 1}, {-0.04, 0, -0.04}, {0.04, 0, 0}},
          Hip{"foot_aside", {0, 0, 1}, {0, 0, -0.04}, {0, 0, 0}, {0, 0.004, 0}},
          Hip{"offset_and_aside", {0, 0, 1}, {0.02, 0, -0.04}, {0, 0, 0}, {0, -0.003, 0}},
          Hip{"bent", {0, 0, 1}, {0, 0, -0.04}, {0, 0, 0}, {0, 0, 0}, 0.01},
          Hip{"tilted", {0, 0, 1}, {0, 0, -0.04}, {0.002, 0, -0.003}, {0, 0, 0}, 0.0, 0.05}};
}

}  // namespace hl_description

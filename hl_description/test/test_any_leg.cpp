// SPDX-License-Identifier: Apache-2.0
// Legs that are built otherwise than ours: inclined or offset hips, feet aside, axes that nearly meet.
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <random>

#include "hl_description/leg_kinematics.hpp"
#include "hl_testing/isolation.hpp"

using namespace hl_description;

namespace {

struct Hip {
  const char* name;
  Eigen::Vector3d yaw_axis{0, 0, 1};
  Eigen::Vector3d roll{0, 0, -0.04}, pitch{0, 0, 0}, ankle_roll{0, 0, 0};  // m, of the frames against the joint above
  double knee_x = 0.0;                                                     // m, knee ahead of the straight leg
  double pitch_tilt = 0.0;                                                 // rad, of the hip pitch axis
};

std::string joint(const std::string& name, const std::string& parent, const std::string& child,
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

RobotModel robot_with(const Hip& hip) {
  std::string urdf =
      "<robot name='r'><link name='base_link'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link>";
  for (const Side side : {Side::Left, Side::Right}) {
    const std::string s = link_prefix(side), j = joint_prefix(side);
    const auto mirrored = [&](Eigen::Vector3d v) {
      v.y() *= sign(side);
      return v;
    };
    urdf += joint(j + "HipYaw", "base_link", s + "yaw", {0, 0.05 * sign(side), 0}, mirrored(hip.yaw_axis));
    urdf += joint(j + "HipRoll", s + "yaw", s + "roll", mirrored(hip.roll), {1, 0, 0});
    urdf += joint(j + "HipPitch", s + "roll", s + "thigh", mirrored(hip.pitch),
                  {std::sin(hip.pitch_tilt), std::cos(hip.pitch_tilt), 0});
    urdf += joint(j + "Knee", s + "thigh", s + "shank", {hip.knee_x, 0, -0.15}, {0, -1, 0});
    urdf += joint(j + "AnklePitch", s + "shank", s + "ankle", {-hip.knee_x, 0, -0.15}, {0, 1, 0});
    urdf += joint(j + "AnkleRoll", s + "ankle", s + "foot", mirrored(hip.ankle_roll), {-1, 0, 0});
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

class AnyLeg : public testing::TestWithParam<Hip> {};

const double kHalf = std::sqrt(0.5);
INSTANTIATE_TEST_SUITE_P(
    , AnyLeg,
    testing::Values(Hip{"meeting", {0, 0, 1}}, Hip{"inclined", {0, kHalf, -kHalf}},
                    Hip{"offset", {0, 0, -1}, {0.023, 0, -0.04}},
                    Hip{"origins_along_axes", {0, 0, 1}, {-0.04, 0, -0.04}, {0.04, 0, 0}},
                    Hip{"foot_aside", {0, 0, 1}, {0, 0, -0.04}, {0, 0, 0}, {0, 0.004, 0}},
                    Hip{"offset_and_aside", {0, 0, 1}, {0.02, 0, -0.04}, {0, 0, 0}, {0, -0.003, 0}},
                    Hip{"bent", {0, 0, 1}, {0, 0, -0.04}, {0, 0, 0}, {0, 0, 0}, 0.01},
                    Hip{"tilted", {0, 0, 1}, {0, 0, -0.04}, {0.002, 0, -0.003}, {0, 0, 0}, 0.0, 0.05}),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace

TEST_P(AnyLeg, IsSolvedForReachablePoses) {
  const RobotModel model = robot_with(GetParam());
  std::mt19937 random(1);
  std::uniform_real_distribution<> angle(-1.2, 1.2);
  for (const Side side : {Side::Left, Side::Right}) {
    const LegKinematics leg(model, side);
    const int runs = static_cast<int>(hl_testing::count(3'000, 100'000));
    int solved = 0;
    for (int run = 0; run < runs; ++run) {
      LegKinematics::Angles angles;
      for (double& a : angles) a = angle(random);
      const Eigen::Isometry3d target = leg.forward(angles);
      Eigen::VectorXd q = Eigen::VectorXd::Zero(12);
      leg.write(angles, q);
      ASSERT_LT((model.forward(q).links[model.sole(side)].matrix() - target.matrix()).norm(), 1e-9);
      const auto solution = leg.solve(target);
      for (std::size_t i = 0; i < 6; ++i) ASSERT_TRUE(leg.limits(i).contains(solution.angles[i], 0.0));
      if (!solution.exact()) continue;
      ++solved;
      ASSERT_LT((leg.forward(solution.angles).matrix() - target.matrix()).norm(), 1e-6) << "run " << run;
    }
    EXPECT_GE(solved, 0.99 * runs);
  }
}

TEST_P(AnyLeg, FollowsASmoothMotionWithoutJumps) {
  const LegKinematics leg(robot_with(GetParam()), Side::Left);
  const Eigen::Isometry3d bent = leg.forward({0, 0, -0.4, -0.8, -0.4, 0});
  LegKinematics::Angles last = leg.solve(bent).angles;
  for (int i = 1; i <= 2000; ++i) {
    const double t = i * 0.005;
    Eigen::Isometry3d target = bent;
    target.translation() += Eigen::Vector3d(0.03 * std::sin(t), 0.02 * std::sin(1.3 * t), 0.01 * std::sin(1.7 * t));
    target.rotate(Eigen::AngleAxisd(0.2 * std::sin(0.7 * t), Eigen::Vector3d::UnitZ()));
    const auto solution = leg.solve(target);
    ASSERT_TRUE(solution.exact()) << "at " << t;
    for (std::size_t j = 0; j < 6; ++j) ASSERT_LT(std::abs(solution.angles[j] - last[j]), 0.02) << "at " << t;
    last = solution.angles;
  }
}

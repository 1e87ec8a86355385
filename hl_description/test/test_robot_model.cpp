// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <fstream>
#include <map>

#include "hl_description/robot_model.hpp"
#include "hl_description/support_polygon.hpp"
#include "hl_testing/process.hpp"
#include "robots.hpp"

using namespace hl_description;
using testing::HasSubstr;

namespace {

Eigen::Vector3d at(const RobotModel& model, const Posture& posture, const std::string& link) {
  return posture.links[model.link(link)].translation();
}

std::string error_of(const std::string& xml) {
  try {
    RobotModel::from_urdf(xml);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

const std::string foot_links = R"(<link name="f"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="l_sole"/><link name="r_sole"/><link name="base_link"/>
  <joint name="a" type="fixed"><parent link="base_link"/><child link="f"/></joint>
  <joint name="b" type="fixed"><parent link="f"/><child link="l_sole"/></joint>
  <joint name="c" type="fixed"><parent link="f"/><child link="r_sole"/></joint>)";

class Robot : public testing::TestWithParam<const char*> {
 protected:
  RobotModel model = model_of(GetParam());
  RobotConfig config = config_of(GetParam());
  Eigen::VectorXd zero = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(model.dof()));
};
INSTANTIATE_TEST_SUITE_P(, Robot, testing::Values("minibot", "darwin_op"),
                         [](const auto& i) { return std::string(i.param); });

}  // namespace

TEST_P(Robot, HasTheTwentyJointsOfTheContract) {
  const std::vector<std::string> limb = {"ShoulderPitch", "ShoulderRoll", "Elbow",      "HipYaw",   "HipRoll",
                                         "HipPitch",      "Knee",         "AnklePitch", "AnkleRoll"};
  std::vector<std::string> expected = {"HeadPan", "HeadTilt"};
  for (const char* side : {"L", "R"})
    for (const auto& name : limb) expected.push_back(side + name);
  EXPECT_THAT(model.joint_names(), testing::UnorderedElementsAreArray(expected));
}

TEST_P(Robot, HasTheFramesOfTheContract) {
  for (const char* frame : {"base_link", "torso", "l_sole", "r_sole", "imu_frame", "camera_frame",
                            "camera_optical_frame", "l_hand", "r_hand", "l_toe", "r_toe", "l_ankle", "r_ankle"})
    EXPECT_TRUE(model.link_index(frame)) << frame;
  EXPECT_EQ(model.links()[0].name, "base_link");
}

TEST_P(Robot, AxesArePositiveServoDirections) {
  const Posture posture = model.forward(zero);
  const double w = std::sqrt(0.5);
  const std::map<std::string, Eigen::Vector3d> axes = {
      {"RShoulderPitch", {0, -1, 0}}, {"LShoulderPitch", {0, 1, 0}}, {"RShoulderRoll", {-1, 0, 0}},
      {"LShoulderRoll", {-1, 0, 0}},  {"RElbow", {0, -w, w}},        {"LElbow", {0, w, w}},
      {"RHipYaw", {0, 0, -1}},        {"LHipYaw", {0, 0, -1}},       {"RHipRoll", {-1, 0, 0}},
      {"LHipRoll", {-1, 0, 0}},       {"RHipPitch", {0, 1, 0}},      {"LHipPitch", {0, -1, 0}},
      {"RKnee", {0, 1, 0}},           {"LKnee", {0, -1, 0}},         {"RAnklePitch", {0, -1, 0}},
      {"LAnklePitch", {0, 1, 0}},     {"RAnkleRoll", {1, 0, 0}},     {"LAnkleRoll", {1, 0, 0}},
      {"HeadPan", {0, 0, 1}},         {"HeadTilt", {0, -1, 0}}};
  for (std::size_t i = 0; i < model.links().size(); ++i) {
    const auto& link = model.links()[i];
    if (link.joint < 0) continue;
    const auto& name = model.joint_names()[static_cast<std::size_t>(link.joint)];
    EXPECT_LT((posture.links[i].linear() * link.axis - axes.at(name)).norm(), 1e-12) << name;
  }
}

TEST_P(Robot, InertiasBelongToRealBodies) {
  for (const auto& link : model.links()) {
    if (link.mass == 0.0) continue;
    EXPECT_LT((link.inertia - link.inertia.transpose()).norm(), 1e-15);
    const Eigen::Vector3d moments = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(link.inertia).eigenvalues();
    EXPECT_GT(moments[0], 0.0) << link.name;
    EXPECT_GE(moments[0] + moments[1], moments[2]) << link.name;
    // A body cannot be smaller than a point nor larger than the robot: radius of gyration 3 mm .. 15 cm.
    const double gyration = std::sqrt(moments[2] / link.mass);
    EXPECT_GT(gyration, 0.003) << link.name;
    EXPECT_LT(gyration, 0.15) << link.name;
  }
}

TEST_P(Robot, LeftAndRightAreMirrorImages) {
  const Eigen::Matrix3d mirror = Eigen::Vector3d(1, -1, 1).asDiagonal();
  std::mt19937 random(1);
  for (int run = 0; run < 20; ++run) {
    const Eigen::VectorXd q = random_pose(model, random);
    const Posture original = model.forward(q), mirrored = model.forward(model.mirrored(q));
    EXPECT_LT((model.mirrored(model.mirrored(q)) - q).norm(), 1e-15);
    for (std::size_t i = 0; i < model.links().size(); ++i) {
      const auto& link = model.links()[i];
      std::string name = link.name;
      if (name.rfind("l_", 0) == 0)
        name[0] = 'r';
      else if (name.rfind("r_", 0) == 0)
        name[0] = 'l';
      const std::size_t j = model.link(name);
      const auto& partner = model.links()[j];
      EXPECT_LT((mirror * original.links[i].translation() - mirrored.links[j].translation()).norm(), 1e-9) << name;
      EXPECT_LT((mirror * (original.links[i] * link.com) - mirrored.links[j] * partner.com).norm(), 1e-9) << name;
      EXPECT_NEAR(link.mass, partner.mass, 1e-12);
      const Eigen::Matrix3d a =
          mirror * original.links[i].linear() * link.inertia * original.links[i].linear().transpose() * mirror;
      const Eigen::Matrix3d b = mirrored.links[j].linear() * partner.inertia * mirrored.links[j].linear().transpose();
      EXPECT_LT((a - b).norm(), 1e-9) << name;
    }
    EXPECT_LT((mirror * model.center_of_mass(original) - model.center_of_mass(mirrored)).norm(), 1e-9);
  }
  for (std::size_t i = 0; i < model.dof(); ++i) {
    const std::string& name = model.joint_names()[i];
    if (name[0] != 'L') continue;
    const auto &left = model.limits(i), &right = model.limits(model.joint("R" + name.substr(1)));
    EXPECT_NEAR(left.lower, -right.upper, 1e-9) << name;
    EXPECT_NEAR(left.upper, -right.lower, 1e-9) << name;
    EXPECT_EQ(left.effort, right.effort);
    EXPECT_EQ(left.velocity, right.velocity);
  }
}

TEST_P(Robot, JacobiansAreTheDerivativesOfForwardKinematics) {
  std::mt19937 random(2);
  const double step = 1e-6;
  for (int run = 0; run < 5; ++run) {
    const Eigen::VectorXd q = random_pose(model, random);
    const Posture posture = model.forward(q);
    const Eigen::Vector3d point(0.01, 0.02, -0.03);
    const std::size_t link = model.link("r_foot");
    const auto jacobian = model.jacobian(posture, link, point);
    const auto com_jacobian = model.com_jacobian(posture);
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      Eigen::VectorXd more = q, less = q;
      more[i] += step;
      less[i] -= step;
      const Posture p = model.forward(more), m = model.forward(less);
      EXPECT_LT(((p.links[link] * point - m.links[link] * point) / (2 * step) - jacobian.col(i).head<3>()).norm(),
                1e-8);
      EXPECT_LT(((model.center_of_mass(p) - model.center_of_mass(m)) / (2 * step) - com_jacobian.col(i)).norm(), 1e-8);
      const Eigen::AngleAxisd turn(Eigen::Matrix3d(p.links[link].linear() * m.links[link].linear().transpose()));
      EXPECT_LT((turn.angle() * turn.axis() / (2 * step) - jacobian.col(i).tail<3>()).norm(), 1e-6);
    }
  }
}

TEST_P(Robot, StandsInWalkReadyPoseWithItsMassOverItsFeet) {
  const Posture posture = model.forward(config.pose(model, "walkready"));
  const Eigen::Isometry3d footprint = base_footprint(model, posture, Side::Left);
  const Eigen::Vector3d com = footprint.inverse() * model.center_of_mass(posture);
  EXPECT_NEAR(com.x(), 0.0, 0.005);
  EXPECT_NEAR(com.y(), 0.0, 1e-9);
  const SupportPolygon both = support_polygon(model, posture, Support::Both, footprint);
  EXPECT_GT(both.margin(com.head<2>()), 0.04);
  for (const Side side : {Side::Left, Side::Right}) {
    const Eigen::Isometry3d sole = footprint.inverse() * posture.links[model.sole(side)];
    EXPECT_NEAR(sole.translation().z(), 0.0, 1e-12);
    EXPECT_LT((sole.linear() - Eigen::Matrix3d::Identity()).norm(), 1e-12);  // flat, toes forward
  }
}

TEST_P(Robot, FootprintLiesOnTheFloorOfTheSupportingSoleWithTheHeadingOfTheBody) {
  std::mt19937 random(3);
  for (int run = 0; run < 100; ++run) {
    const Posture posture = model.forward(random_pose(model, random));
    const Eigen::Quaterniond upright =
        Eigen::AngleAxisd(0.2, Eigen::Vector3d::UnitX()) * Eigen::AngleAxisd(-0.3, Eigen::Vector3d::UnitY());
    const Eigen::Isometry3d footprint = base_footprint(model, posture, Side::Right, upright);
    const Eigen::Isometry3d inverse = footprint.inverse();
    EXPECT_NEAR((inverse * posture.links[model.sole(Side::Right)].translation()).z(), 0.0, 1e-12);
    const Eigen::Vector3d left = inverse * posture.links[model.sole(Side::Left)].translation();
    const Eigen::Vector3d right = inverse * posture.links[model.sole(Side::Right)].translation();
    EXPECT_LT((left + right).head<2>().norm(), 1e-12);
    EXPECT_NEAR(inverse.linear()(1, 0), 0.0, 1e-12);  // base_link looks along x
    EXPECT_LT((footprint.linear().col(2) - upright.inverse() * Eigen::Vector3d::UnitZ()).norm(), 1e-12);  // up is up
  }
}

TEST(Minibot, HasThePublishedDimensionsAndMass) {
  const RobotModel model = model_of("minibot");
  const Posture zero = model.forward(Eigen::VectorXd::Zero(20));
  EXPECT_NEAR(model.mass(), 5.0, 1e-9);
  const std::map<std::string, Eigen::Vector3d> points = {{"l_sole", {0, 0.0578, -0.3789}},
                                                         {"r_sole", {0, -0.0578, -0.3789}},
                                                         {"l_shoulder", {0.022, 0.0813, 0.1606}},
                                                         {"l_upper_arm", {0.022, 0.1105, 0.1606}},
                                                         {"l_lower_arm", {0.022, 0.2095, 0.0616}},
                                                         {"l_hand", {0.179, 0.2095, 0.0616}},
                                                         {"l_thigh", {0, 0.0578, -0.0384}},
                                                         {"l_shank", {0, 0.0578, -0.1884}},
                                                         {"l_ankle", {0, 0.0578, -0.3384}},
                                                         {"neck", {0.022, 0, 0.2112}},
                                                         {"head", {0.022, 0, 0.2383}},
                                                         {"camera_frame", {0.022, 0, 0.2933}},
                                                         {"imu_frame", {-0.008, 0, 0.1106}}};
  for (const auto& [link, position] : points) EXPECT_LT((at(model, zero, link) - position).norm(), 1e-4) << link;
  EXPECT_NEAR(at(model, zero, "camera_frame").z() - at(model, zero, "l_sole").z(), 0.672, 1e-3);
  const auto limit = [&](const char* joint) { return model.limits(model.joint(joint)); };
  EXPECT_NEAR(limit("LHipPitch").upper, 110 * M_PI / 180, 1e-9);
  EXPECT_NEAR(limit("LKnee").lower, -130 * M_PI / 180, 1e-9);
  EXPECT_EQ(limit("RKnee").effort, 8.4);
  EXPECT_EQ(limit("RHipRoll").effort, 6.0);
  EXPECT_EQ(limit("RHipYaw").effort, 2.5);
}

TEST(DarwinOp, HasThePublishedDimensionsAndMass) {
  const RobotModel model = model_of("darwin_op");
  const Posture zero = model.forward(Eigen::VectorXd::Zero(20));
  EXPECT_NEAR(model.mass(), 2.925, 1e-3);
  const Eigen::Vector3d shoulder = at(model, zero, "torso");
  EXPECT_LT((at(model, zero, "l_ankle") - shoulder - Eigen::Vector3d(-0.005, 0.037, -0.3082)).norm(), 1e-4);
  EXPECT_NEAR(at(model, zero, "l_sole").z() - shoulder.z(), -0.3417, 1e-4);
  EXPECT_NEAR(at(model, zero, "head").z() - shoulder.z(), 0.0507, 1e-4);
  EXPECT_LT((at(model, zero, "l_lower_arm") - shoulder - Eigen::Vector3d(0.016, 0.1244, -0.0584)).norm(), 1e-4);
  // Tilted by +40 degrees the camera looks horizontally from 33.2 mm before and 34.5 mm above the tilt axis.
  Eigen::VectorXd q = Eigen::VectorXd::Zero(20);
  q[static_cast<Eigen::Index>(model.joint("HeadTilt"))] = 40 * M_PI / 180;
  const Posture level = model.forward(q);
  EXPECT_LT((at(model, level, "camera_frame") - at(model, level, "head") - Eigen::Vector3d(0.0332, 0, 0.0345)).norm(),
            1e-9);
  EXPECT_LT((level.links[model.link("camera_optical_frame")].linear().col(2) - Eigen::Vector3d::UnitX()).norm(), 1e-9);
}

TEST(RobotModel, ErrorsNameThePlaceAndTheRemedy) {
  EXPECT_THAT(error_of("no xml at all"), HasSubstr("not a valid URDF"));
  EXPECT_THAT(error_of("<robot name='x'/>"), HasSubstr("not a valid URDF"));
  EXPECT_THAT(error_of("<robot name='x'><link name='base_link'/></robot>"),
              HasSubstr("has no link 'l_sole'; it has: base_link"));
  EXPECT_THAT(
      error_of(
          "<robot name='x'>" + foot_links +
          R"(<link name="m"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="3"/></inertial></link>
                          <joint name="j" type="fixed"><parent link="f"/><child link="m"/></joint></robot>)"),
      HasSubstr("link 'm': no body has the principal moments of inertia"));
  EXPECT_THAT(
      error_of("<robot name='x'>" + foot_links +
               R"(<link name="m"/><joint name="j" type="revolute"><parent link="f"/><child link="m"/><axis xyz="0 0 1"/>
                          <limit lower="1" upper="-1" effort="1" velocity="1"/></joint></robot>)"),
      HasSubstr("joint 'j': lower limit 1.000000 rad must be below"));
  EXPECT_THAT(
      error_of(
          "<robot name='x'>" + foot_links +
          R"(<link name="m"/><joint name="j" type="prismatic"><parent link="f"/><child link="m"/><axis xyz="0 0 1"/>
                          <limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>)"),
      HasSubstr("only revolute, continuous and fixed"));
  try {
    RobotModel::from_file("/nowhere/robot.urdf");
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), HasSubstr("/nowhere/robot.urdf: cannot be read"));
  }
}

TEST(RobotModel, SurvivesMutilatedDescriptions) {
  std::ifstream file(URDF_DIR "/minibot.urdf");
  const std::string xml((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::mt19937 random(4);
  const auto any = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (int run = 0; run < 200; ++run) {
    std::string broken = xml;
    for (std::size_t k = any(4) + 1; k > 0; --k) {
      const std::size_t from = any(broken.size());
      switch (any(3)) {
        case 0:
          broken.erase(from, any(200));
          break;
        case 1:
          broken[from] = static_cast<char>(any(256));
          break;
        default:
          broken.insert(from, broken.substr(any(broken.size()), any(100)));
      }
    }
    try {
      RobotModel::from_urdf(broken);
    } catch (const ModelError&) {
    }
  }
}

TEST(Xacro, AMistakeIsReportedWithFileLineAndRemedy) {
  const std::string path = testing::TempDir() + "/broken.urdf.xacro";
  {
    std::ofstream file(path);
    file << "<?xml version=\"1.0\"?>\n<robot name=\"x\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n"
            "  <xacro:include filename=\"" XACRO_DIR
            "/humanoid.xacro\"/>\n  <xacro:property name=\"arms\" value=\"1\"/>\n"
            "  <link name=\"${leggs}\"/>\n</robot>\n";
  }
  hl_testing::Process process({XACRO, path});
  EXPECT_NE(process.wait(), 0);
  EXPECT_THAT(process.output(), HasSubstr("leggs"));
  EXPECT_THAT(process.output(), HasSubstr("broken.urdf.xacro"));
}

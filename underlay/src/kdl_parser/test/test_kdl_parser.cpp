// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <tinyxml2.h>

#include <cmath>
#include <fstream>
#include <kdl/chainfksolverpos_recursive.hpp>

#include "hl_testing/temporary_folder.hpp"
#include "kdl_parser/kdl_parser.hpp"

namespace {

constexpr const char* kRobot = R"(<robot name="r"><link name="base"/><link name="arm">
  <inertial><origin xyz="0.5 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>
    <inertia ixx="1" iyy="2" izz="3" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="slider"/><link name="tip"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/>
    <axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="rail" type="prismatic"><parent link="arm"/><child link="slider"/><origin xyz="1 0 0"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="1" effort="1" velocity="1"/></joint>
  <joint name="end" type="fixed"><parent link="slider"/><child link="tip"/><origin xyz="0 0 0.5"/></joint></robot>)";

}  // namespace

TEST(KdlParser, TreeMovesAsTheDescriptionSays) {
  KDL::Tree tree;
  ASSERT_TRUE(kdl_parser::treeFromString(kRobot, tree));
  EXPECT_EQ(tree.getNrOfJoints(), 2U);
  EXPECT_EQ(tree.getNrOfSegments(), 3U);
  EXPECT_EQ(tree.getRootSegment()->first, "base");
  KDL::Chain chain;
  ASSERT_TRUE(tree.getChain("base", "tip", chain));
  KDL::ChainFkSolverPos_recursive kinematics(chain);
  KDL::JntArray joints(2);
  joints(0) = 0.3;
  joints(1) = 0.25;
  KDL::Frame tip;
  ASSERT_GE(kinematics.JntToCart(joints, tip), 0);
  EXPECT_NEAR(tip.p.x(), -1.25 * std::sin(0.3), 1e-9);
  EXPECT_NEAR(tip.p.y(), 1.25 * std::cos(0.3), 1e-9);
  EXPECT_NEAR(tip.p.z(), 1.5, 1e-9);
}

TEST(KdlParser, InertiaIsInTheFrameOfTheLink) {
  KDL::Tree tree;
  ASSERT_TRUE(kdl_parser::treeFromString(kRobot, tree));
  const auto& inertia = tree.getSegment("arm")->second.segment.getInertia();
  EXPECT_NEAR(inertia.getMass(), 2.0, 1e-9);
  EXPECT_NEAR(inertia.getCOG().x(), 0.5, 1e-9);
  const auto about_origin = inertia.getRotationalInertia();
  EXPECT_NEAR(about_origin.data[0], 2.0, 1e-9) << "x and y change places with a quarter turn";
  EXPECT_NEAR(about_origin.data[4], 1.0 + 2.0 * 0.25, 1e-9);
  EXPECT_NEAR(about_origin.data[8], 3.0 + 2.0 * 0.25, 1e-9);
}

TEST(KdlParser, FilesAndDocumentsAreReadAndNonsenseIsNot) {
  const hl_testing::TemporaryFolder folder;
  const std::string path = (folder.path() / "r.urdf").string();
  std::ofstream(path) << kRobot;
  KDL::Tree tree;
  EXPECT_TRUE(kdl_parser::treeFromFile(path, tree));
  EXPECT_EQ(tree.getNrOfSegments(), 3U);
  tinyxml2::XMLDocument document;
  document.Parse(kRobot);
  EXPECT_TRUE(kdl_parser::treeFromXml(&document, tree));
  EXPECT_FALSE(kdl_parser::treeFromXml(nullptr, tree));
  EXPECT_FALSE(kdl_parser::treeFromFile("/nowhere.urdf", tree));
  EXPECT_FALSE(kdl_parser::treeFromString("<robot/>", tree));
  EXPECT_FALSE(kdl_parser::treeFromString("nonsense", tree));
}

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "urdf/model.h"

namespace {

const char* const kRobot = R"(<robot name="r">
  <link name="base"/><link name="arm"/><link name="hand"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/><origin xyz="1 2 3" rpy="0 0 1.5"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="2" effort="3" velocity="4"/></joint>
  <joint name="wrist" type="continuous"><parent link="arm"/><child link="hand"/><axis xyz="1 0 0"/>
    <mimic joint="shoulder" multiplier="2" offset="0.5"/></joint>
</robot>)";

TEST(Model, ReadsLinksJointsLimitsAndMimics) {
  urdf::Model model;
  ASSERT_TRUE(model.initString(kRobot));
  EXPECT_EQ(model.getName(), "r");
  EXPECT_EQ(model.getRoot()->name, "base");
  EXPECT_EQ(model.links_.size(), 3u);
  const auto shoulder = model.getJoint("shoulder");
  ASSERT_TRUE(shoulder);
  EXPECT_DOUBLE_EQ(shoulder->limits->upper, 2.0);
  EXPECT_DOUBLE_EQ(shoulder->parent_to_joint_origin_transform.position.z, 3.0);
  EXPECT_DOUBLE_EQ(model.getJoint("wrist")->mimic->multiplier, 2.0);
}

TEST(Model, BadTextIsFalseAndLeavesAnEmptyModel) {
  urdf::Model model;
  ASSERT_TRUE(model.initString(kRobot));
  for (const char* text :
       {"", "no xml", "<robot", "<robot name='r'/>", "<robot name='r'><link name='a'/><link name='b'/></robot>",
        "<robot name='r'><link name='a'/><joint name='j' type='fixed'><parent link='x'/><child "
        "link='a'/></joint></robot>",
        "<html/>"}) {
    EXPECT_FALSE(model.initString(text)) << text;
    EXPECT_FALSE(model.getRoot()) << text;
  }
  EXPECT_FALSE(model.initFile("/no/such/file.urdf"));
}

TEST(Model, ReadsAFile) {
  const std::string path = testing::TempDir() + "test_urdf.urdf";
  std::ofstream(path) << kRobot;
  urdf::Model model;
  EXPECT_TRUE(model.initFile(path));
  std::remove(path.c_str());
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <hl_description/robot_config.hpp>
#include <hl_description/robot_model.hpp>

#include "hl_joints/joint_set.hpp"

using namespace hl_joints;

TEST(Joint, LimitsArePositionsSpeedsAndTorques) {
  const Joint knee{"LKnee", -2.0, 0.1, 5.0, Limb::Leg, 2.5};
  EXPECT_DOUBLE_EQ(knee.clamped(-3.0), -2.0);
  EXPECT_DOUBLE_EQ(knee.clamped(1.0), 0.1);
  EXPECT_DOUBLE_EQ(knee.clamped(-1.0), -1.0);
  EXPECT_TRUE(knee.allows(0.11, 0.02));
  EXPECT_FALSE(knee.allows(0.13, 0.02));
  EXPECT_FALSE(knee.allows(kAbsent, 0.02));
  EXPECT_DOUBLE_EQ(knee.torque_share(1.25), 0.5);
  EXPECT_DOUBLE_EQ(knee.torque_share(100.0), 1.0);
  EXPECT_DOUBLE_EQ(knee.torque_share(kAbsent), 1.0);
  EXPECT_DOUBLE_EQ(knee.speed_limit(2.0), 2.0);
  EXPECT_DOUBLE_EQ(knee.speed_limit(20.0), 5.0) << "never above the joint's own limit";
  EXPECT_DOUBLE_EQ(knee.speed_limit(kAbsent), 0.0);
  EXPECT_DOUBLE_EQ(knee.speed_limit(0.0), 0.0);
}

TEST(JointSet, IsThatOfTheRobot) {
  const std::string share = DESCRIPTION_SHARE;
  const auto model = hl_description::RobotModel::from_file(share + "/urdf/minibot.urdf");
  const auto config = hl_description::RobotConfig::from_file(share + "/config/minibot/robot.yaml");
  const JointSet set = joint_set(model, config);
  ASSERT_EQ(set.size(), 20u);
  const Joint& knee = set.joints[set.find("LKnee").value()];
  EXPECT_EQ(knee.limb, Limb::Leg);
  EXPECT_GT(knee.effort, 0.0);
  EXPECT_LT(knee.lower, knee.upper);
  EXPECT_EQ(set.joints[set.find("HeadPan").value()].limb, Limb::Head);
  EXPECT_EQ(set.joints[set.find("LElbow").value()].limb, Limb::Arm);
  EXPECT_FALSE(set.find("Tail"));
  const JointSet head = joint_set(model, config, {"HeadTilt", "HeadPan"});
  ASSERT_EQ(head.size(), 2u);
  EXPECT_EQ(head.joints[0].name, "HeadTilt");
  EXPECT_THROW(joint_set(model, config, {"Tail"}), hl_description::ModelError);
  EXPECT_THROW(joint_set(model, config, std::vector<std::string>(33, "HeadPan")), hl_description::ModelError);
}

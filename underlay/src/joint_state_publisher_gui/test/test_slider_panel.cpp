// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "slider_panel.hpp"

using joint_state_publisher::JointPositions;
using joint_state_publisher_gui::SliderPanel;

namespace {

JointPositions robot(int joints) {
  std::string text = "<robot name='r'><link name='l0'/>";
  for (int i = 1; i <= joints; ++i) {
    const std::string n = std::to_string(i), before = std::to_string(i - 1);
    text += "<link name='l" + n + "'/><joint name='j" + n + "' type='revolute'><parent link='l" + before +
            "'/><child link='l" + n + "'/><limit lower='-1' upper='3' effort='1' velocity='1'/></joint>";
  }
  urdf::Model model;
  EXPECT_TRUE(model.initString(text + "</robot>"));
  return {model, {}};
}

cv::Point middle(const cv::Rect& area) {
  return (area.tl() + area.br()) / 2;
}

TEST(SliderPanel, HeldSliderFollowsTheMouseWithinTheRangeOfItsJoint) {
  auto joints = robot(3);
  SliderPanel panel(joints);
  const cv::Rect track = panel.track("j2");
  panel.press(middle(track), joints);
  EXPECT_NEAR(*joints.motion("j2")->position, 1.0, 0.03);
  panel.move({track.x + track.width / 4, 0}, joints);  // also beside its own row
  EXPECT_NEAR(*joints.motion("j2")->position, 0.0, 0.03);
  panel.move({100000, 0}, joints);
  EXPECT_EQ(*joints.motion("j2")->position, 3.0);
  panel.move({-100000, 0}, joints);
  EXPECT_EQ(*joints.motion("j2")->position, -1.0);
  panel.release();
  panel.move(middle(track), joints);
  EXPECT_EQ(*joints.motion("j2")->position, -1.0);
  EXPECT_EQ(*joints.motion("j1")->position, 0.0);
}

TEST(SliderPanel, ButtonsAndKeysCenterAndRandomize) {
  auto joints = robot(2);
  SliderPanel panel(joints);
  panel.press(middle(panel.randomize_button()), joints);
  EXPECT_NE(*joints.motion("j1")->position, 0.0);
  panel.press(middle(panel.center_button()), joints);
  EXPECT_EQ(*joints.motion("j1")->position, 0.0);
  panel.key('r', joints);
  EXPECT_NE(*joints.motion("j1")->position, 0.0);
  panel.key('c', joints);
  panel.key(-1, joints);
  EXPECT_EQ(*joints.motion("j1")->position, 0.0);
}

TEST(SliderPanel, EveryJointHasItsPlaceInThePicture) {
  for (int count : {0, 1, 20, 24, 25, 60}) {
    auto joints = robot(count);
    const SliderPanel panel(joints);
    const cv::Rect picture({0, 0}, panel.draw(joints).size());
    std::vector<cv::Rect> tracks;
    for (const auto& entry : joints.free_joints()) {
      const cv::Rect track = panel.track(entry.first);
      EXPECT_EQ(track & picture, track) << entry.first;
      for (const auto& other : tracks) EXPECT_TRUE((track & other).empty()) << entry.first;
      tracks.push_back(track);
    }
    EXPECT_EQ(tracks.size(), static_cast<std::size_t>(count));
  }
}

TEST(SliderPanel, PictureShowsThePosition) {
  auto joints = robot(1);
  const SliderPanel panel(joints);
  const cv::Mat before = panel.draw(joints);
  joints.find("j1")->motion.position = 2.5;
  EXPECT_GT(cv::norm(before, panel.draw(joints), cv::NORM_INF), 0.0);
}

}  // namespace

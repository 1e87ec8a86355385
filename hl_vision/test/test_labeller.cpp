// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <opencv2/imgcodecs.hpp>

#include "hl_vision/labeller.hpp"
#include "hl_vision/labels.hpp"

using namespace hl_vision;
namespace fs = std::filesystem;

namespace {

/// A folder with grey pictures, gone at the end.
class LabellerTest : public testing::Test {
 protected:
  LabellerTest() {
    folder_ = fs::temp_directory_path() / ("labeller_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
    for (const char* name : {"a.png", "b.png"})
      cv::imwrite((folder_ / name).string(), cv::Mat(48, 64, CV_8UC3, cv::Scalar(90, 90, 90)));
  }
  ~LabellerTest() override { fs::remove_all(folder_); }
  std::vector<LabelledPicture> saved() const { return read_labels(folder_.string()); }

  fs::path folder_;
};

}  // namespace

TEST_F(LabellerTest, WhatIsClickedIsReadBack) {
  Labeller labeller(folder_.string());
  labeller.press('b');
  labeller.click({20.0, 30.0});
  labeller.press('6');
  labeller.press('+');
  labeller.press('t');
  labeller.click({5.0, 6.0});
  labeller.press('n');
  labeller.press('r');
  labeller.click({40.0, 40.0});
  labeller.click({10.0, 20.0});
  labeller.press('m');
  labeller.click({50.0, 10.0});
  EXPECT_FALSE(labeller.press('q'));
  labeller.save();
  const auto pictures = saved();
  ASSERT_EQ(pictures.size(), 2u);
  ASSERT_EQ(pictures[0].balls.size(), 1u);
  EXPECT_EQ(pictures[0].balls[0].center, cv::Point2d(21.0, 30.0));
  EXPECT_GT(pictures[0].balls[0].diameter, 40.0);
  ASSERT_EQ(pictures[0].crossings.size(), 1u);
  EXPECT_EQ(pictures[0].crossings[0].type, hl_description::Field::Crossing::T);
  ASSERT_EQ(pictures[1].robots.size(), 1u);
  EXPECT_EQ(pictures[1].robots[0].box, cv::Rect2d(10.0, 20.0, 30.0, 20.0));
  EXPECT_EQ(pictures[1].robots[0].team, "red");
  ASSERT_EQ(pictures[1].marks.size(), 1u);
}

TEST_F(LabellerTest, WhatIsTakenBackIsGone) {
  Labeller labeller(folder_.string());
  labeller.press('p');
  labeller.click({20.0, 30.0});
  labeller.click({40.0, 30.0});
  labeller.press('z');
  labeller.save();
  ASSERT_EQ(saved()[0].posts.size(), 1u);
  EXPECT_EQ(saved()[0].posts[0].foot.x, 20.0);
}

TEST_F(LabellerTest, WhatItDoesNotKnowStays) {
  std::ofstream(folder_ / "labels.yaml") << "set: mine\nimages:\n- {file: b.png, width: 64, height: 48, notes: dusk}\n";
  Labeller labeller(folder_.string());
  labeller.save();
  std::ifstream file(folder_ / "labels.yaml");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  EXPECT_THAT(text, testing::HasSubstr("dusk"));
  EXPECT_EQ(saved().size(), 2u);
}

TEST_F(LabellerTest, TakesOverWhatTheDetectionFound) {
  Labeller labeller(folder_.string());
  Detection::Outputs found;
  found.ball = BallInImage{{12.0, 13.0}, 9.0, 0.9};
  found.posts.push_back({{30.0, 40.0}, {30.0, 5.0}, 4.0, 0.9});
  labeller.take_over(found);
  labeller.save();
  EXPECT_EQ(saved()[0].balls.at(0).diameter, 9.0);
  EXPECT_EQ(saved()[0].posts.at(0).width, 4.0);
}

TEST_F(LabellerTest, ABrokenFileIsNamed) {
  std::ofstream(folder_ / "labels.yaml") << "images: [";
  EXPECT_THROW(Labeller(folder_.string()), std::runtime_error);
  EXPECT_THROW(Labeller((folder_ / "nowhere").string()), std::runtime_error);
}

// SPDX-License-Identifier: Apache-2.0
// Photographs with labels, where the environment's HL_PHOTOS names their folder.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <opencv2/imgcodecs.hpp>

#include "hl_vision/evaluation.hpp"

using namespace hl_vision;

TEST(Photos, NothingCrashesAndMostBallsAreFound) {
  const char* folder = std::getenv("HL_PHOTOS");
  if (folder == nullptr) GTEST_SKIP() << "HL_PHOTOS does not name a folder of photographs";
  Detection detection({}, {}, BallNetwork::from_file(WEIGHTS));
  Score total;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!std::filesystem::exists(entry.path() / "labels.yaml")) continue;
    Score score;
    for (const auto& labels : read_labels(entry.path().string())) {
      const cv::Mat bgr = cv::imread(labels.file, cv::IMREAD_COLOR);
      ASSERT_FALSE(bgr.empty()) << labels.file;
      detection.forget_colour();
      score.add(judge(labels, detection.step({bgr, labels.view, {}}, 0.0)));
    }
    std::printf("%s\n%s", entry.path().filename().c_str(), score.table().c_str());
    total.add(score);
  }
  ASSERT_GT(total.pictures, 0);
  EXPECT_GT(total.ball.value(), 0.4);
}

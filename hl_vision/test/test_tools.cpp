// SPDX-License-Identifier: Apache-2.0
// The programs for folders of pictures, on pictures drawn here: train, judge, find.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <hl_description/formatted.hpp>
#include <hl_testing/process.hpp>
#include <hl_testing/temporary_folder.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <random>
#include <sstream>

#include "hl_vision/ball_network.hpp"

namespace {

using hl_description::formatted;
using hl_testing::Process;

constexpr auto kPatience = std::chrono::minutes(5);

std::string content_of(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// A folder of turf, each picture with one white ball.
class Tools : public testing::Test {
 protected:
  Tools() {
    std::ofstream labels(pictures_ / "labels.yaml");
    labels << "set: drawn\nimages:\n";
    std::mt19937 random(3);
    for (int n = 0; n < 20; ++n) {
      cv::Mat bgr(240, 320, CV_8UC3, cv::Scalar(150, 150, 155));
      bgr.rowRange(60, 240).setTo(cv::Scalar(48, 115, 50));
      const cv::Point ball(static_cast<int>(60 + random() % 200), static_cast<int>(100 + random() % 80));
      cv::circle(bgr, ball, 14, cv::Scalar(235, 235, 235), cv::FILLED);
      cv::circle(bgr, ball + cv::Point(3, -3), 4, cv::Scalar(30, 30, 30), cv::FILLED);
      for (auto* p = bgr.data; p != bgr.dataend; ++p) *p = static_cast<uchar>(*p + random() % 9);
      const std::string name = formatted("%02d.png", n);
      cv::imwrite((pictures_ / name).string(), bgr);
      labels << formatted(
          "- {file: %s, width: 320, height: 240, complete: [balls], balls: [{center: [%d, %d], "
          "diameter: 28, visible: 1}]}\n",
          name.c_str(), ball.x, ball.y);
    }
  }
  std::string run(std::vector<std::string> command, int wanted = 0) {
    Process process(std::move(command));
    EXPECT_EQ(process.wait(kPatience), wanted) << process.output();
    return process.output();
  }

  const hl_testing::TemporaryFolder folder_;
  const std::filesystem::path& pictures_ = folder_.path();
};

}  // namespace

TEST_F(Tools, TrainedWeightsCanBeUsed) {
  const std::string weights = (pictures_ / "new.weights").string();
  EXPECT_THAT(run({TRAIN_BALL, "--epochs", "1", "--out", weights, pictures_.string()}), testing::HasSubstr("epoch  1"));
  EXPECT_TRUE(hl_vision::BallNetwork::from_file(weights).trained());
  EXPECT_THAT(run({EVALUATE, "--weights", weights, pictures_.string()}), testing::HasSubstr("pictures: 20"));
}

TEST_F(Tools, EvaluateTellsHowManyBallsAreFound) {
  const std::string misses = (pictures_ / "misses").string();
  const std::string told = run({EVALUATE, "--weights", WEIGHTS, "--misses", misses, pictures_.string()});
  EXPECT_THAT(told, testing::HasSubstr("balls found:"));
  EXPECT_THAT(told, testing::HasSubstr("of 20)"));
  EXPECT_TRUE(std::filesystem::exists(misses));
}

TEST_F(Tools, DetectDrawsAndWritesDownWhatItFinds) {
  const std::string out = (pictures_ / "found").string();
  run({DETECT, "--weights", WEIGHTS, "--out", out, (pictures_ / "00.png").string()});
  EXPECT_FALSE(cv::imread(out + "/00_found.png").empty());
  const std::string found = content_of(out + "/00_found.yaml");
  for (const char* section : {"balls:", "posts:", "obstacles:", "line_crossings:", "line_segments:"})
    EXPECT_THAT(found, testing::HasSubstr(section));
  std::ofstream(pictures_ / "none.png") << "no picture";
  EXPECT_THAT(run({DETECT, "--weights", WEIGHTS, "--out", out, (pictures_ / "none.png").string()}, 1),
              testing::HasSubstr("is no picture that can be read"));
}

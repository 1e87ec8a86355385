// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cmath>

#include "hl_vision/exposure_control.hpp"

namespace hl_vision {
namespace {

/// A camera before turf and a wall: its pictures are as bright as light and exposure make them.
class Camera {
 public:
  double light = 1.0, wall = 90.0, exposure = 100.0;

  cv::Mat picture() const {
    const auto lit = [this](double value) { return std::min(255.0, value * light * exposure / 100.0); };
    cv::Mat bgr(480, 640, CV_8UC3, cv::Scalar::all(lit(wall)));
    bgr.rowRange(200, 480).setTo(cv::Scalar(lit(45.0), lit(110.0), lit(40.0)));
    return bgr;
  }
  double field() const { return 65.0 * light * exposure / 100.0; }
  /// Looks for some seconds, 15 pictures a second; returns the number of changes.
  int look(ExposureControl& control, double seconds) {
    int changes = 0;
    for (int n = 0; n < static_cast<int>(15.0 * seconds); ++n, now_ += 1.0 / 15.0) {
      if (const auto next = control.step({picture(), exposure}, now_)) {
        exposure = *next;
        ++changes;
      }
    }
    return changes;
  }

 private:
  double now_ = 0.0;
};

ExposureControl::Params switched_on() {
  ExposureControl::Params params;
  params.on = true;
  return params;
}

}  // namespace

TEST(ExposureControl, TheFieldKeepsItsBrightnessInEveryLight) {
  ExposureControl control(switched_on());
  Camera camera;
  for (const double light : {1.0, 0.2, 3.0, 0.7}) {
    camera.light = light;
    camera.look(control, 8.0);
    EXPECT_NEAR(camera.field(), 75.0, 0.1 * 75.0) << light;
    EXPECT_EQ(camera.look(control, 5.0), 0) << "it has settled";
  }
}

TEST(ExposureControl, AWindowBehindTheFieldDoesNotDarkenIt) {
  ExposureControl control(switched_on());
  Camera dark, bright;
  dark.wall = 5.0;
  bright.wall = 250.0;
  dark.look(control, 8.0);
  bright.look(control, 8.0);
  EXPECT_NEAR(dark.field(), bright.field(), 0.2 * bright.field());
}

TEST(ExposureControl, FindsOutOfWhiteAndOutOfBlack) {
  for (const double exposure : {1000.0, 1.0}) {
    ExposureControl control(switched_on());
    Camera camera;
    camera.light = exposure > 100.0 ? 5.0 : 0.5;
    camera.exposure = exposure;
    camera.look(control, 15.0);
    EXPECT_NEAR(camera.field(), 75.0, 0.1 * 75.0) << exposure;
  }
}

TEST(ExposureControl, StaysWithinItsBoundsAndIsSlow) {
  auto params = switched_on();
  params.least = 50.0;
  params.most = 120.0;
  ExposureControl control(params);
  Camera camera;
  camera.light = 0.001;
  EXPECT_LE(camera.look(control, 4.0), 8) << "one change in half a second at most";
  EXPECT_EQ(camera.exposure, 120.0);
  camera.light = 1000.0;
  camera.look(control, 4.0);
  EXPECT_EQ(camera.exposure, 50.0);
}

TEST(ExposureControl, LeavesAloneWhatItCannotJudge) {
  ExposureControl off({}), on(switched_on());
  Camera camera;
  camera.light = 0.2;
  EXPECT_EQ(camera.look(off, 3.0), 0);
  EXPECT_FALSE(on.step({cv::Mat(), 100.0}, 0.0));
  EXPECT_FALSE(on.step({cv::Mat(48, 64, CV_8UC1, cv::Scalar(3)), 100.0}, 1.0));
}

TEST(ExposureControl, BadValuesAreNamed) {
  auto params = switched_on();
  params.most = 0.5;
  EXPECT_THAT(params.validate().value_or(""), testing::HasSubstr("exposure_control.most"));
  params = switched_on();
  params.brightness = std::nan("");
  EXPECT_THAT(params.validate().value_or(""), testing::HasSubstr("exposure_control.brightness"));
  EXPECT_FALSE(switched_on().validate());
}

}  // namespace hl_vision

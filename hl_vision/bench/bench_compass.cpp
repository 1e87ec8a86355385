// SPDX-License-Identifier: Apache-2.0
// Time of one picture through the visual compass and the turn rate, on one core.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <hl_testing/bench_report.hpp>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgproc.hpp>
#include <random>

#include "hl_vision/turn_rate.hpp"
#include "hl_vision/visual_compass.hpp"

namespace {

using namespace hl_vision;

/// Time of this thread: the machine may be busy with other things.
double milliseconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

/// Turf up to the horizon's foot, above it a wall with coloured fields that depend on the direction.
VisualCompass::Inputs drawn(double yaw) {
  const CameraView view({}, ground_from_up({0.0, -std::cos(0.1), -std::sin(0.1)}, 0.5));
  cv::Mat bgr(480, 640, CV_8UC3, cv::Scalar(150, 150, 155));
  for (int n = 0; n < 60; ++n) {
    std::mt19937 random(static_cast<unsigned>(n));
    const double bearing = n * 0.1047 - yaw, low = 0.3 * static_cast<double>(random() % 100) / 100.0;
    const Eigen::Vector3d at(8.0 * std::cos(bearing), 8.0 * std::sin(bearing), 8.0 * low);
    const auto corner = view.project(at), other = view.project(Eigen::Vector3d(at + Eigen::Vector3d(-0.3, 0.3, 1.0)));
    const cv::Scalar colour(static_cast<double>(random() % 250), static_cast<double>(random() % 200),
                            static_cast<double>(random() % 250));
    if (corner && other) cv::rectangle(bgr, *corner, *other, colour, -1);
  }
  const int edge = std::clamp(static_cast<int>(view.horizon(320.0) + 45.0), 0, 479);
  bgr.rowRange(edge, 480).setTo(cv::Scalar(50, 115, 48));
  cv::Mat noise(bgr.size(), CV_8UC3);
  cv::randu(noise, 0, 12);
  bgr += noise;
  return {bgr, view};
}

template <class Step>
void measure(const char* name, int rounds, Step step) {
  std::vector<double> times;
  for (int n = 0; n < rounds; ++n) {
    const auto picture = drawn(0.02 * n);
    const double begin = milliseconds();
    step(picture, n / 15.0);
    times.push_back(milliseconds() - begin);
  }
  std::sort(times.begin(), times.end());
  hl_testing::report({"hl_vision", name, times[times.size() / 2], "ms", 3.0, hl_testing::Better::Lower});
}

}  // namespace

int main(int argc, char** argv) {
  cv::setNumThreads(1);
  const int rounds = hl_testing::quick(argc, argv) ? 20 : 300;
  VisualCompass compass({}, {});
  for (const auto& [x, y] : {std::pair{-2.0, 2.0}, {-2.5, -2.0}, {-1.0, 0.0}}) {
    for (double yaw = 0.0; yaw < 6.2; yaw += 0.78) compass.record(drawn(yaw), {x, y, yaw});
  }
  compass.step(drawn(0.0), 0.0);  // what is recorded is prepared once
  measure("visual compass, one picture 640x480, median", rounds, [&](VisualCompass::Inputs picture, double now) {
    picture.about = VisualCompass::Place{{-1.4, 0.7}, 0.3};
    picture.odometry = hl_description::Pose2{0.0, 0.0, 0.02 * now};
    compass.step(picture, now);
  });
  measure("visual compass, the place is not known, median", rounds,
          [&](const VisualCompass::Inputs& picture, double now) { compass.step(picture, now); });
  TurnRate rate({});
  measure("turn between two pictures 640x480, median", rounds, [&](const VisualCompass::Inputs& picture, double now) {
    rate.step({picture.bgr, picture.view, now}, now);
  });
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Time of one picture through detection and transform, on one core. Arguments: a folder of labelled pictures (as
// `ros2 run hl_match render` writes them); without one a picture is drawn.
#include <algorithm>
#include <cmath>
#include <ctime>
#include <hl_testing/bench_report.hpp>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <random>
#include <string>

#include "hl_vision/labels.hpp"
#include "hl_vision/transform.hpp"

namespace {

using namespace hl_vision;

/// Time of this thread: the machine may be busy with other things.
double milliseconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

struct View {
  cv::Mat bgr;
  CameraView camera;
};

/// Turf with lines, balls, posts and robots, drawn coarsely.
View drawn(unsigned seed) {
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const double pitch = uniform(0.15, 0.5);
  const CameraView camera({}, ground_from_up({0.0, -std::cos(pitch), -std::sin(pitch)}, 0.5));
  cv::Mat bgr(480, 640, CV_8UC3, cv::Scalar(110, 105, 100));
  for (int y = std::max(0, static_cast<int>(camera.horizon(320) + 45)); y < 480; ++y)
    bgr.row(y).setTo(cv::Scalar(50, 115, 48));
  const auto paint = [&](const Eigen::Vector2d& from, const Eigen::Vector2d& to) {
    for (int n = 0; n < 200; ++n) {
      const Eigen::Vector2d at = from + (to - from) * n / 200.0;
      const auto p = camera.project(at);
      if (p)
        cv::circle(bgr, *p, std::max(1, static_cast<int>(0.025 * camera.pixels_per_metre(*p))),
                   cv::Scalar(225, 230, 228), -1);
    }
  };
  for (int n = 0; n < 5; ++n) {
    const double x = uniform(0.6, 4.0);
    n % 2 ? paint({x, -2.0}, {x, 2.0}) : paint({0.5, x - 2.0}, {5.0, x - 2.0});
  }
  for (int n = 0; n < 6; ++n) {
    const Eigen::Vector3d at(uniform(0.5, 4.0), uniform(-1.5, 1.5), 0.07);
    const auto p = camera.project(at);
    if (p)
      cv::circle(bgr, *p, static_cast<int>(0.5 * camera.ball_diameter(*p, 0.07)),
                 n % 2 ? cv::Scalar(230, 230, 230) : cv::Scalar(40, 40, 60), -1);
    const auto low = camera.project(Eigen::Vector3d(at.x(), at.y() + 0.6, 0.0)),
               high = camera.project(Eigen::Vector3d(at.x(), at.y() + 0.45, 0.5));
    if (low && high) cv::rectangle(bgr, *low, *high, n % 2 ? cv::Scalar(60, 60, 60) : cv::Scalar(240, 240, 240), -1);
  }
  cv::Mat noise(bgr.size(), CV_8UC3);
  cv::randu(noise, 0, 12);
  bgr += noise;
  return {bgr, camera};
}

void report(const char* name, double value, double budget) {
  hl_testing::report({"hl_vision", name, value, "ms", budget, hl_testing::Better::Lower});
}

}  // namespace

int main(int argc, char** argv) {
  cv::setNumThreads(1);
  std::vector<View> views;
  const bool folder_given = argc > 1 && std::string(argv[1]) != "--quick";
  if (folder_given) {
    for (const auto& labels : read_labels(argv[1])) {
      if (labels.view) views.push_back({cv::imread(labels.file, cv::IMREAD_COLOR), *labels.view});
    }
  } else {
    for (unsigned n = 0; n < 20; ++n) views.push_back(drawn(n));
  }
  Detection detection({}, {}, BallNetwork::from_file(HL_VISION_WEIGHTS));
  const Transform transform({}, {});
  std::vector<double> times;
  const int rounds = folder_given ? 1 : hl_testing::quick(argc, argv) ? 5 : 50;
  for (int round = 0; round < rounds; ++round) {
    for (const View& view : views) {
      const double begin = milliseconds();
      const auto found = detection.step({view.bgr, view.camera, {}}, 0.0);
      transform.step({found, view.camera, 0.0}, 0.0);
      times.push_back(milliseconds() - begin);
    }
  }
  if (times.empty()) return 1;
  std::sort(times.begin(), times.end());
  report("one picture 640x480, all detectors, median of one core's time", times[times.size() / 2], 12.0);
  report("one picture 640x480, all detectors, p99", times[times.size() * 99 / 100], 20.0);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Time of one picture through detection and transform, on one core. Arguments: a folder of labelled pictures (as
// `ros2 run hl_match render` writes them); without one a picture is drawn.
#include <algorithm>
#include <ctime>
#include <hl_testing/bench_report.hpp>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgcodecs.hpp>
#include <string>

#include "drawn_picture.hpp"
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

// SPDX-License-Identifier: Apache-2.0
// What one marked picture and one array of markers cost.
#include <algorithm>
#include <chrono>
#include <opencv2/imgcodecs.hpp>
#include <random>
#include <vector>

#include "../src/nodes/marker_scene.hpp"
#include "../src/pictures/draw_markings.hpp"
#include "../src/pictures/image_message.hpp"
#include "hl_testing/bench_report.hpp"

namespace {

using namespace hl_visualization;

template <class Work>
double median_ms(int rounds, Work work) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return times[static_cast<std::size_t>(rounds) / 2];
}

/// As much as a busy picture has.
Markings many() {
  Markings m;
  std::mt19937 random(10000);
  std::uniform_real_distribution<double> x(0, 640), y(0, 480), size(10, 80);
  m.balls = {{{300, 300}, 60, 0.9}};
  for (int i = 0; i < 10; ++i) m.candidates.push_back({{x(random), y(random)}, size(random), 0.4});
  for (int i = 0; i < 8; ++i)
    m.obstacles.push_back({{x(random), y(random)}, size(random), 2 * size(random), 2, i, 0.8});
  for (int i = 0; i < 4; ++i) m.posts.push_back({{x(random), 200}, {x(random), 40}, 12, 0.9});
  for (int i = 0; i < 30; ++i) m.lines.push_back({{x(random), y(random)}, {x(random), y(random)}, 8, 0.9});
  for (int i = 0; i < 12; ++i) m.crossings.push_back({{x(random), y(random)}, 'T'});
  m.arcs = {{{100, 200}, {300, 260}, {500, 210}}};
  m.regions = {{{0, 150}, 640, 330, 0, -1, 1}};
  return m;
}

SceneData busy_scene() {
  SceneData data;
  data.around.ball = Point2{1, 0};
  data.around.model_ball = BelievedBall{1, 0, 0.5, 0, {}, 0, 0};
  for (int i = 0; i < 10; ++i) data.around.obstacles.push_back({{0.3 * i, 1}, 0.3, Side::Unknown, -1, 1});
  for (int i = 0; i < 11; ++i) data.around.model_robots.push_back({0.3 * i, -1, Side::Rival, i, 0});
  data.around.posts = {{3, 1}, {3, -1}};
  for (int i = 0; i < 30; ++i) data.around.lines.push_back({{0.1 * i, 0}, {0.1 * i, 1}});
  for (int i = 0; i < 32; ++i) data.around.field_of_view.push_back({0.1 * i, 0.2});
  for (int i = 0; i < 30; ++i) data.ball_trail.push_back({0.1 * i, 0});
  for (int i = 0; i < 80; ++i) data.path.push_back({0.05 * i, 0, 0});
  data.label = "striker";
  data.support = {{0, 0}, {0.1, 0}, {0.1, 0.1}};
  data.capture_known = true;
  data.capture_frame = "l_sole";
  return data;
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = hl_testing::quick(argc, argv) ? 100 : 1000;
  sensor_msgs::msg::Image image, out;
  image.encoding = "rgb8";
  image.width = 640;
  image.height = 480;
  image.step = 1920;
  image.data.assign(1920U * 480U, 90);
  for (std::size_t i = 0; i < image.data.size(); i += 7) image.data[i] = static_cast<std::uint8_t>(i);
  const Markings markings = many();
  cv::Mat bgr;
  const double raw = median_ms(rounds, [&] {
    (void)bgr_from(image, bgr);
    draw_markings(bgr, markings, kAllMarkings);
    out.data.assign(bgr.data, bgr.data + bgr.total() * 3);
  });
  std::vector<std::uint8_t> bytes;
  const double jpeg = median_ms(rounds / 4, [&] { cv::imencode(".jpg", bgr, bytes, {cv::IMWRITE_JPEG_QUALITY, 80}); });
  MarkerScene scene(hl_description::Field(), 0.6);
  const SceneData data = busy_scene();
  const double markers = median_ms(rounds, [&] { (void)scene.moving(data); });
  using hl_testing::Better;
  hl_testing::report({"hl_visualization", "image marker, 640x480, 66 markings, raw", raw, "ms", 3.0, Better::Lower});
  hl_testing::report(
      {"hl_visualization", "its JPEG, quality 80, on top of that", jpeg, "ms", std::nullopt, Better::Lower});
  hl_testing::report({"hl_visualization", "RViz markers, busy scene", markers, "ms", 1.0, Better::Lower});
  return 0;
}

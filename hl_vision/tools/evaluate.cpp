// SPDX-License-Identifier: Apache-2.0
// How well the detection meets the labels of folders of pictures.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <random>
#include <stdexcept>

#include "hl_vision/evaluation.hpp"
#include "tool.hpp"

namespace {

using namespace hl_vision;

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// The camera's pose as a robot knows it: tilted by an error.
CameraView spoiled(const CameraView& view, double deviation, std::mt19937& random) {
  std::normal_distribution<double> error(0.0, deviation);
  Eigen::Isometry3d pose = view.ground_from_camera();
  const Eigen::Matrix3d tilt = (Eigen::AngleAxisd(error(random), Eigen::Vector3d::UnitX()) *
                                Eigen::AngleAxisd(error(random), Eigen::Vector3d::UnitZ()))
                                   .toRotationMatrix();
  pose.linear() = pose.linear() * tilt;
  return CameraView(view.lens(), pose);
}

/// What went wrong in one picture, the worst first; empty: nothing.
std::string faults(const Score& score) {
  std::string all;
  const auto add = [&all](bool fault, const char* name) {
    if (fault) all += std::string(name) + "_";
  };
  add(score.ball.hits < score.ball.all, "missed-ball");
  add(score.false_balls > 0, "false-ball");
  add(score.posts.hits < score.posts.all, "missed-post");
  add(score.false_posts > 0, "false-post");
  add(score.robots.hits < score.robots.all, "missed-robot");
  add(score.false_robots > 0, "false-robot");
  add(score.team_colour.hits < score.team_colour.all, "wrong-team");
  add(score.crossings.hits < score.crossings.all, "missed-crossing");
  add(score.crossing_precision.hits < score.crossing_precision.all, "false-crossing");
  return all;
}

/// The labels in yellow, under what was found.
void draw_truth(const LabelledPicture& labels, cv::Mat& bgr) {
  const cv::Scalar yellow(0, 230, 255);
  for (const auto& ball : labels.balls) cv::circle(bgr, ball.center, static_cast<int>(0.5 * ball.diameter) + 3, yellow);
  for (const auto& post : labels.posts)
    if (post.foot_visible) cv::circle(bgr, post.foot, 5, yellow, 2);
  for (const auto& robot : labels.robots) cv::rectangle(bgr, robot.box, yellow);
  for (const auto& crossing : labels.crossings)
    if (crossing.distance < 3.0)
      cv::putText(bgr, std::string(1, "LTX"[static_cast<int>(crossing.type)]), crossing.at + cv::Point2d(8, -8),
                  cv::FONT_HERSHEY_SIMPLEX, 0.5, yellow);
}

}  // namespace

int main(int argc, char** argv) {
  Detection::Params params;
  double noise = 0.0;
  unsigned seed = 1;
  std::string misses, photos, weights;
  std::vector<std::string> folders;
  bool no_pose = false, film = false;
  CLI::App app("Compares what is found with the labels.yaml of folders of pictures.");
  add_weights(app, weights);
  app.add_option("--ball-confidence", params.ball_confidence, "from which a candidate is the ball")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--tilt-noise", noise, "standard deviation of the error of the camera's attitude, rad")
      ->check(CLI::Range(0.0, 0.5));
  app.add_option("--seed", seed, "of that error");
  app.add_flag("--no-pose", no_pose, "as if the camera's pose were not known");
  app.add_flag("--film", film,
               "each folder shows one field in one light: its colour is learned from picture to picture");
  app.add_option("--misses", misses,
                 "pictures with something missed or false are drawn into this folder, labels in yellow");
  app.add_option("--photos", photos, "a folder of such folders");
  app.add_option("folders", folders, "folders with pictures and labels.yaml");
  CLI11_PARSE(app, argc, argv);
  cv::setNumThreads(1);
  try {
    if (!photos.empty()) {
      for (const auto& entry : std::filesystem::directory_iterator(photos)) {
        if (std::filesystem::exists(entry.path() / "labels.yaml")) folders.push_back(entry.path().string());
      }
      std::sort(folders.begin(), folders.end());
    }
    Detection detection(params, {}, BallNetwork::from_file(weights));
    std::mt19937 random(seed);
    if (!misses.empty()) std::filesystem::create_directories(misses);
    Score total;
    for (const std::string& folder : folders) {
      Score score;
      std::vector<double> times;
      detection.forget_colour();
      for (const LabelledPicture& labels : read_labels(folder)) {
        cv::Mat bgr = cv::imread(labels.file, cv::IMREAD_COLOR);
        if (bgr.empty()) throw std::runtime_error(labels.file + ": is no picture that can be read");
        if (!film) detection.forget_colour();  // each picture stands alone
        Detection::Inputs inputs{bgr, std::nullopt, labels.body};
        if (labels.view && !no_pose) inputs.view = noise > 0.0 ? spoiled(*labels.view, noise, random) : *labels.view;
        const double begin = cpu_seconds();
        const auto found = detection.step(inputs, 0.0);
        times.push_back(1e3 * (cpu_seconds() - begin));
        const Score one = judge(labels, found);
        score.add(one);
        if (const std::string fault = misses.empty() ? "" : faults(one); !fault.empty()) {
          draw_truth(labels, bgr);
          draw(found, bgr);
          cv::imwrite(misses + "/" + fault + std::filesystem::path(folder).filename().string() + "_" +
                          std::filesystem::path(labels.file).stem().string() + ".png",
                      bgr);
        }
      }
      std::sort(times.begin(), times.end());
      std::printf("%s\n%s  time: median %.1f ms of one core\n", folder.c_str(), score.table().c_str(),
                  times.empty() ? 0.0 : times[times.size() / 2]);
      total.add(score);
    }
    if (folders.size() > 1) std::printf("together\n%s", total.table().c_str());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "evaluate: %s\n", error.what());
    return 1;
  }
  return 0;
}

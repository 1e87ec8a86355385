// SPDX-License-Identifier: Apache-2.0
// How well the detection meets the labels of folders of pictures.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgcodecs.hpp>
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
std::string worst(const Score& score) {
  if (score.ball.hits < score.ball.all) return "missed_ball";
  if (score.false_balls > 0) return "false_ball";
  if (score.posts.hits < score.posts.all) return "missed_post";
  if (score.false_posts > 0) return "false_post";
  if (score.robots.hits < score.robots.all) return "missed_robot";
  if (score.false_robots > 0) return "false_robot";
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  Detection::Params params;
  double noise = 0.0;
  unsigned seed = 1;
  std::string misses, photos, weights;
  std::vector<std::string> folders;
  bool no_pose = false;
  CLI::App app("Compares what is found with the labels.yaml of folders of pictures.");
  add_weights(app, weights);
  app.add_option("--ball-confidence", params.ball_confidence, "from which a candidate is the ball")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--tilt-noise", noise, "standard deviation of the error of the camera's attitude, rad")
      ->check(CLI::Range(0.0, 0.5));
  app.add_option("--seed", seed, "of that error");
  app.add_flag("--no-pose", no_pose, "as if the camera's pose were not known");
  app.add_option("--misses", misses, "pictures with a missed or false ball, post or robot are drawn into this folder");
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
      for (const LabelledPicture& labels : read_labels(folder)) {
        cv::Mat bgr = cv::imread(labels.file, cv::IMREAD_COLOR);
        if (bgr.empty()) throw std::runtime_error(labels.file + ": is no picture that can be read");
        detection.forget_colour();  // each picture stands alone; while running the colour is known already
        Detection::Inputs inputs{bgr, std::nullopt, {}};
        if (labels.view && !no_pose) inputs.view = noise > 0.0 ? spoiled(*labels.view, noise, random) : *labels.view;
        const double begin = cpu_seconds();
        const auto found = detection.step(inputs, 0.0);
        times.push_back(1e3 * (cpu_seconds() - begin));
        const Score one = judge(labels, found);
        score.add(one);
        if (const std::string fault = misses.empty() ? "" : worst(one); !fault.empty()) {
          draw(found, bgr);
          cv::imwrite(misses + "/" + fault + "_" + std::filesystem::path(folder).filename().string() + "_" +
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

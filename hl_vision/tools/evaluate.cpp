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

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments(argc, argv,
                      "evaluate [--weights FILE] [--tilt-noise RAD] [--seed N] [--pose yes|no] [--misses FOLDER]\n"
                      "         [--photos FOLDER] FOLDER...\n"
                      "Compares what is found with the labels.yaml of each folder. --photos: all its folders, one by\n"
                      "one. --misses: pictures with a missed or false ball or post are drawn there.");
  const double noise = arguments.number("--tilt-noise", 0.0);
  const auto seed = static_cast<unsigned>(arguments.number("--seed", 1));
  const std::string misses = arguments.option("--misses", ""), photos = arguments.option("--photos", "");
  const bool pose = arguments.option("--pose", "yes") != "no";
  if (!arguments.ok() || (arguments.words().empty() && photos.empty())) return arguments.usage();
  cv::setNumThreads(1);
  try {
    std::vector<std::string> folders = arguments.words();
    if (!photos.empty()) {
      for (const auto& entry : std::filesystem::directory_iterator(photos)) {
        if (std::filesystem::exists(entry.path() / "labels.yaml")) folders.push_back(entry.path().string());
      }
      std::sort(folders.begin(), folders.end());
    }
    Detection detection({}, {}, network_from(arguments));
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
        if (labels.view && pose) inputs.view = noise > 0.0 ? spoiled(*labels.view, noise, random) : *labels.view;
        const double begin = cpu_seconds();
        const auto found = detection.step(inputs, 0.0);
        times.push_back(1e3 * (cpu_seconds() - begin));
        const Score one = judge(labels, found);
        score.add(one);
        if (!misses.empty() && (one.false_balls > 0 || one.ball.hits < one.ball.all || one.false_posts > 0 ||
                                one.posts.hits < one.posts.all)) {
          draw(found, bgr);
          cv::imwrite(misses + "/" + std::filesystem::path(folder).filename().string() + "_" +
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

// SPDX-License-Identifier: Apache-2.0
// Trains the ball network from folders of labelled pictures.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <opencv2/core/utility.hpp>
#include <opencv2/imgcodecs.hpp>
#include <random>
#include <stdexcept>

#include "hl_vision/detection.hpp"
#include "hl_vision/labels.hpp"
#include "tool.hpp"
#include "trainer.hpp"

namespace {

using namespace hl_vision;

struct Recipe {
  int epochs = 12;
  double rate = 2e-3;
  unsigned seed = 1;
  double holdout = 0.1;  // share of the pictures that only judge
};

/// Patches of one picture: around each ball, spoiled like the detection's aim is, and what the quick test takes for
/// one.
void cut_patches(const LabelledPicture& labels, const cv::Mat& bgr, Detection& detection, std::mt19937& random,
                 std::vector<Sample>& samples) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  BallNetwork::Activations a;
  const auto add = [&](const cv::Point2d& center, double diameter, const LabelledPicture::Ball* ball) {
    BallNetwork::cut(bgr, center, diameter, a);
    Sample sample;
    sample.patch = a.maps[0];
    sample.ball = ball != nullptr;
    if (ball) {
      sample.dx = static_cast<float>((ball->center.x - center.x) / diameter);
      sample.dy = static_cast<float>((ball->center.y - center.y) / diameter);
      sample.log_size = static_cast<float>(std::log(ball->diameter / diameter));
    }
    samples.push_back(std::move(sample));
  };
  for (const auto& ball : labels.balls) {
    if (ball.ignore || ball.visible < 0.4 || labels.other_ball || ball.diameter < 6.0) continue;
    for (int n = 0; n < 6; ++n) {
      const double size = ball.diameter * std::exp(0.25 * uniform(random));
      add({ball.center.x + 0.22 * size * uniform(random), ball.center.y + 0.22 * size * uniform(random)}, size, &ball);
    }
  }
  detection.forget_colour();
  for (const auto& candidate : detection.quick_ball_candidates({bgr, labels.view, {}})) {
    const LabelledPicture::Ball* hit = nullptr;
    bool unclear = false;
    for (const auto& ball : labels.balls) {
      const double distance = cv::norm(ball.center - candidate.center) / ball.diameter;
      const double ratio = candidate.diameter / ball.diameter;
      const bool usable = !ball.ignore && ball.visible >= 0.4 && !labels.other_ball;
      if (distance < 0.3 && ratio > 0.72 && ratio < 1.4 && usable) {
        hit = &ball;
      } else if (distance < 0.75 && ratio > 0.5 && ratio < 2.0) {
        unclear = true;  // half a ball: neither taught as one nor as none
      }
    }
    if (hit || !unclear) add(candidate.center, candidate.diameter, hit);
  }
}

struct Errors {
  long balls = 0, missed = 0, others = 0, false_alarms = 0;
  double offset = 0.0;
};

Errors test(const BallNetwork& network, const std::vector<Sample>& samples) {
  Errors errors;
  BallNetwork::Activations a;
  for (const Sample& s : samples) {
    a.maps[0] = s.patch;
    network.forward(a);
    const bool says_ball = a.output[0] > 0.4055f;  // 0.6, the threshold of the detection
    if (s.ball) {
      ++errors.balls;
      errors.missed += !says_ball;
      errors.offset += std::hypot(a.output[1] - s.dx, a.output[2] - s.dy);
    } else {
      ++errors.others;
      errors.false_alarms += says_ball;
    }
  }
  return errors;
}

}  // namespace

int main(int argc, char** argv) {
  Recipe recipe;
  std::string out, from;
  std::vector<std::string> folders;
  CLI::App app("Trains the ball network from folders of labelled pictures; one in ten is kept back to judge.");
  app.add_option("--out", out, "file of weights to write")->required();
  app.add_option("--from", from, "weights to go on from");
  app.add_option("--epochs", recipe.epochs, "passes over all patches")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--rate", recipe.rate, "largest step")->check(CLI::Range(1e-6, 1.0))->capture_default_str();
  app.add_option("--seed", recipe.seed, "of first weights and order")->capture_default_str();
  app.add_option("folders", folders, "folders with pictures and labels.yaml, as `render` writes them")->required();
  CLI11_PARSE(app, argc, argv);
  cv::setNumThreads(1);
  try {
    std::mt19937 random(recipe.seed);
    Detection::Params params;
    params.ball_candidates = 14;
    Detection detection(params, {}, {});
    std::vector<Sample> samples, kept_back;
    for (const std::string& folder : folders) {
      std::size_t number = 0;
      for (const LabelledPicture& labels : read_labels(folder)) {
        const cv::Mat bgr = cv::imread(labels.file, cv::IMREAD_COLOR);
        if (bgr.empty()) throw std::runtime_error(labels.file + ": is no picture that can be read");
        const bool judge_only = ++number % static_cast<std::size_t>(1.0 / recipe.holdout) == 0;
        cut_patches(labels, bgr, detection, random, judge_only ? kept_back : samples);
      }
    }
    const auto balls = std::count_if(samples.begin(), samples.end(), [](const Sample& s) { return s.ball; });
    std::printf("%zu patches, %ld of them balls; %zu kept back\n", samples.size(), static_cast<long>(balls),
                kept_back.size());
    if (balls == 0 || balls == static_cast<long>(samples.size()))
      throw std::runtime_error("patches of balls and of other things are needed");
    Trainer trainer(from.empty() ? random_weights(random) : BallNetwork::from_file(from).weights());
    for (int epoch = 0; epoch < recipe.epochs; ++epoch) {
      const double rate = recipe.rate * 0.5 * (1.0 + std::cos(M_PI * epoch / recipe.epochs)) + 1e-5;
      const double loss = trainer.epoch(samples, rate, random);
      const Errors e = test(trainer.network(), kept_back);
      std::printf(
          "epoch %2d: loss %.4f; kept back: %ld of %ld balls missed, %ld of %ld others taken for one, centre off by "
          "%.3f diameters\n",
          epoch + 1, loss, e.missed, e.balls, e.false_alarms, e.others,
          e.balls > 0 ? e.offset / static_cast<double>(e.balls) : 0.0);
      std::fflush(stdout);
      std::ofstream file(out, std::ios::binary);
      file << trainer.network().to_text();
      if (!file) throw std::runtime_error(out + ": cannot be written");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "train_ball: %s\n", error.what());
    return 1;
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Measures in physics how a robot walks, kicks, falls and gets up, and writes what the fast motion needs.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "motion_trials.hpp"

namespace {

using namespace hl_match;  // NOLINT(google-build-using-namespace): this program is about it
using Velocity = hl_walking::Velocity;

double median(std::vector<double> values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double mean(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

double deviation(const std::vector<double>& values, double around) {
  double sum = 0.0;
  for (const double value : values) sum += (value - around) * (value - around);
  return values.size() < 2 ? 0.0 : std::sqrt(sum / static_cast<double>(values.size() - 1));
}

class Fit {
 public:
  Fit(const std::string& robot, std::uint64_t seed, int trials, int threads)
      : world_(installed_match(robot)), seed_(seed), trials_(static_cast<std::size_t>(trials)), threads_(threads) {}

  FastParams run() {
    walk();
    kick();
    fall();
    meet();
    return fit_;
  }

 private:
  template <class Sample>
  auto sample(Sample one) {
    std::vector<decltype(one(seed_))> all(trials_);
    in_parallel(trials_, threads_, [&](std::size_t i) { all[i] = one(seed_ + i); });
    return all;
  }

  /// Two lengths of walk tell speed and lag: way = speed x (time - lag).
  void walk() {
    constexpr double kShort = 3.0, kLong = 8.0;  // s
    const auto& limits = world_.files->walk.walk;
    const struct {
      Velocity command;
      double speed;
      double* gain;
    } ways[] = {{{limits.max_forward, 0.0, 0.0}, limits.max_forward, &fit_.walk.forward},
                {{-limits.max_backward, 0.0, 0.0}, limits.max_backward, &fit_.walk.backward},
                {{0.0, limits.max_sideways, 0.0}, limits.max_sideways, &fit_.walk.sideways},
                {{0.0, 0.0, limits.max_turn}, limits.max_turn, &fit_.walk.turn}};
    std::vector<double> lags, stop_lags, stop_times, way_errors, turn_errors;
    double seconds = 0.0, falls = 0.0;
    for (const auto& way : ways) {
      const auto brief = sample([&](std::uint64_t seed) { return walk_sample(world_, way.command, kShort, seed); });
      const auto longer = sample([&](std::uint64_t seed) { return walk_sample(world_, way.command, kLong, seed); });
      std::vector<double> speeds;
      for (std::size_t i = 0; i < trials_; ++i) {
        seconds += kShort + kLong;
        falls += brief[i].fell + longer[i].fell;
        if (brief[i].fell || longer[i].fell) continue;
        const double speed = (longer[i].way - brief[i].way) / (kLong - kShort);
        speeds.push_back(speed);
        lags.push_back(kShort - brief[i].way / speed);
        if (way.command.x > 0.0) stop_times.push_back(longer[i].stop_time);  // as robots mostly walk
        stop_lags.push_back(longer[i].stop_way / speed);
        const double error = longer[i].counted / longer[i].way - 1.0;
        (way.command.yaw != 0.0 ? turn_errors : way_errors).push_back(error);
      }
      *way.gain = mean(speeds) / way.speed;
    }
    fit_.walk.lag = std::max(0.05, mean(lags));
    fit_.walk.stop_lag = std::max(0.05, mean(stop_lags));
    fit_.walk.stop_time = median(stop_times);
    fit_.walk.odometry_error = deviation(way_errors, 0.0);
    fit_.walk.turn_error = deviation(turn_errors, 0.0);
    fit_.walk.falls = falls / seconds;
  }

  void kick() {
    const auto hard = sample([&](std::uint64_t seed) { return kick_sample(world_, 1.0, seed); });
    const auto soft = sample([&](std::uint64_t seed) { return kick_sample(world_, 0.5, seed); });
    const auto in_walk = sample([&](std::uint64_t seed) { return walk_kick_sample(world_, seed); });
    std::vector<double> contacts, times, distances, directions, shares, soft_distances, walk_distances, walk_directions;
    for (const auto& one : hard) {
      if (!one.kicked || one.contact == 0.0) continue;
      contacts.push_back(one.contact);
      times.push_back(one.time);
      distances.push_back(one.distance);
      directions.push_back(one.direction);
    }
    for (const auto& one : soft)
      if (one.kicked && one.contact > 0.0) soft_distances.push_back(one.distance);
    for (const auto& one : in_walk) {
      if (!one.kicked) continue;
      walk_distances.push_back(one.distance);
      walk_directions.push_back(one.direction);
    }
    auto& kick = fit_.kick;
    kick.contact = mean(contacts);
    kick.time = mean(times);
    kick.distance = median(distances);
    for (const double distance : distances) shares.push_back(distance / kick.distance);
    kick.distance_spread = deviation(shares, 1.0);
    kick.direction_bias = median(directions);
    kick.direction_spread = deviation(directions, kick.direction_bias);
    kick.soft_distance = median(soft_distances);
    kick.walk_distance = std::max(0.05, median(walk_distances));
    kick.walk_spread = deviation(walk_directions, 0.0);
  }

  void fall() {
    std::vector<double> shares;
    const struct {
      double direction;
      const char* name;
      double* time;
    } sides[] = {{0.0, "front", &fit_.fall.front},
                 {M_PI, "back", &fit_.fall.back},
                 {M_PI_2, "left", &fit_.fall.left},
                 {-M_PI_2, "right", &fit_.fall.right}};
    for (const auto& side : sides) {
      const auto falls = sample([&](std::uint64_t seed) { return fall_sample(world_, side.direction, seed); });
      std::vector<double> times;
      for (const auto& one : falls)
        if (one.direction == side.name) times.push_back(one.time);
      if (times.empty()) throw std::runtime_error(std::string("nobody fell to the ") + side.name);
      *side.time = median(times);
      for (const double time : times) shares.push_back(time / *side.time);
    }
    fit_.fall.spread = deviation(shares, 1.0);
  }

  void meet() {
    const auto meetings = sample([&](std::uint64_t seed) { return contact_sample(world_, seed); });
    double contact = 0.0, falls = 0.0;
    std::vector<double> distances;
    for (const auto& one : meetings) {
      contact += one.contact;
      falls += one.falls;
      if (one.distance > 0.0) distances.push_back(one.distance);
    }
    if (contact > 0.0) fit_.fall.contact_rate = 0.5 * falls / contact;  // of each of the two
    if (!distances.empty()) fit_.fall.contact_distance = mean(distances);
    fit_.ball.push = median(sample([&](std::uint64_t seed) { return push_sample(world_, seed); }));
  }

  Match::Params world_;
  std::uint64_t seed_;
  std::size_t trials_;
  int threads_;
  FastParams fit_;
};

}  // namespace

int main(int argc, char** argv) {
  std::string robot = "minibot", out;
  std::uint64_t seed = 1000;
  int trials = 20, threads = 1;
  CLI::App app{"Measures in physics how a robot moves and writes the parameters of the fast motion."};
  app.add_option("--robot", robot, "robot of hl_description");
  app.add_option("--seed", seed, "of the first trial; below 10000")->check(CLI::Range(0, 9999));
  app.add_option("--trials", trials, "of each kind")->check(CLI::Range(2, 10000));
  app.add_option("--threads", threads, "trials at the same time")->check(CLI::Range(1, 64));
  app.add_option("--out", out, "file; default: printed");
  CLI11_PARSE(app, argc, argv);
  try {
    const FastParams fit = Fit(robot, seed, trials, threads).run();
    if (const auto bad = fit.validate()) throw std::runtime_error("the fit is out of range: " + *bad);
    const std::string text =
        fit.yaml("# SPDX-License-Identifier: Apache-2.0\n# Written by: ros2 run hl_match fit_motion --robot " + robot +
                 " --seed " + std::to_string(seed) + " --trials " + std::to_string(trials) + "\n");
    if (out.empty()) {
      std::fputs(text.c_str(), stdout);
      return 0;
    }
    std::ofstream file(out);
    file << text;
    if (!file) throw std::runtime_error("cannot write " + out);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "fit_motion: %s\n", e.what());
    return 2;
  }
}

// SPDX-License-Identifier: Apache-2.0
#include "evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace hl_walking {
namespace {

class Evaluation {
 public:
  Evaluation(const EvaluationOptions& options, Laboratory& laboratory, const WalkConfig& config)
      : options_(options),
        binds_(options.robot == "minibot"),
        first_seed_(options.first_seed),
        config_(config),
        laboratory_(laboratory) {}

  /// True if every budget was met.
  bool run() {
    std::printf("| what, seeds from %d on | measured | budget | |\n|---|---|---|---|\n", static_cast<int>(first_seed_));
    speeds();
    start_and_stop();
    falls("random commands, " + std::to_string(options_.long_run) + " s", options_.long_run, {}, 10);
    for (const double push : {5.0, 8.0, 12.0}) {
      Trial trial;
      trial.push = push;
      const std::string what = "pushes of " + std::to_string(static_cast<int>(push)) + " N for 0.1 s every 2 s";
      if (push < 6.0) {
        falls(what, options_.run, trial, 10);
      } else {
        falls(what, options_.run, trial, push < 10.0 ? 9 : 0, Weight::Goal);
      }
    }
    for (const double friction : {0.5, 1.3}) {
      Trial trial;
      trial.friction = friction;
      falls("friction " + std::to_string(friction).substr(0, 3), options_.run, trial, 9);
    }
    Trial late;
    late.command_delay = 0.016;
    falls("16 ms more actuator lag", options_.run, late, 9);
    Trial heavy;
    heavy.mass_factor = 1.1;
    falls("mass +10 %", options_.run, heavy, 9);
    Trial by_joints;
    by_joints.foot_pressure = false;
    by_joints.joint_load = true;
    falls("touch-down by joint loads, pushes of 5 N", options_.run, with_push(by_joints, 5.0), 0);
    Trial by_imu;
    by_imu.foot_pressure = false;
    falls("touch-down by the IMU alone, pushes of 5 N", options_.run, with_push(by_imu, 5.0), 0);
    Trial blind;
    blind.imu = false;
    blind.foot_pressure = false;
    falls("without IMU and foot sensors", options_.run, blind, 0);
    kicks();
    return good_;
  }

 private:
  enum class Weight { Budget, Goal };  // whether a miss counts

  static Trial with_push(Trial trial, double push) {
    trial.push = push;
    return trial;
  }
  int runs() const { return options_.runs; }

  void row(const std::string& what, const std::string& measured, const std::string& budget, bool ok,
           Weight weight = Weight::Budget) {
    good_ = good_ && (ok || !binds_ || weight == Weight::Goal);
    const char* verdict = !binds_ || budget == "-" ? "" : ok ? "ok" : "MISSED";
    std::printf("| %s | %s | %s | %s |\n", what.c_str(), measured.c_str(), budget.c_str(), verdict);
    std::fflush(stdout);
  }

  static std::string text(const char* format, double a, double b = 0.0) {
    char buffer[100];
    std::snprintf(buffer, sizeof buffer, format, a, b);
    return buffer;
  }

  /// Steady speed in each direction, how well it follows the wish, and what odometry counts.
  void speeds() {
    struct Direction {
      const char* name;
      Velocity wish;
      double budget;
    };
    const Params& p = config_.walk;
    double worst_tracking = 0.0, worst_odometry = 0.0, worst_turn = 0.0;
    for (const Direction& d :
         {Direction{"forward", {p.max_forward, 0, 0}, 0.30},
          Direction{"forward, slowly", {p.max_forward / 2.0, 0, 0}, 0.0},
          Direction{"back", {-p.max_backward, 0, 0}, 0.15}, Direction{"left", {0, p.max_sideways, 0}, 0.12},
          Direction{"right", {0, -p.max_sideways, 0}, 0.12}, Direction{"turn left", {0, 0, p.max_turn}, 0.8},
          Direction{"turn right", {0, 0, -p.max_turn}, 0.8}}) {
      double speed = 0.0;
      bool fell = false;
      const int repeat = std::max(1, runs() / 2);
      for (int i = 0; i < repeat; ++i) {
        Trial trial;
        trial.seed = first_seed_ + static_cast<std::uint64_t>(i);
        trial.velocity = [&](double) { return d.wish; };
        // Steady: what the second part of a longer walk adds to a short one.
        trial.duration = 2.0;
        const TrialResult early = laboratory_.run(p, trial, config_.odometry);
        trial.duration = 14.0;
        const TrialResult late = laboratory_.run(p, trial, config_.odometry);
        fell = fell || late.fell;
        const auto way = [](const Pose2& pose) { return pose.position().norm(); };
        const double time = late.time - early.time;
        if (d.wish.yaw != 0.0) {
          speed += std::abs(late.travelled.yaw - early.travelled.yaw) / time / repeat;
          const double wrong = std::abs(late.counted.yaw - late.travelled.yaw) / std::abs(late.travelled.yaw);
          worst_turn = std::max(worst_turn, wrong * 360.0);
        } else {
          speed += (way(late.travelled) - way(early.travelled)) / time / repeat;
          const double wrong = (late.counted.position() - late.travelled.position()).norm() / way(late.travelled);
          worst_odometry = std::max(worst_odometry, wrong * 100.0);
        }
      }
      const double wish = std::abs(d.wish.x + d.wish.y + d.wish.yaw);
      worst_tracking = std::max(worst_tracking, std::abs(speed / wish - 1.0) * 100.0);
      const char* unit = d.wish.yaw != 0.0 ? "%.2f rad/s (asked %.2f)" : "%.3f m/s (asked %.3f)";
      row(std::string("walk ") + d.name, text(unit, speed, wish) + (fell ? ", fell" : ""),
          d.budget > 0.0 ? text(">= %.2f", d.budget) : "-", !fell && speed >= d.budget);
    }
    row("velocity tracking, worst", text("%.0f %%", worst_tracking), "<= 15 %", worst_tracking <= 15.0);
    row("odometry, worst of the ways", text("%.1f %%", worst_odometry), "<= 5 %", worst_odometry <= 5.0);
    row("odometry, per turn of 360 degrees", text("%.1f degrees", worst_turn), "<= 5 degrees", worst_turn <= 5.0);
  }

  /// Time to 90 % of full speed, and steps after the one under way until it stands; the worst of the runs.
  void start_and_stop() {
    const Params& p = config_.walk;
    constexpr double kStop = 4.0;  // s
    std::vector<double> start_times;
    int most = 0;
    bool good = true;
    for (int run = 0; run < runs(); ++run) {
      double reached = 1e9;
      std::vector<double> way;  // m, tick by tick
      int steps_at_stop = -1;
      Trial trial;
      trial.seed = first_seed_ + static_cast<std::uint64_t>(run);
      trial.duration = 6.0;
      trial.velocity = [&](double time) { return time < kStop ? Velocity{p.max_forward, 0, 0} : Velocity{}; };
      const auto step = static_cast<std::size_t>(std::lround(p.step_duration / trial.control_period));
      int steps = 0;
      bool stands = false;
      trial.watch = [&](const hl_simulation::Simulation& sim, const Output& out) {
        way.push_back(sim.robot().pose().translation().x());
        if (reached > kStop && way.size() > step) {  // mean over one step: within it the speed goes up and down
          const double mean = (way.back() - way[way.size() - 1 - step]) / p.step_duration;
          if (mean > 0.9 * p.max_forward) reached = sim.time();
        }
        if (sim.time() >= kStop && steps_at_stop < 0) steps_at_stop = out.steps;
        steps = out.steps;
        stands = out.phase == Phase::Standing;
      };
      good = !laboratory_.run(p, trial, config_.odometry).fell && stands && good;
      start_times.push_back(reached);
      most = std::max(most, steps - steps_at_stop - 1);
    }
    std::sort(start_times.begin(), start_times.end());
    const double typical = start_times[start_times.size() / 2];
    row("from standing to 90 % of full speed", text("median %.2f s, slowest %.2f s", typical, start_times.back()),
        "<= 1 s", typical <= 1.0);
    row("steps until it stands, most of " + std::to_string(runs()), text("%.0f", most) + (good ? "" : ", or it fell"),
        "<= 2", good && most <= 2);
  }

  void falls(const std::string& what, int duration, Trial trial, int wanted, Weight weight = Weight::Budget) {
    int standing = 0;
    for (int i = 0; i < runs(); ++i) {
      trial.seed = first_seed_ + static_cast<std::uint64_t>(i);
      trial.duration = duration;
      trial.velocity = [&](double time) { return random_command(config_.walk, time, trial.seed); };
      if (!laboratory_.run(config_.walk, trial, config_.odometry).fell) ++standing;
    }
    const double share = standing / static_cast<double>(runs());
    const std::string least = ">= " + std::to_string(wanted) + " of 10";
    row(what, std::to_string(standing) + " of " + std::to_string(runs()) + " without a fall",
        wanted == 0                ? "-"
        : weight == Weight::Budget ? least
                                   : "goal " + least,
        share * 10.0 >= wanted - 1e-9, weight);
  }

  void kicks() {
    const int count = 2 * runs();
    std::vector<double> distances, errors;
    int standing = 0;
    for (int i = 0; i < count; ++i) {
      const KickResult kick = laboratory_.kick(config_, first_seed_ + static_cast<std::uint64_t>(i));
      distances.push_back(kick.distance);
      errors.push_back(std::abs(kick.error) * 180.0 / M_PI);
      if (kick.kicked && !kick.fell) ++standing;
    }
    const auto median = [](std::vector<double>& values) {
      std::sort(values.begin(), values.end());
      return values[values.size() / 2];
    };
    const double distance = median(distances), error = median(errors);
    row("kick, median distance", text("%.2f m", distance), ">= 3 m", distance >= 3.0);
    row("kick, median direction error", text("%.1f degrees", error), "<= 15 degrees", error <= 15.0);
    row("kick, standing", std::to_string(standing) + " of " + std::to_string(count), ">= 19 of 20",
        standing * 20 >= 19 * count);
  }

  EvaluationOptions options_;
  bool binds_;
  std::uint64_t first_seed_;
  const WalkConfig& config_;
  Laboratory& laboratory_;
  bool good_ = true;
};

}  // namespace

bool evaluate(const EvaluationOptions& options, Laboratory& laboratory, const WalkConfig& config) {
  return Evaluation(options, laboratory, config).run();
}

}  // namespace hl_walking

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <hl_behavior/tactics_params.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hl_match/figures.hpp"
#include "hl_match/observer.hpp"
#include "hl_match/trial_file.hpp"

namespace hl_match {

/// What the user of `evaluate` asked for.
struct EvaluationOptions {
  int teams = 2, games = 20, threads = 1;  // robots per team; games or trials of each row; at the same time
  std::uint64_t seed = 10000;              // of the first game or trial
  double half_time = 120.0;                // s of one half, or of one walk
  std::string robot = "minibot";           // of hl_description
  std::string only;                        // group of rows; empty = all
  // of planning, walking: folder for SVGs, of camera for diaries, of vision for labelled pictures; empty = none
  std::string pictures;
  std::string walk;       // of walking: parameter file of the walk; empty = the robot's
  std::string tactics;    // of striker, striker_keeper, goalie: parameter file of the tactics; empty = as shipped
  std::string animation;  // of animation: file with animations to judge; empty = all of the robot's library
  // Of localization, model and planning: standard deviation of how wrong each camera is mounted and of how far that
  // wanders, degrees; nothing = as the perception's parameters say.
  std::optional<double> mount_error, mount_drift;
  std::string keep;      // file of trials that are not run again, those of `results`; empty = none
  double minutes = 0.0;  // after which no such trial is begun; 0 = none
};

/// Options, and games that several evaluations share.
class EvaluationContext {
 public:
  explicit EvaluationContext(EvaluationOptions options) : options_(std::move(options)) {}
  const EvaluationOptions& options() const { return options_; }
  std::size_t trials() const { return static_cast<std::size_t>(options_.games); }
  /// Whole games, played when first asked for.
  const std::vector<Observer>& games();
  /// `run(seed)` for `count` seeds from that of the options on, those of the file of trials without running them again.
  /// Throws Unfinished if the time is over before all are run.
  template <class Result, class Run>
  std::vector<Result> results(const std::string& kind, std::size_t count, const Run& run) {
    std::vector<Result> all(count);
    run_trials(
        kind, count,
        [&](std::size_t i) {
          all[i] = run(options_.seed + i);
          TrialValues values;
          values(all[i]);
          return values.numbers();
        },
        [&](std::size_t i, const std::vector<double>& numbers) {
          TrialValues values(numbers);
          values(all[i]);
          values.end();
        });
    return all;
  }
  /// The installed robot, its eyes as the options say.
  Match::Params world() const;
  /// As shipped, or as the options say.
  hl_behavior::TacticsParams tactics() const;
  /// Whether this group of rows is asked for. Evaluations with groups ask for each of theirs.
  bool wants(const std::string& group);
  /// Throws std::runtime_error if the group asked for was none of those above.
  void check_groups() const;

 private:
  using Clock = std::chrono::steady_clock;
  void run_trials(const std::string& kind, std::size_t count,
                  const std::function<std::vector<double>(std::size_t)>& run,
                  const std::function<void(std::size_t, const std::vector<double>&)>& take);
  std::string setting() const;

  EvaluationOptions options_;
  Clock::time_point begun_ = Clock::now();
  std::unique_ptr<TrialFile> kept_;
  std::vector<std::string> groups_;
  std::vector<Observer> games_;
};

/// One word of `ros2 run hl_match evaluate`. To add one: write
/// src/evaluate_<name>.cpp (it is compiled without being named in
/// CMakeLists.txt), declare its function below and add a line to the table in
/// src/evaluate_main.cpp.
struct Evaluation {
  const char* name;
  const char* what;  // it measures, for --help
  std::vector<Figure> (*run)(EvaluationContext& context);
};

std::vector<Figure> evaluate_localization(EvaluationContext& context);
std::vector<Figure> evaluate_model(EvaluationContext& context);
std::vector<Figure> evaluate_planning(EvaluationContext& context);
std::vector<Figure> evaluate_behavior(EvaluationContext& context);
std::vector<Figure> evaluate_striker(EvaluationContext& context);
std::vector<Figure> evaluate_striker_keeper(EvaluationContext& context);
std::vector<Figure> evaluate_goalie(EvaluationContext& context);
std::vector<Figure> evaluate_head(EvaluationContext& context);
std::vector<Figure> evaluate_tasks(EvaluationContext& context);
std::vector<Figure> evaluate_walk_in(EvaluationContext& context);
std::vector<Figure> evaluate_walking(EvaluationContext& context);
std::vector<Figure> evaluate_falls(EvaluationContext& context);
std::vector<Figure> evaluate_animation(EvaluationContext& context);
std::vector<Figure> evaluate_gazebo(EvaluationContext& context);  // Gazebo as the README of hl_gazebo says
std::vector<Figure> evaluate_vision(EvaluationContext& context);  // only with pictures
std::vector<Figure> evaluate_motion(EvaluationContext& context);
std::vector<Figure> evaluate_camera(EvaluationContext& context);  // these need a simulated camera
std::vector<Figure> evaluate_compass(EvaluationContext& context);
std::vector<Figure> evaluate_calibration(EvaluationContext& context);
std::vector<Figure> evaluate_localization_camera(EvaluationContext& context);

/// Calls `trial(i)` for every i below `count`, on some threads; the first
/// exception is thrown again.
void in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& trial);

/// Of each game a number; of all games a sum; of each game its samples.
template <class T>
std::vector<double> per_game(const std::vector<Observer>& games, T value) {
  std::vector<double> values;
  for (const Observer& game : games) values.push_back(value(game));
  return values;
}
template <class T>
std::size_t sum_of(const std::vector<Observer>& games, T value) {
  std::size_t sum = 0;
  for (const Observer& game : games) sum += value(game);
  return sum;
}
std::vector<std::vector<double>> samples_of(const std::vector<Observer>& games, std::vector<double> Observer::*samples);

}  // namespace hl_match

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hl_match/figures.hpp"
#include "hl_match/observer.hpp"

namespace hl_match {

/// What the user of `evaluate` asked for.
struct EvaluationOptions {
  int teams = 2, games = 20, threads = 1;  // robots per team; games or trials of each row; at the same time
  std::uint64_t seed = 10000;              // of the first game or trial
  double half_time = 120.0;                // s of one half, or of one walk
  std::string robot = "minibot";           // of hl_description
  std::string only;                        // group of rows; empty = all
  // of planning, walking: folder for SVGs, of camera for diaries; empty = none
  std::string pictures;
  std::string walk;       // of walking: parameter file of the walk; empty = the robot's
  std::string animation;  // of animation: file with animations to judge; empty = all of the robot's library
  // Of localization, model and planning: standard deviation of how wrong each camera is mounted and of how far that
  // wanders, degrees; nothing = as the perception's parameters say.
  std::optional<double> mount_error, mount_drift;
};

/// Options, and games that several evaluations share.
class EvaluationContext {
 public:
  explicit EvaluationContext(EvaluationOptions options) : options_(std::move(options)) {}
  const EvaluationOptions& options() const { return options_; }
  std::size_t trials() const { return static_cast<std::size_t>(options_.games); }
  /// Whole games, played when first asked for.
  const std::vector<Observer>& games();
  /// The installed robot, its eyes as the options say.
  Match::Params world() const;
  /// Whether this group of rows is asked for. Evaluations with groups ask for each of theirs.
  bool wants(const std::string& group);
  /// Throws std::runtime_error if the group asked for was none of those above.
  void check_groups() const;

 private:
  EvaluationOptions options_;
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
std::vector<Figure> evaluate_walking(EvaluationContext& context);
std::vector<Figure> evaluate_falls(EvaluationContext& context);
std::vector<Figure> evaluate_animation(EvaluationContext& context);
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

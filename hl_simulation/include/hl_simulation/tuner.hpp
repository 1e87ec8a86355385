// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hl_simulation {

/// Named numbers: parameters of a candidate, weights of an objective, strengths of a disturbance.
using Values = std::map<std::string, double>;

struct TunedParameter {
  std::string name;
  double min = 0.0, max = 1.0;
  double start = 0.5;
};

/// One way the world can be: pushes, friction, ... ; what the numbers mean is up to the program that tunes.
struct Scenario {
  std::string name = "plain";
  Values values;
  double get(const std::string& key, double otherwise = 0.0) const;
};

/// What to tune and how hard; read from YAML, see config/tune_example.yaml.
struct TunerSpec {
  std::vector<TunedParameter> parameters;
  Values fixed;                         // further parameters that are handed on unchanged
  Values objective;                     // weights, for the program
  std::vector<Scenario> scenarios{{}};  // every candidate runs all of them ...
  std::vector<std::uint64_t> seeds{1};  // ... with each of these seeds; below 1000, the rest is for judging
  int generations = 50;
  int population = 0;             // 0: chosen from the number of parameters
  double sigma = 0.2;             // first spread, of each parameter's range
  double worst_share = 0.5;       // score = (1 - share) * mean + share * worst over scenarios and seeds
  double abandon_below = -1e300;  // a first run that scores less ends the candidate
  int threads = 0;                // 0: one per core
  double time_limit = 0.0;        // s; 0: none
  std::uint64_t search_seed = 1;

  /// Throws hl_description::ModelError with line and remedy.
  static TunerSpec from_yaml(const std::string& text, const std::string& file_name = "tuning file");
  static TunerSpec from_file(const std::string& path);
};

/// One run of one candidate.
struct Trial {
  Values parameters;  // tuned and fixed
  const Scenario* scenario = nullptr;
  std::uint64_t seed = 1;
};

/// Runs a trial and scores it, higher is better. Must depend on nothing but the trial.
using Evaluator = std::function<double(const Trial&)>;

struct TunerProgress {
  int generation = 0, generations = 0;
  int evaluations = 0;  // runs so far
  double best = 0.0;    // score
  double generation_best = 0.0;
  double sigma = 0.0;
  double elapsed = 0.0;    // s in this process
  double remaining = 0.0;  // s, estimated
};

struct TunerResult {
  Values parameters;  // the best candidate
  double score = 0.0;
  int evaluations = 0;
  bool finished = false;  // false: stopped early; can be resumed
};

/// CMA-ES over many simulations in parallel. The outcome does not depend on the number of threads.
class Tuner {
 public:
  /// `make_evaluator` is called once per thread; each evaluator may own a Simulation that it resets for every trial.
  Tuner(TunerSpec spec, std::function<Evaluator()> make_evaluator);

  /// After every generation the search is saved to this file; an existing one is continued.
  void set_state_file(const std::string& path) { state_file_ = path; }
  void on_progress(std::function<void(const TunerProgress&, const Values& best)> callback) {
    progress_ = std::move(callback);
  }
  /// Runs until done, out of time, converged, or `*stop` becomes true.
  TunerResult run(const std::atomic<bool>* stop = nullptr);

 private:
  std::vector<double> evaluate(const std::vector<Values>& candidates, const std::atomic<bool>* stop, int& evaluations);
  double evaluate_one(const Evaluator& evaluator, const Values& candidate, const std::atomic<bool>* stop,
                      int& runs) const;

  TunerSpec spec_;
  std::function<Evaluator()> make_evaluator_;
  std::vector<Evaluator> evaluators_;
  std::string state_file_;
  std::function<void(const TunerProgress&, const Values&)> progress_;
};

/// YAML text of parameters, one per line; and such a file read again.
std::string to_yaml(const Values& values, const std::string& comment);
Values values_from_file(const std::string& path);

/// What to tune and how long.
struct TuneOrder {
  std::string spec_file, out_file;
  std::optional<int> threads, generations;  // else as in the specification
  std::optional<double> time_limit;         // s, else as in the specification
  bool fresh = false;                       // begins anew instead of going on
};

/// A tuning program: prints progress and remaining time; Ctrl-C saves, and the same order goes on. Returns the exit
/// code.
int tune(const TuneOrder& order, const std::function<Evaluator(const TunerSpec&)>& make_evaluator);

}  // namespace hl_simulation

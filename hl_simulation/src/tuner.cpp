// SPDX-License-Identifier: Apache-2.0
#include "hl_simulation/tuner.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "hl_simulation/cma_es.hpp"

namespace hl_simulation {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Written beside and renamed, so that an interrupt never leaves half a file.
void replace_file(const std::string& path, const std::string& text) {
  const std::string fresh = path + ".new";
  {
    std::ofstream file(fresh, std::ios::binary);
    file << text;
    if (!file) throw std::runtime_error(fresh + ": cannot be written; check directory and space");
  }
  if (std::rename(fresh.c_str(), path.c_str()) != 0) throw std::runtime_error(path + ": cannot be replaced");
}

struct SearchState {
  CmaEs search;
  Eigen::VectorXd best;
  double best_score = -std::numeric_limits<double>::infinity();
  int evaluations = 0;

  void save(const std::string& path) const {
    std::ostringstream out;
    out.precision(17);
    out << evaluations << ' ' << best_score << '\n';
    for (Eigen::Index i = 0; i < best.size(); ++i) out << best[i] << (i + 1 < best.size() ? ' ' : '\n');
    search.save(out);
    replace_file(path, out.str());
  }

  bool load(const std::string& path) {
    std::ifstream in(path);
    if (!in) return false;
    in >> evaluations >> best_score;
    for (Eigen::Index i = 0; i < best.size(); ++i) in >> best[i];
    if (!in) throw std::runtime_error(path + ": damaged; delete it to start anew");
    search.load(in);
    return true;
  }
};

}  // namespace

double Scenario::get(const std::string& key, double otherwise) const {
  const auto it = values.find(key);
  return it == values.end() ? otherwise : it->second;
}

Tuner::Tuner(TunerSpec spec, std::function<Evaluator()> make_evaluator)
    : spec_(std::move(spec)), make_evaluator_(std::move(make_evaluator)) {
  if (spec_.parameters.empty()) throw std::runtime_error("nothing to tune: no parameters given");
  if (spec_.threads <= 0) spec_.threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

double Tuner::evaluate_one(const Evaluator& evaluator, const Values& candidate, const std::atomic<bool>* stop,
                           int& runs) const {
  double sum = 0.0, worst = std::numeric_limits<double>::infinity();
  int count = 0;
  for (const std::uint64_t seed : spec_.seeds) {
    for (const Scenario& scenario : spec_.scenarios) {
      if (stop && *stop) return std::nan("");
      const double score = evaluator(Trial{candidate, &scenario, seed});
      ++runs;
      if (!std::isfinite(score)) return -std::numeric_limits<double>::infinity();
      sum += score;
      worst = std::min(worst, score);
      ++count;
      // Abandoned candidates rank below every complete one of the same score.
      if (count == 1 && score < spec_.abandon_below) return score - std::abs(score) - 1.0;
    }
  }
  return (1.0 - spec_.worst_share) * sum / count + spec_.worst_share * worst;
}

std::vector<double> Tuner::evaluate(const std::vector<Values>& candidates, const std::atomic<bool>* stop,
                                    int& evaluations) {
  std::vector<double> scores(candidates.size());
  std::atomic<std::size_t> next{0};
  std::atomic<int> runs{0};
  const auto work = [&](std::size_t worker) {
    int own_runs = 0;
    for (std::size_t k = next++; k < candidates.size(); k = next++) {
      scores[k] = evaluate_one(evaluators_[worker], candidates[k], stop, own_runs);
    }
    runs += own_runs;
  };
  std::vector<std::thread> threads;
  for (std::size_t w = 1; w < evaluators_.size(); ++w) threads.emplace_back(work, w);
  work(0);
  for (std::thread& thread : threads) thread.join();
  evaluations += runs;
  return scores;
}

TunerResult Tuner::run(const std::atomic<bool>* stop) {
  const auto started = Clock::now();
  const auto n = static_cast<Eigen::Index>(spec_.parameters.size());
  Eigen::VectorXd start(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const TunedParameter& p = spec_.parameters[i];
    start[i] = (p.start - p.min) / (p.max - p.min);
  }
  const auto decode = [&](const Eigen::VectorXd& x) {
    Values values = spec_.fixed;
    for (Eigen::Index i = 0; i < n; ++i) {
      const TunedParameter& p = spec_.parameters[i];
      values[p.name] = p.min + std::clamp(x[i], 0.0, 1.0) * (p.max - p.min);
    }
    return values;
  };
  SearchState state{CmaEs(start, spec_.sigma, spec_.population, spec_.search_seed), start};
  if (!state_file_.empty()) state.load(state_file_);
  while (evaluators_.size() < static_cast<std::size_t>(spec_.threads)) evaluators_.push_back(make_evaluator_());

  const int first = state.search.generation();
  const auto out_of_time = [&] { return spec_.time_limit > 0.0 && seconds_since(started) > spec_.time_limit; };
  bool interrupted = false;
  while (state.search.generation() < spec_.generations && !state.search.converged() && !out_of_time()) {
    const CmaEs before = state.search;
    const auto& points = state.search.ask();
    std::vector<Values> candidates;
    for (const auto& x : points) candidates.push_back(decode(x));
    const std::vector<double> scores = evaluate(candidates, stop, state.evaluations);
    if (stop && *stop) {  // the unfinished generation is done again when resumed
      state.search = before;
      interrupted = true;
      break;
    }
    const auto best = std::max_element(scores.begin(), scores.end(), [](double a, double b) { return !(a >= b); });
    if (*best > state.best_score) {
      state.best_score = *best;
      state.best = points[best - scores.begin()];
    }
    state.search.tell(scores);
    if (!state_file_.empty()) state.save(state_file_);
    if (progress_) {
      TunerProgress p;
      p.generation = state.search.generation();
      p.generations = spec_.generations;
      p.evaluations = state.evaluations;
      p.best = state.best_score;
      p.generation_best = *best;
      p.sigma = state.search.sigma();
      p.elapsed = seconds_since(started);
      p.remaining = p.elapsed / (p.generation - first) * (spec_.generations - p.generation);
      if (spec_.time_limit > 0.0) p.remaining = std::min(p.remaining, std::max(0.0, spec_.time_limit - p.elapsed));
      progress_(p, decode(state.best));
    }
  }
  TunerResult result;
  result.parameters = decode(state.best);
  result.score = state.best_score;
  result.evaluations = state.evaluations;
  result.finished = !interrupted && (state.search.generation() >= spec_.generations || state.search.converged());
  return result;
}

}  // namespace hl_simulation

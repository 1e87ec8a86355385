// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "hl_match/evaluations.hpp"
#include "hl_match/installed.hpp"
#include "hl_match/minds.hpp"

namespace hl_match {
namespace {

Observer play(Match::Params params, const EvaluationOptions& options, std::uint64_t seed) {
  params.seed = seed;
  params.mind = our_minds(params);
  params.players = {options.teams, options.teams};
  hl_game_controller::Referee::Params referee;
  referee.rules.players_per_team = options.teams;
  referee.rules.half_time = options.half_time;
  referee.rules.break_time = 10.0;  // nothing happens in it
  params.referee = referee;
  Match match(params);
  Observer observer;
  match.run(4.0 * options.half_time + 600.0, [&] {
    observer.look(match);
    return false;
  });
  observer.conclude(match);
  return observer;
}

}  // namespace

void in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& trial) {
  std::atomic<std::size_t> next{0};
  std::mutex mutex;
  std::exception_ptr error;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        trial(i);
      } catch (...) {
        const std::lock_guard<std::mutex> lock(mutex);
        if (!error) error = std::current_exception();
        next = count;
      }
    }
  };
  std::vector<std::thread> team;
  for (int i = 1; i < threads; ++i) team.emplace_back(work);
  work();
  for (auto& thread : team) thread.join();
  if (error) std::rethrow_exception(error);
}

std::string EvaluationContext::setting() const {
  char text[120];
  std::snprintf(text, sizeof text, ", %g s", options_.half_time);
  std::string setting = options_.robot + text;
  for (const auto& [name, degrees] :
       {std::pair(", mount error", options_.mount_error), {", mount drift", options_.mount_drift}}) {
    if (degrees) setting += name + (" " + std::to_string(*degrees));
  }
  return setting;
}

void EvaluationContext::run_trials(const std::string& kind, std::size_t count,
                                   const std::function<std::vector<double>(std::size_t)>& run,
                                   const std::function<void(std::size_t, const std::vector<double>&)>& take) {
  if (!kept_ && !options_.keep.empty()) kept_ = std::make_unique<TrialFile>(options_.keep, setting());
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* numbers = kept_ ? kept_->find(kind, options_.seed + i) : nullptr;
    if (numbers != nullptr) {
      take(i, *numbers);
    } else {
      open.push_back(i);
    }
  }
  std::mutex mutex;
  std::size_t done = count - open.size();
  in_parallel(open.size(), options_.threads, [&](std::size_t n) {
    const std::chrono::duration<double, std::ratio<60>> passed = Clock::now() - begun_;
    if (options_.minutes > 0.0 && passed.count() > options_.minutes) return;
    const auto numbers = run(open[n]);
    const std::lock_guard<std::mutex> lock(mutex);
    if (kept_) kept_->add(kind, options_.seed + open[n], numbers);
    ++done;
  });
  if (done < count) {
    throw Unfinished("the time is over after " + std::to_string(done) + " of " + std::to_string(count) +
                     " trials of '" + kind + "'; the same command goes on");
  }
}

Match::Params EvaluationContext::world() const {
  constexpr double kDegree = M_PI / 180.0;
  auto params = installed_match(options_.robot);
  if (options_.mount_error) params.perception.mount_error = *options_.mount_error * kDegree;
  if (options_.mount_drift) params.perception.mount_drift = *options_.mount_drift * kDegree;
  return params;
}

hl_behavior::TacticsParams EvaluationContext::tactics() const {
  return options_.tactics.empty() ? hl_behavior::TacticsParams() : tactics_from(options_.tactics);
}

bool EvaluationContext::wants(const std::string& group) {
  groups_.push_back(group);
  return options_.only.empty() || options_.only == group;
}

void EvaluationContext::check_groups() const {
  if (options_.only.empty() || std::find(groups_.begin(), groups_.end(), options_.only) != groups_.end()) return;
  std::string known;
  for (const auto& group : groups_) known += " " + group;
  throw std::runtime_error("there are no rows '" + options_.only +
                           "'; the groups are:" + (known.empty() ? " none" : known));
}

const std::vector<Observer>& EvaluationContext::games() {
  if (!games_.empty()) return games_;
  const auto params = installed_match(options_.robot);
  games_.resize(trials());
  in_parallel(games_.size(), options_.threads, [&](std::size_t i) {
    games_[i] = play(params, options_, options_.seed + i);
    std::fprintf(stderr, "game %zu: %d : %d\n", static_cast<std::size_t>(options_.seed) + i, games_[i].goals[0],
                 games_[i].goals[1]);
  });
  return games_;
}

std::vector<std::vector<double>> samples_of(const std::vector<Observer>& games,
                                            std::vector<double> Observer::*samples) {
  std::vector<std::vector<double>> all;
  for (const Observer& game : games) all.push_back(game.*samples);
  return all;
}

}  // namespace hl_match

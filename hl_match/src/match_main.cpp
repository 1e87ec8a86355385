// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <mutex>
#include <thread>

#include "hl_match/installed.hpp"
#include "hl_match/minds.hpp"

namespace {

using namespace hl_match;  // NOLINT(google-build-using-namespace): this program
                           // is about it

struct Options {
  int teams = 2, games = 1, threads = 1, player_threads = 1;
  std::uint64_t seed = 1;
  double half_time = 600.0, ready_time = 45.0;
  double until = 0.0;  // s; 0 = to the end
  std::string robot = "minibot", log;
};

struct Game {
  std::uint64_t seed = 0;
  std::array<int, 2> score{};
  std::array<std::size_t, 2> falls{}, kicks{}, penalties{};
  std::size_t failures = 0, warnings = 0;
  double simulated = 0.0, cpu = 0.0;  // s
  bool finished = false;
  std::vector<Event> broken;  // invariants of highest severity
};

double cpu_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

Game play(Match::Params params, const Options& options, std::uint64_t seed) {
  params.seed = seed;
  params.mind = our_minds(params);
  params.players = {options.teams, options.teams};
  params.threads = options.player_threads;
  hl_game_controller::Referee::Params referee;
  referee.rules.players_per_team = options.teams;
  referee.rules.half_time = options.half_time;
  referee.rules.ready_time = options.ready_time;
  referee.rules.break_time = 10.0;  // nothing happens in it
  params.referee = referee;
  const double before = cpu_time();
  Match match(params);
  const bool well = match.run(options.until > 0.0 ? options.until : 4.0 * options.half_time + 600.0);
  Game game;
  game.seed = seed;
  game.cpu = cpu_time() - before;
  game.simulated = match.time();
  game.finished = well && (match.over() || options.until > 0.0);
  for (const int team : {0, 1}) {
    const auto t = static_cast<std::size_t>(team);
    game.score[t] = match.referee()->score(t);
    game.falls[t] = match.timeline().count("fall", team + 1);
    game.kicks[t] = match.timeline().count("kick", team + 1);
    game.penalties[t] = match.timeline().count("penalty", team + 1);
  }
  game.failures = match.timeline().count(Severity::Failure);
  game.warnings = match.timeline().count(Severity::Warning) - game.failures;
  for (const auto& event : match.timeline().events())
    if (event.severity == Severity::Failure) game.broken.push_back(event);
  if (!options.log.empty()) {
    std::ofstream file(options.log + "_" + std::to_string(seed) + ".jsonl");
    for (const auto& event : match.timeline().events()) file << json_line(event) << '\n';
    if (!file) throw std::runtime_error("cannot write " + options.log + "_*.jsonl: does its folder exist?");
  }
  return game;
}

void print(const Game& game, const Options& options) {
  std::printf(
      "| %llu | %d : %d | %zu + %zu | %zu + %zu | %zu + %zu | %zu, %zu "
      "| %.0f s, %.1f x |%s\n",
      static_cast<unsigned long long>(game.seed), game.score[0], game.score[1], game.kicks[0], game.kicks[1],
      game.falls[0], game.falls[1], game.penalties[0], game.penalties[1], game.failures, game.warnings, game.simulated,
      game.simulated / game.cpu, game.finished ? "" : " NOT FINISHED");
  constexpr std::size_t kMost = 5;  // of one game
  for (std::size_t i = 0; i < std::min(kMost, game.broken.size()); ++i) {
    const Event& event = game.broken[i];
    std::printf(
        "  %.2f s, team %d player %d: %s: %s\n    ros2 run hl_match match --teams %d --half %g --ready %g --robot %s "
        "--seed %llu --until %.2f --log replay\n",
        event.time, event.team, event.player, event.kind.c_str(), event.text.c_str(), options.teams, options.half_time,
        options.ready_time, options.robot.c_str(), static_cast<unsigned long long>(game.seed), event.time + 0.1);
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{
      "Plays games of soccer between two teams of whole robots, "
      "without middleware."};
  app.add_option("--teams", options.teams, "robots per team")->check(CLI::Range(1, 4));
  app.add_option("--games", options.games, "how many")->check(CLI::Range(1, 100000));
  app.add_option("--seed", options.seed, "of the first game; from 10000 on to judge, below to tune");
  app.add_option("--threads", options.threads, "games at the same time")->check(CLI::Range(1, 64));
  app.add_option("--player-threads", options.player_threads, "threads for the players of one game")
      ->check(CLI::Range(1, 16));
  app.add_option("--half", options.half_time, "s of one half")->check(CLI::Range(10.0, 3600.0));
  app.add_option("--ready", options.ready_time, "s of READY")->check(CLI::Range(1.0, 60.0));
  app.add_option("--until", options.until, "s of simulated time to stop at, to look at a moment; 0: play to the end")
      ->check(CLI::Range(0.0, 36000.0));
  app.add_option("--robot", options.robot, "robot of hl_description");
  app.add_option("--log", options.log, "writes the timeline of each game to LOG_<seed>.jsonl");
  CLI11_PARSE(app, argc, argv);
  try {
    const auto params = installed_match(options.robot);
    std::printf(
        "| seed | goals | kicks | falls | penalties | failures, "
        "warnings | played, per CPU second |\n"
        "|---|---|---|---|---|---|---|\n");
    std::atomic<int> next{0};
    std::mutex mutex;
    int failed = 0;
    std::string error;
    const auto work = [&] {
      for (int i = next++; i < options.games; i = next++) {
        try {
          const Game game = play(params, options, options.seed + static_cast<std::uint64_t>(i));
          const std::lock_guard<std::mutex> lock(mutex);
          print(game, options);
          failed += !game.finished || game.failures > 0;
        } catch (const std::exception& e) {
          const std::lock_guard<std::mutex> lock(mutex);
          error = e.what();
          next = options.games;
        }
      }
    };
    std::vector<std::thread> threads;
    for (int i = 1; i < options.threads; ++i) threads.emplace_back(work);
    work();
    for (auto& thread : threads) thread.join();
    if (!error.empty()) throw std::runtime_error(error);
    std::printf("%d of %d games without a failure\n", options.games - failed, options.games);
    return failed == 0 ? 0 : 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "match: %s\n", e.what());
    return 2;
  }
}

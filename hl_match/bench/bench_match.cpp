// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>

#include "hl_match/game.hpp"
#include "hl_match/installed.hpp"
#include "hl_testing/bench_report.hpp"

namespace {

double cpu_time() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Simulated seconds per second of CPU time, the best of some rounds: half of the robots walk, the others stand.
double speed(hl_match::Match::Params params, int players, double seconds, int rounds) {
  params.players = {players, players};
  hl_match::Match match(params);
  match.run(3.0);
  double best = 0.0;
  for (int round = 0; round < rounds; ++round) {
    const double before = cpu_time();
    match.run(seconds, [&] {
      for (std::size_t i = 0; i < match.size(); i += 2)
        match.orders(i).orders.velocity = hl_walking::Velocity{0.0, 0.0, 0.4};
      return false;
    });
    best = std::max(best, seconds / (cpu_time() - before));
  }
  return best;
}

/// The same for whole robots that play, with their referee: the first `seconds` of a game.
double game_speed(const hl_match::Match::Params& params, double seconds) {
  hl_match::GameOptions options;
  options.teams = 4;
  options.until = seconds;
  const auto game = hl_match::play_game(params, options, 1);
  return game.simulated / game.cpu;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = hl_testing::quick(argc, argv);
  auto params = hl_match::installed_match();
  const double seconds = quick ? 3.0 : 10.0;
  const int rounds = quick ? 1 : 3;
  using hl_testing::Better;
  hl_testing::report({"hl_match", "2 against 2, standing and walking, CPU time", speed(params, 2, seconds, rounds),
                      "x real time", 8.0, Better::Higher});
  hl_testing::report({"hl_match", "4 against 4, standing and walking, CPU time", speed(params, 4, seconds, rounds),
                      "x real time", 3.0, Better::Higher});
  const double played = quick ? 70.0 : 180.0;  // s; the kick-off comes after 60
  hl_testing::report({"hl_match", "4 against 4, a game, physics, CPU time", game_speed(params, played), "x real time",
                      3.0, Better::Higher});
  params.fast = hl_match::installed_fast();
  hl_testing::report({"hl_match", "4 against 4, a game, fast motion, CPU time", game_speed(params, 5.0 * played),
                      "x real time", 20.0, Better::Higher});
}

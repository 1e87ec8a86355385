// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "hl_match/installed.hpp"
#include "hl_match/minds.hpp"
#include "hl_match/observer.hpp"
#include "hl_match/scenarios.hpp"

namespace {

using namespace hl_match;  // NOLINT(google-build-using-namespace): this program
                           // is about it

struct Options {
  int teams = 2, games = 20, threads = 1;
  std::uint64_t seed = 10000;
  double half_time = 120.0;
  std::string robot = "minibot", figures;
};

Observer play(Match::Params params, const Options& options, std::uint64_t seed) {
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

/// Calls `trial(i)` for every i below `count`, on some threads; the first
/// exception is thrown again.
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

std::vector<Observer> play_all(const Options& options) {
  const auto params = installed_match(options.robot);
  std::vector<Observer> games(static_cast<std::size_t>(options.games));
  in_parallel(games.size(), options.threads, [&](std::size_t i) {
    games[i] = play(params, options, options.seed + i);
    std::fprintf(stderr, "game %zu: %d : %d\n", static_cast<std::size_t>(options.seed) + i, games[i].goals[0],
                 games[i].goals[1]);
  });
  return games;
}

std::vector<Figure> walking_figures(const Options& options) {
  const auto world = installed_match(options.robot);
  const hl_walking::Params& p = world.files->walk.walk;
  const auto count = static_cast<std::size_t>(options.games);
  const auto trials = [&](WalkTrial trial, const std::function<hl_walking::Velocity(double, std::uint64_t)>& command) {
    std::vector<WalkResult> results(count);
    in_parallel(count, options.threads, [&](std::size_t i) {
      WalkTrial own = trial;
      own.seed = options.seed + i;
      own.velocity = [&command, seed = own.seed](double time) { return command(time, seed); };
      results[i] = walk(world, own);
    });
    return results;
  };
  std::vector<Figure> figures;
  const auto speed = [&](const char* name, const hl_walking::Velocity& velocity) {
    WalkTrial trial;
    trial.duration = 10.0;
    std::vector<double> speeds, wrong;
    for (const WalkResult& result : trials(trial, [&](double, std::uint64_t) { return velocity; })) {
      const bool turns = velocity.yaw != 0.0;
      const double way = turns ? std::abs(result.way.yaw) : result.way.position().norm();
      speeds.push_back(result.fell ? 0.0 : way / result.time);
      wrong.push_back(turns ? std::abs(result.counted.yaw - result.way.yaw) / way * 360.0
                            : (result.counted.position() - result.way.position()).norm() / way * 100.0);
    }
    figures.push_back(mean_of(std::string("walk ") + name, speeds, velocity.yaw != 0.0 ? "rad/s" : "m/s"));
    figures.push_back(mean_of(std::string("odometry error, ") + name, wrong,
                              velocity.yaw != 0.0 ? "degrees per turn" : "% of the way"));
  };
  speed("forward", {p.max_forward, 0.0, 0.0});
  speed("back", {-p.max_backward, 0.0, 0.0});
  speed("aside", {0.0, p.max_sideways, 0.0});
  speed("turning", {0.0, 0.0, p.max_turn});
  const auto falls = [&](const std::string& name, const WalkTrial& trial) {
    const auto results = trials(trial, [&](double time, std::uint64_t seed) { return random_command(p, time, seed); });
    const auto standing = std::count_if(results.begin(), results.end(), [](const auto& r) { return !r.fell; });
    figures.push_back(share_of("without a fall: " + name, static_cast<std::size_t>(standing), count));
  };
  WalkTrial trial;
  trial.duration = options.half_time;
  char seconds[40];
  std::snprintf(seconds, sizeof seconds, "%g s of random commands", options.half_time);
  falls(seconds, trial);
  for (const double push : {5.0, 8.0}) {
    trial.push = push;
    falls("the same with pushes of " + std::to_string(static_cast<int>(push)) + " N every 2 s", trial);
  }
  trial.push = 0.0;
  for (const double friction : {0.5, 1.3}) {
    trial.friction = friction;
    falls("the same with friction " + std::to_string(friction).substr(0, 3), trial);
  }
  trial.friction = 0.9;
  trial.command_delay = 0.016;
  falls("the same with 16 ms more actuator lag", trial);
  trial.command_delay = 0.0;
  trial.mass_factor = 1.1;
  falls("the same with mass +10 %", trial);
  std::vector<KickResult> kicks(count);
  in_parallel(count, options.threads, [&](std::size_t i) { kicks[i] = kick(world, options.seed + i); });
  std::vector<std::vector<double>> distances(count), errors(count);
  std::size_t standing = 0;
  for (std::size_t i = 0; i < count; ++i) {
    distances[i] = {kicks[i].distance};
    errors[i] = {std::abs(kicks[i].error) * 180.0 / M_PI};
    standing += kicks[i].kicked && !kicks[i].fell;
  }
  figures.push_back(quantile_of("kick, median distance", distances, 0.5, "m"));
  figures.push_back(quantile_of("kick, median direction error", errors, 0.5, "degrees"));
  figures.push_back(share_of("kicked and standing", standing, count));
  return figures;
}

std::vector<Figure> fall_figures(const Options& options) {
  const auto world = installed_match(options.robot);
  const auto count = static_cast<std::size_t>(options.games);
  std::vector<Figure> figures;
  for (const auto side :
       {hl_hcm::Direction::Front, hl_hcm::Direction::Back, hl_hcm::Direction::Left, hl_hcm::Direction::Right}) {
    std::vector<GetUpResult> results(count);
    in_parallel(count, options.threads, [&](std::size_t i) { results[i] = get_up(world, side, options.seed + i); });
    std::vector<double> times;
    std::size_t standing = 0;
    for (const auto& result : results) {
      standing += result.stands;
      if (result.stands) times.push_back(result.time);
    }
    figures.push_back(share_of(std::string("gets up from its ") + name_of(side), standing, count));
    figures.push_back(mean_of(std::string("time to get up from its ") + name_of(side), times, "s"));
  }
  std::vector<PushResult> pushes(count);
  in_parallel(count, options.threads, [&](std::size_t i) { pushes[i] = push_over(world, options.seed + i); });
  std::size_t fell = 0, missed = 0, stood = 0, alarms = 0, again = 0;
  std::vector<double> leads;
  for (const auto& push : pushes) {
    fell += push.fell;
    stood += !push.fell;
    missed += push.fell && !push.noticed;
    alarms += !push.fell && push.noticed;
    again += push.stands;
    if (push.fell && push.noticed) leads.push_back(push.lead);
  }
  figures.push_back(share_of("pushed over: falls that were not noticed", missed, fell));
  figures.push_back(share_of("pushed, did not fall: false alarms", alarms, stood));
  figures.push_back(mean_of("from the alarm to the ground", leads, "s"));
  figures.push_back(share_of("pushed with 20 to 70 N: stands after 24 s", again, count));
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  std::vector<std::string> what;
  CLI::App app{
      "Lets whole robots play and compares what they know and do with "
      "the truth."};
  app.add_option("what", what,
                 "localization, model, planning, behavior (several at once "
                 "share their games); walking, falls")
      ->required()
      ->check(CLI::IsMember({"localization", "model", "planning", "behavior", "walking", "falls"}));
  app.add_option("--teams", options.teams, "robots per team")->check(CLI::Range(1, 4));
  app.add_option("--games,--trials", options.games, "how many of each")->check(CLI::Range(1, 100000));
  app.add_option("--seed", options.seed, "of the first game; from 10000 on to judge, below to tune");
  app.add_option("--half,--seconds", options.half_time, "s of one half, or of one walk")
      ->check(CLI::Range(10.0, 3600.0));
  app.add_option("--threads", options.threads, "games at the same time")->check(CLI::Range(1, 64));
  app.add_option("--robot", options.robot, "robot of hl_description");
  app.add_option("--figures", options.figures, "writes the tables into this Markdown file, e.g. docs/figures.md");
  CLI11_PARSE(app, argc, argv);
  try {
    const bool play = std::any_of(what.begin(), what.end(),
                                  [](const std::string& part) { return part != "walking" && part != "falls"; });
    const auto games = play ? play_all(options) : std::vector<Observer>();
    const std::string seeds = "seeds " + std::to_string(options.seed) + ".." +
                              std::to_string(options.seed + static_cast<std::uint64_t>(options.games) - 1);
    for (const std::string& part : what) {
      const auto figures = part == "localization" ? localization_figures(games)
                           : part == "model"      ? model_figures(games)
                           : part == "planning"   ? planning_figures(games)
                           : part == "walking"    ? walking_figures(options)
                           : part == "falls"      ? fall_figures(options)
                                                  : behavior_figures(games);
      char half[16];
      std::snprintf(half, sizeof half, "%g", options.half_time);
      const std::string command = "ros2 run hl_match evaluate " + part + " --teams " + std::to_string(options.teams) +
                                  " --games " + std::to_string(options.games) + " --half " + half + " --robot " +
                                  options.robot;
      const std::string table = figure_table(command, seeds, figures);
      std::printf("## %s\n\n%s\n", part.c_str(), table.c_str());
      if (!options.figures.empty()) write_section(options.figures, part + " (" + options.robot + ")", table);
    }
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "evaluate: %s\n", e.what());
    return 2;
  }
}

// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <hl_description/formatted.hpp>
#include <mutex>

#include "hl_match/evaluations.hpp"
#include "hl_match/game.hpp"
#include "hl_match/game_results.hpp"
#include "hl_match/installed.hpp"
#ifdef HL_MATCH_WITH_PICTURES
#include "camera_eyes.hpp"
#include "match_film.hpp"
#endif

namespace {

using namespace hl_match;  // NOLINT(google-build-using-namespace): this program is about it

struct Options {
  GameOptions game;
  int games = 1, threads = 1;
  std::uint64_t seed = 1;
  std::string robot = "minibot", motion = "physics", camera = "none", against, with, log, film, figures, results;
  double film_from = 0.0;  // s
};

/// The command that plays one game again, up to a moment.
std::string replay_command(const Options& options, std::uint64_t seed, double until) {
  return hl_description::formatted(
      "ros2 run hl_match match --teams %d --half %g --ready %g --robot %s --motion %s%s%s%s%s%s%s%s --seed %llu "
      "--until %.2f --log replay",
      options.game.teams, options.game.half_time, options.game.ready_time, options.robot.c_str(),
      options.motion.c_str(), options.camera == "none" ? "" : " --camera ",
      options.camera == "none" ? "" : options.camera.c_str(), options.with.empty() ? "" : " --with ",
      options.with.c_str(), options.against.empty() ? "" : " --against ", options.against.c_str(),
      (seed - options.seed) % 2 == 1 && !options.against.empty() ? " --change-sides" : "",
      static_cast<unsigned long long>(seed), until);
}

void write_log(const Options& options, const GameResult& game) {
  std::ofstream file(options.log + "_" + std::to_string(game.seed) + ".jsonl");
  for (const auto& event : game.timeline) file << json_line(event) << '\n';
  if (!file) throw std::runtime_error("cannot write " + options.log + "_*.jsonl: does its folder exist?");
}

void print(const GameResult& game, const Options& options) {
  std::printf("| %llu | %d : %d | %zu, %zu | %zu, %zu | %zu, %zu | %zu, %zu | %zu, %zu | %.0f s, %.1f x |%s\n",
              static_cast<unsigned long long>(game.seed), game.score[0], game.score[1], game.shots[0], game.shots[1],
              game.kicks[0], game.kicks[1], game.falls[0], game.falls[1], game.penalties[0], game.penalties[1],
              game.failures, game.warnings, game.simulated, game.simulated / game.cpu,
              game.finished ? "" : " NOT FINISHED");
  constexpr std::size_t kMost = 5;  // of one game
  for (std::size_t i = 0; i < std::min(kMost, game.broken.size()); ++i) {
    const Event& event = game.broken[i];
    std::printf("  %.2f s, team %d player %d: %s: %s\n    %s\n", event.time, event.team, event.player,
                event.kind.c_str(), event.text.c_str(), replay_command(options, game.seed, event.time + 0.1).c_str());
  }
  std::fflush(stdout);
}

/// Who sees through rendered pictures instead of being told the truth.
void give_cameras(Match::Params& world, const std::string& who, bool change_sides) {
  if (who == "none") return;
#ifdef HL_MATCH_WITH_PICTURES
  const int first = change_sides ? 1 : 0;
  world.eyes = [all = who == "all", first](Match& match, std::size_t robot) -> std::unique_ptr<Eyes> {
    if (!all && match.team(robot) != first) return nullptr;
    return std::make_unique<CameraEyes>(match, robot);
  };
#else
  (void)world, (void)change_sides;
  throw std::runtime_error("--camera " + who + ": hl_match was built without EGL, OpenCV or hl_vision");
#endif
}

/// Films the game of this seed.
void give_film(GameOptions& game, const Options& options, std::uint64_t seed) {
  if (options.film.empty()) return;
#ifdef HL_MATCH_WITH_PICTURES
  game.watch = [film = std::make_shared<MatchFilm>(options.film + "_" + std::to_string(seed) + ".mp4",
                                                   options.film_from)](const Match& match) { film->look(match); };
#else
  (void)game, (void)seed;
  throw std::runtime_error("--film: hl_match was built without EGL, OpenCV or hl_vision");
#endif
}

std::vector<Figure> summary(const std::vector<GameResult>& games) {
  std::vector<double> goals, difference, points, speed, possession;
  std::array<std::vector<double>, 2> shots, falls;
  std::size_t wins = 0, draws = 0, losses = 0, failures = 0, scored = 0;
  for (const GameResult& game : games) {
    const int more = game.score[0] - game.score[1];
    wins += more > 0, draws += more == 0, losses += more < 0;
    failures += game.failures > 0;
    scored += game.score[0] + game.score[1] > 0;
    difference.push_back(more);
    points.push_back(more > 0 ? 100.0 : more == 0 ? 100.0 / 3.0 : 0.0);
    goals.push_back((game.score[0] + game.score[1]) * 600.0 / std::max(1.0, game.simulated));
    speed.push_back(game.simulated / game.cpu);
    const double both = game.possession[0] + game.possession[1];
    possession.push_back(both > 0.0 ? 100.0 * game.possession[0] / both : 50.0);
    for (const std::size_t t : {0, 1}) {
      shots[t].push_back(static_cast<double>(game.shots[t]));
      falls[t].push_back(static_cast<double>(game.falls[t]));
    }
  }
  return {share_of("won by the first team", wins, games.size()),
          share_of("drawn", draws, games.size()),
          share_of("lost", losses, games.size()),
          mean_of("points of the first team, of three a game", points, "%"),
          mean_of("goal difference", difference, "per game"),
          mean_of("goals of both teams", goals, "per 10 min simulated"),
          share_of("games with a goal", scored, games.size()),
          mean_of("shots at the goal, first team", shots[0], "per game"),
          mean_of("shots at the goal, second team", shots[1], "per game"),
          mean_of("possession of the first team", possession, "%"),
          mean_of("falls, first team", falls[0], "per game"),
          mean_of("falls, second team", falls[1], "per game"),
          share_of("games with a broken invariant of highest severity", failures, games.size()),
          mean_of("simulated per CPU second", speed, "s")};
}

/// What the games of a table have in common; a seed belongs to one side of the field.
std::string kind_of(const Options& options) {
  const auto tactic = [](const std::string& name) { return name.empty() ? "ours" : name.c_str(); };
  char text[400];
  std::snprintf(
      text, sizeof text,
      "--teams %d --half %g --ready %g --until %g --robot %s --motion %s --camera %s --with %s --against %s%s%s",
      options.game.teams, options.game.half_time, options.game.ready_time, options.game.until, options.robot.c_str(),
      options.motion.c_str(), options.camera.c_str(), tactic(options.with), tactic(options.against),
      options.game.change_sides ? " --change-sides" : "", options.seed % 2 == 1 ? " from an odd seed on" : "");
  return text;
}

int run(const Options& options, const std::string& title) {
  auto params = installed_match(options.robot);
  if (options.motion == "fast") params.fast = installed_fast(options.robot);
  if (params.fast && (options.camera != "none" || !options.film.empty()))
    throw std::runtime_error("--camera and --film need --motion physics");
  std::printf(
      "| seed | goals | shots | kicks | falls | penalties | failures, warnings | played, per CPU second |\n"
      "|---|---|---|---|---|---|---|---|\n");
  std::vector<GameResult> games(static_cast<std::size_t>(options.games));
  std::mutex mutex;
  GameResults results(options.results, kind_of(options));
  in_parallel(games.size(), options.threads, [&](std::size_t i) {
    if (const auto* played = results.find(options.seed + i)) {
      games[i] = *played;
      return;
    }
    GameOptions game = options.game;
    if (!options.against.empty()) game.tactics[1] = options.against;
    if (!options.with.empty()) game.tactics[0] = options.with;
    game.change_sides ^= !options.against.empty() && i % 2 == 1;  // half of the games from the other side
    auto world = params;
    give_cameras(world, options.camera, game.change_sides);
    give_film(game, options, options.seed + i);
    games[i] = play_game(world, game, options.seed + i);
    const std::lock_guard<std::mutex> lock(mutex);
    if (!options.log.empty()) write_log(options, games[i]);
    print(games[i], options);
    results.add(games[i]);
    games[i].timeline.clear();
  });
  const auto good = std::count_if(games.begin(), games.end(),
                                  [](const GameResult& game) { return game.finished && game.failures == 0; });
  std::printf("%td of %d games without a failure\n", good, options.games);
  if (options.games > 1) {
    const std::string seeds = "seeds " + std::to_string(options.seed) + ".." +
                              std::to_string(options.seed + static_cast<std::uint64_t>(options.games) - 1);
    const std::string command = hl_description::formatted(
        "ros2 run hl_match match --teams %d --games %d --half %g --motion %s%s%s%s%s%s%s", options.game.teams,
        options.games, options.game.half_time, options.motion.c_str(), options.camera == "none" ? "" : " --camera ",
        options.camera == "none" ? "" : options.camera.c_str(), options.with.empty() ? "" : " --with ",
        options.with.c_str(), options.against.empty() ? "" : " --against ", options.against.c_str());
    const std::string table = figure_table(command, seeds, summary(games));
    std::printf("\n%s", table.c_str());
    if (!options.figures.empty()) write_section(options.figures, title, table);
  }
  return good == options.games ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Plays games of soccer between two teams of whole robots, without middleware."};
  app.add_option("--teams", options.game.teams, "robots per team")->check(CLI::Range(1, 4));
  app.add_option("--games", options.games, "how many")->check(CLI::Range(1, 100000));
  app.add_option("--seed", options.seed, "of the first game; from 10000 on to judge, below to tune");
  app.add_option("--threads", options.threads, "games at the same time")->check(CLI::Range(1, 64));
  app.add_option("--player-threads", options.game.player_threads, "threads for the players of one game")
      ->check(CLI::Range(1, 16));
  app.add_option("--half", options.game.half_time, "s of one half")->check(CLI::Range(10.0, 3600.0));
  app.add_option("--ready", options.game.ready_time, "s of READY")->check(CLI::Range(1.0, 60.0));
  app.add_option("--until", options.game.until,
                 "s of simulated time to stop at, to look at a moment; 0: play to the end")
      ->check(CLI::Range(0.0, 36000.0));
  app.add_option("--motion", options.motion, "physics, or fast: bodies without joints, fitted to physics")
      ->check(CLI::IsMember({"physics", "fast"}));
  app.add_option("--camera", options.camera,
                 "who sees through rendered pictures and hl_vision: none, first (team) or all; the others are told the "
                 "truth, with noise, delay and mistakes")
      ->check(CLI::IsMember({"none", "first", "all"}));
  app.add_option("--against", options.against,
                 "the second team plays as: chaser (everybody to the ball), static (fixed posts), or a file with "
                 "parameters of the tactics; sides change after each game");
  app.add_option("--with", options.with, "the first team plays so; what --against takes, to tune");
  app.add_flag("--change-sides", options.game.change_sides, "the second team begins on the left");
  app.add_option("--robot", options.robot, "robot of hl_description");
  app.add_option("--log", options.log, "writes the timeline of each game to LOG_<seed>.jsonl");
  app.add_option("--film", options.film, "writes a video of each game to FILM_<seed>.mp4");
  app.add_option("--film-from", options.film_from, "s of simulated time at which the film begins")
      ->check(CLI::NonNegativeNumber);
  app.add_option(
      "--results", options.results,
      "file of results, JSON lines: games that are in it are not played again, so that many may be played in "
      "several goes");
  app.add_option("--figures", options.figures, "writes the table into this Markdown file, e.g. docs/figures.md");
  CLI11_PARSE(app, argc, argv);
  const std::string title = "match: " + std::to_string(options.game.teams) + " against " +
                            std::to_string(options.game.teams) + ", " + options.motion + " motion" +
                            (options.against.empty() ? ", equals" : ", against " + options.against);
  try {
    return run(options, title);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "match: %s\n", e.what());
    return 2;
  }
}

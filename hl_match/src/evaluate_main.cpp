// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <hl_description/formatted.hpp>

#include "hl_match/evaluations.hpp"

namespace {

using namespace hl_match;  // NOLINT(google-build-using-namespace): this program
                           // is about it

const std::vector<Evaluation>& evaluations() {
  static const std::vector<Evaluation> table{
      {"localization", "believed against true pose in games", evaluate_localization},
      {"model", "believed against true ball in games", evaluate_model},
      {"planning", "how ways end in games, contacts, falls", evaluate_planning},
      {"behavior", "goals, kicks, strikers in games", evaluate_behavior},
      {"striker", "one robot and a ball anywhere, empty goal", evaluate_striker},
      {"striker_keeper", "the same against a keeper", evaluate_striker_keeper},
      {"goalie", "a keeper alone and balls that come", evaluate_goalie},
      {"head", "the head tracks a rolling ball, finds one", evaluate_head},
      {"tasks", "the shipped RTDL drills", evaluate_tasks},
      {"walk_in", "both teams to their places in READY; --teams 4", evaluate_walk_in},
      {"walking", "speed, odometry, disturbances, kick of one robot", evaluate_walking},
      {"falls", "getting up, falls noticed, false alarms of one robot", evaluate_falls},
      {"gazebo", "one robot on its servo bus in MuJoCo and in Gazebo", evaluate_gazebo},
      {"animation", "animations end as they declare, how far kicks go, of one robot", evaluate_animation},
#ifdef HL_MATCH_WITH_PICTURES
      {"vision", "what is found in rendered pictures, robots that stand, walk and look around", evaluate_vision},
      {"camera", "one robot that sees through its camera and a ball anywhere, empty goal", evaluate_camera},
      {"compass", "heading from the surroundings, turn from picture to picture; --trials: halls", evaluate_compass},
      {"localization_camera",
       "believed against true pose of walkers who see rendered pictures; --seconds: of each walk",
       evaluate_localization_camera},
      {"calibration", "camera mounting and intrinsics found in pictures", evaluate_calibration},
#endif
      {"motion", "the fast motion of `match --motion fast` against physics", evaluate_motion},
  };
  return table;
}

const Evaluation* find_evaluation(const std::string& name) {
  const auto& table = evaluations();
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& e) { return name == e.name; });
  return found == table.end() ? nullptr : &*found;
}

std::string command_of(const std::string& name, const EvaluationOptions& options) {
  std::string command =
      hl_description::formatted("ros2 run hl_match evaluate %s --teams %d --games %d --half %g --robot %s --seed %llu",
                                name.c_str(), options.teams, options.games, options.half_time, options.robot.c_str(),
                                static_cast<unsigned long long>(options.seed));
  if (!options.only.empty()) command += " --only " + options.only;
  if (!options.walk.empty()) command += " --walk " + options.walk;
  if (!options.tactics.empty()) command += " --tactics " + options.tactics;
  if (!options.animation.empty()) command += " --animation " + options.animation;
  for (const auto& [option, value] :
       {std::pair(" --mount-error ", options.mount_error), {" --mount-drift ", options.mount_drift}}) {
    if (!value) continue;
    command += hl_description::formatted("%s%g", option, *value);
  }
  return command;
}

/// Of the tables' page: "localization, walking, cameras wrong by 1 + 0.5 degrees (minibot)".
std::string section_of(const std::string& name, const EvaluationOptions& options) {
  std::string section = name;
  if (!options.only.empty()) section += ", " + options.only;
  if (options.mount_error || options.mount_drift) {
    section += hl_description::formatted(", cameras wrong by %g + %g degrees", options.mount_error.value_or(0.0),
                                         options.mount_drift.value_or(0.0));
  }
  return section + " (" + options.robot + ")";
}

}  // namespace

int main(int argc, char** argv) {
  EvaluationOptions options;
  std::string figures;
  std::vector<std::string> what;
  CLI::App app{
      "Lets whole robots play and compares what they know and do with "
      "the truth. Several at once share their games."};
  std::string names;
  for (const auto& e : evaluations()) names += std::string("\n  ") + e.name + ": " + e.what;
  app.add_option("what", what, "which:" + names)->required();
  app.add_option("--teams", options.teams, "robots per team")->check(CLI::Range(1, 4));
  app.add_option("--games,--trials", options.games, "how many of each")->check(CLI::Range(1, 100000));
  app.add_option("--seed", options.seed, "of the first game; from 10000 on to judge, below to tune");
  app.add_option("--half,--seconds", options.half_time, "s of one half, or of one walk")
      ->check(CLI::Range(10.0, 3600.0));
  app.add_option("--threads", options.threads, "games at the same time")->check(CLI::Range(1, 64));
  app.add_option("--robot", options.robot, "robot of hl_description");
  app.add_option("--only", options.only,
                 "one group of rows, of walking: speeds, start, random, pushes, worlds, contact, kick, zmp; of falls: "
                 "up, pushed, impact; of animation: "
                 "the name of one; "
                 "of localization: walking, unknown, carried, reentry, fall; "
                 "of gazebo: stand, walk, get_up, kick; of model: walking, rolling, belief, team; of planning: worlds, "
                 "kicks, crossing, knowing; "
                 "of goalie: keeper, standing, empty, fast; of compass: heading, turn; of calibration: mounting, "
                 "intrinsics");
  app.add_option("--mount-error", options.mount_error,
                 "degrees, of localization, model, planning: how wrong each camera is mounted, standard deviation")
      ->check(CLI::Range(0.0, 20.0));
  app.add_option("--mount-drift", options.mount_drift, "degrees, how far that wanders off and back")
      ->check(CLI::Range(0.0, 20.0));
  app.add_option("--pictures", options.pictures,
                 "folder; of localization: draws the first walk, of planning: the first trial of each kind, SVG; of "
                 "walking: the ZMP; of camera: what the "
                 "robot saw, believed and did in each trial, text and PNG; of vision: the pictures of each trial, "
                 "labelled");
  app.add_option("--walk", options.walk, "of walking: parameter file of the walk, as tune writes it; else the robot's");
  auto* keep = app.add_option(
      "--keep", options.keep,
      "of localization, localization_camera, model, planning, vision, camera: file in which each trial is kept "
      "and not run again; delete it when the programs have changed");
  app.add_option("--minutes", options.minutes, "then stop; the same command goes on with the trials that are missing")
      ->check(CLI::Range(0.0, 1e5))
      ->needs(keep);
  app.add_option("--tactics", options.tactics,
                 "of striker, striker_keeper, goalie: file with other values of the tactics, as match --against takes; "
                 "to tune, with seeds below 10000");
  app.add_option("--animation", options.animation, "of animation: judges those of this file; else the robot's library");
  app.add_option("--figures", figures, "writes the tables into this Markdown file, e.g. docs/figures.md");
  CLI11_PARSE(app, argc, argv);
  for (const std::string& name : what) {
    if (find_evaluation(name) != nullptr) continue;
    std::fprintf(stderr, "evaluate: nothing is called '%s'; choose from:%s\n", name.c_str(), names.c_str());
    return 2;
  }
  try {
    EvaluationContext context(options);
    const std::string seeds = "seeds from " + std::to_string(options.seed) + " on, one for each trial";
    for (const std::string& name : what) {
      const auto rows = find_evaluation(name)->run(context);
      context.check_groups();
      const std::string table = figure_table(command_of(name, options), seeds, rows);
      std::printf("## %s\n\n%s\n", name.c_str(), table.c_str());
      std::fflush(stdout);
      if (!figures.empty()) write_section(figures, section_of(name, options), table);
    }
    return 0;
  } catch (const Unfinished& e) {
    std::fprintf(stderr, "evaluate: %s\n", e.what());
    return 3;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "evaluate: %s\n", e.what());
    return 2;
  }
}

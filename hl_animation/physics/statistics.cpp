// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <hl_description/robot_config.hpp>
#include <hl_description/robot_model.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fall_stage.hpp"
#include "hl_animation/animation_file.hpp"
#include "installed.hpp"
#include "stage.hpp"

namespace {

using hl_animation::Animation;
using hl_animation::AnimationLibrary;
using hl_animation::FallDirection;
using hl_animation::FallStage;
using hl_animation::Impact;
using hl_animation::Stage;

struct Options {
  std::string robot = "minibot";
  std::string folder;  // empty: the shipped library
  std::string only;
  int runs = 20;
  std::uint64_t seed = 3000;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0.0 : values[values.size() / 2];
}

double largest(const std::vector<double>& values) {
  return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

/// Motions played one after the other; the ball's side for kicks.
struct Row {
  std::vector<std::string> motions;
  enum class Ball { None, Left, Right } ball = Ball::None;
};

std::vector<Row> rows() {
  return {{{"get_up_front"}},
          {{"get_up_back"}},
          {{"roll_left"}},
          {{"roll_right"}},
          {{"roll_left", "get_up_back"}},
          {{"roll_right", "get_up_back"}},
          {{"sit_down"}},
          {{"sit_down", "stand_up"}},
          {{"kick_left"}, Row::Ball::Left},
          {{"kick_right"}, Row::Ball::Right},
          {{"kick_soft_left"}, Row::Ball::Left},
          {{"kick_soft_right"}, Row::Ball::Right},
          {{"dive_left"}},
          {{"dive_right"}},
          {{"dive_center"}}};
}

void print_row(const Row& row, const AnimationLibrary& library, Stage& stage, const Options& options) {
  std::vector<Animation> sequence;
  std::string title;
  for (const auto& name : row.motions) {
    title += (title.empty() ? "`" : " + `") + name + "`";
    const auto found = library.animations.find(name);
    if (found == library.animations.end()) return;  // this robot does not have it
    sequence.push_back(found->second);
  }
  if (title.find(options.only) == std::string::npos) return;
  const bool kick = row.ball != Row::Ball::None;
  stage.set_ball_side(row.ball == Row::Ball::Right ? hl_description::Side::Right : hl_description::Side::Left);
  int good = 0;
  double duration = 0.0;
  std::vector<double> distances;
  for (int i = 0; i < options.runs; ++i) {
    const auto outcome = stage.play(sequence, options.seed + static_cast<std::uint64_t>(i));
    good += outcome.ended_as_declared ? 1 : 0;
    duration = std::max(duration, outcome.duration);
    distances.push_back(outcome.ball_distance);
  }
  std::printf("| %s | %s | %d of %d | %.1f s |", title.c_str(), name(sequence.back().end).c_str(), good, options.runs,
              duration);
  if (kick) {
    std::printf(" ball %.1f m (least %.1f m)", median(distances),
                *std::min_element(distances.begin(), distances.end()));
  }
  std::printf(" |\n");
  std::fflush(stdout);
}

/// Impacts of many falls in one direction.
struct Impacts {
  std::vector<double> head_acceleration, hip_acceleration, head_force, hip_force, lead;
  int up_again = 0;
};

Impacts impacts_of(FallStage& stage, FallDirection direction, const FallStage::MakeReaction& reaction,
                   const AnimationLibrary& library, const Options& options) {
  Impacts all;
  for (int i = 0; i < options.runs; ++i) {
    const Impact impact = stage.fall(direction, reaction, options.seed + static_cast<std::uint64_t>(i));
    all.up_again += stage.get_up(library) ? 1 : 0;
    all.head_acceleration.push_back(impact.head_acceleration);
    all.hip_acceleration.push_back(impact.hip_acceleration);
    all.head_force.push_back(impact.head_force);
    all.hip_force.push_back(impact.hip_force);
    all.lead.push_back(impact.lead);
  }
  return all;
}

void print_falls(FallDirection direction, const AnimationLibrary& library, const hl_description::RobotConfig& config,
                 const hl_description::RobotModel& model, FallStage& stage, const Options& options) {
  const auto name = "fall_" + hl_animation::name(direction);
  if (config.poses.count(name) == 0) return;
  std::map<std::string, double> pose;
  for (const auto& [joint, position] : config.poses.at(name)) {
    if (model.joint_index(joint)) pose[joint] = position;
  }
  const auto stiff = impacts_of(stage, direction, stage.stiff(), library, options);
  const auto print = [&](const char* what, const Impacts& impacts) {
    const auto cell = [](const std::vector<double>& values, const std::vector<double>& reference) {
      std::printf(" %.0f / %.0f", median(values), largest(values));
      if (&values != &reference && median(reference) > 0.0)
        std::printf(" (x %.2f)", median(values) / median(reference));
      std::printf(" |");
    };
    std::printf("| %s | %s | %.2f s |", hl_animation::name(direction).c_str(), what, median(impacts.lead));
    cell(impacts.head_acceleration, stiff.head_acceleration);
    cell(impacts.hip_acceleration, stiff.hip_acceleration);
    cell(impacts.head_force, stiff.head_force);
    cell(impacts.hip_force, stiff.hip_force);
    std::printf(" %d of %d |\n", impacts.up_again, options.runs);
    std::fflush(stdout);
  };
  print("stiff", stiff);
  print("HCM's pose", impacts_of(stage, direction, stage.go(pose), library, options));
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App cli(
      "Plays the library of a robot in physics, every motion many times with noise by seed, and prints the tables of "
      "the\n"
      "README: how often each ends as it declares, how far kicks move the ball, and how hard the robot hits the "
      "ground\n"
      "when it falls stiffly and when it protects itself.\n");
  cli.add_option("--robot", options.robot, "minibot or darwin_op")->capture_default_str();
  cli.add_option("--runs", options.runs, "of each motion")->capture_default_str()->check(CLI::PositiveNumber);
  cli.add_option("--seed", options.seed, "the first")->capture_default_str();
  cli.add_option("--folder", options.folder, "of another library");
  cli.add_option("--only", options.only, "motions whose name has this word");
  CLI11_PARSE(cli, argc, argv);
  try {
    const hl_animation::RobotPlace place(options.robot);
    const auto spec = place.spec();
    const auto library = AnimationLibrary::from_folder(options.folder.empty() ? place.library() : options.folder);
    for (const auto& error : library.errors) std::fprintf(stderr, "statistics: %s\n", error.c_str());
    std::printf("%s, %d runs each, seeds from %llu\n\n", options.robot.c_str(), options.runs,
                static_cast<unsigned long long>(options.seed));
    std::printf("| motion | ends | as declared | takes | |\n|---|---|---|---|---|\n");
    Stage::Params params;
    Stage stage(spec, params);
    params.with_ball = true;
    params.watch = 5.0;  // s, until the ball lies still
    Stage with_ball(spec, params);
    for (const auto& row : rows()) {
      print_row(row, library, row.ball == Row::Ball::None ? stage : with_ball, options);
    }
    std::printf(
        "\n| fall | reaction | lead | head m/s^2 | hip m/s^2 | head N | trunk N | up again |\n"
        "|---|---|---|---|---|---|---|---|\n");
    const auto model = hl_description::RobotModel::from_file(place.urdf());
    const auto config = hl_description::RobotConfig::from_file(place.config());
    FallStage fall_stage(spec, {});
    for (const auto direction : hl_animation::kFallDirections) {
      if (("fall_" + hl_animation::name(direction)).find(options.only) == std::string::npos) continue;
      print_falls(direction, library, config, model, fall_stage, options);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "statistics: %s\n", error.what());
    return 1;
  }
}

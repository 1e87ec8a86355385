// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <hl_description/geometry.hpp>
#include <hl_soccer/belief.hpp>
#include <hl_soccer/game.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hl_match/match.hpp"

namespace hl_match {

/// One robot in one moment of a game, read from a file of `scenarios/`: what
/// the referee and the team mates say, where everything stands, and what must
/// come of it. The robot is whole and in physics; referee and team mates are
/// words only.
struct Scenario {
  struct Opponent {
    hl_description::Pose2 pose;  // map of the robot
  };
  struct Expectation {
    std::string row;                   // of the tactics' table that must be reached
    bool stands = false;               // does not leave its place by more than 0.2 m
    bool turns = false;                // by more than 0.5 rad
    bool own_half = false;             // at the end
    bool nears_ball = false;           // at the end nearer than at the beginning
    bool goal = false;                 // the ball goes into their goal
    std::optional<bool> touches_ball;  // the ball moves by more than 0.1 m
    bool ball_in = false;              // at the end on the field, or in their goal
    std::optional<double> ball_ahead;  // m that the ball is nearer to their goal line at the end, at least
    std::optional<double> off_ball;    // m that it keeps, once there
    std::optional<double> own_goal;    // m from the own goal's centre, at most, at the end
    std::optional<double> off_robots;  // m from every other robot, always
  };

  std::string name, file;
  int line = 0;
  hl_description::Pose2 robot;
  std::optional<Eigen::Vector2d> ball;  // missing = nowhere to be seen
  std::optional<hl_soccer::Role> role;  // given by a person; missing = by the tactics
  bool stops_without_referee = false;
  bool blind = false;                      // sees nothing
  hl_soccer::GameState before, game;       // what the referee says until the robot has its bearings, and then
  std::vector<hl_soccer::TeamMate> mates;  // what they say; a mirrored one is simply wrong
  bool mates_fall_silent = false;          // when the moment begins
  bool referee_falls_silent = false;       // the same
  std::vector<Opponent> opponents;         // stand there
  double seconds = 8.0;                    // of the moment
  Expectation expect;
};

/// Throws std::runtime_error with file, line and remedy.
std::vector<Scenario> read_scenarios(const std::string& path);

/// What was not as expected; empty = all was.
std::vector<std::string> play(const Scenario& scenario, const Match::Params& world, std::uint64_t seed);

}  // namespace hl_match

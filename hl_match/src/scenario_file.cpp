// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <hl_description/yaml_reader.hpp>

#include "scenario.hpp"

namespace hl_match {
namespace {

using Node = hl_description::YamlReader;
using hl_soccer::GamePhase;
using hl_soccer::KickOff;
using hl_soccer::Role;
using hl_soccer::SetPlay;
using hl_soccer::SetPlayPhase;

std::vector<double> numbers(const Node& list, std::size_t count) {
  std::vector<double> result;
  for (const Node& item : list.items(count)) result.push_back(item.number());
  return result;
}

hl_description::Pose2 pose(const Node& list) {
  const auto p = numbers(list, 3);
  return {p[0], p[1], p[2] * M_PI / 180.0};
}

Eigen::Vector2d point(const Node& list) {
  const auto p = numbers(list, 2);
  return {p[0], p[1]};
}

std::optional<double> given(const Node& node, const char* key) {
  return node.has(key) ? std::optional(node[key].number()) : std::nullopt;
}

Role role_of(const Node& node) {
  return node.word<Role>("role",
                         {{"idling", Role::Idling},
                          {"striker", Role::Striker},
                          {"supporter", Role::Supporter},
                          {"defender", Role::Defender},
                          {"goalie", Role::Goalie}},
                         Role::Idling);
}

hl_soccer::GameState game_of(const Node& node) {
  node.only({"phase", "set_play", "set_play_phase", "own", "kick_off", "stopped", "first_half", "penalized",
             "allowed_to_move", "referee", "players"});
  hl_soccer::GameState game;
  game.referee_connected = node.flag("referee", true);
  game.phase = node.word<GamePhase>("phase",
                                    {{"INITIAL", GamePhase::Initial},
                                     {"READY", GamePhase::Ready},
                                     {"SET", GamePhase::Set},
                                     {"PLAYING", GamePhase::Playing},
                                     {"FINISHED", GamePhase::Finished}},
                                    GamePhase::Playing);
  game.set_play = node.word<SetPlay>("set_play",
                                     {{"none", SetPlay::None},
                                      {"shoot_out", SetPlay::PenaltyShoot},
                                      {"timeout", SetPlay::Timeout},
                                      {"free_kick", SetPlay::DirectFreeKick},
                                      {"penalty_kick", SetPlay::PenaltyKick},
                                      {"corner_kick", SetPlay::CornerKick},
                                      {"goal_kick", SetPlay::GoalKick},
                                      {"throw_in", SetPlay::ThrowIn}},
                                     SetPlay::None);
  game.set_play_phase = node.word<SetPlayPhase>(
      "set_play_phase",
      {{"called", SetPlayPhase::Called}, {"prepare", SetPlayPhase::Prepare}, {"execute", SetPlayPhase::Execute}},
      SetPlayPhase::None);
  game.kick_off = node.word<KickOff>(
      "kick_off", {{"own", KickOff::Own}, {"rival", KickOff::Rival}, {"dropped", KickOff::DroppedBall}}, KickOff::None);
  game.own_set_play = node.flag("own", false);
  game.stopped = node.flag("stopped", false);
  game.first_half = node.flag("first_half", true);
  game.penalized = node.flag("penalized", false);
  game.allowed_to_move = node.flag("allowed_to_move", true);
  game.players_per_team = node.integer_in("players", 1, 11, 4);
  game.own_team = 1;
  game.own_player = 2;
  game.seconds_remaining = 300.0;
  for (int number = 1; number <= game.players_per_team; ++number)
    game.own_players.push_back({number, number == 2 && game.penalized, 0.0});
  game.rival_players = game.own_players;
  return game;
}

hl_soccer::TeamMate mate_of(const Node& node) {
  node.only({"number", "role", "pose", "ball", "time_to_ball", "action"});
  hl_soccer::TeamMate mate;
  mate.number = node.integer_in("number", 1, 11, 3);
  mate.role = role_of(node);
  mate.activity = hl_soccer::Activity::Active;
  mate.action = hl_soccer::Action::Positioning;
  if (node.has("pose")) {
    mate.pose = pose(node["pose"]);
    mate.pose_covariance = Eigen::Matrix3d::Identity() * 0.01;
    mate.pose_confidence = 0.9;
  }
  if (node.has("ball")) mate.ball = hl_soccer::BelievedPoint{point(node["ball"]), 0.9};
  mate.time_to_ball = given(node, "time_to_ball");
  return mate;
}

Scenario::Expectation expectation_of(const Node& node, const std::string& name) {
  node.only({"row", "stands", "turns", "own_half", "nears_ball", "goal", "touches_ball", "ball_in", "ball_ahead",
             "off_ball", "own_goal", "off_robots"});
  Scenario::Expectation e;
  e.row = node.text("row", name);
  e.stands = node.flag("stands", false);
  e.turns = node.flag("turns", false);
  e.own_half = node.flag("own_half", false);
  e.nears_ball = node.flag("nears_ball", false);
  e.goal = node.flag("goal", false);
  if (node.has("touches_ball")) e.touches_ball = node["touches_ball"].flag();
  e.ball_in = node.flag("ball_in", false);
  e.ball_ahead = given(node, "ball_ahead");
  e.off_ball = given(node, "off_ball");
  e.own_goal = given(node, "own_goal");
  e.off_robots = given(node, "off_robots");
  return e;
}

Scenario scenario_of(const Node& node, const std::string& file) {
  node.only({"name", "robot", "ball", "role", "without_referee", "blind", "before", "game", "mates", "silent",
             "opponents", "seconds", "expect"});
  Scenario s;
  s.name = node["name"].text();
  s.file = file;
  s.line = node.line();
  s.robot = pose(node["robot"]);
  if (node.has("ball")) s.ball = point(node["ball"]);
  if (node.has("role")) s.role = role_of(node);
  s.stops_without_referee = node.word("without_referee", {{"play", false}, {"stop", true}}, false);
  s.blind = node.flag("blind", false);
  s.game = game_of(node["game"]);
  s.before = node.has("before") ? game_of(node["before"]) : s.game;
  if (!node.has("before")) s.before.allowed_to_move = false;
  // As the referee tells its goalkeeper: other rules hold for it.
  s.before.goalkeeper = s.game.goalkeeper = s.role == Role::Goalie;
  if (node.has("mates"))
    for (const Node& mate : node["mates"].items()) s.mates.push_back(mate_of(mate));
  if (node.has("silent")) {
    for (const Node& who : node["silent"].items())
      s.*who.word<bool Scenario::*>(
             {{"mates", &Scenario::mates_fall_silent}, {"referee", &Scenario::referee_falls_silent}}) = true;
  }
  if (node.has("opponents"))
    for (const Node& opponent : node["opponents"].items()) s.opponents.push_back({pose(opponent)});
  s.seconds = node.number("seconds", s.seconds);
  s.expect = expectation_of(node.has("expect") ? node["expect"] : Node::from_text("{}", file), s.name);
  return s;
}

}  // namespace

std::vector<Scenario> read_scenarios(const std::string& path) {
  const auto file = Node::from_text(Node::read_file(path), path);
  file.only({"scenarios"});
  std::vector<Scenario> scenarios;
  for (const Node& entry : file["scenarios"].items()) scenarios.push_back(scenario_of(entry, path));
  return scenarios;
}

}  // namespace hl_match

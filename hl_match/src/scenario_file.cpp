// SPDX-License-Identifier: Apache-2.0
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "scenario.hpp"

namespace hl_match {
namespace {

using hl_soccer::GamePhase;
using hl_soccer::KickOff;
using hl_soccer::Role;
using hl_soccer::SetPlay;
using hl_soccer::SetPlayPhase;

/// One map of the file: every key must be known.
class Node {
 public:
  Node(const YAML::Node& node, std::string file) : node_(node), file_(std::move(file)) {
    if (!node_.IsMap()) fail("must be a map");
  }
  ~Node() = default;

  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(file_ + ":" + std::to_string(node_.Mark().line + 1) + ": " + what);
  }
  void only(const std::set<std::string>& keys) const {
    for (const auto& entry : node_) {
      const auto key = entry.first.as<std::string>();
      if (keys.count(key) > 0) continue;
      std::string all;
      for (const auto& k : keys) all += (all.empty() ? "" : ", ") + k;
      fail("'" + key + "' is unknown; there are " + all);
    }
  }
  bool has(const char* key) const { return node_[key].IsDefined(); }
  template <class T>
  T get(const char* key, T otherwise) const {
    if (!has(key)) return otherwise;
    try {
      return node_[key].as<T>();
    } catch (const YAML::Exception&) {
      fail(std::string(key) + ": '" + YAML::Dump(node_[key]) + "' is not what belongs there");
    }
  }
  template <class T>
  T word(const char* key, std::initializer_list<std::pair<const char*, T>> words, T otherwise) const {
    if (!has(key)) return otherwise;
    const auto given = get<std::string>(key, "");
    std::string all;
    for (const auto& [name, value] : words) {
      if (given == name) return value;
      all += (all.empty() ? "" : ", ") + std::string(name);
    }
    fail(std::string(key) + ": '" + given + "' is none of " + all);
  }
  std::vector<double> numbers(const char* key, std::size_t count) const {
    const auto list = get<std::vector<double>>(key, {});
    if (list.size() != count) fail(std::string(key) + " needs " + std::to_string(count) + " numbers");
    return list;
  }
  hl_description::Pose2 pose(const char* key) const {
    const auto p = numbers(key, 3);
    return {p[0], p[1], p[2] * M_PI / 180.0};
  }
  const YAML::Node operator[](const char* key) const { return node_[key]; }
  const std::string& file() const { return file_; }
  int line() const { return node_.Mark().line + 1; }

 private:
  YAML::Node node_;
  std::string file_;
};

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
  game.referee_connected = node.get("referee", true);
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
  game.own_set_play = node.get("own", false);
  game.stopped = node.get("stopped", false);
  game.first_half = node.get("first_half", true);
  game.penalized = node.get("penalized", false);
  game.allowed_to_move = node.get("allowed_to_move", true);
  game.players_per_team = node.get("players", 4);
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
  mate.number = node.get("number", 3);
  mate.role = role_of(node);
  mate.activity = hl_soccer::Activity::Active;
  mate.action = hl_soccer::Action::Positioning;
  if (node.has("pose")) {
    mate.pose = node.pose("pose");
    mate.pose_covariance = Eigen::Matrix3d::Identity() * 0.01;
    mate.pose_confidence = 0.9;
  }
  if (node.has("ball")) {
    const auto ball = node.numbers("ball", 2);
    mate.ball = hl_soccer::BelievedPoint{{ball[0], ball[1]}, 0.9};
  }
  if (node.has("time_to_ball")) mate.time_to_ball = node.get("time_to_ball", 0.0);
  return mate;
}

Scenario::Expectation expectation_of(const Node& node, const std::string& name) {
  node.only({"row", "stands", "turns", "own_half", "nears_ball", "goal", "touches_ball", "off_ball", "own_goal",
             "off_robots"});
  Scenario::Expectation e;
  e.row = node.get<std::string>("row", name);
  e.stands = node.get("stands", false);
  e.turns = node.get("turns", false);
  e.own_half = node.get("own_half", false);
  e.nears_ball = node.get("nears_ball", false);
  e.goal = node.get("goal", false);
  if (node.has("touches_ball")) e.touches_ball = node.get("touches_ball", false);
  if (node.has("off_ball")) e.off_ball = node.get("off_ball", 0.0);
  if (node.has("own_goal")) e.own_goal = node.get("own_goal", 0.0);
  if (node.has("off_robots")) e.off_robots = node.get("off_robots", 0.0);
  return e;
}

Scenario scenario_of(const Node& node) {
  node.only({"name", "robot", "ball", "role", "without_referee", "blind", "before", "game", "mates", "silent",
             "opponents", "seconds", "expect"});
  Scenario s;
  s.name = node.get<std::string>("name", "");
  if (s.name.empty()) node.fail("a scenario needs a name");
  s.file = node.file();
  s.line = node.line();
  s.robot = node.pose("robot");
  if (node.has("ball")) {
    const auto ball = node.numbers("ball", 2);
    s.ball = Eigen::Vector2d(ball[0], ball[1]);
  }
  if (node.has("role")) s.role = role_of(node);
  s.stops_without_referee = node.get<std::string>("without_referee", "play") == "stop";
  s.blind = node.get("blind", false);
  if (!node.has("game")) node.fail("'" + s.name + "' needs a game");
  s.game = game_of(Node(node["game"], node.file()));
  s.before = node.has("before") ? game_of(Node(node["before"], node.file())) : s.game;
  if (!node.has("before")) s.before.allowed_to_move = false;
  // As the referee tells its goalkeeper: other rules hold for it.
  s.before.goalkeeper = s.game.goalkeeper = s.role == Role::Goalie;
  for (const auto& mate : node["mates"]) s.mates.push_back(mate_of(Node(mate, node.file())));
  for (const auto& who : node["silent"]) {
    const auto name = who.as<std::string>();
    if (name == "mates")
      s.mates_fall_silent = true;
    else if (name == "referee")
      s.referee_falls_silent = true;
    else
      node.fail("silent: '" + name + "' is none of mates, referee");
  }
  for (const auto& pose : node["opponents"]) {
    const auto p = pose.as<std::vector<double>>();
    if (p.size() != 3) node.fail("an opponent needs three numbers");
    s.opponents.push_back({{p[0], p[1], p[2] * M_PI / 180.0}});
  }
  s.seconds = node.get("seconds", s.seconds);
  s.expect = expectation_of(
      node.has("expect") ? Node(node["expect"], node.file()) : Node(YAML::Load("{}"), node.file()), s.name);
  return s;
}

}  // namespace

std::vector<Scenario> read_scenarios(const std::string& path) {
  YAML::Node file;
  try {
    file = YAML::LoadFile(path);
  } catch (const YAML::Exception& e) {
    throw std::runtime_error(path + ": " + e.what());
  }
  if (!file.IsSequence()) throw std::runtime_error(path + ": must be a list of scenarios");
  std::vector<Scenario> scenarios;
  for (const auto& entry : file) scenarios.push_back(scenario_of(Node(entry, path)));
  return scenarios;
}

}  // namespace hl_match

// SPDX-License-Identifier: Apache-2.0
#include "hl_match/minds.hpp"

#include <filesystem>
#include <hl_description/yaml_reader.hpp>
#include <map>
#include <stdexcept>

namespace hl_match {
namespace {

using hl_behavior::TacticsParams;
using hl_player::Mind;
using hl_soccer::Role;

const std::map<std::string, double TacticsParams::*>& tactics_parameters() {
#define VALUE(name) \
  { #name, &TacticsParams::name }
  static const std::map<std::string, double TacticsParams::*> kTable{
      VALUE(walk_speed),
      VALUE(turn_speed),
      VALUE(get_up_time),
      VALUE(kick_distance),
      VALUE(kick_distance_spread),
      VALUE(kick_direction_spread),
      VALUE(kick_time),
      VALUE(dribble_distance),
      VALUE(aim_tolerance),
      VALUE(dribble_direction_spread),
      VALUE(ball_deceleration),
      VALUE(ball_memory),
      VALUE(told_ball_memory),
      VALUE(rival_memory),
      VALUE(mate_memory),
      VALUE(role_hysteresis),
      VALUE(conflict_time),
      VALUE(deaf_time),
      VALUE(yield_time),
      VALUE(vacancy_time),
      VALUE(formation_hysteresis),
      VALUE(spacing),
      VALUE(soft_spacing),
      VALUE(boundary),
      VALUE(obstacle),
      VALUE(swarm_limit),
      VALUE(supporter_behind),
      VALUE(supporter_beside),
      VALUE(defender_front),
      VALUE(defender_ratio),
      VALUE(goalie_out),
      VALUE(goalie_leave),
      VALUE(dive_horizon),
      VALUE(dive_beside),
      VALUE(dive_reach),
      VALUE(search_turn),
      VALUE(taker_distance),
  };
#undef VALUE
  return kTable;
}

/// Where the players of a team with fixed posts stand, by number from 2; m, map.
const Eigen::Vector2d kPosts[] = {{0.8, 0.0}, {-0.8, 1.3}, {-2.2, -1.0}};

/// A player with a post of its own.
Mind::Advisor at_its_post(int number, int players) {
  return [number, players](const hl_behavior::Knowledge& known, hl_behavior::Behavior& behavior,
                           double now) -> std::optional<hl_behavior::Decision> {
    const auto post_of = [](int n) { return kPosts[static_cast<std::size_t>(n - 2) % std::size(kPosts)]; };
    const auto situation = hl_behavior::assess(known, behavior.params().tactics, now);
    const auto& game = known.game;
    const bool open_play =
        game.phase == hl_soccer::GamePhase::Playing && game.set_play == hl_soccer::SetPlay::None && situation.upright;
    if (!open_play || !situation.pose_known || !situation.ball.known) {
      behavior.set_role(number == 2 ? Role::Striker : number == 3 ? Role::Supporter : Role::Defender);
      return std::nullopt;
    }
    const Eigen::Vector2d post = post_of(number), ball = situation.ball.position;
    bool mine = true;
    for (int other = 2; other <= players; ++other)
      mine = mine && (other == number || (post_of(other) - ball).norm() >= (post - ball).norm());
    behavior.set_role(mine ? Role::Striker : Role::Defender);
    if (mine) return std::nullopt;
    hl_behavior::Decision decision;
    decision.role = Role::Defender;
    decision.action = hl_soccer::Action::Positioning;
    hl_behavior::GoToPose go;
    const Eigen::Vector2d ahead = ball - post;
    go.pose = {post.x(), post.y(), std::atan2(ahead.y(), ahead.x())};
    decision.move = hl_behavior::MoveSkill(go);
    decision.head = hl_behavior::HeadSkill(hl_behavior::LookMode{hl_behavior::HeadMode::Ball});
    return decision;
  };
}

}  // namespace

TacticsParams tactics_from(const std::string& path) {
  using hl_description::YamlReader;
  TacticsParams params;
  for (const auto& [name, value] : YamlReader::from_text(YamlReader::read_file(path), path).entries()) {
    const auto found = tactics_parameters().find(name);
    if (found == tactics_parameters().end()) value.refuse("there is no such parameter");
    params.*found->second = value.number();
  }
  if (const auto bad = params.validate()) throw std::runtime_error(path + ": " + *bad);
  return params;
}

decltype(Match::Params::mind) our_minds(const Match::Params& params) {
  return minds_of(params, {"ours", "ours"});
}

decltype(Match::Params::mind) minds_of(const Match::Params& params, const std::array<std::string, 2>& tactics) {
  std::array<TacticsParams, 2> values;
  for (const std::size_t team : {0, 1}) {
    const std::string& name = tactics[team];
    if (name == "ours" || name == "chaser" || name == "static") continue;
    if (!std::filesystem::is_regular_file(name))
      throw std::runtime_error("there is no tactic '" + name + "': give ours, chaser, static or a parameter file");
    values[team] = tactics_from(name);
  }
  return [files = params.files, field = params.field, players = params.players, tactics, values](int team, int number) {
    const auto side = static_cast<std::size_t>(team);
    Mind::Params mind;
    mind.behavior.tactics = values[side];
    mind.set(field, files->walk.walk);
    mind.behavior.tactics.number = number;
    const bool keeper = number == mind.behavior.tactics.goalie_number && players[side] > 1;
    if (tactics[side] == "chaser" && !keeper) mind.behavior.tactics.role = Role::Striker;
    auto made = std::make_unique<Mind>(*files, mind);
    if (tactics[side] == "static" && !keeper) made->follow(at_its_post(std::max(2, number), players[side]));
    return made;
  };
}

}  // namespace hl_match

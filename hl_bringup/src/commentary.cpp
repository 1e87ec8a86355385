// SPDX-License-Identifier: Apache-2.0
#include "commentary.hpp"

#include <cmath>
#include <hl_description/formatted.hpp>

namespace hl_bringup {
namespace {

using hl_description::formatted;

const SeenPlayer* find(const MatchView& view, const std::string& name) {
  for (const auto& player : view.players)
    if (player.name == name) return &player;
  return nullptr;
}

/// x of the goal a team attacks: team 1 starts on the left.
double goal_of(int team, const hl_description::Field& field) {
  return (team == 1 ? 0.5 : -0.5) * field.length;
}

std::string robot_name(int team, int player) {
  return player == 0 ? team_name(team) : team_name(team) + std::to_string(player);
}

}  // namespace

std::optional<std::string> Commentary::Params::validate() const {
  if (!(reach > 0.0)) return "reach must be positive";
  if (!(shot_speed > rest_speed) || !(rest_speed > 0.0)) return "shot_speed must be above rest_speed, and that above 0";
  if (!(fall_time >= 0.0) || !(stand_time >= 0.0) || !(settle >= 0.0)) return "times must not be negative";
  return std::nullopt;
}

Commentary::Commentary(const Params& params, const hl_description::Field& field) : params_(params), field_(field) {}

std::vector<MatchEvent> Commentary::look(const MatchView& view) {
  std::vector<MatchEvent> events;
  watch_bodies(view, events);
  if (state_ != "PLAYING") {
    ball_at_rest_ = true;  // the referee's helpers carry it about
    owner_.clear();
    candidate_.clear();
    return events;
  }
  watch_shots(view, events);
  watch_owner(view, events);
  return events;
}

void Commentary::watch_owner(const MatchView& view, std::vector<MatchEvent>& events) {
  const SeenPlayer* nearest = nullptr;
  double distance = 1e9, rival_distance = 1e9;
  for (const auto& player : view.players) {
    const double d = std::hypot(player.x - view.ball_x, player.y - view.ball_y);
    if (d >= distance || !player.upright) continue;
    nearest = &player;
    distance = d;
  }
  for (const auto& player : view.players) {
    if (nearest == nullptr || player.team == nearest->team) continue;
    rival_distance = std::min(rival_distance, std::hypot(player.x - view.ball_x, player.y - view.ball_y));
  }
  const bool owns = nearest != nullptr && distance < params_.reach && distance < rival_distance - params_.lead;
  const std::string name = owns ? nearest->name : "";
  if (name != candidate_) {
    candidate_ = name;
    candidate_since_ = view.time;
  }
  if (candidate_.empty() || candidate_ == owner_ || view.time - candidate_since_ < params_.settle) return;
  const bool won = owner_team_ != 0 && owner_team_ != nearest->team;
  owner_ = candidate_;
  owner_team_ = nearest->team;
  events.push_back({view.time, "ball", nearest->team, owner_, owner_ + (won ? " wins the ball" : " has the ball")});
}

void Commentary::watch_shots(const MatchView& view, std::vector<MatchEvent>& events) {
  const double speed = std::hypot(view.ball_vx, view.ball_vy);
  if (speed < params_.rest_speed) ball_at_rest_ = true;
  if (!ball_at_rest_ || speed < params_.shot_speed) return;
  ball_at_rest_ = false;
  const SeenPlayer* shooter = find(view, view.ball_touched_by);
  if (shooter == nullptr) return;
  const double goal = goal_of(shooter->team, field_);
  const double to_goal = std::hypot(goal - view.ball_x, view.ball_y);
  const bool forward = view.ball_vx * goal > 0.0;
  const double crosses = forward ? view.ball_y + view.ball_vy / view.ball_vx * (goal - view.ball_x) : 1e9;
  const bool at_goal = std::abs(crosses) < 0.5 * field_.goal_width;
  const bool own_goal =
      !forward && std::abs(view.ball_y + view.ball_vy / view.ball_vx * (-goal - view.ball_x)) < 0.5 * field_.goal_width;
  events.push_back({view.time, "shot", shooter->team, shooter->name,
                    formatted("%s %s, %.1f m away, %.1f m/s", shooter->name.c_str(),
                              at_goal    ? "shoots at the goal"
                              : own_goal ? "sends the ball towards the own goal"
                              : forward  ? "plays the ball forward"
                                         : "plays the ball back",
                              to_goal, speed)});
}

void Commentary::watch_bodies(const MatchView& view, std::vector<MatchEvent>& events) {
  for (const auto& player : view.players) {
    Body& body = bodies_[player.name];
    const bool down = !player.upright && !player.held;
    if (down == body.down) {
      body.changed.reset();
      continue;
    }
    if (!body.changed) {
      body.changed = view.time;
      body.dived = down && player.down_on_purpose;
    }
    if (view.time - *body.changed < (down ? params_.fall_time : params_.stand_time)) continue;
    body.down = down;
    if (down) {
      body.down_since = *body.changed;
      events.push_back({view.time, body.dived ? "dive" : "fall", player.team, player.name,
                        player.name + (body.dived ? " throws itself down" : " falls")});
    } else {
      events.push_back(
          {view.time, "up", player.team, player.name,
           formatted("%s stands again after %.1f s", player.name.c_str(), *body.changed - body.down_since)});
    }
    body.changed.reset();
  }
}

std::vector<MatchEvent> Commentary::hear(const RefereeWord& word, int kick_off_team) {
  const std::string who = word.player != 0 ? robot_name(word.team, word.player) : "";
  const auto event = [&](const char* kind, const std::string& words) {
    return std::vector<MatchEvent>{{word.time, kind, word.team, who, words}};
  };
  if (word.kind == "state") {
    const std::string before = state_;
    state_ = word.text;
    if (state_ == "READY") return event("ready", "ready: both teams walk to their places");
    if (state_ == "SET") return event("set", "set: everybody stands still");
    if (state_ == "PLAYING" && before == "SET") {
      return {{word.time, "kick-off", kick_off_team, "",
               kick_off_team == 0 ? "dropped ball, both may play" : "kick-off for " + team_name(kick_off_team)}};
    }
    return event("state", "the referee says " + state_);
  }
  if (word.kind == "goal") return event("goal", "GOAL for " + team_name(word.team) + "!");
  if (word.kind == "penalty") return event("penalty", who + " is penalised: " + word.text);
  if (word.kind == "release") return event("release", who + " " + word.text);
  if (word.kind == "foul")
    return event("foul", "foul by " + (who.empty() ? team_name(word.team) : who) + ": " + word.text);
  if (word.kind == "set_play") return event("set_play", word.text);
  if (word.kind == "half") return event("half", word.text);
  if (word.kind == "result") return event("result", word.text);
  return {};
}

std::vector<std::string> Commentary::down() const {
  std::vector<std::string> names;
  for (const auto& [name, body] : bodies_)
    if (body.down) names.push_back(name);
  return names;
}

}  // namespace hl_bringup

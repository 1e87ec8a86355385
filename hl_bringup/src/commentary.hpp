// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_description/field.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "match_view.hpp"

namespace hl_bringup {

/// Tells what happens in a game, one event at a time, from the simulator's truth and the referee's word.
class Commentary {
 public:
  struct Params {
    double reach = 0.45;       // m from a robot to the ball that is its own
    double lead = 0.15;        // m it must be nearer than anybody of the other team
    double settle = 0.4;       // s an owner must hold before it is told
    double shot_speed = 0.6;   // m/s of a ball that was shot
    double rest_speed = 0.35;  // m/s below which it can be shot anew
    double fall_time = 0.3;    // s down that count as a fall
    double stand_time = 0.8;   // s upright that count as standing again
    std::optional<std::string> validate() const;
  };

  Commentary(const Params& params, const hl_description::Field& field);

  /// The game a moment later; truth comes some ten times per second or more.
  std::vector<MatchEvent> look(const MatchView& view);
  /// A word of the referee. `kick_off_team` is the team that has or had the kick-off; 0 = a dropped ball.
  std::vector<MatchEvent> hear(const RefereeWord& word, int kick_off_team);

  int owner_team() const { return owner_team_; }  // 0 = nobody yet
  /// Robots that are down now and have not got up again.
  std::vector<std::string> down() const;

 private:
  struct Body {
    std::optional<double> changed;  // s, since when it differs from what was told
    bool down = false;              // as told
    bool dived = false;
    double down_since = 0.0;  // s
  };

  void watch_owner(const MatchView& view, std::vector<MatchEvent>& events);
  void watch_shots(const MatchView& view, std::vector<MatchEvent>& events);
  void watch_bodies(const MatchView& view, std::vector<MatchEvent>& events);

  Params params_;
  hl_description::Field field_;
  std::string owner_, candidate_;
  int owner_team_ = 0;
  double candidate_since_ = 0.0;  // s
  bool ball_at_rest_ = true;
  std::string state_;  // of the game, as the referee said
  std::map<std::string, Body> bodies_;
};

}  // namespace hl_bringup

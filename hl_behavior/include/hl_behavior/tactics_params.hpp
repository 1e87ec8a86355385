// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "hl_description/field.hpp"
#include "hl_soccer/belief.hpp"

namespace hl_behavior {

/// What to do while no referee is heard.
enum class WithoutReferee : std::uint8_t { Play, Stop, KeepLast };

struct TacticsParams {
  hl_description::Field field;
  int number = 1;                                         // own player number, if the referee does not tell
  int goalie_number = 1;                                  // the team's keeper; 0 = none
  WithoutReferee without_referee = WithoutReferee::Play;  // `allowed_to_move` says the rest
  std::optional<hl_soccer::Role> role;                    // given by a person; nothing = by the tactics

  // The robot: Minibot as measured.
  double walk_speed = 0.35;               // m/s forward, on the way
  double turn_speed = 1.0;                // rad/s
  double get_up_time = 6.0;               // s, of a robot that lies
  double kick_distance = 3.1;             // m, median of our hardest kick
  double kick_distance_spread = 0.15;     // standard deviation as a share of the distance
  double kick_direction_spread = 0.13;    // rad, standard deviation: median error 5 degrees
  double kick_time = 3.0;                 // s, stop, kick, walk on
  double dribble_distance = 0.7;          // m, of a kick in walk
  double dribble_direction_spread = 0.3;  // rad
  double kick_near = 0.08, kick_far = 0.22, kick_inside = 0.01, kick_outside = 0.12;  // m, ball against the feet
  double aim_tolerance = 0.17;      // rad, heading against the way of the kick
  double ball_deceleration = 0.35;  // m/s^2, of a rolling ball

  // Age of knowledge.
  double ball_memory = 3.0;       // s, seen by own eyes
  double told_ball_memory = 1.5;  // s, told by a team mate
  double rival_memory = 2.0;      // s
  double mate_memory = 3.0;       // s without a word: silent
  double model_memory = 1.0;      // s, a model that is older is none
  double pose_sigma = 0.8;        // m, standard deviation beyond which the pose counts as unknown
  double heading_sigma = 0.6;     // rad

  // Roles.
  double role_hysteresis = 0.5;       // s of time to the ball
  double conflict_time = 0.3;         // s two strikers may last, then the higher number yields
  double deaf_time = 1.0;             // s two strikers may last until the lower number yields: the other is deaf
  double yield_time = 2.0;            // s until who yielded may claim again
  double vacancy_time = 1.0;          // s without a striker, then the next one takes it
  double formation_hysteresis = 0.7;  // m of depth between supporter and defender

  // Positions.
  double spacing = 1.0, soft_spacing = 1.5;  // m between own players
  double boundary = 0.3;                     // m, targets stay inside the field by this
  double obstacle = 0.5;                     // m from opponents
  double swarm_limit = 0.8;                  // m, largest offset of a target by the swarm
  double target_hysteresis = 0.15;           // m, a target nearer to the last one than this is the last one
  double rule_distance = 0.75;               // m, of opponents from the ball in a set play, centre circle's radius
  double rule_margin = 0.25;                 // m on top
  double taker_distance = 0.35;              // m behind the ball of who is going to kick it
  double supporter_behind = 1.0, supporter_beside = 1.2;  // m from the ball
  double defender_front = -1.0;                           // m, x a defender does not pass
  double defender_ratio = 0.5;                            // of the way from the own goal to the ball
  double goalie_out = 0.5;                                // m in front of the goal line
  double goalie_leave = 1.5;                              // m, ball this near and nobody nearer: comes out
  double out_margin = 0.15;        // m beyond the line: the ball is out of play, nobody goes there
  double in_play_distance = 0.15;  // m the ball must have moved to be in play

  // Goalie.
  double dive_horizon = 1.7;  // s until the ball passes: dives; the body lies in its way 1.1 s later and stays for 2 s
  double dive_beside = 0.2;   // m beside the robot: dives; below that it squats
  double dive_reach = 1.0;    // m beside: further away a dive does not help

  // Search and unknown pose.
  double look_first = 1.0;        // s standing and looking around when the pose is lost
  double circle_after = 8.0;      // s, then it walks a small circle
  double search_turn = 0.7;       // rad/s on the spot
  double search_turn_time = 9.0;  // s, one turn; then to the own sector

  std::optional<std::string> validate() const;
};

}  // namespace hl_behavior

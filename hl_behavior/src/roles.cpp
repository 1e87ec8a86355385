// SPDX-License-Identifier: Apache-2.0
#include "hl_behavior/roles.hpp"

#include <algorithm>
#include <cmath>

namespace hl_behavior {
namespace {

using Mate = Situation::Mate;

struct Mates {
  const Situation& situation;
  const Mate* begin() const { return situation.mates.data(); }
  const Mate* end() const { return situation.mates.data() + situation.mate_count; }
};

bool is_goalie(const Mate& mate, const TacticsParams& params) {
  return mate.role == Role::Goalie || (mate.number == params.goalie_number && mate.role != Role::Striker);
}

/// Whether `a` goes first: clearly sooner, or about as soon with the lower number.
bool first(double time_a, int number_a, double time_b, int number_b, double band) {
  if (std::abs(time_a - time_b) > band) return time_a < time_b;
  return number_a < number_b;
}

bool strikes(const Situation& s, const TacticsParams& params, Memory& memory, Reasons& reasons) {
  const Mate* claimant = nullptr;  // the best of those who claim to be the striker
  const Mate* best = nullptr;      // the best of all others
  int others = 0;
  for (const Mate& mate : Mates{s}) {
    if (is_goalie(mate, params)) continue;
    ++others;
    const double time = mate.time_to_ball.value_or(1e3);
    if (mate.role == Role::Striker && (claimant == nullptr || time < claimant->time_to_ball.value_or(1e3)))
      claimant = &mate;
    if (best == nullptr || time < best->time_to_ball.value_or(1e3)) best = &mate;
  }
  reasons.add("time to ball", s.time_to_ball, "s");
  if (best != nullptr && best->time_to_ball) reasons.add("best mate's time to ball", *best->time_to_ball, "s");
  if (others == 0) {
    reasons.add("striker because", "nobody else is there");
    memory.conflict_since = memory.vacant_since = -1.0;
    return true;
  }
  if (claimant == nullptr || claimant->number != memory.yielded_to) memory.yielded_to = memory.yields = 0;
  const double theirs = claimant == nullptr ? 1e3 : claimant->time_to_ball.value_or(1e3);
  if (memory.striker) {
    memory.vacant_since = -1.0;
    if (claimant == nullptr) {
      memory.conflict_since = -1.0;
      if (s.time_to_ball > 900.0 && best->time_to_ball && *best->time_to_ball < 900.0) {
        reasons.add("yields because", "a mate knows the ball");
        return false;
      }
      return true;
    }
    if (memory.conflict_since < 0.0) memory.conflict_since = s.now;
    const bool long_enough = s.now - memory.conflict_since > params.conflict_time;
    // Each compares its own present time with an older word of the other, so both may believe to be the nearer one, and
    // whatever band is allowed, both can be on their side of its edge. After a while only the number counts.
    const double told = std::max(0.0, theirs - claimant->age);
    // Who does not hear the other, by loss, will not yield: then the one who hears does, whatever its number.
    const bool deaf = s.now - memory.conflict_since > params.deaf_time;
    // Who claims on although this robot has yielded twice and is still clearly nearer hears nobody or is wrong about
    // its place: better two strikers than none at the ball.
    const bool stubborn = memory.yields >= 2 && s.time_to_ball < told - 2.0 * params.role_hysteresis;
    if (stubborn) {
      reasons.add("striker because", "the other claims on from far away");
      return true;
    }
    const bool stays = long_enough ? s.number < claimant->number && !deaf
                                   : first(s.time_to_ball, s.number, told, claimant->number, params.role_hysteresis);
    if (!stays) {
      memory.yielded_at = s.now;
      memory.yielded_to = static_cast<std::uint8_t>(claimant->number);
      memory.yields = static_cast<std::uint8_t>(std::min(memory.yields + 1, 2));
      memory.conflict_since = -1.0;
      reasons.add("yields because", deaf          ? "the other striker does not hear me"
                                    : long_enough ? "two strikers, lower number stays"
                                                  : "another striker is nearer");
    }
    return stays;
  }
  memory.conflict_since = -1.0;
  const bool may_claim = s.now - memory.yielded_at > params.yield_time;
  if (claimant != nullptr) {
    memory.vacant_since = -1.0;
    // Their word is old: they have come nearer since.
    const bool better = s.time_to_ball < theirs - claimant->age - params.role_hysteresis;
    if (better && may_claim) reasons.add("striker because", "clearly nearer than the present one");
    return better && may_claim;
  }
  if (memory.vacant_since < 0.0) memory.vacant_since = s.now;
  const bool is_first = first(s.time_to_ball, s.number, best->time_to_ball.value_or(1e3), best->number, 0.2);
  if (is_first) {
    reasons.add("striker because", "first at the ball");
    return true;
  }
  int rank = 0;
  for (const Mate& mate : Mates{s}) rank += !is_goalie(mate, params) && mate.number < s.number ? 1 : 0;
  if (s.now - memory.vacant_since > params.vacancy_time + 0.2 * rank) {
    reasons.add("striker because", "nobody took it");
    return true;
  }
  return false;
}

/// Supporter in front, defender behind, by depth; with one of both: by where the ball is.
Role behind_striker(const Situation& s, const TacticsParams& params, Memory& memory, Reasons& reasons) {
  int others = 0, behind_me = 0;
  bool goalie = false;
  for (const Mate& mate : Mates{s}) {
    if (is_goalie(mate, params)) {
      goalie = true;
      continue;
    }
    if (mate.role == Role::Striker) continue;
    ++others;
    const double bias = memory.role == Role::Defender ? -params.formation_hysteresis : 0.0;
    const double theirs = mate.pose ? mate.pose->x : 0.0;
    const double mine = (s.pose_known ? s.pose.x : 0.0) + bias;
    const bool mate_deeper = std::abs(theirs - mine) > 0.1 ? theirs < mine : mate.number < s.number;
    behind_me += mate_deeper ? 1 : 0;
  }
  if (others == 0) {
    if (!goalie) {
      reasons.add("defender because", "the own goal is open");
      return Role::Defender;
    }
    if (!s.ball.known || !s.pose_known) return memory.role == Role::Defender ? Role::Defender : Role::Supporter;
    const double limit = memory.role == Role::Defender ? 0.5 : -0.5;  // m, hysteresis
    const bool back = s.ball.position.x() < limit;
    reasons.add(back ? "defender because" : "supporter because", back ? "ball in the own half" : "ball in their half");
    return back ? Role::Defender : Role::Supporter;
  }
  const bool back = behind_me == 0;
  reasons.add(back ? "defender because" : "supporter because", back ? "deepest" : "a mate is deeper");
  return back ? Role::Defender : Role::Supporter;
}

Role by_situation(const Situation& s, const TacticsParams& params, Memory& memory, Reasons& reasons) {
  if (s.game->set_play == hl_soccer::SetPlay::PenaltyShoot) {
    reasons.add("role because", "shoot-out");
    return s.game->kick_off == hl_soccer::KickOff::Rival ? Role::Goalie : Role::Striker;
  }
  const bool goalie = s.game->goalkeeper || s.number == params.goalie_number;
  if (goalie && s.mate_count > 0) return Role::Goalie;
  if (goalie && s.game->players_per_team != 1 && s.game->referee_connected) {
    // Alone although there should be others: they are silent or out. Only a ball near the own goal is ours then.
    const bool any_free = std::any_of(s.game->own_players.begin(), s.game->own_players.end(),
                                      [&](const auto& p) { return p.number != s.number && !p.penalized; });
    if (any_free) {
      reasons.add("goalie because", "mates are silent but on the field");
      return Role::Goalie;
    }
  } else if (goalie && s.game->players_per_team != 1) {
    return Role::Goalie;
  }
  if (goalie) reasons.add("striker because", "the keeper is the last player");
  if (goalie) return Role::Striker;
  return strikes(s, params, memory, reasons) ? Role::Striker : behind_striker(s, params, memory, reasons);
}

}  // namespace

Role choose_role(const Situation& situation, const TacticsParams& params, Memory& memory, Reasons& reasons) {
  Role role = Role::Idling;
  if (params.role) {
    reasons.add("role because", "a person said so");
    role = *params.role;
  } else if (!situation.penalized) {
    role = by_situation(situation, params, memory, reasons);
  }
  memory.striker = role == Role::Striker;
  memory.role = role;
  return role;
}

}  // namespace hl_behavior

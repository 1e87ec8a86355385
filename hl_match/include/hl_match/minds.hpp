// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <hl_player/mind.hpp>
#include <memory>
#include <string>

#include "hl_match/match.hpp"

namespace hl_match {

/// Our own mind for every player of a match.
decltype(Match::Params::mind) our_minds(const Match::Params& params);

/// The tactics' values with those of a YAML file `name: number` instead. Throws std::runtime_error with file and line
/// if there is no such parameter or a value is bad.
hl_behavior::TacticsParams tactics_from(const std::string& path);

/// How a team plays. All use the same skills, the same eyes and the same keeper.
///   ours     as shipped
///   chaser   everybody but the keeper goes to the ball
///   static   everybody has a post, leaves it only for a ball that is nearer to it than to the others' posts, and
///   returns FILE     ours with the values of a YAML file `name: number`; names as the parameters of the tactics
/// Throws std::runtime_error with the reason if there is no such tactic or file, or a value is bad.
decltype(Match::Params::mind) minds_of(const Match::Params& params, const std::array<std::string, 2>& tactics);

}  // namespace hl_match

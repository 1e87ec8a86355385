// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_player/mind.hpp>
#include <memory>

#include "hl_match/match.hpp"

namespace hl_match {

/// Our own mind for every player of a match.
inline decltype(Match::Params::mind) our_minds(const Match::Params& params) {
  return [files = params.files, field = params.field](int, int number) {
    hl_player::Mind::Params mind;
    mind.set(field, files->walk.walk);
    mind.behavior.tactics.number = number;
    return std::make_unique<hl_player::Mind>(*files, mind);
  };
}

}  // namespace hl_match

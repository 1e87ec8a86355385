// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "hl_walking/params.hpp"
#include "hl_walking/types.hpp"

namespace hl_walking {

/// For trials: a command that changes every 2.5 s: straight ahead, back, aside, turning, mixtures and stops.
Velocity random_command(const Params& params, double time, std::uint64_t seed);

}  // namespace hl_walking

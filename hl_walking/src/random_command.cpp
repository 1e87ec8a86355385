// SPDX-License-Identifier: Apache-2.0
#include "hl_walking/random_command.hpp"

#include <random>

namespace hl_walking {

Velocity random_command(const Params& params, double time, std::uint64_t seed) {
  const auto episode = static_cast<std::uint64_t>(time / 2.5);
  std::mt19937_64 random(seed * 7919 + episode);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const double side = unit(random) > 0.0 ? 1.0 : -1.0;
  switch (std::uniform_int_distribution<int>(0, 6)(random)) {
    case 0:
      return {params.max_forward, 0.0, 0.0};
    case 1:
      return {-params.max_backward, 0.0, 0.0};
    case 2:
      return {0.0, side * params.max_sideways, 0.0};
    case 3:
      return {0.0, 0.0, side * params.max_turn};
    case 4:
      return {};
    default:
      return {params.max_forward * unit(random), params.max_sideways * unit(random), params.max_turn * unit(random)};
  }
}

}  // namespace hl_walking

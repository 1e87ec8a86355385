// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hl_walking/params.hpp>
#include <hl_walking/types.hpp>
#include <iterator>
#include <random>

/// At full speed ahead, back, to a side, on the spot or in a mixture of them, by the seed.
inline hl_walking::Velocity full_speed(const hl_walking::Params& most, unsigned seed, std::mt19937& random) {
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  const double side = uniform(-1, 1) > 0 ? 1.0 : -1.0;
  const hl_walking::Velocity velocities[] = {
      {most.max_forward, 0, 0},
      {-most.max_backward, 0, 0},
      {0, side * most.max_sideways, 0},
      {0, 0, side * most.max_turn},
      {most.max_forward * uniform(-0.5, 1), most.max_sideways * uniform(-1, 1), most.max_turn * uniform(-1, 1)}};
  return velocities[seed % std::size(velocities)];
}

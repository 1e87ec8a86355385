// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

namespace hl_simulation {

/// Noise as a function of where and when, not of how often it was asked for: the same seed, step and channel give the
/// same value, so reading a sensor twice or not at all changes nothing else.
class Noise {
 public:
  Noise(std::uint64_t seed, std::uint64_t robot, std::uint64_t step) : state_(mix(mix(mix(seed) + robot) + step)) {}

  /// Value of the next channel, evenly spread over 0..1.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Standard normal value of the next channel.
  double gaussian() {
    const double u = (static_cast<double>(next() >> 11) + 0.5) * 0x1p-53;
    const double v = uniform();
    return std::sqrt(-2.0 * std::log(u)) * std::cos(6.283185307179586 * v);
  }

 private:
  static std::uint64_t mix(std::uint64_t z) {  // splitmix64
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint64_t next() { return state_ = mix(state_); }

  std::uint64_t state_;
};

}  // namespace hl_simulation

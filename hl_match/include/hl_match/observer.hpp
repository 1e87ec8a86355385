// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "hl_match/match.hpp"

namespace hl_match {

/// What one game tells of the robots' knowledge and decisions, against the
/// truth. Robots without a mind are left out.
class Observer {
 public:
  /// After every tick of the match.
  void look(const Match& match);
  /// At the end.
  void conclude(const Match& match);

  // Localisation: of robots that stand on the field and play, every half
  // second.
  std::vector<double> position_errors,
      heading_errors;  // m, rad; of those that believe to know where they are
  std::size_t pose_samples = 0, pose_unknown = 0, wrong_side = 0;
  // Model: the ball within 4 m.
  std::vector<double> ball_errors;  // m
  std::size_t ball_samples = 0, ball_unknown = 0;
  // Planning.
  std::map<std::string, std::size_t> outcomes;  // of navigate
  std::size_t touching = 0;                     // samples with another robot
  // Behaviour.
  std::array<std::size_t, 4> strikers{};  // samples of a team with 0, 1, 2, more strikers
  double minutes = 0.0;                   // of play, in all robots together
  std::array<int, 2> goals{};
  std::size_t kicks = 0, failed_kicks = 0, falls = 0, penalties = 0, failures = 0;
  double simulated = 0.0;  // s

 private:
  void look_at_robot(const Match& match, std::size_t robot);
  double next_ = 0.0;  // s
};

}  // namespace hl_match

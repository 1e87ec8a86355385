// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "match_view.hpp"

namespace hl_bringup {

enum class Severity { Warning, Failure };

/// What must hold in every game over the real nodes, as far as it can be seen from outside.
class MatchJudge {
 public:
  struct Finding {
    double time = 0.0;  // s
    Severity severity = Severity::Warning;
    std::string rule, text;
  };

  /// `step` counts the physics' steps and only goes back if the world was put back to its start.
  void look(const MatchView& view, std::uint64_t step);
  void hear(const RefereeWord& word);
  /// Who strikes now; two of a team for long is a warning.
  void strikers(const std::map<int, int>& by_team, double time);
  /// How many nodes write the goals of a robot's joints.
  void writers(const std::string& robot, std::size_t count, double time);

  const std::vector<Finding>& findings() const { return findings_; }
  std::size_t failures() const;

 private:
  struct Penalised {
    double since = 0.0;                           // s
    std::optional<std::pair<double, double>> at;  // m, where it stood when it had to stand
  };

  void add(double time, Severity severity, const std::string& rule, const std::string& text);

  std::map<std::string, Penalised> penalised_;
  std::map<std::string, std::pair<double, double>> last_;  // m
  std::map<int, double> two_since_;                        // s by team
  std::set<std::string> told_;                             // each rule and robot once
  std::uint64_t step_ = 0;
  std::vector<Finding> findings_;
};

}  // namespace hl_bringup

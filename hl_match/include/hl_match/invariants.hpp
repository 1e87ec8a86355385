// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "hl_match/timeline.hpp"

namespace hl_match {

class Match;

/// Something that must hold at every tick of every match.
class Invariant {
 public:
  Invariant(std::string name, Severity severity) : name_(std::move(name)), severity_(severity) {}
  virtual ~Invariant() = default;
  Invariant(const Invariant&) = delete;
  Invariant& operator=(const Invariant&) = delete;

  /// Looks at the match after the players have spoken; tells what is wrong
  /// through `fail`.
  virtual void check(Match& match) = 0;
  const std::string& name() const { return name_; }
  Severity severity() const { return severity_; }

 protected:
  /// Notes it, at most once per second for each robot.
  void fail(Match& match, std::size_t robot, const std::string& text);

 private:
  std::string name_;
  Severity severity_;
  std::vector<double> noted_;  // s, by robot
};

/// The list for every match; the README names each with its severity.
std::vector<std::unique_ptr<Invariant>> usual_invariants();

}  // namespace hl_match

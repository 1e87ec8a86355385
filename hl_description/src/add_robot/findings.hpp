// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hl_description {

/// What reading a foreign robot brought to light: all of it, not only the first.
struct Finding {
  enum class Kind {
    Error,     // cannot go on without an answer
    Guess,     // may be wrong; the remedy says how to tell otherwise
    Repaired,  // harmless, and done
  };
  Kind kind;
  int line;  // of the URDF; 0: of the whole robot
  std::string what, remedy;
};

/// The first of them, and how many there are.
std::string some_of(const std::vector<std::string>& names);

class Findings {
 public:
  void error(int line, std::string what, std::string remedy) {
    add(Finding::Kind::Error, line, std::move(what), std::move(remedy));
  }
  void guess(int line, std::string what, std::string remedy) {
    add(Finding::Kind::Guess, line, std::move(what), std::move(remedy));
  }
  void repaired(int line, std::string what) { add(Finding::Kind::Repaired, line, std::move(what), ""); }

  std::size_t errors() const;
  bool any_error() const { return errors() > 0; }
  const std::vector<Finding>& all() const { return all_; }
  /// "FILE:LINE: error: what; remedy: ..." in the order of the lines, errors first.
  std::string text(const std::string& file) const;

 private:
  void add(Finding::Kind kind, int line, std::string what, std::string remedy);
  std::vector<Finding> all_;
};

}  // namespace hl_description

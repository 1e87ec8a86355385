// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace hl_match {

/// What one trial gave: names and their numbers.
using TrialRecord = std::map<std::string, std::vector<double>>;

/// Results of finished trials in a text file, a line each: an evaluation that was stopped goes on where it was, and one
/// that takes hours can be run in parts. Nothing in the file knows whether the program changed meanwhile.
class KeptTrials {
 public:
  /// `what` was run; a file of something else is refused. An empty path keeps nothing. Throws std::runtime_error.
  KeptTrials(const std::string& path, const std::string& what);

  std::optional<TrialRecord> find(std::uint64_t seed) const;
  /// Appends at once; may be called from several threads.
  void keep(std::uint64_t seed, const TrialRecord& record);

 private:
  std::string path_;
  std::map<std::uint64_t, TrialRecord> known_;
  mutable std::mutex mutex_;
};

}  // namespace hl_match

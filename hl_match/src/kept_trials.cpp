// SPDX-License-Identifier: Apache-2.0
#include "hl_match/kept_trials.hpp"

#include <fstream>
#include <iomanip>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace hl_match {
namespace {

/// "seed name count numbers... name count numbers..."; nothing if it was cut off while it was written.
std::optional<std::pair<std::uint64_t, TrialRecord>> trial_from(const std::string& line) {
  std::istringstream in(line);
  std::pair<std::uint64_t, TrialRecord> trial;
  if (!(in >> trial.first)) return std::nullopt;
  std::string name;
  bool ended = false;
  while (in >> name && !(ended = name == "end")) {
    std::size_t count = 0;
    if (!(in >> count) || count > line.size()) return std::nullopt;
    std::vector<double> values(count);
    for (double& value : values)
      if (!(in >> value)) return std::nullopt;
    trial.second[name] = std::move(values);
  }
  if (!ended) return std::nullopt;
  return trial;
}

}  // namespace

KeptTrials::KeptTrials(const std::string& path, const std::string& what) : path_(path) {
  if (path_.empty()) return;
  std::ifstream in(path_);
  std::string line;
  if (in && std::getline(in, line)) {
    if (line != what) throw std::runtime_error(path_ + ": keeps trials of '" + line + "', not of '" + what + "'");
    bool cut = false;
    while (std::getline(in, line)) {
      cut = in.eof();
      if (auto trial = trial_from(line)) known_.insert_or_assign(trial->first, std::move(trial->second));
    }
    if (cut) std::ofstream(path_, std::ios::app) << "\n";
    return;
  }
  std::ofstream out(path_);
  out << what << "\n";
  if (!out) throw std::runtime_error(path_ + ": cannot be written");
}

std::optional<TrialRecord> KeptTrials::find(std::uint64_t seed) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = known_.find(seed);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

void KeptTrials::keep(std::uint64_t seed, const TrialRecord& record) {
  if (path_.empty()) return;
  std::ostringstream line;
  line << std::setprecision(std::numeric_limits<double>::max_digits10) << seed;
  for (const auto& [name, values] : record) {
    line << " " << name << " " << values.size();
    for (const double value : values) line << " " << value;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  std::ofstream out(path_, std::ios::app);
  out << line.str() << " end\n" << std::flush;
  if (!out) throw std::runtime_error(path_ + ": cannot be written");
}

}  // namespace hl_match

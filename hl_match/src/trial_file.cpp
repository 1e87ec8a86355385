// SPDX-License-Identifier: Apache-2.0
#include "hl_match/trial_file.hpp"

#include <cstdio>
#include <sstream>

namespace hl_match {

TrialFile::TrialFile(const std::string& path, const std::string& setting) {
  const std::string heading = "trials of: " + setting;
  std::ifstream in(path);
  std::string line;
  const bool begun = static_cast<bool>(std::getline(in, line));
  if (begun && line != heading) throw std::runtime_error(path + " has " + line + ", not of: " + setting);
  while (std::getline(in, line)) {
    if (in.eof()) continue;  // cut off while it was written
    std::istringstream words(line);
    std::string kind, number;
    std::uint64_t seed = 0;
    std::getline(words, kind, '\t');
    words >> seed;
    std::vector<double>& numbers = trials_[{kind, seed}];
    numbers.clear();
    while (words >> number) numbers.push_back(std::stod(number));
  }
  in.close();
  out_.open(path, std::ios::app);
  if (!begun) out_ << heading << std::endl;
  if (!out_) throw std::runtime_error("cannot write " + path);
}

const std::vector<double>* TrialFile::find(const std::string& kind, std::uint64_t seed) const {
  const auto found = trials_.find({kind, seed});
  return found == trials_.end() ? nullptr : &found->second;
}

void TrialFile::add(const std::string& kind, std::uint64_t seed, const std::vector<double>& numbers) {
  out_ << kind << '\t' << seed;
  char text[32];
  for (const double number : numbers) {
    std::snprintf(text, sizeof text, " %.17g", number);
    out_ << text;
  }
  out_ << std::endl;
  if (!out_) throw std::runtime_error("the file of trials cannot be written any more");
  trials_[{kind, seed}] = numbers;
}

}  // namespace hl_match

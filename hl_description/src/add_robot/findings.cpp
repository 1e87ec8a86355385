// SPDX-License-Identifier: Apache-2.0
#include "findings.hpp"

#include <algorithm>

namespace hl_description {
namespace {

constexpr std::size_t kMost = 200;  // a file with more is no robot

}  // namespace

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 4;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i) text += (i ? ", " : "") + names[i];
  return text + (names.size() > kShown ? ", ... (" + std::to_string(names.size()) + ")" : "");
}

void Findings::add(Finding::Kind kind, int line, std::string what, std::string remedy) {
  if (all_.size() < kMost || kind == Finding::Kind::Error)
    all_.push_back({kind, line, std::move(what), std::move(remedy)});
}

std::size_t Findings::errors() const {
  return static_cast<std::size_t>(std::count_if(
      all_.begin(), all_.end(), [](const Finding& finding) { return finding.kind == Finding::Kind::Error; }));
}

std::string Findings::text(const std::string& file) const {
  std::vector<Finding> sorted = all_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Finding& a, const Finding& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.line < b.line;
  });
  std::string text;
  for (const Finding& finding : sorted) {
    const char* kind = finding.kind == Finding::Kind::Error   ? "error"
                       : finding.kind == Finding::Kind::Guess ? "guessed"
                                                              : "repaired";
    text += file + ":" + (finding.line > 0 ? std::to_string(finding.line) + ":" : "") + " " + kind + ": " +
            finding.what + (finding.remedy.empty() ? "" : "; remedy: " + finding.remedy) + "\n";
  }
  return text;
}

}  // namespace hl_description

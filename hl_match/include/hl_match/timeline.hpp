// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hl_match {

enum class Severity : std::uint8_t { Note, Warning, Failure };
const char* name_of(Severity severity);

/// Something that happened.
struct Event {
  double time = 0.0;  // s
  Severity severity = Severity::Note;
  std::string kind;  // "goal", "penalty", "fall", "kick", "word", ... or the
                     // name of an invariant
  int team = 0;      // number; 0 = concerns none
  int player = 0;
  std::string text;
};

/// All that happened in a match, in order.
class Timeline {
 public:
  void add(Event event) { events_.push_back(std::move(event)); }
  const std::vector<Event>& events() const { return events_; }
  std::size_t count(const std::string& kind) const;
  std::size_t count(const std::string& kind, int team) const;
  std::size_t count(Severity at_least) const;

 private:
  std::vector<Event> events_;
};

/// One line of JSON, without the line break.
std::string json_line(const Event& event);

}  // namespace hl_match

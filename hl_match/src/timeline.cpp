// SPDX-License-Identifier: Apache-2.0
#include "hl_match/timeline.hpp"

#include <algorithm>
#include <hl_description/formatted.hpp>

namespace hl_match {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += hl_description::formatted("\\u%04x", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

const char* name_of(Severity severity) {
  static constexpr const char* kNames[] = {"note", "warning", "failure"};
  return kNames[static_cast<std::size_t>(severity)];
}

std::size_t Timeline::count(const std::string& kind) const {
  return static_cast<std::size_t>(
      std::count_if(events_.begin(), events_.end(), [&](const Event& e) { return e.kind == kind; }));
}

std::size_t Timeline::count(const std::string& kind, int team) const {
  return static_cast<std::size_t>(
      std::count_if(events_.begin(), events_.end(), [&](const Event& e) { return e.kind == kind && e.team == team; }));
}

std::size_t Timeline::count(Severity at_least) const {
  return static_cast<std::size_t>(
      std::count_if(events_.begin(), events_.end(), [&](const Event& e) { return e.severity >= at_least; }));
}

std::string json_line(const Event& event) {
  const std::string time = hl_description::formatted("%.2f", event.time);
  return std::string("{\"time\": ") + time + ", \"severity\": \"" + name_of(event.severity) +
         "\", \"kind\": " + quoted(event.kind) + ", \"team\": " + std::to_string(event.team) +
         ", \"player\": " + std::to_string(event.player) + ", \"text\": " + quoted(event.text) + "}";
}

}  // namespace hl_match

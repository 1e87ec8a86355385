// SPDX-License-Identifier: Apache-2.0
#include "hl_game_controller/game_log.hpp"

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace hl_game_controller {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (code < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", code);
      result += escape;
    } else {
      result += c;
    }
  }
  return result + '"';
}

}  // namespace

std::string json_line(const GameEvent& event) {
  std::ostringstream line;
  line.precision(3);
  line << std::fixed << "{\"time\": " << event.time << ", \"event\": " << quoted(event.kind)
       << ", \"team\": " << static_cast<int>(event.team) << ", \"player\": " << static_cast<int>(event.player)
       << ", \"text\": " << quoted(event.text) << "}";
  return line.str();
}

std::string GameReport::text(const Referee& referee) const {
  const auto& teams = referee.params().teams;
  std::ostringstream report;
  report << "# " << teams[0].name << " " << referee.score(0) << " : " << referee.score(1) << " " << teams[1].name
         << "\n\n| | " << teams[0].name << " | " << teams[1].name << " |\n|---|---|---|\n";
  for (const auto* kind : {"goal", "set_play", "penalty", "foul"}) {
    report << "| " << kind;
    for (const auto& team : teams) {
      report << " | " << std::count_if(events_.begin(), events_.end(), [&](const GameEvent& event) {
        return event.kind == kind && event.team == team.number;
      });
    }
    report << " |\n";
  }
  report << "\n";
  for (const auto& event : events_) {
    if (event.kind != "goal" && event.kind != "penalty" && event.kind != "half" && event.kind != "result") continue;
    char time[32];
    const auto seconds = static_cast<long>(event.time);
    std::snprintf(time, sizeof time, "%02ld:%02ld", seconds / 60, seconds % 60);
    report << "- " << time << " " << event.kind;
    if (event.team != 0) report << ", team " << static_cast<int>(event.team);
    if (event.player != 0) report << ", player " << static_cast<int>(event.player);
    report << ": " << event.text << "\n";
  }
  return report.str();
}

}  // namespace hl_game_controller

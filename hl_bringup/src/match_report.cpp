// SPDX-License-Identifier: Apache-2.0
#include "match_report.hpp"

#include <algorithm>
#include <cmath>
#include <hl_description/formatted.hpp>
#include <map>

namespace hl_bringup {
namespace {

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string clock_text(double seconds) {
  const int whole = static_cast<int>(seconds);
  return hl_description::formatted("%d:%04.1f", whole / 60, seconds - 60 * (whole / 60));
}

constexpr const char* kStyle = R"(
body{font:15px/1.45 system-ui,sans-serif;color:#1c2733;background:#f4f6f8;margin:0}
main{max-width:1080px;margin:0 auto;padding:24px}
h1{font-size:22px;margin:0 0 4px}h2{font-size:17px;margin:28px 0 8px}
.card{background:#fff;border:1px solid #dde3e9;border-radius:8px;padding:16px;overflow-x:auto}
.score{display:flex;align-items:center;justify-content:center;gap:28px;font-size:40px;font-weight:700}
.blue{color:#1f4fbf}.red{color:#c22525}.soft{color:#66727e}
table{border-collapse:collapse;width:100%}th,td{padding:4px 7px;text-align:right;border-bottom:1px solid #e8edf1;white-space:nowrap}
th{font-weight:600;color:#66727e}th:first-child,td:first-child,td.text{text-align:left}td.text{white-space:normal}
.bar{display:flex;height:26px;border-radius:6px;overflow:hidden;color:#fff;font-weight:600}
.bar div{display:flex;align-items:center;justify-content:center;min-width:44px}
.maps{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:14px}
figure{margin:0}figcaption{font-weight:600;margin-bottom:4px}svg{width:100%;height:auto;display:block}
img{max-width:100%;border-radius:6px}
)";

const char* colour_of(int team) {
  return team == 1 ? "#1f4fbf" : team == 2 ? "#c22525" : "#444f59";
}

const char* class_of(int team) {
  return team == 1 ? "blue" : team == 2 ? "red" : "soft";
}

/// The lines of the field, in metres around its centre.
void draw_field(std::string& page, const hl_description::Field& f) {
  const double l = 0.5 * f.length, w = 0.5 * f.width;
  page += hl_description::formatted("<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f' fill='#2f7d3b'/>", -l - 1.0,
                                    -w - 1.0, f.length + 2.0, f.width + 2.0);
  page += hl_description::formatted("<g fill='none' stroke='#fff' stroke-opacity='.8' stroke-width='.05'>");
  page += hl_description::formatted("<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f'/>", -l, -w, f.length, f.width);
  page += hl_description::formatted("<path d='M0 %.2fV%.2f'/><circle r='%.2f'/>", -w, w, 0.5 * f.circle_diameter);
  for (const double side : {-1.0, 1.0}) {
    for (const auto& [length, width] :
         {std::pair{f.goal_area_length, f.goal_area_width}, std::pair{f.penalty_area_length, f.penalty_area_width}}) {
      page += hl_description::formatted("<rect x='%.2f' y='%.2f' width='%.2f' height='%.2f'/>",
                                        side < 0 ? -l : l - length, -0.5 * width, length, width);
    }
    page += hl_description::formatted("<rect x='%.2f' y='%.2f' width='.6' height='%.2f' stroke='#ffe680'/>",
                                      side < 0 ? -l - 0.6 : l, -0.5 * f.goal_width, f.goal_width);
  }
  page += "</g>";
}

void draw_heat(std::string& page, const std::string& caption, const HeatMap& heat, const char* colour,
               const hl_description::Field& f) {
  page += hl_description::formatted("<figure><figcaption style='color:%s'>%s</figcaption>", colour,
                                    escaped(caption).c_str());
  page += hl_description::formatted("<svg viewBox='%.2f %.2f %.2f %.2f'>", -0.5 * f.length - 1.0, -0.5 * f.width - 1.0,
                                    f.length + 2.0, f.width + 2.0);
  draw_field(page, f);
  const int most = std::max(1, heat.most());
  page += "<g fill='#ffd34d'>";
  for (int row = 0; row < HeatMap::kRows; ++row) {
    for (int column = 0; column < HeatMap::kColumns; ++column) {
      const int count = heat.at(column, row);
      if (count == 0) continue;
      // The square root shows ways beside places where somebody stood for minutes. The picture's y points down.
      page += hl_description::formatted("<rect x='%.2f' y='%.2f' width='.25' height='.25' fill-opacity='%.2f'/>",
                                        (column - HeatMap::kColumns / 2) * HeatMap::kCell,
                                        -(row - HeatMap::kRows / 2 + 1) * HeatMap::kCell,
                                        0.15 + 0.85 * std::sqrt(static_cast<double>(count) / most));
    }
  }
  page += "</g></svg></figure>\n";
}

/// Marks along the time of the game, one lane for each kind.
void draw_timeline(std::string& page, const MatchRecord& record) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> lanes{
      {"referee", {"kick-off", "set", "ready", "goal", "set_play", "half"}},
      {"ball", {"ball"}},
      {"shots", {"shot"}},
      {"falls", {"fall", "dive", "up"}},
      {"penalties", {"penalty", "release", "foul"}}};
  constexpr double kLeft = 80.0, kWidth = 900.0, kLane = 26.0;
  const double end = std::max(1.0, record.simulated);
  page += hl_description::formatted("<svg viewBox='0 0 1000 %.0f' font-size='12'>",
                                    kLane * static_cast<double>(lanes.size()) + 30.0);
  for (std::size_t n = 0; n < lanes.size(); ++n) {
    const double y = kLane * (static_cast<double>(n) + 0.5);
    page += hl_description::formatted("<text x='0' y='%.1f' fill='#66727e'>%s</text>", y + 4.0, lanes[n].first.c_str());
    page += hl_description::formatted("<path d='M%.0f %.1fh%.0f' stroke='#e1e7ec'/>", kLeft, y, kWidth);
    for (const auto& event : record.events) {
      const auto& kinds = lanes[n].second;
      if (std::find(kinds.begin(), kinds.end(), event.kind) == kinds.end()) continue;
      const double x = kLeft + kWidth * std::clamp(event.time / end, 0.0, 1.0);
      const bool goal = event.kind == "goal";
      page += hl_description::formatted("<circle cx='%.1f' cy='%.1f' r='%.0f' fill='%s' fill-opacity='%s'><title>", x,
                                        y, goal ? 9.0 : 5.0, colour_of(event.team),
                                        event.kind == "up" || event.kind == "release" ? ".35" : "1");
      page += clock_text(event.time) + " " + escaped(event.text) + "</title></circle>";
    }
  }
  const double y = kLane * static_cast<double>(lanes.size()) + 14.0;
  const double step = end > 300.0 ? 60.0 : end > 100.0 ? 30.0 : 10.0;
  for (double t = 0.0; t <= end; t += step) {
    page += hl_description::formatted("<text x='%.1f' y='%.1f' text-anchor='middle' fill='#66727e'>%.0f s</text>",
                                      kLeft + kWidth * t / end, y, t);
  }
  page += "</svg>\n";
}

void write_robots(std::string& page, const MatchStatistics& statistics) {
  page +=
      "<table><tr><th>robot</th><th>way</th><th>upright</th><th>shots</th><th>falls</th><th>dives</th><th>got up</th>"
      "<th>penalties</th><th>position error<br>median / 95 %</th><th>pose<br>unknown</th><th>age of the ball<br>behind "
      "decisions<br>median / 95 %</th></tr>\n";
  for (const auto& [name, robot] : statistics.robots()) {
    page += hl_description::formatted(
        "<tr><td class='%s'>%s</td><td>%.1f m</td><td>%.0f "
        "%%</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td><td>%d</td>",
        class_of(robot.team), escaped(name).c_str(), robot.way,
        robot.seen > 0.0 ? 100.0 * robot.upright / robot.seen : 0.0, robot.shots, robot.falls, robot.dives,
        robot.recoveries, robot.penalties);
    if (robot.position_error.size() == 0) {
      page += "<td>never known</td>";
    } else {
      page += hl_description::formatted("<td>%.2f / %.2f m</td>", robot.position_error.percentile(0.5),
                                        robot.position_error.percentile(0.95));
    }
    page += hl_description::formatted("<td>%.1f %%</td>", robot.pose_samples > 0
                                                              ? 100.0 * static_cast<double>(robot.pose_unknown) /
                                                                    static_cast<double>(robot.pose_samples)
                                                              : 0.0);
    if (robot.data_age.size() == 0) {
      page += "<td>not heard</td></tr>\n";
    } else {
      page += hl_description::formatted("<td>%.0f / %.0f ms</td></tr>\n", 1e3 * robot.data_age.percentile(0.5),
                                        1e3 * robot.data_age.percentile(0.95));
    }
  }
  page += "</table>\n";
}

void write_processes(std::string& page, const MatchRecord& record) {
  if (record.processes.empty()) return;
  page +=
      "<h2>CPU per process</h2><div class='card'><table><tr><th>process</th><th>CPU time</th><th>per simulated "
      "second</th><th>of a core, in real time</th></tr>\n";
  double sum = 0.0;
  const auto row = [&](const std::string& name, double cpu) {
    page += hl_description::formatted("<tr><td>%s</td><td>%.1f s</td><td>%.1f ms</td><td>%.0f %%</td></tr>\n",
                                      escaped(name).c_str(), cpu, 1e3 * cpu / std::max(1e-9, record.simulated),
                                      100.0 * cpu / std::max(1e-9, record.real));
  };
  for (const auto& process : record.processes) {
    row(process.name, process.cpu);
    sum += process.cpu;
  }
  row("all", sum);
  page += "</table></div>\n";
}

}  // namespace

std::string match_report(const MatchRecord& record, const MatchStatistics& statistics, const MatchJudge& judge,
                         const hl_description::Field& field) {
  std::string page = "<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><title>match report</title><style>";
  page += kStyle;
  page += "</style></head><body><main>\n<h1>" + escaped(record.title) + "</h1>\n";
  page += hl_description::formatted("<p class='soft'>%.0f s simulated in %.0f s, %.2f x real time. %s</p>\n",
                                    record.simulated, record.real, record.simulated / std::max(1e-9, record.real),
                                    escaped(record.eyes).c_str());
  page += hl_description::formatted(
      "<div class='card score'><span class='blue'>blue</span><span>%d : %d</span><span class='red'>red</span></div>\n",
      record.score[0], record.score[1]);
  page += kStripPlace;
  page += "\n<h2>Timeline</h2><div class='card'>";
  draw_timeline(page, record);
  page += "</div>\n";

  const double blue = 100.0 * statistics.possession(1), red = 100.0 * statistics.possession(2);
  page += "<h2>Possession</h2><div class='card'>";
  if (blue + red > 0.0) {
    page += hl_description::formatted(
        "<div class='bar'><div style='background:#1f4fbf;flex:%.1f'>%.0f %%</div><div "
        "style='background:#c22525;flex:%.1f'>%.0f %%</div></div>",
        blue, blue, red, red);
  }
  page += hl_description::formatted("<p class='soft'>%.0f s of play; the ball went %.1f m.</p></div>\n",
                                    statistics.played(), statistics.ball_way());

  page += "<h2>Robots</h2><div class='card'>";
  write_robots(page, statistics);
  page += "</div>\n<h2>Where they were</h2><div class='maps'>\n";
  draw_heat(page, "ball", statistics.ball(), "#444f59", field);
  for (const auto& [name, robot] : statistics.robots()) draw_heat(page, name, robot.heat, colour_of(robot.team), field);
  page += "</div>\n<p class='soft'>Blue attacks to the right.</p>\n";

  page += "<h2>Rules that must hold</h2><div class='card'>";
  if (judge.findings().empty() && record.lying.empty()) page += "Nothing was broken, nobody was left lying.";
  for (const auto& name : record.lying) page += "<p><b>failure</b> " + escaped(name) + " was left lying</p>";
  for (const auto& finding : judge.findings()) {
    page += "<p><b>" + std::string(finding.severity == Severity::Failure ? "failure" : "warning") + "</b> " +
            clock_text(finding.time) + " " + escaped(finding.rule) + ": " + escaped(finding.text) + "</p>";
  }
  page += "</div>\n";
  write_processes(page, record);

  page += "<h2>What happened</h2><div class='card'><table><tr><th>time</th><th></th><th></th></tr>\n";
  for (const auto& event : record.events) {
    page += "<tr><td>" + clock_text(event.time) + "</td><td class='text " + class_of(event.team) + "'>" +
            escaped(event.kind) + "</td><td class='text'>" + escaped(event.text) + "</td></tr>\n";
  }
  page += "</table></div>\n</main></body></html>\n";
  return page;
}

}  // namespace hl_bringup

// SPDX-License-Identifier: Apache-2.0
// Starts a game of match.launch.xml, tells what happens, judges it and writes the match report.
#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <hl_description/formatted.hpp>
#include <hl_node/command_line.hpp>
#include <rclcpp/rclcpp.hpp>
#include <string>

#include "match_report.hpp"
#include "match_watcher.hpp"
#include "node_process.hpp"

namespace {

using hl_bringup::MatchEvent;
using hl_bringup::MatchWatcher;
using Clock = std::chrono::steady_clock;

constexpr double kAfterGoal = 3.0;  // s the film goes on
constexpr double kToGetUp = 30.0;   // s for whoever lies at the end

struct Options {
  std::string referee_log, title = "blue against red", eyes, report, events;
  int players = 2, goals = 1;
  double minutes = 10.0, patience = 180.0;
  pid_t launch = 0;
};

std::string clock_text(double seconds) {
  const int whole = static_cast<int>(std::max(0.0, seconds));
  return hl_description::formatted("%2d:%04.1f", whole / 60, std::max(0.0, seconds) - 60 * (whole / 60));
}

std::string quoted(const std::string& text) {
  std::string safe = "\"";
  for (const char c : text) safe += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return safe + "\"";
}

class Commentator {
 public:
  Commentator(const rclcpp::Node::SharedPtr& node, const Options& options, const hl_description::Field& field)
      : options_(options), field_(field), watcher_(node, options.players, options.referee_log, field) {
    executor_.add_node(node);
  }

  /// True if all went as it should.
  bool run() {
    if (!wait_until_ready()) return false;
    start_ = *watcher_.time();
    real_start_ = Clock::now();
    for (const auto& process : hl_bringup::processes_below(options_.launch))
      cpu_before_[process.pid] = hl_bringup::cpu_time_of(process.pid);
    std::printf("%s\n%s\n\n", options_.title.c_str(), options_.eyes.c_str());
    watcher_.referee("start");
    const bool played = play();
    const double end = *watcher_.time();
    measure(end);
    wait_for_those_who_lie();
    record_.lying = watcher_.commentary().down();
    return tell_result(played);
  }

 private:
  double now() const { return *watcher_.time(); }

  bool spin() {
    executor_.spin_once(std::chrono::milliseconds(20));
    const auto time = watcher_.time();
    if (time && *time != last_time_) {
      last_time_ = *time;
      news_at_ = Clock::now();
    }
    for (auto& event : watcher_.take_events()) tell(event);
    return rclcpp::ok() && std::chrono::duration<double>(Clock::now() - news_at_).count() < options_.patience;
  }

  void tell(const MatchEvent& event) {
    if (event.kind == "half" || event.kind == "result") return;  // of a game that ends with the first goal
    record_.events.push_back(event);
    record_.events.back().time = std::max(0.0, event.time - start_);
    std::string text = event.text;
    if (event.kind == "goal")
      text += "  blue " + std::to_string(watcher_.goals(1)) + " : " + std::to_string(watcher_.goals(2)) + " red";
    std::printf("%s  %s\n", clock_text(record_.events.back().time).c_str(), text.c_str());
    std::fflush(stdout);
  }

  bool wait_until_ready() {
    const auto end = Clock::now() + std::chrono::duration<double>(options_.patience);
    std::string told;
    for (;;) {
      executor_.spin_once(std::chrono::milliseconds(20));
      watcher_.take_events();
      const std::string missing = watcher_.missing();
      if (missing.empty()) break;
      if (!rclcpp::ok() || Clock::now() > end) {
        std::printf("the match cannot begin: still waiting for %s\n", missing.c_str());
        return false;
      }
      const std::string kind = missing.substr(0, missing.find(' '));
      if (kind != told) std::printf("waiting for %s\n", missing.c_str());
      std::fflush(stdout);
      told = kind;
    }
    news_at_ = Clock::now();
    return true;
  }

  /// True if the game came to its end.
  bool play() {
    std::optional<double> whistle;  // s, when the wanted goal fell
    for (;;) {
      if (!spin()) {
        std::printf("the simulator went silent\n");
        return false;
      }
      if (!whistle && options_.goals > 0 && watcher_.goals(1) + watcher_.goals(2) >= options_.goals) whistle = now();
      if (whistle && now() - *whistle >= kAfterGoal) return true;
      if (now() - start_ >= 60.0 * options_.minutes || watcher_.over()) return true;
    }
  }

  /// A robot that fell in the last seconds has a right to get up.
  void wait_for_those_who_lie() {
    const double end = now() + kToGetUp;
    while (!watcher_.commentary().down().empty() && now() < end && spin()) {
    }
  }

  void measure(double end) {
    record_.simulated = end - start_;
    record_.real = std::chrono::duration<double>(Clock::now() - real_start_).count();
    for (const auto& process : hl_bringup::processes_below(options_.launch)) {
      record_.processes.push_back({process.name, hl_bringup::cpu_time_of(process.pid) - cpu_before_[process.pid]});
    }
    std::sort(record_.processes.begin(), record_.processes.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
  }

  bool tell_result(bool played) {
    record_.title = options_.title;
    record_.eyes = options_.eyes;
    record_.score = {watcher_.goals(1), watcher_.goals(2)};
    std::stable_sort(record_.events.begin(), record_.events.end(),
                     [](const MatchEvent& a, const MatchEvent& b) { return a.time < b.time; });
    const auto& judge = watcher_.judge();
    std::printf("\nblue %d : %d red after %.0f s of simulated time\n", record_.score[0], record_.score[1],
                record_.simulated);
    for (const auto& finding : judge.findings()) {
      std::printf("%s at %s: %s: %s\n", finding.severity == hl_bringup::Severity::Failure ? "FAILURE" : "warning",
                  clock_text(finding.time - start_).c_str(), finding.rule.c_str(), finding.text.c_str());
    }
    for (const auto& name : record_.lying) std::printf("FAILURE: %s was left lying\n", name.c_str());
    double cpu = 0.0;
    for (const auto& process : record_.processes) cpu += process.cpu;
    std::printf("%.2f x real time (%.0f s)", record_.simulated / record_.real, record_.real);
    if (cpu > 0.0) std::printf("; %.2f s of CPU time for each simulated second", cpu / record_.simulated);
    std::printf("\n");
    const bool well = played && judge.failures() == 0 && record_.lying.empty();
    const bool written = write_report() && write_events(well);
    return well && written;
  }

  bool write_report() const {
    if (options_.report.empty()) return true;
    std::ofstream file(options_.report);
    file << hl_bringup::match_report(record_, watcher_.statistics(), watcher_.judge(), field_);
    if (!file) std::printf("cannot write '%s': does its folder exist?\n", options_.report.c_str());
    return static_cast<bool>(file);
  }

  bool write_events(bool well) const {
    if (options_.events.empty()) return true;
    std::ofstream file(options_.events);
    for (const auto& event : record_.events) {
      file << "{\"time\": " << event.time << ", \"event\": " << quoted(event.kind) << ", \"team\": " << event.team
           << ", \"robot\": " << quoted(event.who) << ", \"text\": " << quoted(event.text) << "}\n";
    }
    file << "{\"result\": [" << record_.score[0] << ", " << record_.score[1]
         << "], \"simulated\": " << record_.simulated << ", \"real\": " << record_.real << ", \"began\": " << start_
         << ", \"goal\": ";
    if (watcher_.first_goal())
      file << *watcher_.first_goal();
    else
      file << "null";
    file << ", \"ways\": {";
    const char* comma = "";
    for (const auto& [name, robot] : watcher_.statistics().robots()) {
      file << comma << quoted(name) << ": " << robot.way;
      comma = ", ";
    }
    file << "}, \"failures\": " << watcher_.judge().failures() << ", \"lying\": " << record_.lying.size()
         << ", \"well\": " << (well ? "true" : "false") << "}\n";
    if (!file) std::printf("cannot write '%s': does its folder exist?\n", options_.events.c_str());
    return static_cast<bool>(file);
  }

  Options options_;
  hl_description::Field field_;
  MatchWatcher watcher_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  hl_bringup::MatchRecord record_;
  std::map<pid_t, double> cpu_before_;     // s
  double start_ = 0.0, last_time_ = -1.0;  // s, simulated
  Clock::time_point real_start_, news_at_ = Clock::now();
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App cli(
      "Waits until the robots of match.launch.xml stand, has the referee start the game, prints one line for each\n"
      "event, judged by the simulator's ground truth and the referee, and ends at the goal or when the time is over.\n"
      "Exit code 0 only if the game ran to its end, no rule of highest severity was broken and nobody was left "
      "lying.\n",
      "commentator");
  cli.add_option("--referee-log", options.referee_log, "what match.launch.xml was given as referee_log")->required();
  cli.add_option("--players", options.players, "of each team")->capture_default_str()->check(CLI::Range(1, 4));
  cli.add_option("--minutes", options.minutes, "of simulated time after the start")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  cli.add_option("--goals", options.goals, "end after so many goals; 0: play the whole time")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  cli.add_option("--title", options.title, "of the report");
  cli.add_option("--eyes", options.eyes, "what the robots see with, for the report");
  cli.add_option("--report", options.report, "the match report, one HTML file");
  cli.add_option("--events", options.events, "the events, one JSON object per line; the last is the result");
  cli.add_option("--launch", options.launch, "process of ros2 launch: the report tells the CPU time of its processes");
  cli.add_option("--patience", options.patience,
                 "s of real time to wait for the robots, and without news from the simulator")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  if (const auto code = hl_node::read_command_line(cli, argc, argv)) return *code;
  const auto field = hl_description::Field::from_file(
      ament_index_cpp::get_package_share_directory("hl_description") + "/config/field.yaml", "");
  const bool well = Commentator(std::make_shared<rclcpp::Node>("commentator"), options, field).run();
  rclcpp::shutdown();
  return well ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <hl_node/command_line.hpp>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <vector>

#include "show_robot.hpp"
#include "show_steps.hpp"

namespace {

using hl_bringup::ShowRobot;
using hl_bringup::StepResult;

struct Part {
  std::string name, outcome;
  double duration = 0.0;  // s
};

void print_summary(const std::vector<Part>& parts) {
  std::printf("\n%-42s %-10s %s\n", "part", "outcome", "time");
  for (const auto& part : parts)
    std::printf("%-42s %-10s %5.1f s\n", part.name.c_str(), part.outcome.c_str(), part.duration);
}

/// Runs the parts one after the other; the ones that did not happen are told in the summary.
class Director {
 public:
  struct Options {
    std::size_t parts = 100;  // how many are played
    double seconds = 0.0;     // s of simulated time; 0 = no limit
    double patience = 120.0;  // s of real time
  };

  Director(rclcpp::Node::SharedPtr node, const Options& options)
      : node_(std::move(node)), robot_(node_), options_(options) {}

  bool run() {
    if (!wait_until_ready()) return false;
    robot_.referee("start");
    robot_.referee("play");
    bool all = true;
    auto show = hl_bringup::make_show();
    if (show.size() > options_.parts) show.resize(options_.parts);
    for (const auto& step : show) all = play(*step) && all;
    robot_.walk(0.0, 0.0, 0.0);
    print_summary(parts_);
    return all;
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool spin() {
    executor_spin();
    const auto now = Clock::now();
    if (robot_.truth() && robot_.truth()->time != last_time_) {
      last_time_ = robot_.truth()->time;
      news_at_ = now;
      if (last_time_ - printed_at_ >= 1.0) {
        printed_at_ = last_time_;
        std::printf("%s\n", robot_.status_line().c_str());
        std::fflush(stdout);
      }
    }
    return rclcpp::ok() && std::chrono::duration<double>(now - news_at_).count() < options_.patience;
  }

  void executor_spin() {
    if (!executor_) {
      executor_ = std::make_unique<rclcpp::executors::SingleThreadedExecutor>();
      executor_->add_node(node_);
    }
    executor_->spin_once(std::chrono::milliseconds(20));
  }

  bool wait_until_ready() {
    const auto end = Clock::now() + std::chrono::duration<double>(options_.patience);
    std::string told;
    while (!robot_.ready()) {
      executor_spin();
      if (!rclcpp::ok() || Clock::now() > end) {
        std::printf("the show cannot begin: %s does not answer\n", robot_.missing().c_str());
        return false;
      }
      if (!robot_.missing().empty() && robot_.missing() != told) {
        told = robot_.missing();
        std::printf("waiting for %s\n", told.c_str());
        std::fflush(stdout);
      }
    }
    news_at_ = Clock::now();
    first_time_ = robot_.truth()->time;
    return true;
  }

  bool play(hl_bringup::ShowStep& step) {
    const bool over = options_.seconds > 0.0 && robot_.truth()->time - first_time_ > options_.seconds;
    if (over || !rclcpp::ok()) {
      parts_.push_back({step.name(), "not played", 0.0});
      return false;
    }
    std::printf("== %s\n", step.name().c_str());
    const double start = robot_.truth()->time;
    step.start(robot_, *robot_.truth());
    StepResult result = StepResult::Running;
    std::string reason = "took too long";
    double judged_at = start;
    while (result == StepResult::Running && judged_at - start < step.time_limit()) {
      if (!spin()) {
        reason = "the simulator went silent";
        break;
      }
      if (robot_.truth()->time - judged_at < kPeriod) continue;
      judged_at = robot_.truth()->time;
      result = step.update(robot_, *robot_.truth());
    }
    if (result == StepResult::Failed) reason = step.reason();
    const bool passed = result == StepResult::Passed;
    std::printf("%s %s%s\n", passed ? "PASSED" : "FAILED", step.name().c_str(), passed ? "" : (": " + reason).c_str());
    parts_.push_back({step.name(), passed ? "passed" : "FAILED", judged_at - start});
    return passed;
  }

  static constexpr double kPeriod = 0.05;  // s between two looks

  rclcpp::Node::SharedPtr node_;
  ShowRobot robot_;
  Options options_;
  std::unique_ptr<rclcpp::executors::SingleThreadedExecutor> executor_;
  std::vector<Part> parts_;
  double first_time_ = 0.0, last_time_ = -1.0, printed_at_ = -1.0;  // s, simulated
  Clock::time_point news_at_ = Clock::now();
};

}  // namespace

int main(int argc, char** argv) {
  Director::Options options;
  CLI::App cli(
      "Lets a simulated robot show what it can do, and judges each part by the simulator's ground truth. Start the\n"
      "simulation first: ros2 launch hl_bringup simulation.launch.xml. Exit code 0 only if every part happened.\n",
      "show");
  cli.add_option("--parts", options.parts, "play only the first N parts")->check(CLI::PositiveNumber);
  cli.add_option("--seconds", options.seconds, "end after N s of simulated time")->check(CLI::PositiveNumber);
  cli.add_option("--patience", options.patience,
                 "s of real time to wait for the nodes, and without news from the simulator")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  if (const auto code = hl_node::read_command_line(cli, argc, argv)) return *code;
  const bool passed = Director(std::make_shared<rclcpp::Node>("show"), options).run();
  rclcpp::shutdown();
  return passed ? 0 : 1;
}

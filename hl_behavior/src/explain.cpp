// SPDX-License-Identifier: Apache-2.0
// explain: replays what a robot knew from a bag through the same tactics and says what it decided, and why.
#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <deque>
#include <humanoid_league_msgs/msg/behavior_debug.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <optional>

#include "hl_behavior/behavior.hpp"
#include "hl_node/bag_reader.hpp"
#include "messages.hpp"

namespace {

using namespace hl_behavior;  // NOLINT(google-build-using-namespace): a program
namespace msg = humanoid_league_msgs::msg;
using hl_node::BagReader;
using hl_node::message_of;

struct Options {
  std::string bag, robot;
  double at = 0.0;      // s since the beginning
  double before = 5.0;  // s of history
  int number = 1, goalie = 1;
};

/// The tactics over the recorded knowledge, decision by decision.
class Replay {
 public:
  explicit Replay(const Options& options) : options_(options), behavior_(params(options)) {}

  void hear(const std::string& name, const BagReader::Message& m) {
    if (name == "personal_model") {
      inputs_.knowledge.personal = model_from(message_of<msg::Model>(m));
      decide(m.time);
    } else if (name == "team_model") {
      inputs_.knowledge.team = model_from(message_of<msg::Model>(m));
    } else if (name == "gamestate") {
      inputs_.knowledge.game = game_from(message_of<msg::GameState>(m));
    } else if (name == "team_data") {
      inputs_.knowledge.mates = mates_from(message_of<msg::TeamData>(m));
    } else if (name == "robot_state") {
      const auto state = message_of<msg::RobotControlState>(m).state;
      if (state <= msg::RobotControlState::KICKING) inputs_.knowledge.body = static_cast<hl_soccer::BodyState>(state);
    } else if (name == "behavior_debug") {
      recorded_ = message_of<msg::BehaviorDebug>(m);
    }
  }

  void begin(double time) { begin_ = time; }
  double begin() const { return begin_; }

  int tell() const {
    if (decided_at_ < 0.0) {
      std::fputs("explain: no personal_model before that time: nothing was decided\n", stderr);
      return 1;
    }
    std::puts("what it did before:");
    for (const auto& [time, row] : history_)
      if (time >= decided_at_ - options_.before) std::printf("  %8.2f s  %s\n", time, row.c_str());
    const Decision& d = out_.decision;
    std::printf("at %.2f s: %s\n  role %s, action %s\n", decided_at_, d.row, name_of(d.role), name_of(d.action));
    if (d.move) std::printf("  move %s\n", describe(*d.move).c_str());
    if (d.head) std::printf("  head %s\n", describe(*d.head).c_str());
    if (d.kick) std::printf("  kick %s\n", describe(*d.kick).c_str());
    std::printf("  data %.0f ms old\nbecause:\n", 1000.0 * out_.data_age);
    for (const Reason& reason : d.reasons) std::printf("  %s: %s\n", reason.name, reason.text().c_str());
    if (recorded_) {
      const bool same = recorded_->situation == d.row;
      std::printf("recorded: %s, %s%s\n", recorded_->situation.c_str(), recorded_->move_skill.c_str(),
                  same                      ? " (the same)"
                  : recorded_->task.empty() ? " (differs: other parameters, or words that the bag does not hold)"
                                            : " (a task decided)");
    }
    return 0;
  }

 private:
  static Behavior::Params params(const Options& options) {
    Behavior::Params params;
    params.tactics.number = options.number;
    params.tactics.goalie_number = options.goalie;
    return params;
  }

  void decide(double time) {
    const double now = inputs_.knowledge.personal.stamp;  // the robot's clock
    if (now - last_ < 0.05 - 1e-6 && now >= last_) return;
    last_ = now;
    out_ = behavior_.step(inputs_, now);
    decided_at_ = time - begin_;
    if (history_.empty() || history_.back().second != out_.decision.row)
      history_.emplace_back(decided_at_, out_.decision.row);
    if (history_.size() > 1000) history_.pop_front();
  }

  const Options& options_;
  double begin_ = 0.0;  // s, of the bag
  Behavior behavior_;
  Behavior::Inputs inputs_;
  Behavior::Outputs out_;
  double last_ = -1e9, decided_at_ = -1.0;  // s
  std::deque<std::pair<double, std::string>> history_;
  std::optional<msg::BehaviorDebug> recorded_;
};

int run(const Options& options) {
  const BagReader bag(options.bag);
  Replay replay(options);
  const std::string space = options.robot.empty() ? "/" : "/" + options.robot + "/";
  bool begun = false;
  std::size_t used = 0;
  bag.read(
      [&](const std::string& topic, const std::string&) {
        static constexpr const char* kNames[] = {"personal_model", "team_model",  "gamestate",
                                                 "team_data",      "robot_state", "behavior_debug"};
        for (const char* name : kNames)
          if (topic == space + name) return true;
        return false;
      },
      [&](const BagReader::Message& message) {
        if (!begun) replay.begin(message.time);
        begun = true;
        if (message.time - replay.begin() > options.at) return false;
        replay.hear(message.topic.substr(space.size()), message);
        ++used;
        return true;
      });
  if (used == 0) {
    std::fprintf(stderr, "explain: %s holds no %spersonal_model, gamestate, ...: is --robot right?\n",
                 options.bag.c_str(), space.c_str());
    return 1;
  }
  return replay.tell();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app("Replays what a robot knew from a bag and says what its tactics decided at a time, and why.");
  app.add_option("BAG", options.bag, "folder of 'ros2 bag record', sqlite3 format")->required();
  app.add_option("--at", options.at, "s since the beginning of the bag")->required();
  app.add_option("--before", options.before, "s of history to show");
  app.add_option("--robot", options.robot, "namespace, such as robot1");
  app.add_option("--number", options.number, "player number, if no referee tells it")->check(CLI::Range(1, 20));
  app.add_option("--goalie-number", options.goalie, "the team's keeper; 0: none")->check(CLI::Range(0, 20));
  CLI11_PARSE(app, argc, argv);
  try {
    return run(options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "explain: %s\n", e.what());
    return 2;
  }
}

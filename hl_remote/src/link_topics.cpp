// SPDX-License-Identifier: Apache-2.0
#include "hl_remote/link_topics.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace hl_remote {
namespace {

struct Line {
  std::string name;
  double rate = 0.0;
  bool complete = false;  // nothing was left over or unreadable
};

Line read_line(const std::string& text) {
  std::istringstream stream(text);
  Line line;
  stream >> line.name;
  std::string rest;
  if (stream >> rest) {
    std::istringstream number(rest);
    line.complete = static_cast<bool>(number >> line.rate) && number.peek() == std::istringstream::traits_type::eof();
    if (stream >> rest) line.complete = false;
  } else {
    line.complete = !line.name.empty();
  }
  return line;
}

}  // namespace

std::vector<std::string> default_topics() {
  return {"robot_state",    "gamestate",       "hardware_state 1", "behavior_debug 5", "skill_events",
          "strategy 2",     "team_link",       "team_data 2",      "position 5",       "personal_model 5",
          "team_model 5",   "path 2",          "particles 1",      "joint_states 5",   "tf 10",
          "tf_static",      "ball_relative 5", "goal_relative 2",  "lines_relative 2", "diagnostics 2",
          "walking_debug 5"};
}

bool is_command(const std::string& topic) {
  const std::string last = topic.substr(topic.rfind('/') + 1);
  const auto ends_with = [&](const std::string& end) {
    return last.size() >= end.size() && last.compare(last.size() - end.size(), end.size(), end) == 0;
  };
  static const std::vector<std::string> others = {"goal_pose", "initialpose", "look_at", "head_mode",
                                                  "animation", "paused",      "speak"};
  return ends_with("motor_goals") || ends_with("cmd_vel") ||
         std::find(others.begin(), others.end(), last) != others.end();
}

std::optional<std::string> topic_error(const std::string& text) {
  const Line line = read_line(text);
  if (!line.complete || !(line.rate >= 0.0 && line.rate <= 1000.0))
    return "topics: '" + text + "' must be a name, or a name and a rate of 0 to 1000 Hz, such as 'ball_relative 5'";
  if (line.name.front() == '/')
    return "topics: '" + text + "' must be relative to the robot's namespace: leave the first / out";
  if (is_command(line.name)) return "topics: '" + line.name + "' commands a robot; the link carries only what it says";
  return std::nullopt;
}

std::vector<LinkSender::Topic> topics_from(const std::vector<std::string>& lines) {
  std::vector<LinkSender::Topic> topics;
  for (const std::string& text : lines) {
    const Line line = read_line(text);
    topics.push_back({line.name, line.rate});
  }
  return topics;
}

}  // namespace hl_remote

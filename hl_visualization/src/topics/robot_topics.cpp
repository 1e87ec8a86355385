// SPDX-License-Identifier: Apache-2.0
#include "robot_topics.hpp"

#include <algorithm>
#include <cstdio>
#include <set>

namespace hl_visualization {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kComplaintLasts = 3.0;  // s
constexpr double kStepBack = 0.5;        // s: smaller steps back are messages that overtook each other
constexpr std::size_t kManyComplaints = 20;

double since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

}  // namespace

RobotTopics::RobotTopics(rclcpp::Node& node, std::string robot) : node_(node), robot_(std::move(robot)) {}

RobotTopics::~RobotTopics() {
  {
    const std::lock_guard<std::mutex> lock(shared_->mutex);
    shared_->alive = false;
  }
  subscriptions_.clear();
}

std::string RobotTopics::name_of(const std::string& name) const {
  // /tf and /tf_static are remapped into the robot's namespace; /clock and the simulator's services are not.
  const bool own = name == "/tf" || name == "/tf_static";
  if (!own && name.front() == '/') return name;
  return (robot_.empty() ? "/" : "/" + robot_ + "/") + (own ? name.substr(1) : name);
}

RobotTopics::Source* RobotTopics::add(const hl_node::Topic& topic, double patience) {
  auto source = std::make_unique<Source>();
  source->name = name_of(topic.name);
  source->type = topic.type;
  source->patience = patience;
  const std::lock_guard<std::mutex> lock(shared_->mutex);
  shared_->sources.push_back(std::move(source));
  return shared_->sources.back().get();
}

void RobotTopics::complain(const std::string& text) {
  if (complaints_.size() < kManyComplaints || complaints_.count(text) > 0) complaints_[text] = Clock::now();
}

bool RobotTopics::went_back(double stamp) {
  if (stamp_ > 0.0 && stamp < stamp_ - kStepBack) {
    complain("the robot's clock went back: it was restarted, or the simulation was reset");
    stamp_ = stamp;
    stamped_ = Clock::now();
    return true;
  }
  if (stamp >= stamp_) {
    stamp_ = stamp;
    stamped_ = Clock::now();
  }
  return false;
}

double RobotTopics::robot_time() const {
  return stamp_ > 0.0 ? stamp_ + since(stamped_) : 0.0;
}

std::vector<std::string> RobotTopics::notices() const {
  std::vector<std::string> result;
  std::vector<std::pair<std::string, std::string>> types;
  bool heard = false;
  {
    const std::lock_guard<std::mutex> lock(shared_->mutex);
    for (const auto& source : shared_->sources) {
      types.emplace_back(source->name, source->type);
      heard = heard || source->count > 0;
      const double silence = since(source->heard);
      if (source->count == 0 || source->patience <= 0.0 || silence < source->patience) continue;
      char text[200];
      std::snprintf(text, sizeof text, "%s is silent for %.0f s", source->name.c_str(), silence);
      result.emplace_back(text);
    }
    for (const auto& [text, when] : complaints_)
      if (since(when) < kComplaintLasts) result.push_back(text);
  }
  for (const auto& [name, type] : types) {
    for (const auto& info : node_.get_publishers_info_by_topic(name)) {
      if (info.topic_type() == type) continue;
      result.push_back(name + " is published by '" + info.node_name() + "' as " + info.topic_type() +
                       ", the contract says " + type);
    }
  }
  if (!heard && result.empty())
    result.push_back("nothing is heard from " + (robot_.empty() ? "the robot" : "'" + robot_ + "'") + " yet");
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  constexpr std::size_t kMost = 4;
  if (result.size() > kMost) {
    const std::size_t more = result.size() - kMost + 1;
    result.resize(kMost - 1);
    result.push_back("and " + std::to_string(more) + " more");
  }
  return result;
}

std::vector<std::string> robots_of(rclcpp::Node& node) {
  std::set<std::string> robots;
  for (const auto& [name, types] : node.get_topic_names_and_types()) {
    for (const char* topic : {"/robot_state", "/joint_states"}) {
      const std::string ending = topic;
      if (name.size() < ending.size() || name.compare(name.size() - ending.size(), ending.size(), ending) != 0)
        continue;
      if (node.count_publishers(name) > 0)
        robots.insert(name.size() > ending.size() ? name.substr(1, name.size() - ending.size() - 1) : "");
    }
  }
  return {robots.begin(), robots.end()};
}

}  // namespace hl_visualization

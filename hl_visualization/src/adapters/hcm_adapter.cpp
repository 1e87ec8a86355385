// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <humanoid_league_msgs/msg/hcm_debug.hpp>
#include <optional>

#include "../topics/robot_topics.hpp"
#include "adapter.hpp"
#include "hl_hcm/state_machine.hpp"
#include "hl_visualization/hcm_view.hpp"

namespace hl_visualization {
namespace {

using humanoid_league_msgs::msg::HcmDebug;

constexpr std::size_t kHistory = 100;

/// The graph of the control manager's own table; its core knows no ROS.
StateGraph graph_of_table() {
  StateGraph graph;
  for (const auto& t : hl_hcm::transitions()) graph.add_edge(hl_hcm::name_of(t.from), hl_hcm::name_of(t.to), t.reason);
  return graph;
}

class HcmAdapter : public Adapter {
 public:
  HcmAdapter(rclcpp::Node& node, const Target& target, HcmView& view)
      : view_(view), graph_(graph_of_table()), topics_(node, target.robot) {
    view_.set_graph(graph_);
    topics_.subscribe<HcmDebug>(hl_node::topics::kHcmDebug, 2.0, [this](const HcmDebug& m) { on_debug(m); });
  }

  bool refresh() override {
    {
      const std::lock_guard<std::mutex> lock(topics_.mutex());
      if (!fresh_) return false;
      fresh_ = false;
      shown_ = data_;
    }
    view_.set_data(shown_);
    return true;
  }
  std::vector<std::string> notices() override { return topics_.notices(); }

 private:
  void on_debug(const HcmDebug& message) {
    if (topics_.went_back(seconds(message.header.stamp))) data_.history.clear();
    fresh_ = true;
    data_.state = message.state;
    if (graph_.index_of(message.state) < 0)
      topics_.complain("state '" + message.state.substr(0, 40) + "' is not in the table of our control manager");
    // Newest first in the message; what is newer than the newest we have goes to the front.
    const double known = data_.history.empty() ? -1.0 : data_.history.front().time;
    std::vector<HcmData::Transition> news;
    for (const auto& t : message.transitions) {
      if (seconds(t.stamp) > known) news.push_back({seconds(t.stamp), t.from_state, t.to_state, t.reason});
    }
    data_.history.insert(data_.history.begin(), news.begin(), news.end());
    if (data_.history.size() > kHistory) data_.history.resize(kHistory);
    if (message.owners.size() < message.joint_names.size())
      topics_.complain("hcm_debug: fewer owners than joints, the rest is left out");
    data_.joints.clear();
    for (std::size_t i = 0; i < std::min(message.joint_names.size(), message.owners.size()); ++i)
      data_.joints.push_back({message.joint_names[i], message.owners[i]});
    data_.refusal = message.refusals.empty() ? "" : message.refusals.front();
    if (finite(message.fall_margin)) {
      data_.fall_margin = message.fall_margin;
    } else {
      topics_.complain("hcm_debug: fall_margin is not a number");
    }
    data_.latency = message.latency;
  }

  HcmView& view_;
  const StateGraph graph_;
  HcmData data_, shown_;
  bool fresh_ = false;
  RobotTopics topics_;
};

}  // namespace

std::unique_ptr<Adapter> make_hcm_adapter(rclcpp::Node& node, const Target& target, HcmView& view) {
  return std::make_unique<HcmAdapter>(node, target, view);
}

}  // namespace hl_visualization

// SPDX-License-Identifier: Apache-2.0
#include <humanoid_league_msgs/msg/team_link.hpp>
#include <optional>

#include "../topics/robot_topics.hpp"
#include "adapter.hpp"
#include "hl_visualization/team_link_view.hpp"

namespace hl_visualization {
namespace {

using humanoid_league_msgs::msg::TeamLink;
using humanoid_league_msgs::msg::TeamLinkMate;

class TeamLinkAdapter : public Adapter {
 public:
  TeamLinkAdapter(rclcpp::Node& node, const Target& target, TeamLinkView& view)
      : view_(view), topics_(node, target.robot) {
    topics_.subscribe<TeamLink>(hl_node::topics::kTeamLink, 4.0, [this](const TeamLink& m) { on_link(m); });
  }

  bool refresh() override {
    std::optional<TeamLinkData> data;
    {
      const std::lock_guard<std::mutex> lock(topics_.mutex());
      data.swap(newest_);
    }
    if (data) view_.set_data(*data);
    return data.has_value();
  }
  std::vector<std::string> notices() override { return topics_.notices(); }

 private:
  void on_link(const TeamLink& message) {
    topics_.went_back(seconds(message.header.stamp));
    TeamLinkData data;
    data.known = true;
    data.budget = message.message_budget == TeamLink::NO_BUDGET ? -1 : message.message_budget;
    data.send_rate = message.send_rate;
    for (const TeamLinkMate& mate : message.mates) {
      const auto state = mate.state == TeamLinkMate::CONNECTED    ? TeamLinkData::State::Connected
                         : mate.state == TeamLinkMate::CONNECTING ? TeamLinkData::State::Connecting
                                                                  : TeamLinkData::State::Disconnected;
      if (!finite(mate.age, mate.loss, mate.delay, mate.rate))
        topics_.complain("team_link: not a number for mate " + std::to_string(mate.player_number));
      data.mates.push_back({mate.player_number, state, mate.age, mate.loss, mate.delay, mate.rate});
    }
    newest_ = data;
  }

  TeamLinkView& view_;
  std::optional<TeamLinkData> newest_;
  RobotTopics topics_;  // last: its callbacks use the rest
};

}  // namespace

std::unique_ptr<Adapter> make_team_link_adapter(rclcpp::Node& node, const Target& target, TeamLinkView& view) {
  return std::make_unique<TeamLinkAdapter>(node, target, view);
}

}  // namespace hl_visualization

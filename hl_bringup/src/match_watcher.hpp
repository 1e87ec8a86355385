// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <fstream>
#include <humanoid_league_msgs/msg/decision_trace.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/position2_d.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/simulation_state.hpp>
#include <humanoid_league_msgs/msg/strategy.hpp>
#include <humanoid_league_msgs/srv/referee_command.hpp>
#include <map>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <string>
#include <vector>

#include "commentary.hpp"
#include "match_judge.hpp"
#include "match_statistics.hpp"

namespace hl_bringup {

/// Watches a game over the middleware: the simulator's truth, what the referee writes into its log, and what the robots
/// believe; hands it to commentary, statistics and judge. It commands nobody but the referee.
class MatchWatcher {
 public:
  MatchWatcher(const rclcpp::Node::SharedPtr& node, int players, const std::string& referee_log,
               const hl_description::Field& field);

  /// Empty once everybody stands and listens; else what is missing.
  std::string missing() const;
  void referee(const std::string& word);

  /// Events since the last call.
  std::vector<MatchEvent> take_events();

  std::optional<double> time() const;  // s, of the last truth
  int goals(int team) const { return goals_[team == 1 ? 0 : 1]; }
  std::optional<double> first_goal() const { return first_goal_; }  // s
  bool over() const { return over_; }                               // the referee ended the game
  const Commentary& commentary() const { return commentary_; }
  const MatchStatistics& statistics() const { return statistics_; }
  const MatchJudge& judge() const { return judge_; }

 private:
  struct Robot {
    std::string name;
    int team = 0;
    std::optional<std::uint8_t> state, role;
    bool referee_heard = false, located = false;
    std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions;
  };

  void listen(Robot& robot);
  void on_truth(const humanoid_league_msgs::msg::SimulationState& truth);
  void on_position(const Robot& robot, const humanoid_league_msgs::msg::Position2D& position);
  void read_referee_log();
  void add(std::vector<MatchEvent> events);

  rclcpp::Node::SharedPtr node_;
  std::deque<Robot> robots_;  // stay where they are: callbacks refer to them
  Commentary commentary_;
  MatchStatistics statistics_;
  MatchJudge judge_;
  std::deque<MatchView> past_;  // a second of truth, to compare what robots believed then
  std::string log_path_;
  std::ifstream log_;
  std::vector<MatchEvent> events_;
  int kick_off_team_ = 0;
  std::array<int, 2> goals_{};
  std::optional<double> first_goal_;
  std::string game_state_;
  bool over_ = false;
  double next_look_at_graph_ = 0.0;  // s
  rclcpp::Subscription<humanoid_league_msgs::msg::SimulationState>::SharedPtr truth_;
  rclcpp::Client<humanoid_league_msgs::srv::RefereeCommand>::SharedPtr referee_;
};

}  // namespace hl_bringup

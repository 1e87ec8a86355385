// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/support_state.hpp>
#include <humanoid_league_msgs/msg/team_data.hpp>
#include <humanoid_league_msgs/msg/visual_compass_rotation.hpp>
#include <map>
#include <optional>

#include "hl_localization/localization.hpp"
#include "messages.hpp"

namespace hl_localization {

/// Gathers messages, in the order they arrive, into the inputs of the next step; for the node and for replays.
/// Messages of one stamp are one picture.
class InputCollector {
 public:
  /// `circle_radius` of the field, m.
  explicit InputCollector(double circle_radius) : circle_radius_(circle_radius) {}

  void add(const nav_msgs::msg::Odometry& message) { inputs.odometry = odometry_from(message); }
  void add(const humanoid_league_msgs::msg::LineInformationRelative& message);
  void add(const humanoid_league_msgs::msg::GoalRelative& message);
  void add(const sensor_msgs::msg::PointCloud2& message);
  void add(const humanoid_league_msgs::msg::VisualCompassRotation& message);
  void add(const humanoid_league_msgs::msg::RobotControlState& message);
  void add(const humanoid_league_msgs::msg::SupportState& message);
  void add(const humanoid_league_msgs::msg::GameState& message) { inputs.game = game_from(message); }
  void add(const humanoid_league_msgs::msg::TeamData& message);
  /// Only the own ball, to compare with those of the team.
  void add(const humanoid_league_msgs::msg::Model& message);
  void add_visual(const nav_msgs::msg::Odometry& message);
  void add_initial(const geometry_msgs::msg::PoseWithCovarianceStamped& message);

  /// The step was made: everything that counts once is taken.
  void taken();

  Localization::Inputs inputs;
  int unknown_frames = 0, malformed = 0;  // since the start

 private:
  hl_soccer::Percepts* look_at(const std_msgs::msg::Header& header, const char* frame = "base_footprint");

  double circle_radius_;
  std::optional<hl_soccer::Odometry> visual_;
  std::map<int, double> heard_;  // of each team mate, the stamp of its last word
};

}  // namespace hl_localization

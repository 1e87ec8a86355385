// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <humanoid_league_msgs/msg/ball_in_image.hpp>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/decision_trace.hpp>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

#include "hl_behavior/behavior.hpp"

namespace hl_behavior {

/// Tells on `decision_trace` when each step of a decision happened, from the picture of the ball to the servo goals. It
/// listens to the steps only while somebody wants to know.
class DecisionTracer {
 public:
  explicit DecisionTracer(rclcpp::Node& node);

  /// A decision of `now`, whose last order went out at `ordered` (0 = none did). It is told with the first servo goals
  /// that are computed after it, or, if none come, with the next decision.
  void decided(const Behavior::Outputs& outputs, double ordered, double now);

 private:
  using DecisionTrace = humanoid_league_msgs::msg::DecisionTrace;

  /// When the last pictures passed one step of the perception.
  class Passed {
   public:
    void note(double picture, double heard);
    double when(double picture) const;  // s; 0 = it did not

   private:
    struct Entry {
      double picture = 0.0, heard = 0.0;  // s
    };
    std::array<Entry, 32> entries_;
    std::size_t next_ = 0;
  };

  bool listen();
  void on_goals(const trajectory_msgs::msg::JointTrajectory& goals);
  void tell();

  rclcpp::Node& node_;
  rclcpp::Publisher<DecisionTrace>::SharedPtr publisher_;
  rclcpp::Subscription<humanoid_league_msgs::msg::BallInImage>::SharedPtr detections_;
  rclcpp::Subscription<humanoid_league_msgs::msg::BallRelative>::SharedPtr transforms_;
  rclcpp::Subscription<trajectory_msgs::msg::JointTrajectory>::SharedPtr goals_;
  Passed detected_, transformed_;
  std::optional<DecisionTrace> waiting_;  // for its servo goals
};

}  // namespace hl_behavior

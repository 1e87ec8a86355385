// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <humanoid_league_msgs/msg/animation.hpp>
#include <humanoid_league_msgs/msg/foot_pressure.hpp>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/msg/hcm_debug.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/speak.hpp>
#include <humanoid_league_msgs/msg/support_state.hpp>
#include <humanoid_league_msgs/srv/emergency_stop.hpp>
#include <humanoid_league_msgs/srv/set_record_mode.hpp>
#include <humanoid_league_msgs/srv/set_torque.hpp>
#include <humanoid_league_msgs/srv/shutdown_robot.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/bool.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "animation_player.hpp"
#include "hl_hcm/hcm.hpp"
#include "hl_node/contract.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/node_parameters.hpp"
#include "node_params.hpp"

namespace hl_hcm {

/// Translates between messages and the core; decides nothing itself.
class HcmNode : public rclcpp::Node {
 public:
  explicit HcmNode(const rclcpp::NodeOptions& options);
  ~HcmNode() override;

  /// Where the way of a goal or a tick through this node has got to; for measurements.
  enum class Mark { GoalIn, Publishing, TickBegin, TickEnd };
  std::function<void(Mark)> on_mark;

 private:
  using JointTrajectory = trajectory_msgs::msg::JointTrajectory;

  template <class Message, class Callback>
  void subscribe(const hl_node::Topic& topic, Callback callback);
  void create_subscriptions();
  void create_services();

  void on_joint_states(const sensor_msgs::msg::JointState& message);
  void on_imu(const sensor_msgs::msg::Imu& message);
  void on_hardware(const humanoid_league_msgs::msg::HardwareState& message);
  void on_foot(std::size_t foot, const humanoid_league_msgs::msg::FootPressure& message);
  void on_goals(Source source, const JointTrajectory& message);
  void on_animation(const humanoid_league_msgs::msg::Animation& message);
  void on_tick();
  void on_second();

  double seconds() { return now().seconds(); }
  void mark(Mark mark) const {
    if (on_mark) on_mark(mark);
  }
  bool read(Source source, const JointTrajectory& message);
  void note(Source source, const Verdict& verdict);
  void answer();
  void deliver();  // goals, commands and changes of state of the last call
  void publish_goals();
  void publish_state();
  void publish_debug();
  void set_torque(bool on);

  hl_node::NodeParameters<NodeParams> parameters_;
  std::unique_ptr<Hcm> hcm_;
  TiltEstimator tilt_;
  std::unique_ptr<AnimationPlayer> player_;

  Trajectory goals_;  // reused: no allocation per message
  JointTrajectory motor_goals_;
  JointArray positions_ = absent_joints();
  std::vector<std::string> joint_state_names_;  // of the last message, and where they belong
  std::vector<std::size_t> joint_state_index_;
  std::size_t published_transitions_ = static_cast<std::size_t>(-1);
  bool published_stop_ = false;
  std::deque<std::string> refusals_;
  double latency_ = -1.0, latency_max_ = -1.0, tick_time_ = 0.0;  // s
  double last_goals_ = -1e9;
  const double repeat_;  // s
  std::uint64_t goals_sent_ = 0;
  std::string warning_;
  hl_node::Diagnostics diagnostics_;

  rclcpp::Publisher<JointTrajectory>::SharedPtr motor_goals_pub_;
  rclcpp::Publisher<humanoid_league_msgs::msg::RobotControlState>::SharedPtr state_pub_;
  rclcpp::Publisher<humanoid_league_msgs::msg::HcmDebug>::SharedPtr debug_pub_;
  rclcpp::Publisher<humanoid_league_msgs::msg::Speak>::SharedPtr speak_pub_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  std::vector<rclcpp::ServiceBase::SharedPtr> services_;
  rclcpp::Client<humanoid_league_msgs::srv::SetTorque>::SharedPtr torque_client_;
  rclcpp::TimerBase::SharedPtr tick_timer_, debug_timer_, second_timer_;
};

}  // namespace hl_hcm

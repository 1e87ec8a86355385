// SPDX-License-Identifier: Apache-2.0
// A walking node of "another team": written against the contract alone, it shares no code with hl_walking. It does not
// walk well, it marches on the spot by lifting its feet in turn; what it shows is that a node can be swapped.
#include <algorithm>
#include <cmath>
#include <geometry_msgs/msg/twist.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/support_state.hpp>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

namespace {

using humanoid_league_msgs::msg::RobotControlState;
using humanoid_league_msgs::msg::SupportState;
using trajectory_msgs::msg::JointTrajectory;

constexpr double kDegree = M_PI / 180.0;

class ForeignWalking : public rclcpp::Node {
 public:
  ForeignWalking() : Node("walking") {
    declare_parameter("robot", "minibot");
    goals_ = create_publisher<JointTrajectory>("walking_motor_goals", 10);
    support_ = create_publisher<SupportState>("support_state", 10);
    cmd_vel_ =
        create_subscription<geometry_msgs::msg::Twist>("cmd_vel", 1, [this](const geometry_msgs::msg::Twist& command) {
          wanted_ = std::abs(command.linear.x) + std::abs(command.linear.y) + std::abs(command.angular.z) > 0.0;
          last_message_time_ = now();
        });
    state_ = create_subscription<RobotControlState>(
        "robot_state", rclcpp::QoS(1).transient_local(), [this](const RobotControlState& state) {
          const bool mine = state.state == RobotControlState::CONTROLLABLE || state.state == RobotControlState::WALKING;
          allowed_ = mine && !state.stop_requested;
        });
    timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(0.01), [this] { step(); });
  }

 private:
  void step() {
    const bool fresh = last_message_time_ && (now() - *last_message_time_).seconds() < 0.5;
    const double target = wanted_ && fresh && allowed_ ? 1.0 : 0.0;
    strength_ += std::clamp(target - strength_, -0.01, 0.01);
    if (strength_ <= 0.0) {
      phase_ = 0.0;
      return;
    }
    phase_ += 0.01;
    const double sway = std::sin(2.0 * M_PI * kFrequency * phase_);
    JointTrajectory message;
    message.header.stamp = now();
    message.points.resize(1);
    const auto add = [&](const char* joint, double degrees) {
      message.joint_names.emplace_back(joint);
      message.points[0].positions.push_back(degrees * kDegree);
    };
    const double left = strength_ * kLift * std::max(0.0, -sway);  // degrees of knee
    const double right = strength_ * kLift * std::max(0.0, sway);
    const double roll = strength_ * kSway * sway;
    for (const char* joint : {"LHipRoll", "RHipRoll", "LAnkleRoll", "RAnkleRoll"}) add(joint, -roll);
    for (const char* joint : {"LHipYaw", "RHipYaw"}) add(joint, 0.0);
    add("LHipPitch", 36.2 + left / 2);
    add("LKnee", -56.4 - left);
    add("LAnklePitch", -25.2 - left / 2);
    add("RHipPitch", -36.2 - right / 2);
    add("RKnee", 56.4 + right);
    add("RAnklePitch", 25.2 + right / 2);
    goals_->publish(message);
    SupportState support;
    support.header.stamp = message.header.stamp;
    support.header.frame_id = "base_footprint";
    support.walking = true;
    support_->publish(support);
  }

  static constexpr double kFrequency = 1.0;  // Hz of a whole cycle
  static constexpr double kLift = 4.0;       // degrees
  static constexpr double kSway = 2.0;       // degrees

  bool wanted_ = false, allowed_ = false;
  double strength_ = 0.0, phase_ = 0.0;
  std::optional<rclcpp::Time> last_message_time_;
  rclcpp::Publisher<JointTrajectory>::SharedPtr goals_;
  rclcpp::Publisher<SupportState>::SharedPtr support_;
  rclcpp::Subscription<geometry_msgs::msg::Twist>::SharedPtr cmd_vel_;
  rclcpp::Subscription<RobotControlState>::SharedPtr state_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<ForeignWalking>());
  rclcpp::shutdown();
}

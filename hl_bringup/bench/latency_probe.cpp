// SPDX-License-Identifier: Apache-2.0
// Sits where the hardware sits and measures how old messages are when they arrive: in a process of its own, or as a
// component beside the motion nodes. On `probe_request` it starts anew and, if asked for, reports what it has.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <humanoid_league_msgs/msg/animation.hpp>
#include <map>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

namespace hl_bringup {

using humanoid_league_msgs::msg::Animation;
using sensor_msgs::msg::Imu;
using std_msgs::msg::String;
using trajectory_msgs::msg::JointTrajectory;

class LatencyProbe : public rclcpp::Node {
 public:
  explicit LatencyProbe(const rclcpp::NodeOptions& options) : Node("latency_probe", options) {
    imu_ = create_subscription<Imu>("imu/data", rclcpp::SensorDataQoS(), [this](const Imu::ConstSharedPtr& message) {
      add("hardware->HCM", now() - rclcpp::Time(message->header.stamp));
    });
    walking_ = create_subscription<JointTrajectory>(
        "walking_motor_goals", 10,
        [this](const JointTrajectory::ConstSharedPtr& message) { walking_sent_.push_back(message); });
    animation_ = create_subscription<Animation>("animation", 10, [this](const Animation::ConstSharedPtr& message) {
      if (!message->request) animation_sent_.push_back(message);
    });
    goals_ =
        create_subscription<JointTrajectory>("motor_goals", 10, [this](const JointTrajectory::ConstSharedPtr& message) {
          received_.push_back({message, now()});
          add("HCM->hardware", received_.back().at - rclcpp::Time(message->header.stamp));
        });
    report_ = create_publisher<String>("probe_report", 10);
    request_ = create_subscription<String>("probe_request", 10, [this](const String::ConstSharedPtr& message) {
      if (message->data == "report") report();
      forget();
    });
  }

 private:
  struct Goal {
    JointTrajectory::ConstSharedPtr message;
    rclcpp::Time at;
  };

  void add(const char* way, const rclcpp::Duration& age) { ages_[way].push_back(1e3 * age.seconds()); }

  /// True if these motor goals hold every joint of the request; a goal that the HCM had to cut is no answer.
  static bool answers(const JointTrajectory& goals, const JointTrajectory& request) {
    if (goals.points.empty() || request.points.empty()) return false;
    for (std::size_t i = 0; i < request.joint_names.size(); ++i) {
      const auto name = std::find(goals.joint_names.begin(), goals.joint_names.end(), request.joint_names[i]);
      if (name == goals.joint_names.end()) return false;
      const auto j = static_cast<std::size_t>(name - goals.joint_names.begin());
      if (std::abs(goals.points[0].positions[j] - request.points[0].positions[i]) > 1e-9) return false;
    }
    return true;
  }

  void match(const JointTrajectory& request, const rclcpp::Time& sent, const char* hop, const char* both_hops) {
    const auto answer = std::find_if(received_.begin(), received_.end(), [&](const Goal& goal) {
      return rclcpp::Time(goal.message->header.stamp) >= sent && answers(*goal.message, request);
    });
    if (answer == received_.end()) return;
    add(hop, rclcpp::Time(answer->message->header.stamp) - sent);
    add(both_hops, answer->at - sent);
  }

  void report() {
    for (const auto& request : walking_sent_)
      match(*request, request->header.stamp, "walking->HCM", "walking->HCM->hardware");
    for (const auto& request : animation_sent_)
      match(request->position, request->header.stamp, "animation->HCM", "animation->HCM->hardware");
    String message;
    for (auto& [way, ages] : ages_) {
      std::sort(ages.begin(), ages.end());
      char line[120];
      std::snprintf(line, sizeof line, "%s %f %f %zu\n", way.c_str(), ages[ages.size() / 2],
                    ages[ages.size() * 99 / 100], ages.size());
      message.data += line;
    }
    report_->publish(message);
  }

  void forget() {
    ages_.clear();
    walking_sent_.clear();
    animation_sent_.clear();
    received_.clear();
  }

  std::map<std::string, std::vector<double>> ages_;  // ms
  std::vector<JointTrajectory::ConstSharedPtr> walking_sent_;
  std::vector<Animation::ConstSharedPtr> animation_sent_;
  std::vector<Goal> received_;
  rclcpp::Subscription<Imu>::SharedPtr imu_;
  rclcpp::Subscription<JointTrajectory>::SharedPtr walking_, goals_;
  rclcpp::Subscription<Animation>::SharedPtr animation_;
  rclcpp::Subscription<String>::SharedPtr request_;
  rclcpp::Publisher<String>::SharedPtr report_;
};

}  // namespace hl_bringup

RCLCPP_COMPONENTS_REGISTER_NODE(hl_bringup::LatencyProbe)

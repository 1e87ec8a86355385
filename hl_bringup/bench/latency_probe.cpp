// SPDX-License-Identifier: Apache-2.0
// Sits where the hardware sits and measures how old messages are when they arrive: in a process of its own, or as a
// component beside the motion nodes. On `probe_request` it starts anew and, if asked for, reports what it has.
#include <algorithm>
#include <cstdio>
#include <humanoid_league_msgs/msg/animation.hpp>
#include <map>
#include <optional>
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
        [this](const JointTrajectory::ConstSharedPtr& message) { walking_sent_.push_back(message->header.stamp); });
    animation_ = create_subscription<Animation>("animation", 10, [this](const Animation::ConstSharedPtr& message) {
      if (!message->request) animation_sent_.push_back(message->header.stamp);
    });
    goals_ =
        create_subscription<JointTrajectory>("motor_goals", 10, [this](const JointTrajectory::ConstSharedPtr& message) {
          const rclcpp::Time received = now(), sent = message->header.stamp;
          received_.push_back({sent, received});
          add("HCM->hardware", received - sent);
        });
    report_ = create_publisher<String>("probe_report", 10);
    request_ = create_subscription<String>("probe_request", 10, [this](const String::ConstSharedPtr& message) {
      if (message->data == "report") report();
      forget();
    });
  }

 private:
  struct Goal {
    rclcpp::Time sent, received;
  };

  void add(const char* way, const rclcpp::Duration& age) { ages_[way].push_back(1e3 * age.seconds()); }

  /// The HCM answers a goal at once: the first motor goals that left after it are the answer.
  void match(const std::vector<rclcpp::Time>& requests, const char* hop, const char* both_hops) {
    for (const rclcpp::Time& request : requests) {
      const auto answer =
          std::find_if(received_.begin(), received_.end(), [&](const Goal& goal) { return goal.sent >= request; });
      if (answer == received_.end()) continue;
      add(hop, answer->sent - request);
      if (both_hops != nullptr) add(both_hops, answer->received - request);
    }
  }

  void report() {
    match(walking_sent_, "walking->HCM", "walking->HCM->hardware");
    match(animation_sent_, "animation->HCM", nullptr);
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
  std::vector<rclcpp::Time> walking_sent_, animation_sent_;
  std::vector<Goal> received_;
  rclcpp::Subscription<Imu>::SharedPtr imu_;
  rclcpp::Subscription<JointTrajectory>::SharedPtr walking_, goals_;
  rclcpp::Subscription<Animation>::SharedPtr animation_;
  rclcpp::Subscription<String>::SharedPtr request_;
  rclcpp::Publisher<String>::SharedPtr report_;
};

}  // namespace hl_bringup

RCLCPP_COMPONENTS_REGISTER_NODE(hl_bringup::LatencyProbe)

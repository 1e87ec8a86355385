// SPDX-License-Identifier: Apache-2.0
#include "synthetic_robots.hpp"

#include <chrono>
#include <cmath>
#include <geometry_msgs/msg/pose_array.hpp>
#include <geometry_msgs/msg/pose_with_covariance_stamped.hpp>
#include <humanoid_league_msgs/msg/behavior_debug.hpp>
#include <humanoid_league_msgs/msg/hcm_debug.hpp>
#include <humanoid_league_msgs/msg/line_information_relative.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/team_link.hpp>
#include <humanoid_league_msgs/msg/walking_debug.hpp>
#include <rclcpp/rclcpp.hpp>
#include <tf2_msgs/msg/tf_message.hpp>

#include "hl_node/interfaces.hpp"

double steady_seconds() {
  return std::fmod(std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(), 1000.0);
}

namespace {

using namespace humanoid_league_msgs::msg;
using Pose = geometry_msgs::msg::PoseWithCovarianceStamped;

class Robot : public rclcpp::Node {
 public:
  explicit Robot(int number) : Node("robot", "robot" + std::to_string(number)) {
    using namespace hl_node;
    pose_ = hl_node::create_publisher<Pose>(*this, topics::kPose);
    model_ = hl_node::create_publisher<Model>(*this, topics::kPersonalModel);
    particles_ = hl_node::create_publisher<geometry_msgs::msg::PoseArray>(*this, topics::kParticles);
    hcm_ = hl_node::create_publisher<HcmDebug>(*this, topics::kHcmDebug);
    behavior_ = hl_node::create_publisher<BehaviorDebug>(*this, topics::kBehaviorDebug);
    walk_ = hl_node::create_publisher<WalkingDebug>(*this, topics::kWalkingDebug);
    lines_ = hl_node::create_publisher<LineInformationRelative>(*this, topics::kLinesRelative);
    link_ = hl_node::create_publisher<TeamLink>(*this, topics::kTeamLink);
    state_ = hl_node::create_publisher<RobotControlState>(*this, topics::kRobotState);
    tf_ = create_publisher<tf2_msgs::msg::TFMessage>("tf", 100);
    state_->publish(RobotControlState());
    using std::chrono::milliseconds;
    timers_.push_back(create_wall_timer(milliseconds(8), [this] { fast(); }));
    timers_.push_back(create_wall_timer(milliseconds(33), [this] { frame(); }));
    timers_.push_back(create_wall_timer(milliseconds(100), [this] { slow(); }));
  }

 private:
  void fast() {
    WalkingDebug walk;
    walk.header.stamp = now();
    walk.header.frame_id = "l_sole";
    walk.engine_state = "walking";
    walk_->publish(walk);
    tf2_msgs::msg::TFMessage tf;
    tf.transforms.resize(22);
    for (std::size_t i = 0; i < tf.transforms.size(); ++i) {
      tf.transforms[i].header.stamp = now();
      tf.transforms[i].header.frame_id = i == 0 ? "base_footprint" : "link" + std::to_string(i - 1);
      tf.transforms[i].child_frame_id = "link" + std::to_string(i);
    }
    tf_->publish(tf);
  }

  void frame() {
    Model model;
    model.header.stamp = now();
    model.ball.confidence = 1.0F;
    model.ball.ball_relative.x = 1.0;
    model.robots.resize(7);
    model_->publish(model);
    LineInformationRelative lines;
    lines.segments.resize(8);
    lines_->publish(lines);
    Pose pose;
    pose.header.stamp = now();
    pose.pose.covariance[0] = pose.pose.covariance[7] = 0.02;
    pose.pose.pose.position.x = steady_seconds();
    pose_->publish(pose);
  }

  void slow() {
    HcmDebug hcm;
    hcm.header.stamp = now();
    hcm.state = "WALKING";
    hcm.joint_names.assign(20, "LHipPitch");
    hcm.owners.assign(20, 2);
    hcm_->publish(hcm);
    BehaviorDebug behavior;
    behavior.header.stamp = now();
    behavior.reasons.resize(8);
    behavior_->publish(behavior);
    if (++slow_ % 3 == 0) {
      geometry_msgs::msg::PoseArray particles;
      particles.poses.resize(200);
      particles_->publish(particles);
    }
    if (slow_ % 10 == 0) {
      TeamLink link;
      link.mates.resize(3);
      link_->publish(link);
      state_->publish(RobotControlState());
    }
  }

  int slow_ = 0;
  rclcpp::Publisher<Pose>::SharedPtr pose_;
  rclcpp::Publisher<Model>::SharedPtr model_;
  rclcpp::Publisher<geometry_msgs::msg::PoseArray>::SharedPtr particles_;
  rclcpp::Publisher<HcmDebug>::SharedPtr hcm_;
  rclcpp::Publisher<BehaviorDebug>::SharedPtr behavior_;
  rclcpp::Publisher<WalkingDebug>::SharedPtr walk_;
  rclcpp::Publisher<LineInformationRelative>::SharedPtr lines_;
  rclcpp::Publisher<TeamLink>::SharedPtr link_;
  rclcpp::Publisher<RobotControlState>::SharedPtr state_;
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr tf_;
  std::vector<rclcpp::TimerBase::SharedPtr> timers_;
};

}  // namespace

int run_synthetic_robots(int robots) {
  rclcpp::executors::SingleThreadedExecutor executor;
  std::vector<std::shared_ptr<Robot>> nodes;
  for (int i = 1; i <= robots; ++i) {
    nodes.push_back(std::make_shared<Robot>(i));
    executor.add_node(nodes.back());
  }
  executor.spin();
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include <tf2_ros/transform_broadcaster.h>

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <geometry_msgs/msg/twist.hpp>
#include <humanoid_league_msgs/msg/foot_pressure.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/srv/request_steps.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "hl_description/robot_config.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "kick_server.hpp"
#include "messages.hpp"
#include "node_params.hpp"

namespace hl_walking {
namespace {

using humanoid_league_msgs::msg::FootPressure;
using humanoid_league_msgs::msg::RobotControlState;
using humanoid_league_msgs::msg::SupportState;
using humanoid_league_msgs::msg::WalkingDebug;
using humanoid_league_msgs::srv::RequestSteps;
using trajectory_msgs::msg::JointTrajectory;

struct Robot {
  hl_description::RobotConfig config;
  WalkingBody body;
};

Robot load_robot(const std::string& robot) {
  const std::string share = ament_index_cpp::get_package_share_directory("hl_description");
  const auto model = hl_description::RobotModel::from_file(share + "/urdf/" + robot + ".urdf");
  const auto config = hl_description::RobotConfig::from_file(share + "/config/" + robot + "/robot.yaml");
  return {config, WalkingBody(model, config.pose(model, "walkready"))};
}

}  // namespace

/// Velocity in, motor goals and odometry out; and the kick.
class WalkingNode : public rclcpp::Node {
 public:
  explicit WalkingNode(const rclcpp::NodeOptions& options)
      : Node("walking", options),
        parameters_(*this, node_parameters()),
        description_(load_robot(parameters_.values().robot)),
        body_(description_.body),
        controller_(body_, parameters_.values().config.walk, parameters_.values().config.kick,
                    parameters_.values().config.odometry, parameters_.values().controller()),
        diagnostics_(*this, "walking", parameters_.values().robot),
        kick_server_(*this, controller_),
        measured_(body_.ready()),
        torques_(Joints::Zero(body_.ready().size())) {
    parameters_.on_change([this](const NodeParams& params) { take(params); });
    prepare_messages();
    create_publishers();
    subscribe();
    serve();
    timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0 / parameters_.values().rate),
                                  [this] { tick(); });
    diagnostics_timer_ =
        rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { diagnose(); });
  }

 private:
  void take(const NodeParams& params) {
    controller_.set_walk(params.config.walk);
    controller_.set_odometry(params.config.odometry);
    controller_.set_kick(params.config.kick);
    controller_.set_params(params.controller());
  }

  // --- interfaces ---

  void prepare_messages() {
    const auto& names = body_.model().joint_names();
    // The head is not the walk's to move.
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].rfind("Head", 0) == 0) continue;
      goals_.joint_names.push_back(names[i]);
      goal_joints_.push_back(i);
    }
    goals_.points.resize(1);
    goals_.points[0].positions.resize(goal_joints_.size());
    support_.header.frame_id = "base_footprint";
  }

  void create_publishers() {
    using namespace hl_node;
    walking_goals_ = hl_node::create_publisher<JointTrajectory>(*this, topics::kWalkingMotorGoals);
    kick_goals_ = hl_node::create_publisher<JointTrajectory>(*this, topics::kKickMotorGoals);
    odom_publisher_ = hl_node::create_publisher<nav_msgs::msg::Odometry>(*this, topics::kOdom);
    support_publisher_ = hl_node::create_publisher<SupportState>(*this, topics::kSupportState);
    debug_publisher_ = hl_node::create_publisher<WalkingDebug>(*this, topics::kWalkingDebug);
    if (parameters_.values().publish_tf) broadcaster_ = std::make_unique<tf2_ros::TransformBroadcaster>(*this);
  }

  template <class Message, class Callback>
  void subscribe(const hl_node::Topic& topic, Callback&& callback) {
    subscriptions_.push_back(hl_node::create_subscription<Message>(*this, topic, std::forward<Callback>(callback)));
  }

  void subscribe() {
    using geometry_msgs::msg::Twist;
    using namespace hl_node;
    subscribe<Twist>(topics::kCmdVel, [this](const Twist& twist) {
      warn(controller_.command({twist.linear.x, twist.linear.y, twist.angular.z}, now().seconds()));
    });
    subscribe<Twist>(topics::kTeleopCmdVel, [this](const Twist& twist) {
      warn(controller_.teleoperate({twist.linear.x, twist.linear.y, twist.angular.z}, now().seconds()));
    });
    subscribe<sensor_msgs::msg::JointState>(topics::kJointStates,
                                            [this](const sensor_msgs::msg::JointState& state) { on_joints(state); });
    subscribe<sensor_msgs::msg::Imu>(topics::kImuData, [this](const sensor_msgs::msg::Imu& imu) {
      const auto measured = orientation_from(imu);  // none: without an attitude the walk is open-loop
      if (measured) controller_.sense_imu(measured->attitude, measured->yaw, rclcpp::Time(imu.header.stamp).seconds());
    });
    for (const Side side : {Side::Left, Side::Right}) {
      const auto& sensor = description_.config.foot_sensors[static_cast<std::size_t>(side)];
      if (!sensor) continue;  // a robot without force cells
      subscribe<FootPressure>(side == Side::Left ? topics::kFootPressureLeft : topics::kFootPressureRight,
                              [this, side, cells = sensor->cells](const FootPressure& foot) {
                                const auto load = load_from_cells(
                                    cells, {foot.front_left, foot.front_right, foot.back_left, foot.back_right});
                                if (load)
                                  controller_.sense_foot(side, *load, rclcpp::Time(foot.header.stamp).seconds());
                              });
    }
    subscribe<RobotControlState>(topics::kRobotState, [this](const RobotControlState& state) {
      controller_.permit(static_cast<hl_soccer::BodyState>(state.state), state.stop_requested);
    });
    if (!parameters_.values().need_hcm) controller_.permit(Permission::Full);
  }

  void serve() {
    steps_ = create_service<RequestSteps>(
        hl_node::services::kRequestSteps,
        [this](const std::shared_ptr<RequestSteps::Request> request, std::shared_ptr<RequestSteps::Response> response) {
          const Pose2 step = {request->step.x, request->step.y, request->step.theta};
          const auto refused = controller_.request_steps(
              step, static_cast<int>(std::min<std::uint32_t>(request->count, 1000)), now().seconds());
          response->success = !refused;
          response->message = refused.value_or("steps are on their way");
        });
  }

  // --- inputs ---

  void warn(const std::optional<std::string>& refused) {
    if (refused) RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 1000, "%s", refused->c_str());
  }

  void on_joints(const sensor_msgs::msg::JointState& state) {
    if (state.header.stamp == joints_stamp_) return;  // a repetition
    joints_stamp_ = state.header.stamp;
    const std::size_t count = std::min(state.name.size(), state.position.size());
    const bool loaded = state.effort.size() == state.name.size() && count > 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (const auto joint = body_.model().joint_index(state.name[i])) {
        measured_[static_cast<Eigen::Index>(*joint)] = state.position[i];
        if (loaded) torques_[static_cast<Eigen::Index>(*joint)] = state.effort[i];
      }
    }
    const double stamp = rclcpp::Time(state.header.stamp).seconds();
    controller_.sense_joints(measured_, stamp);
    if (loaded) controller_.sense_torques(torques_, stamp);
  }

  // --- outputs ---

  void tick() {
    const rclcpp::Time stamp = now();
    // What was on its way when time went back would be newer than all that comes.
    if (stamp.seconds() < last_tick_) kick_server_.forget();
    last_tick_ = stamp.seconds();
    const auto goals = controller_.update(last_tick_);
    if (goals != Controller::Goals::None) {
      goals_.header.stamp = stamp;
      for (std::size_t i = 0; i < goal_joints_.size(); ++i) {
        goals_.points[0].positions[i] = controller_.joints()[static_cast<Eigen::Index>(goal_joints_[i])];
      }
      (goals == Controller::Goals::Kick ? kick_goals_ : walking_goals_)->publish(goals_);
    }
    kick_server_.follow();
    if (controller_.joints_fresh()) publish_odometry(stamp);
    support_.header.stamp = stamp;
    fill(controller_, support_);
    support_publisher_->publish(support_);
    if (debug_publisher_->get_subscription_count() > 0) {
      debug_.header.stamp = stamp;
      fill(controller_, parameters_.values().config.walk.trunk_pitch, debug_);
      debug_publisher_->publish(debug_);
    }
  }

  void publish_odometry(const rclcpp::Time& stamp) {
    odom_.header.stamp = stamp;
    fill(controller_.odometry(), odom_);
    odom_publisher_->publish(odom_);
    if (!broadcaster_) return;
    transforms_[0].header.stamp = transforms_[1].header.stamp = stamp;
    fill(controller_.odometry(), transforms_);
    broadcaster_->sendTransform(transforms_);
  }

  void diagnose() {
    const std::string& complaint = controller_.complaint();
    const char* const doing = controller_.walking() ? "walking" : "standing by";
    diagnostics_.report(complaint.empty() ? hl_node::Level::Ok : hl_node::Level::Warn,
                        complaint.empty() ? doing : complaint);
  }

  hl_node::NodeParameters<NodeParams> parameters_;
  Robot description_;
  const WalkingBody& body_;
  double last_tick_ = 0.0;  // s
  Controller controller_;
  hl_node::Diagnostics diagnostics_;
  KickServer kick_server_;
  Joints measured_, torques_;
  builtin_interfaces::msg::Time joints_stamp_;  // of the last joint_states
  std::vector<std::size_t> goal_joints_;

  JointTrajectory goals_;
  nav_msgs::msg::Odometry odom_ = empty_odometry();
  SupportState support_;
  WalkingDebug debug_;
  std::vector<geometry_msgs::msg::TransformStamped> transforms_ = empty_transforms();

  rclcpp::Publisher<JointTrajectory>::SharedPtr walking_goals_, kick_goals_;
  rclcpp::Publisher<nav_msgs::msg::Odometry>::SharedPtr odom_publisher_;
  rclcpp::Publisher<SupportState>::SharedPtr support_publisher_;
  rclcpp::Publisher<WalkingDebug>::SharedPtr debug_publisher_;
  std::unique_ptr<tf2_ros::TransformBroadcaster> broadcaster_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp::Service<RequestSteps>::SharedPtr steps_;
  rclcpp::TimerBase::SharedPtr timer_, diagnostics_timer_;
};

}  // namespace hl_walking

RCLCPP_COMPONENTS_REGISTER_NODE(hl_walking::WalkingNode)

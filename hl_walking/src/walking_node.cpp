// SPDX-License-Identifier: Apache-2.0
#include <tf2_ros/transform_broadcaster.h>

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <geometry_msgs/msg/twist.hpp>
#include <humanoid_league_msgs/msg/foot_pressure.hpp>
#include <humanoid_league_msgs/srv/request_steps.hpp>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "hl_description/robot_config.hpp"
#include "kick_server.hpp"
#include "messages.hpp"
#include "walking_parameters.hpp"

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
  Body body;
};

Robot load_robot(const std::string& robot) {
  const std::string share = ament_index_cpp::get_package_share_directory("hl_description");
  const auto model = hl_description::RobotModel::from_file(share + "/urdf/" + robot + ".urdf");
  const auto config = hl_description::RobotConfig::from_file(share + "/config/" + robot + "/robot.yaml");
  return {config, Body(model, config.pose(model, "walkready"))};
}

}  // namespace

/// Velocity in, motor goals and odometry out; and the kick.
class WalkingNode : public rclcpp::Node {
 public:
  explicit WalkingNode(const rclcpp::NodeOptions& options)
      : Node("walking", options),
        robot_(declare_parameter("robot", "minibot", fixed_parameter("folder and URDF of hl_description"))),
        description_(load_robot(robot_)),
        body_(description_.body),
        rate_(declare_parameter("rate", 100.0, fixed_parameter("Hz, control ticks; 20..1000"))),
        need_hcm_(declare_parameter("need_hcm", true, fixed_parameter("move only if robot_state allows it"))),
        publish_tf_(declare_parameter("publish_tf", true, fixed_parameter("odom -> base_footprint -> base_link"))),
        parameters_(*this),
        controller_(body_, parameters_.values().walk, parameters_.values().kick, parameters_.values().odometry,
                    parameters_.values().control),
        kick_server_(*this, controller_),
        measured_(body_.ready()),
        torques_(Joints::Zero(body_.ready().size())) {
    if (!(rate_ >= 20.0 && rate_ <= 1000.0)) throw std::invalid_argument("rate must be in 20..1000 Hz");
    parameters_.on_change([this] { take_parameters(); });
    prepare_messages();
    publish();
    subscribe();
    serve();
    timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0 / rate_), [this] { tick(); });
    diagnostics_timer_ =
        rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { diagnose(); });
  }

 private:
  void take_parameters() {
    const WalkingParameters::Values& values = parameters_.values();
    controller_.set_walk(values.walk);
    controller_.set_odometry(values.odometry);
    controller_.set_kick(values.kick);
    controller_.set_params(values.control);
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

  void publish() {
    walking_goals_ = create_publisher<JointTrajectory>("walking_motor_goals", 5);
    kick_goals_ = create_publisher<JointTrajectory>("kick_motor_goals", 5);
    odom_publisher_ = create_publisher<nav_msgs::msg::Odometry>("odom", 10);
    support_publisher_ = create_publisher<SupportState>("support_state", 10);
    debug_publisher_ = create_publisher<WalkingDebug>("walking_debug", 10);
    diagnostics_ = create_publisher<diagnostic_msgs::msg::DiagnosticArray>("diagnostics", 10);
    if (publish_tf_) broadcaster_ = std::make_unique<tf2_ros::TransformBroadcaster>(*this);
  }

  void subscribe() {
    using geometry_msgs::msg::Twist;
    command_ = create_subscription<Twist>("cmd_vel", 5, [this](const Twist& twist) {
      warn(controller_.command({twist.linear.x, twist.linear.y, twist.angular.z}, now().seconds()));
    });
    teleop_ = create_subscription<Twist>("teleop_cmd_vel", 5, [this](const Twist& twist) {
      warn(controller_.teleoperate({twist.linear.x, twist.linear.y, twist.angular.z}, now().seconds()));
    });
    joints_ = create_subscription<sensor_msgs::msg::JointState>(
        "joint_states", rclcpp::SensorDataQoS(),
        [this](const sensor_msgs::msg::JointState& state) { on_joints(state); });
    imu_ = create_subscription<sensor_msgs::msg::Imu>(
        "imu/data", rclcpp::SensorDataQoS(), [this](const sensor_msgs::msg::Imu& imu) {
          const auto felt = orientation_from(imu);  // none: without an attitude the walk is open-loop
          if (felt) controller_.sense_imu(felt->attitude, felt->yaw, rclcpp::Time(imu.header.stamp).seconds());
        });
    for (const Side side : {Side::Left, Side::Right}) {
      const auto& sensor = description_.config.foot_sensors[static_cast<std::size_t>(side)];
      if (!sensor) continue;  // a robot without force cells
      feet_[static_cast<std::size_t>(side)] = create_subscription<FootPressure>(
          side == Side::Left ? "foot_pressure_left" : "foot_pressure_right", rclcpp::SensorDataQoS(),
          [this, side, cells = sensor->cells](const FootPressure& foot) {
            const auto load =
                load_from_cells(cells, {foot.front_left, foot.front_right, foot.back_left, foot.back_right});
            if (load) controller_.sense_foot(side, *load, rclcpp::Time(foot.header.stamp).seconds());
          });
    }
    rclcpp::SubscriptionOptions latched;
    latched.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    state_ = create_subscription<RobotControlState>(
        "robot_state", rclcpp::QoS(1).transient_local(),
        [this](const RobotControlState& state) { controller_.permit(permission_from(state)); }, latched);
    if (!need_hcm_) controller_.permit(Permission::Full);
  }

  void serve() {
    steps_ = create_service<RequestSteps>("request_steps", [this](const std::shared_ptr<RequestSteps::Request> request,
                                                                  std::shared_ptr<RequestSteps::Response> response) {
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
      fill(controller_, parameters_.values().walk.trunk_pitch, debug_);
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
    using diagnostic_msgs::msg::DiagnosticStatus;
    diagnostic_msgs::msg::DiagnosticArray array;
    array.header.stamp = now();
    DiagnosticStatus status;
    status.name = "walking";
    status.hardware_id = robot_;
    const std::string& complaint = controller_.complaint();
    status.level = complaint.empty() ? DiagnosticStatus::OK : DiagnosticStatus::WARN;
    status.message = complaint.empty() ? (controller_.walking() ? "walking" : "standing by") : complaint;
    array.status.push_back(status);
    diagnostics_->publish(array);
  }

  std::string robot_;
  Robot description_;
  const Body& body_;
  double rate_;             // Hz
  double last_tick_ = 0.0;  // s
  bool need_hcm_, publish_tf_;
  WalkingParameters parameters_;
  Controller controller_;
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
  rclcpp::Publisher<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr diagnostics_;
  std::unique_ptr<tf2_ros::TransformBroadcaster> broadcaster_;
  rclcpp::Subscription<geometry_msgs::msg::Twist>::SharedPtr command_, teleop_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr joints_;
  rclcpp::Subscription<sensor_msgs::msg::Imu>::SharedPtr imu_;
  std::array<rclcpp::Subscription<FootPressure>::SharedPtr, 2> feet_;
  rclcpp::Subscription<RobotControlState>::SharedPtr state_;
  rclcpp::Service<RequestSteps>::SharedPtr steps_;
  rclcpp::TimerBase::SharedPtr timer_, diagnostics_timer_;
};

}  // namespace hl_walking

RCLCPP_COMPONENTS_REGISTER_NODE(hl_walking::WalkingNode)

// SPDX-License-Identifier: Apache-2.0
#include <tf2/exceptions.h>
#include <tf2_ros/buffer.h>
#include <tf2_ros/transform_broadcaster.h>
#include <tf2_ros/transform_listener.h>

#include <ament_index_cpp/get_package_share_directory.hpp>
#include <chrono>
#include <cmath>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <geometry_msgs/msg/twist.hpp>
#include <humanoid_league_msgs/action/kick.hpp>
#include <humanoid_league_msgs/msg/foot_pressure.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/support_state.hpp>
#include <humanoid_league_msgs/msg/walking_debug.hpp>
#include <humanoid_league_msgs/srv/request_steps.hpp>
#include <limits>
#include <memory>
#include <nav_msgs/msg/odometry.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "hl_description/robot_config.hpp"
#include "hl_walking/controller.hpp"

namespace hl_walking {
namespace {

using humanoid_league_msgs::msg::FootPressure;
using humanoid_league_msgs::msg::RobotControlState;
using humanoid_league_msgs::msg::SupportState;
using humanoid_league_msgs::msg::WalkingDebug;
using humanoid_league_msgs::srv::RequestSteps;
using trajectory_msgs::msg::JointTrajectory;
using KickAction = humanoid_league_msgs::action::Kick;
using KickHandle = rclcpp_action::ServerGoalHandle<KickAction>;

/// A number that can be changed at run time, whose bounds `ros2 param describe` shows.
struct Tunable {
  std::string name;
  double* value;
  double min, max;
  std::string description;
};

rcl_interfaces::msg::ParameterDescriptor described(const std::string& text, bool read_only) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = text;
  descriptor.read_only = read_only;
  return descriptor;
}

Permission permission_from(const RobotControlState& state) {
  if (state.state != RobotControlState::CONTROLLABLE && state.state != RobotControlState::WALKING &&
      state.state != RobotControlState::KICKING) {
    return Permission::None;
  }
  return state.stop_requested ? Permission::Stop : Permission::Full;
}

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

geometry_msgs::msg::Point unknown_point() {
  geometry_msgs::msg::Point message;
  message.x = message.y = message.z = std::numeric_limits<double>::quiet_NaN();
  return message;
}

geometry_msgs::msg::Point point(const Eigen::Vector2d& p) {
  geometry_msgs::msg::Point message;
  message.x = p.x();
  message.y = p.y();
  return message;
}

geometry_msgs::msg::Quaternion message_from(const Eigen::Quaterniond& q) {
  geometry_msgs::msg::Quaternion message;
  message.x = q.x();
  message.y = q.y();
  message.z = q.z();
  message.w = q.w();
  return message;
}

}  // namespace

/// Velocity in, motor goals and odometry out; and the kick.
class WalkingNode : public rclcpp::Node {
 public:
  explicit WalkingNode(const rclcpp::NodeOptions& options)
      : Node("walking", options),
        robot_(declare_parameter("robot", "minibot", described("folder and URDF of hl_description", true))),
        description_(load_robot(robot_)),
        body_(description_.body),
        tf_buffer_(get_clock()),
        tf_listener_(tf_buffer_, this, false) {
    declare();
    controller_ = std::make_unique<Controller>(body_, walk_, kick_, odometry_, control_);
    measured_ = body_.ready();
    torques_ = Joints::Zero(body_.ready().size());
    prepare_messages();
    publish();
    subscribe();
    serve();
    timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0 / rate_), [this] { tick(); });
    diagnostics_timer_ =
        rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { diagnose(); });
  }

 private:
  // --- parameters ---

  void declare() {
    rate_ = declare_parameter("rate", 100.0, described("Hz, control ticks; 20..1000", true));
    if (!(rate_ >= 20.0 && rate_ <= 1000.0)) throw std::invalid_argument("rate must be in 20..1000 Hz");
    need_hcm_ = declare_parameter("need_hcm", true, described("move only if robot_state allows it", true));
    publish_tf_ = declare_parameter("publish_tf", true, described("odom -> base_footprint -> base_link", true));
    auto contact = described("what tells of a touch-down: auto, pressure, joint_load or imu", false);
    contact.additional_constraints = "auto: foot pressure if there is any, else joint loads, else the IMU alone";
    set_contact_source(declare_parameter("contact_source", "auto", contact));
    for (const ParameterInfo& info : parameter_table()) {
      const std::string unit = *info.unit != '\0' ? std::string(info.unit) + ", " : "";
      tunables_.push_back({info.name, &(walk_.*info.value), info.min, info.max, unit + info.description});
    }
    const auto add = [this](const char* name, double& value, double min, double max, const char* text) {
      tunables_.push_back({name, &value, min, max, text});
    };
    add("command_timeout", control_.command_timeout, 0.05, 5.0, "s without cmd_vel after which the robot stops");
    add("sensor_timeout", control_.sensor_timeout, 0.02, 2.0, "s after which a sensor counts as missing");
    add("approach_speed", control_.approach_speed, 0.1, 5.0, "rad/s on the way to the first posture");
    add("quiet_after", control_.quiet_after, 0.0, 5.0, "s of standing after which no more goals are sent");
    add("odometry.scale_forward", odometry_.scale_forward, 0.5, 2.0, "true over counted way, forward");
    add("odometry.scale_backward", odometry_.scale_backward, 0.5, 2.0, "true over counted way, backward");
    add("odometry.scale_sideways", odometry_.scale_sideways, 0.5, 2.0, "true over counted way, sideways");
    add("odometry.scale_turn", odometry_.scale_turn, 0.5, 2.0, "true over counted turn, without an IMU");
    for (const Kick::ParameterInfo& info : Kick::parameter_table()) {
      tunables_.push_back({std::string("kick.") + info.name, &(kick_.*info.value), info.min, info.max,
                           std::string(info.unit) + ", " + info.description});
    }
    for (Tunable& tunable : tunables_) {
      auto descriptor = described(tunable.description, false);
      descriptor.floating_point_range.resize(1);
      descriptor.floating_point_range[0].from_value = tunable.min;
      descriptor.floating_point_range[0].to_value = tunable.max;
      *tunable.value = declare_parameter(tunable.name, *tunable.value, descriptor);
    }
    if (const auto error = invalid()) throw std::invalid_argument(*error);
    parameter_callback_ = add_on_set_parameters_callback(
        [this](const std::vector<rclcpp::Parameter>& changed) { return change(changed); });
  }

  void set_contact_source(const std::string& name) {
    const auto source = contact_source_from(name);
    if (!source) {
      throw std::invalid_argument("contact_source is '" + name + "' but must be auto, pressure, joint_load or imu");
    }
    control_.contact_source = *source;
  }

  std::optional<std::string> invalid() const {
    if (auto error = walk_.validate()) return error;
    if (auto error = odometry_.validate()) return error;
    if (auto error = kick_.validate()) return error;
    return control_.validate();
  }

  rcl_interfaces::msg::SetParametersResult change(const std::vector<rclcpp::Parameter>& changed) {
    const auto walk = walk_;
    const auto odometry = odometry_;
    const auto kick = kick_;
    const auto control = control_;
    std::optional<std::string> error;
    try {
      for (const rclcpp::Parameter& parameter : changed) {
        if (parameter.get_name() == "contact_source") set_contact_source(parameter.as_string());
        for (Tunable& tunable : tunables_) {
          if (tunable.name == parameter.get_name()) *tunable.value = parameter.as_double();
        }
      }
      error = invalid();
    } catch (const std::exception& e) {
      error = e.what();
    }
    rcl_interfaces::msg::SetParametersResult result;
    result.successful = !error;
    result.reason = error.value_or("");
    if (error) {
      walk_ = walk;
      odometry_ = odometry;
      kick_ = kick;
      control_ = control;
    } else {
      controller_->set_walk(walk_);
      controller_->set_odometry(odometry_);
      controller_->set_kick(kick_);
      controller_->set_params(control_);
    }
    return result;
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
    odom_.header.frame_id = "odom";
    odom_.child_frame_id = "base_footprint";
    for (const int i : {0, 7, 35}) {  // x, y, yaw: a few per cent of the way, said as a constant
      odom_.pose.covariance[static_cast<std::size_t>(i)] = 0.01;
      odom_.twist.covariance[static_cast<std::size_t>(i)] = 0.01;
    }
    support_.header.frame_id = "base_footprint";
    transforms_.resize(2);
    transforms_[0].header.frame_id = "odom";
    transforms_[0].child_frame_id = "base_footprint";
    transforms_[1].header.frame_id = "base_footprint";
    transforms_[1].child_frame_id = "base_link";
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
      warn(controller_->command({twist.linear.x, twist.linear.y, twist.angular.z}, now().seconds()));
    });
    teleop_ = create_subscription<Twist>("teleop_cmd_vel", 5, [this](const Twist& twist) {
      warn(controller_->teleoperate({twist.linear.x, twist.linear.y, twist.angular.z}, now().seconds()));
    });
    joints_ = create_subscription<sensor_msgs::msg::JointState>(
        "joint_states", rclcpp::SensorDataQoS(),
        [this](const sensor_msgs::msg::JointState& state) { on_joints(state); });
    imu_ = create_subscription<sensor_msgs::msg::Imu>("imu/data", rclcpp::SensorDataQoS(),
                                                      [this](const sensor_msgs::msg::Imu& imu) { on_imu(imu); });
    for (const Side side : {Side::Left, Side::Right}) {
      const auto& sensor = description_.config.foot_sensors[static_cast<std::size_t>(side)];
      if (!sensor) continue;  // a robot without force cells
      feet_[static_cast<std::size_t>(side)] = create_subscription<FootPressure>(
          side == Side::Left ? "foot_pressure_left" : "foot_pressure_right", rclcpp::SensorDataQoS(),
          [this, side, cells = sensor->cells](const FootPressure& foot) {
            const auto load =
                load_from_cells(cells, {foot.front_left, foot.front_right, foot.back_left, foot.back_right});
            if (load) controller_->sense_foot(side, *load, now().seconds());
          });
    }
    rclcpp::SubscriptionOptions latched;
    latched.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
    state_ = create_subscription<RobotControlState>(
        "robot_state", rclcpp::QoS(1).transient_local(),
        [this](const RobotControlState& state) { controller_->permit(permission_from(state)); }, latched);
    if (!need_hcm_) controller_->permit(Permission::Full);
  }

  void serve() {
    steps_ = create_service<RequestSteps>("request_steps", [this](const std::shared_ptr<RequestSteps::Request> request,
                                                                  std::shared_ptr<RequestSteps::Response> response) {
      const Pose2 step = {request->step.x, request->step.y, request->step.theta};
      const auto refused = controller_->request_steps(
          step, static_cast<int>(std::min<std::uint32_t>(request->count, 1000)), now().seconds());
      response->success = !refused;
      response->message = refused.value_or("steps are on their way");
    });
    kick_server_ = rclcpp_action::create_server<KickAction>(
        this, "kick",
        [](const rclcpp_action::GoalUUID&, std::shared_ptr<const KickAction::Goal>) {
          return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;  // what cannot be kicked ends with a reason
        },
        [](const std::shared_ptr<KickHandle>) { return rclcpp_action::CancelResponse::ACCEPT; },
        [this](const std::shared_ptr<KickHandle> handle) { begin_kick(handle); });
  }

  // --- inputs ---

  void warn(const std::optional<std::string>& refused) {
    if (refused) RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 1000, "%s", refused->c_str());
  }

  void on_joints(const sensor_msgs::msg::JointState& state) {
    if (state.header.stamp == joints_stamp_ && joints_stamp_ != builtin_interfaces::msg::Time())
      return;  // a repetition
    joints_stamp_ = state.header.stamp;
    const std::size_t count = std::min(state.name.size(), state.position.size());
    const bool loaded = state.effort.size() == state.name.size() && count > 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (const auto joint = body_.model().joint_index(state.name[i])) {
        measured_[static_cast<Eigen::Index>(*joint)] = state.position[i];
        if (loaded) torques_[static_cast<Eigen::Index>(*joint)] = state.effort[i];
      }
    }
    const double stamp = now().seconds();
    controller_->sense_joints(measured_, stamp);
    if (loaded) controller_->sense_torques(torques_, stamp);
  }

  void on_imu(const sensor_msgs::msg::Imu& imu) {
    const Eigen::Quaterniond q(imu.orientation.w, imu.orientation.x, imu.orientation.y, imu.orientation.z);
    if (!(std::abs(q.squaredNorm() - 1.0) < 0.1)) return;  // no orientation: without an attitude the walk is open-loop
    const Eigen::Matrix3d r = q.normalized().toRotationMatrix();
    const Attitude attitude = {std::atan2(r(2, 1), r(2, 2)), std::asin(std::clamp(-r(2, 0), -1.0, 1.0)),
                               imu.angular_velocity.x, imu.angular_velocity.y};
    controller_->sense_imu(attitude, std::atan2(r(1, 0), r(0, 0)), now().seconds());
  }

  // --- kick ---

  /// The goal in base_footprint as it is now, whatever frame and time it was given in. Throws tf2::TransformException.
  KickGoal kick_goal(const KickAction::Goal& goal) const {
    static constexpr double kFresh = 0.1;  // s; the robot has not gone far since
    Eigen::Isometry3d to_robot = Eigen::Isometry3d::Identity();
    const std::string frame = goal.header.frame_id.empty() ? "base_footprint" : goal.header.frame_id;
    const rclcpp::Time stamp(goal.header.stamp, get_clock()->get_clock_type());
    const bool fresh = stamp.nanoseconds() == 0 || std::abs((now() - stamp).seconds()) < kFresh;
    if (!fresh || frame != "base_footprint") {
      const auto latest = tf2::TimePointZero;
      const auto t = fresh ? tf_buffer_.lookupTransform("base_footprint", frame, latest)
                           : tf_buffer_.lookupTransform("base_footprint", latest, frame,
                                                        tf2::timeFromSec(stamp.seconds()), "odom");
      const auto& q = t.transform.rotation;
      const auto& p = t.transform.translation;
      to_robot = Eigen::Translation3d(p.x, p.y, p.z) * Eigen::Quaterniond(q.w, q.x, q.y, q.z);
    }
    KickGoal kick;
    kick.ball = (to_robot * Eigen::Vector3d(goal.ball_pos.x, goal.ball_pos.y, goal.ball_pos.z)).head<2>();
    kick.target = (to_robot * Eigen::Vector3d(goal.target.x, goal.target.y, goal.target.z)).head<2>();
    kick.speed = goal.speed;
    return kick;
  }

  void begin_kick(const std::shared_ptr<KickHandle>& handle) {
    const auto goal = handle->get_goal();
    std::optional<std::string> refused;
    try {
      if (kick_handle_) {
        refused = "a kick is under way";
      } else {
        refused = controller_->start_kick(kick_goal(*goal), goal->in_walk, now().seconds());
      }
    } catch (const tf2::TransformException& e) {
      refused = std::string("where ball and target are is not known: ") + e.what();
    }
    if (refused) {
      RCLCPP_WARN(get_logger(), "no kick: %s", refused->c_str());
      finish_kick(handle, false, *refused);
    } else {
      kick_handle_ = handle;
      kick_percent_ = 0;
    }
  }

  void finish_kick(const std::shared_ptr<KickHandle>& handle, bool successful, const std::string& message) {
    auto result = std::make_shared<KickAction::Result>();
    result->successful = successful;
    result->message = message;
    result->foot = !successful                                 ? 0
                   : controller_->kicking_foot() == Side::Left ? KickAction::Result::LEFT
                                                               : KickAction::Result::RIGHT;
    if (handle->is_canceling()) {
      handle->canceled(result);
    } else if (successful) {
      handle->succeed(result);
    } else {
      handle->abort(result);
    }
  }

  void follow_kick() {
    if (!kick_handle_) return;
    if (kick_handle_->get_goal()->in_walk) return follow_walk_kick();
    if (kick_handle_->is_canceling()) controller_->cancel_kick();
    if (controller_->kicking()) {
      const auto percent = static_cast<std::uint8_t>(100.0 * controller_->kick().progress());
      if (percent == kick_percent_) return;
      auto feedback = std::make_shared<KickAction::Feedback>();
      feedback->percent_done = kick_percent_ = percent;
      kick_handle_->publish_feedback(feedback);
      return;
    }
    const bool done = controller_->kick().finished();
    finish_kick(kick_handle_, done, done ? "kicked" : "the body was taken away or the kick was cancelled");
    kick_handle_.reset();
  }

  /// One step, too short to be cancelled.
  void follow_walk_kick() {
    const auto kick = controller_->walk_kick();
    if (kick == Controller::WalkKick::Waiting) return;
    const bool done = kick == Controller::WalkKick::Done;
    finish_kick(kick_handle_, done, done ? "kicked in walk" : "the robot stopped before the step of that foot");
    kick_handle_.reset();
  }

  // --- outputs ---

  void tick() {
    const rclcpp::Time stamp = now();
    // What was on its way when time went back would be newer than all that comes.
    if (stamp.seconds() < last_tick_) tf_buffer_.clear();
    last_tick_ = stamp.seconds();
    const auto goals = controller_->update(last_tick_);
    if (goals != Controller::Goals::None) {
      goals_.header.stamp = stamp;
      for (std::size_t i = 0; i < goal_joints_.size(); ++i) {
        goals_.points[0].positions[i] = controller_->joints()[static_cast<Eigen::Index>(goal_joints_[i])];
      }
      (goals == Controller::Goals::Kick ? kick_goals_ : walking_goals_)->publish(goals_);
    }
    follow_kick();
    if (controller_->joints_fresh()) publish_odometry(stamp);
    publish_support(stamp);
    if (debug_publisher_->get_subscription_count() > 0) publish_debug(stamp);
  }

  void publish_odometry(const rclcpp::Time& stamp) {
    const Odometry& odometry = controller_->odometry();
    const Pose2 pose = odometry.footprint();
    const auto heading = message_from(Eigen::Quaterniond(Eigen::AngleAxisd(pose.yaw, Eigen::Vector3d::UnitZ())));
    odom_.header.stamp = stamp;
    odom_.pose.pose.position.x = pose.x;
    odom_.pose.pose.position.y = pose.y;
    odom_.pose.pose.orientation = heading;
    odom_.twist.twist.linear.x = odometry.velocity().x;
    odom_.twist.twist.linear.y = odometry.velocity().y;
    odom_.twist.twist.angular.z = odometry.velocity().yaw;
    odom_publisher_->publish(odom_);
    if (!broadcaster_) return;
    const Eigen::Isometry3d& base = odometry.base();
    transforms_[0].header.stamp = transforms_[1].header.stamp = stamp;
    transforms_[0].transform.translation.x = pose.x;
    transforms_[0].transform.translation.y = pose.y;
    transforms_[0].transform.rotation = heading;
    transforms_[1].transform.translation.x = base.translation().x();
    transforms_[1].transform.translation.y = base.translation().y();
    transforms_[1].transform.translation.z = base.translation().z();
    transforms_[1].transform.rotation = message_from(Eigen::Quaterniond(base.linear()));
    broadcaster_->sendTransform(transforms_);
  }

  void publish_support(const rclcpp::Time& stamp) {
    const Output& out = controller_->engine().output();
    support_.header.stamp = stamp;
    support_.state = SupportState::DOUBLE;
    if (!out.double_support) support_.state = out.support == Side::Left ? SupportState::LEFT : SupportState::RIGHT;
    support_.walking = controller_->walking();
    support_.unstable = controller_->unstable();
    // A cycle is two steps; the left foot lands when its support begins.
    const double phase = out.support == Side::Left ? out.step_phase / 2.0 : 0.5 + out.step_phase / 2.0;
    support_.phase = static_cast<float>(out.phase == Phase::Walking ? phase : 0.0);
    support_publisher_->publish(support_);
  }

  void publish_debug(const rclcpp::Time& stamp) {
    static constexpr const char* kNames[] = {"idle", "starting", "walking", "stopping"};
    const Output& out = controller_->engine().output();
    debug_.header.stamp = stamp;
    debug_.header.frame_id = out.support == Side::Left ? "l_sole" : "r_sole";
    debug_.engine_state = controller_->kicking() ? "kicking" : kNames[static_cast<int>(out.phase)];
    debug_.support = support_.state;
    debug_.phase = static_cast<float>(out.step_phase);
    debug_.steps = static_cast<std::uint32_t>(out.steps);
    debug_.commanded.linear.x = out.velocity.x;
    debug_.commanded.linear.y = out.velocity.y;
    debug_.commanded.angular.z = out.velocity.yaw;
    debug_.zmp_planned = point(out.zmp);
    const auto zmp = controller_->measured_zmp(), com = controller_->measured_com();
    debug_.zmp_measured = zmp ? point(*zmp) : unknown_point();
    debug_.com_planned = point(out.com);
    debug_.com_measured = com ? point(*com) : unknown_point();
    debug_.capture_point = point(out.dcm);
    debug_.swing_foot.position = point(out.swing_foot.position());
    debug_.swing_foot.position.z = out.swing_height;
    debug_.swing_foot.orientation =
        message_from(Eigen::Quaterniond(Eigen::AngleAxisd(out.swing_foot.yaw, Eigen::Vector3d::UnitZ())));
    debug_.next_step.x = out.landing.x;
    debug_.next_step.y = out.landing.y;
    debug_.next_step.theta = out.landing.yaw;
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const auto attitude = controller_->attitude().value_or(Attitude{unknown, unknown, unknown, unknown});
    debug_.roll = static_cast<float>(attitude.roll);
    debug_.pitch = static_cast<float>(attitude.pitch);
    debug_.roll_error = static_cast<float>(attitude.roll);
    debug_.pitch_error = static_cast<float>(attitude.pitch - walk_.trunk_pitch);
    debug_.stability = static_cast<float>(1.0 - out.instability);
    debug_publisher_->publish(debug_);
  }

  void diagnose() {
    using diagnostic_msgs::msg::DiagnosticStatus;
    diagnostic_msgs::msg::DiagnosticArray array;
    array.header.stamp = now();
    DiagnosticStatus status;
    status.name = "walking";
    status.hardware_id = robot_;
    const std::string& complaint = controller_->complaint();
    status.level = complaint.empty() ? DiagnosticStatus::OK : DiagnosticStatus::WARN;
    status.message = complaint.empty() ? (controller_->walking() ? "walking" : "standing by") : complaint;
    array.status.push_back(status);
    diagnostics_->publish(array);
  }

  std::string robot_;
  Robot description_;
  const Body& body_;
  tf2_ros::Buffer tf_buffer_;
  tf2_ros::TransformListener tf_listener_;
  Params walk_;
  Odometry::Params odometry_;
  Kick::Params kick_;
  Controller::Params control_;
  std::vector<Tunable> tunables_;
  double rate_ = 100.0;
  double last_tick_ = 0.0;  // s
  bool need_hcm_ = true, publish_tf_ = true;
  std::unique_ptr<Controller> controller_;
  Joints measured_, torques_;
  builtin_interfaces::msg::Time joints_stamp_;  // of the last joint_states
  std::vector<std::size_t> goal_joints_;

  JointTrajectory goals_;
  nav_msgs::msg::Odometry odom_;
  SupportState support_;
  WalkingDebug debug_;
  std::vector<geometry_msgs::msg::TransformStamped> transforms_;
  std::shared_ptr<KickHandle> kick_handle_;
  std::uint8_t kick_percent_ = 0;

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
  rclcpp_action::Server<KickAction>::SharedPtr kick_server_;
  rclcpp::TimerBase::SharedPtr timer_, diagnostics_timer_;
  rclcpp::node_interfaces::OnSetParametersCallbackHandle::SharedPtr parameter_callback_;
};

}  // namespace hl_walking

RCLCPP_COMPONENTS_REGISTER_NODE(hl_walking::WalkingNode)

// SPDX-License-Identifier: Apache-2.0
#include <tf2_ros/transform_broadcaster.h>

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

Body load_body(const std::string& robot) {
  const std::string share = ament_index_cpp::get_package_share_directory("hl_description");
  const auto model = hl_description::RobotModel::from_file(share + "/urdf/" + robot + ".urdf");
  const auto config = hl_description::RobotConfig::from_file(share + "/config/" + robot + "/robot.yaml");
  return Body(model, config.pose(model, "walkready"));
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
        body_(load_body(robot_)) {
    declare();
    controller_ = std::make_unique<Controller>(body_, walk_, kick_, odometry_, control_);
    measured_ = body_.ready();
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
    add("kick.shift_duration", kick_.shift_duration, 0.2, 3.0, "s, weight over the support foot");
    add("kick.lift_duration", kick_.lift_duration, 0.1, 2.0, "s, the foot goes up and back");
    add("kick.swing_duration", kick_.swing_duration, 0.08, 1.0, "s, from the back through the ball to the front");
    add("kick.return_duration", kick_.return_duration, 0.1, 2.0, "s, the foot goes home");
    add("kick.back", kick_.back, 0.0, 0.2, "m behind the support foot where the swing starts");
    add("kick.front", kick_.front, 0.02, 0.3, "m ahead of it where the swing ends");
    add("kick.lift", kick_.lift, 0.01, 0.12, "m, height of the foot at the back");
    add("kick.strike_height", kick_.strike_height, 0.005, 0.12, "m, height of the foot in front");
    add("kick.strike_pitch", kick_.strike_pitch, -0.6, 0.6, "rad, toes down at the ball");
    add("kick.com_x", kick_.com_x, -0.06, 0.06, "m, centre of mass ahead of the sole's centre on one foot");
    add("kick.com_y", kick_.com_y, -0.04, 0.06, "m, and inwards of it");
    add("kick.near", kick_.near, 0.0, 0.3, "m, nearest ball ahead that can be hit");
    add("kick.far", kick_.far, 0.05, 0.5, "m, farthest ball ahead that can be hit");
    add("kick.inside", kick_.inside, -0.1, 0.1, "m, ball nearest to the middle that can be hit");
    add("kick.outside", kick_.outside, 0.02, 0.3, "m, ball farthest aside that can be hit");
    add("kick.max_angle", kick_.max_angle, 0.0, 1.0, "rad, kick direction against straight ahead");
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
    for (const rclcpp::Parameter& parameter : changed) {
      for (Tunable& tunable : tunables_) {
        if (tunable.name == parameter.get_name()) *tunable.value = parameter.as_double();
      }
    }
    rcl_interfaces::msg::SetParametersResult result;
    const auto error = invalid();
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
    const auto velocity = [](const Twist& twist) { return Velocity{twist.linear.x, twist.linear.y, twist.angular.z}; };
    command_ = create_subscription<Twist>(
        "cmd_vel", 5, [this, velocity](const Twist& twist) { controller_->command(velocity(twist), now().seconds()); });
    teleop_ = create_subscription<Twist>("teleop_cmd_vel", 5, [this, velocity](const Twist& twist) {
      controller_->teleoperate(velocity(twist), now().seconds());
    });
    joints_ = create_subscription<sensor_msgs::msg::JointState>(
        "joint_states", rclcpp::SensorDataQoS(),
        [this](const sensor_msgs::msg::JointState& state) { on_joints(state); });
    imu_ = create_subscription<sensor_msgs::msg::Imu>("imu/data", rclcpp::SensorDataQoS(),
                                                      [this](const sensor_msgs::msg::Imu& imu) { on_imu(imu); });
    for (const Side side : {Side::Left, Side::Right}) {
      feet_[static_cast<std::size_t>(side)] = create_subscription<FootPressure>(
          side == Side::Left ? "foot_pressure_left" : "foot_pressure_right", rclcpp::SensorDataQoS(),
          [this, side](const FootPressure& foot) {
            double sum = 0.0;
            for (const float cell : {foot.front_left, foot.front_right, foot.back_left, foot.back_right}) {
              if (!(cell >= 0.0F)) return;  // a broken cell: better no foot than half a foot
              sum += cell;
            }
            controller_->sense_foot(side, sum, now().seconds());
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

  void on_joints(const sensor_msgs::msg::JointState& state) {
    const std::size_t count = std::min(state.name.size(), state.position.size());
    for (std::size_t i = 0; i < count; ++i) {
      if (const auto joint = body_.model().joint_index(state.name[i])) {
        measured_[static_cast<Eigen::Index>(*joint)] = state.position[i];
      }
    }
    controller_->sense_joints(measured_, now().seconds());
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

  void begin_kick(const std::shared_ptr<KickHandle>& handle) {
    const auto goal = handle->get_goal();
    const std::string& frame = goal->header.frame_id;
    KickGoal kick;
    kick.ball = {goal->ball_pos.x, goal->ball_pos.y};
    kick.target = {goal->target.x, goal->target.y};
    kick.speed = goal->speed;
    std::optional<std::string> refused;
    if (!frame.empty() && frame != "base_footprint") {
      refused = "ball and target are given in " + frame + "; they must be in base_footprint";
    } else {
      refused = controller_->start_kick(kick, goal->in_walk, now().seconds());
    }
    if (refused) {
      RCLCPP_WARN(get_logger(), "no kick: %s", refused->c_str());
      finish_kick(handle, false, *refused);
    } else if (goal->in_walk) {
      finish_kick(handle, true, "with the next step");
    } else {
      kick_handle_ = handle;
    }
  }

  void finish_kick(const std::shared_ptr<KickHandle>& handle, bool successful, const std::string& message) {
    auto result = std::make_shared<KickAction::Result>();
    result->successful = successful;
    result->message = message;
    result->foot = !successful                                ? 0
                   : controller_->kick().foot() == Side::Left ? KickAction::Result::LEFT
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

  // --- outputs ---

  void tick() {
    const rclcpp::Time stamp = now();
    const auto goals = controller_->update(stamp.seconds());
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
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    debug_.zmp_measured = point({unknown, unknown});
    debug_.com_planned = point(out.com);
    debug_.com_measured = point({unknown, unknown});
    debug_.capture_point = point(out.dcm);
    debug_.swing_foot.position = point(out.swing_foot.position());
    debug_.swing_foot.position.z = out.swing_height;
    debug_.swing_foot.orientation =
        message_from(Eigen::Quaterniond(Eigen::AngleAxisd(out.swing_foot.yaw, Eigen::Vector3d::UnitZ())));
    debug_.next_step.x = out.landing.x;
    debug_.next_step.y = out.landing.y;
    debug_.next_step.theta = out.landing.yaw;
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
  Body body_;
  Params walk_;
  Odometry::Params odometry_;
  Kick::Params kick_;
  Controller::Params control_;
  std::vector<Tunable> tunables_;
  double rate_ = 100.0;
  bool need_hcm_ = true, publish_tf_ = true;
  std::unique_ptr<Controller> controller_;
  Joints measured_;
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

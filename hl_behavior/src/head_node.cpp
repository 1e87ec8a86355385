// SPDX-License-Identifier: Apache-2.0
// The node `head`: the only one that writes head_motor_goals.
#include <cmath>
#include <geometry_msgs/msg/point_stamped.hpp>
#include <humanoid_league_msgs/msg/head_mode.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_components/register_node_macro.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <string>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

#include "hl_behavior/slot_rules.hpp"
#include "hl_description/robot_config.hpp"
#include "hl_node/diagnostics.hpp"
#include "hl_node/interfaces.hpp"
#include "hl_node/node_parameters.hpp"
#include "messages.hpp"
#include "node_params.hpp"

namespace hl_behavior {
namespace {

namespace msg = humanoid_league_msgs::msg;
namespace topics = hl_node::topics;

constexpr const char* kPan = "HeadPan";
constexpr const char* kTilt = "HeadTilt";
constexpr double kStale = 0.3;  // s, joint states

}  // namespace

class HeadNode : public rclcpp::Node {
 public:
  explicit HeadNode(const rclcpp::NodeOptions& options)
      : Node("head", options),
        parameters_(*this, head_parameters()),
        model_(read_model(parameters_.values())),
        head_(parameters_.values().core, Neck::from_model(model_)),
        diagnostics_(*this, "view") {
    inputs_.mode = HeadMode::LookForward;  // until somebody wants something
    inputs_.footprint_from_base = standing_ = trunk_when_ready(parameters_.values());
    parameters_.on_change([this](const HeadNodeParams& params) { head_.set_params(params.core); });
    goals_.joint_names = {kPan, kTilt};
    goals_.points.resize(1);
    goals_.points[0].positions.resize(2);
    goals_.points[0].velocities.resize(2);
    subscribe();
    publisher_ = hl_node::create_publisher<trajectory_msgs::msg::JointTrajectory>(*this, topics::kHeadMotorGoals);
    const auto period = std::chrono::duration<double>(1.0 / parameters_.values().rate);
    timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration(period), [this] { tick(); });
  }

 private:
  static hl_description::RobotModel read_model(const HeadNodeParams& params) {
    if (params.urdf_file.empty())
      throw std::invalid_argument("urdf_file is empty: give the robot's expanded URDF, as head.launch.xml does");
    return hl_description::RobotModel::from_file(params.urdf_file);
  }

  /// base_link over the ground in the pose the robot walks in.
  Eigen::Isometry3d trunk_when_ready(const HeadNodeParams& params) const {
    Eigen::VectorXd joints = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(model_.dof()));
    if (!params.robot_config_file.empty()) {
      const auto config = hl_description::RobotConfig::from_file(params.robot_config_file);
      joints = config.pose(model_, "walkready");
    }
    return hl_description::base_footprint(model_, model_.forward(joints), hl_description::Side::Left).inverse();
  }

  void subscribe() {
    mode_ = hl_node::create_subscription<msg::HeadMode>(*this, topics::kHeadMode, [this](const msg::HeadMode& m) {
      if (m.head_mode == 6 || m.head_mode > msg::HeadMode::LOOK_UP) {
        RCLCPP_WARN(get_logger(), "head mode %d does not exist", m.head_mode);
        return;
      }
      inputs_.mode = static_cast<HeadMode>(m.head_mode);
    });
    look_ = hl_node::create_subscription<geometry_msgs::msg::PointStamped>(
        *this, topics::kLookAt, [this](const geometry_msgs::msg::PointStamped& m) { on_look_at(m); });
    personal_ = hl_node::create_subscription<msg::Model>(
        *this, topics::kPersonalModel, [this](const msg::Model& m) { inputs_.model = model_from(m); });
    joints_ = hl_node::create_subscription<sensor_msgs::msg::JointState>(
        *this, topics::kJointStates, [this](const sensor_msgs::msg::JointState& m) { on_joints(m); });
    imu_ = hl_node::create_subscription<sensor_msgs::msg::Imu>(*this, topics::kImuData,
                                                               [this](const sensor_msgs::msg::Imu& m) { on_imu(m); });
    body_ = hl_node::create_subscription<msg::RobotControlState>(
        *this, topics::kRobotState, [this](const msg::RobotControlState& m) {
          if (m.state > msg::RobotControlState::KICKING) return;
          const BodyClass body = body_class(static_cast<hl_soccer::BodyState>(m.state));
          free_ = slot_rules(body, KickStage::None).head == SlotRule::Run;
        });
  }

  void on_look_at(const geometry_msgs::msg::PointStamped& m) {
    LookAt look;
    look.point = {m.point.x, m.point.y};
    look.height = m.point.z;
    if (m.header.frame_id == "map") {
      look.frame = Frame::Map;
    } else if (m.header.frame_id == "base_footprint") {
      look.frame = Frame::BaseFootprint;
    } else {
      RCLCPP_WARN(get_logger(), "look_at in frame '%s': map and base_footprint are known here",
                  m.header.frame_id.c_str());
      return;
    }
    inputs_.look_at = look;
    inputs_.look_at_stamp = get_clock()->now().seconds();
  }

  void on_joints(const sensor_msgs::msg::JointState& m) {
    Neck::Angles angles;
    int found = 0;
    for (std::size_t i = 0; i < m.name.size() && i < m.position.size(); ++i) {
      if (m.name[i] != kPan && m.name[i] != kTilt) continue;
      (m.name[i] == kPan ? angles.pan : angles.tilt) = m.position[i];
      ++found;
    }
    if (found == 2) inputs_.measured = angles;
    measured_at_ = get_clock()->now().seconds();
  }

  void on_imu(const sensor_msgs::msg::Imu& m) {
    const Eigen::Quaterniond q(m.orientation.w, m.orientation.x, m.orientation.y, m.orientation.z);
    if (std::isfinite(m.angular_velocity.z) && m.angular_velocity_covariance[0] >= 0.0)
      inputs_.body_velocity.yaw = m.angular_velocity.z;
    if (m.orientation_covariance[0] < 0.0 || !(q.norm() > 0.5)) return;
    // The trunk's lean against the pose it walks in turns the camera with it.
    const hl_description::Tilt tilt = hl_description::tilt_of(q);
    inputs_.footprint_from_base = Eigen::Translation3d(standing_.translation()) *
                                  Eigen::AngleAxisd(tilt.pitch, Eigen::Vector3d::UnitY()) *
                                  Eigen::AngleAxisd(tilt.roll, Eigen::Vector3d::UnitX());
  }

  void tick() {
    const double now = get_clock()->now().seconds();
    if (now - measured_at_ > kStale) inputs_.measured.reset();
    inputs_.free = free_ && inputs_.measured.has_value();
    const Head::Outputs out = head_.step(inputs_, now);
    if (out.active) {
      goals_.header.stamp = stamp_from(now);
      goals_.points[0].positions[0] = out.goal.pan;
      goals_.points[0].positions[1] = out.goal.tilt;
      goals_.points[0].velocities[0] = goals_.points[0].velocities[1] = 1.5 * out.speed;
      publisher_->publish(goals_);
    }
    if (now - reported_ < 1.0 && now >= reported_) return;
    reported_ = now;
    const bool blind = !inputs_.measured.has_value();
    diagnostics_.report(blind ? hl_node::Level::Warn : hl_node::Level::Ok,
                        blind ? "no joint_states of HeadPan and HeadTilt" : out.what,
                        {{"mode", name_of(inputs_.mode)}});
  }

  hl_node::NodeParameters<HeadNodeParams> parameters_;
  hl_description::RobotModel model_;
  Head head_;
  Head::Inputs inputs_;
  hl_node::Diagnostics diagnostics_;
  Eigen::Isometry3d standing_ = Eigen::Isometry3d::Identity();
  bool free_ = false;
  double measured_at_ = -1e9, reported_ = 0.0;  // s
  trajectory_msgs::msg::JointTrajectory goals_;
  rclcpp::Subscription<msg::HeadMode>::SharedPtr mode_;
  rclcpp::Subscription<geometry_msgs::msg::PointStamped>::SharedPtr look_;
  rclcpp::Subscription<msg::Model>::SharedPtr personal_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr joints_;
  rclcpp::Subscription<sensor_msgs::msg::Imu>::SharedPtr imu_;
  rclcpp::Subscription<msg::RobotControlState>::SharedPtr body_;
  rclcpp::Publisher<trajectory_msgs::msg::JointTrajectory>::SharedPtr publisher_;
  rclcpp::TimerBase::SharedPtr timer_;
};

}  // namespace hl_behavior

RCLCPP_COMPONENTS_REGISTER_NODE(hl_behavior::HeadNode)

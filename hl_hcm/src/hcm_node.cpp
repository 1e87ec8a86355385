// SPDX-License-Identifier: Apache-2.0
#include "hcm_node.hpp"

#include <algorithm>
#include <chrono>
#include <hl_description/geometry.hpp>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_hcm/body_from_files.hpp"
#include "hl_node/interfaces.hpp"

namespace hl_hcm {
namespace {

namespace msg = humanoid_league_msgs::msg;
namespace srv = humanoid_league_msgs::srv;
namespace topics = hl_node::topics;
namespace services = hl_node::services;

HcmBody body_of(const NodeParams& params) {
  HcmBody body = body_from_files(params.urdf_file, params.robot_config_file);
  body.get_up = params.get_up;
  body.sit_down = params.sit_down;
  return body;
}

}  // namespace

HcmNode::HcmNode(const rclcpp::NodeOptions& options)
    : Node("hcm", options),
      parameters_(*this, node_parameters()),
      hcm_(std::make_unique<Hcm>(body_of(parameters_.values()), parameters_.values().core)),
      repeat_(parameters_.values().repeat),
      diagnostics_(*this, "control") {
  parameters_.on_change([this](const NodeParams& params) { hcm_->set(params.core); });
  for (const auto& joint : hcm_->joints().joints) motor_goals_.joint_names.push_back(joint.name);
  motor_goals_.points.resize(1);
  motor_goals_.points[0].positions.resize(hcm_->joints().size());

  motor_goals_pub_ = hl_node::create_publisher<JointTrajectory>(*this, topics::kMotorGoals);
  state_pub_ = hl_node::create_publisher<msg::RobotControlState>(*this, topics::kRobotState);
  debug_pub_ = hl_node::create_publisher<msg::HcmDebug>(*this, topics::kHcmDebug);
  speak_pub_ = hl_node::create_publisher<msg::Speak>(*this, topics::kSpeak);
  torque_client_ = create_client<srv::SetTorque>(services::kSetTorque);
  player_ = std::make_unique<AnimationPlayer>(*this, [this](bool successful, const std::string& message) {
    if (!successful) RCLCPP_WARN(get_logger(), "own animation failed: %s", message.c_str());
    hcm_->own_animation_ended(successful, seconds());
    deliver();
  });
  create_subscriptions();
  create_services();

  tick_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0 / parameters_.values().rate),
                                     [this] { on_tick(); });
  debug_timer_ =
      rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(0.1), [this] { publish_debug(); });
  second_timer_ = rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0), [this] { on_second(); });
  publish_state();
}

HcmNode::~HcmNode() {
  if (!rclcpp::ok()) return;
  msg::RobotControlState last;
  last.header.stamp = now();
  last.state = msg::RobotControlState::HCM_OFF;
  last.reason = "the HCM ends";
  state_pub_->publish(last);
}

template <class Message, class Callback>
void HcmNode::subscribe(const hl_node::Topic& topic, Callback callback) {
  subscriptions_.push_back(hl_node::create_subscription<Message>(
      *this, topic, [callback](const typename Message::ConstSharedPtr& message) { callback(*message); }));
}

void HcmNode::create_subscriptions() {
  subscribe<sensor_msgs::msg::JointState>(topics::kJointStates, [this](const auto& m) { on_joint_states(m); });
  subscribe<sensor_msgs::msg::Imu>(topics::kImuData, [this](const auto& m) { on_imu(m); });
  subscribe<msg::HardwareState>(topics::kHardwareState, [this](const auto& m) { on_hardware(m); });
  subscribe<msg::FootPressure>(topics::kFootPressureLeft, [this](const auto& m) { on_foot(0, m); });
  subscribe<msg::FootPressure>(topics::kFootPressureRight, [this](const auto& m) { on_foot(1, m); });
  subscribe<msg::SupportState>(topics::kSupportState, [this](const auto& m) {
    hcm_->on_support(m.walking, m.unstable);
    if (!hcm_->waits_for_source()) answer();  // a walk that has come to its end sends no more goals
  });
  subscribe<std_msgs::msg::Bool>(topics::kPaused, [this](const auto& m) {
    hcm_->on_paused(m.data, seconds());
    deliver();
  });
  subscribe<JointTrajectory>(topics::kWalkingMotorGoals, [this](const auto& m) { on_goals(Source::Walking, m); });
  subscribe<JointTrajectory>(topics::kHeadMotorGoals, [this](const auto& m) { on_goals(Source::Head, m); });
  subscribe<JointTrajectory>(topics::kKickMotorGoals, [this](const auto& m) { on_goals(Source::Kick, m); });
  subscribe<JointTrajectory>(topics::kRecordMotorGoals, [this](const auto& m) { on_goals(Source::Record, m); });
  subscribe<msg::Animation>(topics::kAnimation, [this](const auto& m) { on_animation(m); });
}

void HcmNode::create_services() {
  services_.push_back(create_service<srv::EmergencyStop>(
      services::kEmergencyStop,
      [this](const srv::EmergencyStop::Request::SharedPtr request, srv::EmergencyStop::Response::SharedPtr response) {
        hcm_->emergency_stop(request->stop, seconds());
        deliver();
        response->success = true;
        response->message = request->stop ? "torque is switched off" : "released; the robot starts up";
      }));
  services_.push_back(create_service<srv::ShutdownRobot>(
      services::kShutdownRobot,
      [this](const srv::ShutdownRobot::Request::SharedPtr request, srv::ShutdownRobot::Response::SharedPtr response) {
        const Verdict verdict = hcm_->shutdown(!request->restart, seconds());
        deliver();
        response->success = verdict.granted;
        response->message = std::string(verdict.reason);
      }));
  services_.push_back(create_service<srv::SetRecordMode>(
      services::kRecordMode,
      [this](const srv::SetRecordMode::Request::SharedPtr request, srv::SetRecordMode::Response::SharedPtr response) {
        const Verdict verdict = hcm_->record(request->on, seconds());
        deliver();
        response->success = verdict.granted;
        response->message = std::string(verdict.reason);
      }));
}

void HcmNode::on_joint_states(const sensor_msgs::msg::JointState& message) {
  if (message.name != joint_state_names_) {
    joint_state_names_ = message.name;
    joint_state_index_.clear();
    for (const auto& name : message.name) joint_state_index_.push_back(hcm_->joints().find(name).value_or(kMaxJoints));
  }
  if (message.position.size() != joint_state_index_.size()) {
    warning_ = "joint_states: as many positions as names are needed";
    return;
  }
  positions_.fill(kAbsent);
  for (std::size_t i = 0; i < joint_state_index_.size(); ++i)
    if (joint_state_index_[i] < kMaxJoints) positions_[joint_state_index_[i]] = message.position[i];
  hcm_->on_joint_states(positions_, rclcpp::Time(message.header.stamp).seconds(), seconds());
}

void HcmNode::on_imu(const sensor_msgs::msg::Imu& message) {
  const auto& q = message.orientation;
  const auto& w = message.angular_velocity;
  const auto& a = message.linear_acceleration;
  const Vector3 rate = {w.x, w.y, w.z};
  const double norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  // A covariance of -1 says that there is no orientation (sensor_msgs/Imu).
  const bool oriented = message.orientation_covariance[0] >= 0.0 && std::abs(norm - 1.0) < 0.01;
  const Vector3 up = oriented ? hl_description::up_of({q.w, q.x, q.y, q.z})
                              : tilt_.update(rate, {a.x, a.y, a.z}, rclcpp::Time(message.header.stamp).seconds());
  hcm_->on_imu(up, rate, rclcpp::Time(message.header.stamp).seconds(), seconds());
  deliver();
}

void HcmNode::on_hardware(const msg::HardwareState& message) {
  hcm_->on_hardware(HardwareReport::from(hcm_->joints(), message.level == msg::HardwareState::ERROR, message.torque_on,
                                         message.joints_limp, message.joints_overloaded, message.joints_hot),
                    seconds());
}

void HcmNode::on_foot(std::size_t foot, const msg::FootPressure& message) {
  double sum = 0.0;
  for (const float cell : {message.front_left, message.front_right, message.back_left, message.back_right}) {
    if (!(cell >= 0.0f)) {  // no data from a cell: the sum says nothing
      sum = -1.0;
      break;
    }
    sum += static_cast<double>(cell);
  }
  hcm_->on_foot_load(foot, sum, seconds());
}

bool HcmNode::read(Source source, const JointTrajectory& message) {
  if (const auto error = read_trajectory(message, hcm_->joints(), hcm_->params().limit_tolerance, goals_)) {
    note(source, hcm_->refuse(source, *error));
    return false;
  }
  goals_.stamp = rclcpp::Time(message.header.stamp).seconds();
  return true;
}

void HcmNode::on_goals(Source source, const JointTrajectory& message) {
  mark(Mark::GoalIn);
  if (read(source, message)) note(source, hcm_->request(source, goals_, seconds()));
  answer();
}

void HcmNode::on_animation(const msg::Animation& message) {
  Hcm::AnimationGoals flags{message.request, message.first, message.last, message.hcm, message.fall_check_off};
  goals_.points.clear();
  if (message.request || read(Source::Animation, message.position)) {
    goals_.stamp = rclcpp::Time(message.header.stamp).seconds();
    note(Source::Animation, hcm_->animation(flags, goals_, seconds()));
  }
  answer();
}

void HcmNode::answer() {
  deliver();
  // In lock-step the world waits for an answer to every request, also to one that changes nothing.
  if (repeat_ <= 0.0 && hcm_->mixer().started() && seconds() > last_goals_) publish_goals();
}

void HcmNode::note(Source, const Verdict& verdict) {
  if (verdict.granted) return;
  if (!refusals_.empty() && refusals_.front() == verdict.reason) return;
  refusals_.emplace_front(verdict.reason);
  if (refusals_.size() > 10) refusals_.pop_back();
}

void HcmNode::on_tick() {
  mark(Mark::TickBegin);
  const auto start = std::chrono::steady_clock::now();
  hcm_->tick(seconds());
  deliver();
  // Whoever starts later must hear the goals too.
  const double silence = seconds() - last_goals_;
  const double patience = hcm_->waits_for_source() ? kLongestSilence : repeat_;
  if (silence > 0.0 && silence >= patience && hcm_->goals_may_be_repeated()) publish_goals();
  tick_time_ = std::max(tick_time_, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  mark(Mark::TickEnd);
}

void HcmNode::deliver() {
  if (hcm_->take_new_goals()) publish_goals();
  const auto commands = hcm_->take_commands();
  if (commands.torque) set_torque(*commands.torque);
  if (commands.cancel_animation) player_->cancel();
  if (commands.play) player_->play(*commands.play);
  if (commands.speak) {
    msg::Speak speak;
    speak.text = commands.speak;
    speak.priority = msg::Speak::HIGH_PRIORITY;
    speak_pub_->publish(speak);
  }
  if (hcm_->transition_count() != published_transitions_ || hcm_->stop_requested() != published_stop_) publish_state();
}

void HcmNode::publish_goals() {
  const GoalMixer& mixer = hcm_->mixer();
  auto& point = motor_goals_.points[0];
  const std::size_t count = hcm_->joints().size();
  bool velocities = false, efforts = false;
  for (std::size_t j = 0; j < count; ++j) {
    point.positions[j] = mixer.goals()[j];
    velocities = velocities || given(mixer.velocities()[j]);
    efforts = efforts || given(mixer.efforts()[j]);
  }
  // Zero = no limit given for this joint.
  point.velocities.assign(velocities ? count : 0, 0.0);
  point.effort.assign(efforts ? count : 0, 0.0);
  for (std::size_t j = 0; j < count; ++j) {
    if (velocities && given(mixer.velocities()[j])) point.velocities[j] = mixer.velocities()[j];
    if (efforts && given(mixer.efforts()[j])) point.effort[j] = mixer.efforts()[j];
  }
  const rclcpp::Time stamp = now();
  motor_goals_.header.stamp = stamp;
  mark(Mark::Publishing);
  motor_goals_pub_->publish(motor_goals_);
  last_goals_ = stamp.seconds();
  ++goals_sent_;
  if (hcm_->newest_joint_stamp() >= 0.0) {
    latency_ = last_goals_ - hcm_->newest_joint_stamp();
    latency_max_ = std::max(latency_max_, latency_);
  }
}

void HcmNode::set_torque(bool on) {
  if (!torque_client_->service_is_ready()) {
    warning_ = "service set_torque is not there";
    return;
  }
  auto request = std::make_shared<srv::SetTorque::Request>();
  request->on = on;
  torque_client_->async_send_request(request, [this](rclcpp::Client<srv::SetTorque>::SharedFuture future) {
    const auto response = future.get();
    if (!response->success) warning_ = "set_torque: " + response->message;
  });
}

}  // namespace hl_hcm

RCLCPP_COMPONENTS_REGISTER_NODE(hl_hcm::HcmNode)

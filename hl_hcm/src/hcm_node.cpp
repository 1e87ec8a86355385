// SPDX-License-Identifier: Apache-2.0
#include "hcm_node.hpp"

#include <algorithm>
#include <chrono>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_hcm/body_from_files.hpp"
#include "hl_hcm/parameters.hpp"

namespace hl_hcm {
namespace {

namespace msg = humanoid_league_msgs::msg;
namespace srv = humanoid_league_msgs::srv;

const rclcpp::QoS reliable = rclcpp::QoS(10);
const rclcpp::QoS latched = rclcpp::QoS(1).transient_local();
const rclcpp::QoS sensor = rclcpp::QoS(5).best_effort();

constexpr double longest_silence = 0.5;  // s without motor goals

/// True while another node's goals move the body: repeating the last ones would only come between.
bool waits_for_source(State state) {
  switch (state) {
    case State::Walking:
    case State::WalkStopping:
    case State::Animation:
    case State::Kicking:
    case State::GettingUp:
    case State::ShutdownSit:
      return true;
    default:
      return false;
  }
}

rcl_interfaces::msg::ParameterDescriptor described(const std::string& text, bool read_only = true) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = text;
  descriptor.read_only = read_only;
  return descriptor;
}

}  // namespace

HcmNode::HcmNode(const rclcpp::NodeOptions& options) : Node("hcm", options) {
  declare_parameters();
  Body body = body_from_files(get_parameter("urdf_file").as_string(), get_parameter("robot_config_file").as_string());
  for (const Direction direction : {Direction::Front, Direction::Back, Direction::Left, Direction::Right})
    body.get_up[static_cast<std::size_t>(direction)] =
        get_parameter(std::string("get_up.") + name_of(direction)).as_string_array();
  body.sit_down = get_parameter("sit_down").as_string();
  for (const auto& joint : body.joints.joints) motor_goals_.joint_names.push_back(joint.name);
  motor_goals_.points.resize(1);
  motor_goals_.points[0].positions.resize(body.joints.size());
  hcm_ = std::make_unique<Hcm>(std::move(body), params_);
  parameter_callback_ =
      add_on_set_parameters_callback([this](const auto& parameters) { return on_parameters(parameters); });

  rclcpp::PublisherOptions not_intra_process;
  not_intra_process.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;  // impossible for latched topics
  motor_goals_pub_ = create_publisher<JointTrajectory>("motor_goals", rclcpp::QoS(1));
  state_pub_ = create_publisher<msg::RobotControlState>("robot_state", latched, not_intra_process);
  debug_pub_ = create_publisher<msg::HcmDebug>("hcm_debug", reliable);
  diagnostics_pub_ = create_publisher<diagnostic_msgs::msg::DiagnosticArray>("diagnostics", reliable);
  speak_pub_ = create_publisher<msg::Speak>("speak", reliable);
  torque_client_ = create_client<srv::SetTorque>("set_torque");
  player_ = std::make_unique<AnimationPlayer>(*this, [this](bool successful, const std::string& message) {
    if (!successful) RCLCPP_WARN(get_logger(), "own animation failed: %s", message.c_str());
    hcm_->own_animation_ended(successful, seconds());
    deliver();
  });
  create_subscriptions();
  create_services();

  const double rate = get_parameter("rate").as_double();
  tick_timer_ =
      rclcpp::create_timer(this, get_clock(), rclcpp::Duration::from_seconds(1.0 / rate), [this] { on_tick(); });
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

void HcmNode::declare_parameters() {
  declare_parameter("urdf_file", "", described("URDF of the robot, expanded"));
  declare_parameter("robot_config_file", "", described("robot.yaml of the robot"));
  auto rate = described("control rate, Hz");
  rate.floating_point_range.resize(1);
  rate.floating_point_range[0].from_value = 20.0;
  rate.floating_point_range[0].to_value = 1000.0;
  declare_parameter("rate", 100.0, rate);
  auto repeat = described("s after which goals that did not change are sent again; 0 = in every tick, for lock-step");
  repeat.floating_point_range.resize(1);
  repeat.floating_point_range[0].to_value = longest_silence;
  repeat_ = declare_parameter("repeat", longest_silence, repeat);
  for (const Direction direction : {Direction::Front, Direction::Back, Direction::Left, Direction::Right}) {
    declare_parameter(std::string("get_up.") + name_of(direction), Body().get_up[static_cast<std::size_t>(direction)],
                      described(std::string("animations to get up with when lying on the ") + name_of(direction) +
                                ", in the order they are tried"));
  }
  declare_parameter("sit_down", "sit_down", described("animation played before the torque goes off"));
  for (const ParameterInfo& info : parameters()) {
    auto descriptor = described(info.description, false);
    descriptor.floating_point_range.resize(1);
    descriptor.floating_point_range[0].from_value = info.low;
    descriptor.floating_point_range[0].to_value = info.high;
    info.value(params_) = declare_parameter(info.name, info.value(params_), descriptor);
  }
  if (const auto error = params_.validate()) throw rclcpp::exceptions::InvalidParameterValueException(*error);
}

rcl_interfaces::msg::SetParametersResult HcmNode::on_parameters(const std::vector<rclcpp::Parameter>& changed) {
  Hcm::Params next = params_;
  for (const auto& parameter : changed)
    for (const ParameterInfo& info : parameters())
      if (parameter.get_name() == info.name) info.value(next) = parameter.as_double();
  rcl_interfaces::msg::SetParametersResult result;
  if (const auto error = next.validate()) {
    result.successful = false;
    result.reason = *error;
    return result;
  }
  params_ = next;
  hcm_->set(params_);
  result.successful = true;
  return result;
}

template <class Message, class Callback>
void HcmNode::subscribe(const char* topic, const rclcpp::QoS& qos, Callback callback) {
  rclcpp::SubscriptionOptions options;
  if (qos == latched) options.use_intra_process_comm = rclcpp::IntraProcessSetting::Disable;
  subscriptions_.push_back(create_subscription<Message>(
      topic, qos, [callback](const typename Message::ConstSharedPtr& message) { callback(*message); }, options));
}

void HcmNode::create_subscriptions() {
  subscribe<sensor_msgs::msg::JointState>("joint_states", sensor, [this](const auto& m) { on_joint_states(m); });
  subscribe<sensor_msgs::msg::Imu>("imu/data", sensor, [this](const auto& m) { on_imu(m); });
  subscribe<msg::HardwareState>("hardware_state", reliable, [this](const auto& m) { on_hardware(m); });
  subscribe<msg::FootPressure>("foot_pressure_left", sensor, [this](const auto& m) { on_foot(0, m); });
  subscribe<msg::FootPressure>("foot_pressure_right", sensor, [this](const auto& m) { on_foot(1, m); });
  subscribe<msg::SupportState>("support_state", reliable,
                               [this](const auto& m) { hcm_->on_support(m.walking, m.unstable); });
  subscribe<std_msgs::msg::Bool>("paused", latched, [this](const auto& m) {
    hcm_->on_paused(m.data, seconds());
    deliver();
  });
  subscribe<JointTrajectory>("walking_motor_goals", reliable, [this](const auto& m) { on_goals(Source::Walking, m); });
  subscribe<JointTrajectory>("head_motor_goals", reliable, [this](const auto& m) { on_goals(Source::Head, m); });
  subscribe<JointTrajectory>("kick_motor_goals", reliable, [this](const auto& m) { on_goals(Source::Kick, m); });
  subscribe<JointTrajectory>("record_motor_goals", reliable, [this](const auto& m) { on_goals(Source::Record, m); });
  subscribe<msg::Animation>("animation", reliable, [this](const auto& m) { on_animation(m); });
}

void HcmNode::create_services() {
  services_.push_back(create_service<srv::EmergencyStop>(
      "emergency_stop",
      [this](const srv::EmergencyStop::Request::SharedPtr request, srv::EmergencyStop::Response::SharedPtr response) {
        hcm_->emergency_stop(request->stop, seconds());
        deliver();
        response->success = true;
        response->message = request->stop ? "torque is switched off" : "released; the robot starts up";
      }));
  services_.push_back(create_service<srv::ShutdownRobot>(
      "shutdown_robot",
      [this](const srv::ShutdownRobot::Request::SharedPtr request, srv::ShutdownRobot::Response::SharedPtr response) {
        const Verdict verdict = hcm_->shutdown(!request->restart, seconds());
        deliver();
        response->success = verdict.granted;
        response->message = std::string(verdict.reason);
      }));
  services_.push_back(create_service<srv::SetRecordMode>(
      "record_mode",
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
    for (const auto& name : message.name) joint_state_index_.push_back(hcm_->joints().find(name).value_or(max_joints));
  }
  if (message.position.size() != joint_state_index_.size()) {
    warning_ = "joint_states: as many positions as names are needed";
    return;
  }
  positions_.fill(absent);
  for (std::size_t i = 0; i < joint_state_index_.size(); ++i)
    if (joint_state_index_[i] < max_joints) positions_[joint_state_index_[i]] = message.position[i];
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
  const Vector3 up = oriented ? up_from_quaternion(q.x, q.y, q.z, q.w)
                              : tilt_.update(rate, {a.x, a.y, a.z}, rclcpp::Time(message.header.stamp).seconds());
  hcm_->on_imu(up, rate, rclcpp::Time(message.header.stamp).seconds(), seconds());
  deliver();
}

void HcmNode::on_hardware(const msg::HardwareState& message) {
  const auto leg = [this](const std::vector<std::string>& names) {
    return std::any_of(names.begin(), names.end(), [this](const std::string& name) {
      const auto joint = hcm_->joints().find(name);
      return joint && hcm_->joints().joints[*joint].limb == Limb::Leg;
    });
  };
  HardwareReport report;
  report.error = message.level == msg::HardwareState::ERROR;
  report.torque_on = message.torque_on;
  // Joints that do not answer are missing in joint_states, which is noticed there: they may still listen.
  report.legs_lost = leg(message.joints_limp) || leg(message.joints_overloaded);
  report.hot = leg(message.joints_hot);
  hcm_->on_hardware(report, seconds());
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
  if (const auto error = read_trajectory(message, hcm_->joints(), params_.limit_tolerance, goals_)) {
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
  const bool due = silence > 0.0 && silence >= (waits_for_source(hcm_->state()) ? longest_silence : repeat_);
  if (due && hcm_->mixer().started() && hcm_->state() != State::Record) publish_goals();
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

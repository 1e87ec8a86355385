// SPDX-License-Identifier: Apache-2.0
#include "hl_robot_interface/hardware_contract.hpp"

#include <algorithm>
#include <cmath>
#include <hl_node/interfaces.hpp>
#include <set>

namespace hl_robot_interface {
namespace {

namespace msg = humanoid_league_msgs::msg;
namespace srv = humanoid_league_msgs::srv;
namespace topics = hl_node::topics;

constexpr double kStatePeriod = 0.1;        // s
constexpr double kServoDataPeriod = 0.5;    // s
constexpr double kDiagnosticsPeriod = 1.0;  // s

static_assert(static_cast<std::uint8_t>(Health::Level::Ok) == msg::HardwareState::OK);
static_assert(static_cast<std::uint8_t>(Health::Level::Warn) == msg::HardwareState::WARN);
static_assert(static_cast<std::uint8_t>(Health::Level::Error) == msg::HardwareState::ERROR);

template <class Message>
void set_vector(Message& target, const Eigen::Vector3d& v) {
  target.x = v.x();
  target.y = v.y();
  target.z = v.z();
}

/// True when `next` has come; it is then one `period` later. A clock that was set back does not stop it.
bool due(double now, double& next, double period) {
  if (now < next - 1e-9 && next - now <= period + 1e-9) return false;
  next = now + period;
  return true;
}

std::string list_of_lights() {
  std::string text;
  for (const char* light : kLights) text += (text.empty() ? "" : ", ") + std::string(light);
  return text;
}

}  // namespace

builtin_interfaces::msg::Time stamp_from(double seconds) {
  const auto nanoseconds = static_cast<std::int64_t>(std::llround(seconds * 1e9));
  builtin_interfaces::msg::Time stamp;
  stamp.sec = static_cast<std::int32_t>(nanoseconds / 1'000'000'000);
  stamp.nanosec = static_cast<std::uint32_t>(nanoseconds % 1'000'000'000);
  return stamp;
}

double seconds_from(const builtin_interfaces::msg::Time& stamp) {
  return stamp.sec + 1e-9 * stamp.nanosec;
}

HardwareContract::HardwareContract(rclcpp::Node& node, Config config, RobotPort& port,
                                   rclcpp::CallbackGroup::SharedPtr goals_group,
                                   std::function<void(std::optional<double>)> on_goals)
    : node_(node),
      config_(std::move(config)),
      port_(port),
      on_goals_(std::move(on_goals)),
      player_(config_.joints, config_.goals),
      limits_(config_.limits),
      diagnostics_(node, config_.subject, config_.hardware_id, config_.prefix) {
  if (!config_.now) config_.now = [this] { return node_.now().seconds(); };
  for (const auto& joint : config_.joints.joints) names_.push_back(joint.name);
  fill_constants();
  create_publishers();
  shutdown_client_ = node.create_client<srv::ShutdownRobot>(config_.prefix + hl_node::services::kShutdownRobot);
  rclcpp::SubscriptionOptions options;
  options.callback_group = std::move(goals_group);
  goals_subscription_ = hl_node::create_subscription<trajectory_msgs::msg::JointTrajectory>(
      node, topics::kMotorGoals,
      [this](trajectory_msgs::msg::JointTrajectory::ConstSharedPtr goals) { on_motor_goals(*goals); }, options,
      config_.prefix);
  offer_services();
}

void HardwareContract::fill_constants() {
  imu_.header.frame_id = config_.imu_frame;
  for (std::size_t k = 0; k < 3; ++k) {
    imu_.orientation_covariance[4 * k] = config_.imu_noise[0] * config_.imu_noise[0];
    imu_.angular_velocity_covariance[4 * k] = config_.imu_noise[1] * config_.imu_noise[1];
    imu_.linear_acceleration_covariance[4 * k] = config_.imu_noise[2] * config_.imu_noise[2];
  }
  for (std::size_t side = 0; side < 2; ++side) feet_[side].header.frame_id = config_.foot_frames[side];
}

void HardwareContract::create_publishers() {
  const std::string& prefix = config_.prefix;
  joint_publisher_ = hl_node::create_publisher<sensor_msgs::msg::JointState>(node_, topics::kJointStates, prefix);
  imu_publisher_ = hl_node::create_publisher<sensor_msgs::msg::Imu>(node_, topics::kImuData, prefix);
  foot_publishers_[0] = hl_node::create_publisher<msg::FootPressure>(node_, topics::kFootPressureLeft, prefix);
  foot_publishers_[1] = hl_node::create_publisher<msg::FootPressure>(node_, topics::kFootPressureRight, prefix);
  state_publisher_ = hl_node::create_publisher<msg::HardwareState>(node_, topics::kHardwareState, prefix);
  servo_publisher_ = hl_node::create_publisher<msg::AdditionalServoData>(node_, topics::kServoData, prefix);
  button_publisher_ = hl_node::create_publisher<msg::Buttons>(node_, topics::kButtons, prefix);
}

void HardwareContract::offer_services() {
  torque_service_ = node_.create_service<srv::SetTorque>(
      config_.prefix + hl_node::services::kSetTorque,
      [this](srv::SetTorque::Request::SharedPtr request, srv::SetTorque::Response::SharedPtr response) {
        on_set_torque(*request, *response);
      });
  led_service_ = node_.create_service<srv::SetLeds>(
      config_.prefix + hl_node::services::kSetLeds,
      [this](srv::SetLeds::Request::SharedPtr request, srv::SetLeds::Response::SharedPtr response) {
        on_set_leds(*request, *response);
      });
}

void HardwareContract::set(const hl_joints::GoalPlayer::Params& goals, const HealthLimits& limits) {
  const std::lock_guard<std::mutex> lock(mutex_);
  player_.set_params(goals);
  limits_ = limits;
}

void HardwareContract::on_motor_goals(const trajectory_msgs::msg::JointTrajectory& message) {
  const double now = config_.now(), stamp = seconds_from(message.header.stamp);
  std::optional<std::string> refused;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    refused = player_.accept(message, stamp, now);
  }
  if (refused) {
    {
      const std::lock_guard<std::mutex> lock(refusal_mutex_);
      ++refused_;
      last_refusal_ = *refused;
    }
    RCLCPP_WARN_THROTTLE(node_.get_logger(), *node_.get_clock(), 2000, "%smotor_goals refused: %s",
                         config_.prefix.c_str(), refused->c_str());
  }
  if (on_goals_) on_goals_(refused ? std::nullopt : std::optional<double>(stamp));
}

void HardwareContract::apply_goals(double now) {
  const std::lock_guard<std::mutex> lock(mutex_);
  port_.write(player_.update(now), player_.stiffness());
}

void HardwareContract::forget_goals() {
  const std::lock_guard<std::mutex> lock(mutex_);
  player_.forget();
}

void HardwareContract::set_goal(std::size_t joint, double position) {
  const std::lock_guard<std::mutex> lock(mutex_);
  player_.set(joint, position);
}

void HardwareContract::on_set_torque(const srv::SetTorque::Request& request, srv::SetTorque::Response& response) {
  std::set<std::size_t> joints;
  for (const auto& group : request.groups.empty() ? std::vector<std::string>{"all"} : request.groups) {
    const auto members = config_.robot.group(group);
    if (members.empty()) {
      response.message = "'" + group +
                         "' is neither a joint nor a limb; limbs are head, left_arm, right_arm, left_leg, right_leg, "
                         "all";
      return;
    }
    for (const auto& member : members) {
      const auto index = config_.joints.find(member);
      if (index) joints.insert(*index);
    }
  }
  response.message = port_.set_torque({joints.begin(), joints.end()}, request.on);
  response.success = response.message.empty();
  for (const std::size_t joint : joints) response.joints.push_back(names_[joint]);
}

void HardwareContract::on_set_leds(const srv::SetLeds::Request& request, srv::SetLeds::Response& response) {
  if (request.names.size() != request.colors.size()) {
    response.message = "as many colors as names are needed";
    return;
  }
  for (const auto& name : request.names) {
    if (std::find(kLights.begin(), kLights.end(), name) != kLights.end()) continue;
    response.message = "there is no light '" + name + "'; there are " + list_of_lights();
    return;
  }
  for (std::size_t i = 0; i < request.names.size() && response.message.empty(); ++i) {
    const auto& colour = request.colors[i];
    const double on = colour.a > 0.0f ? 1.0 : 0.0;
    response.message = port_.set_light(request.names[i], {on * colour.r, on * colour.g, on * colour.b});
  }
  response.success = response.message.empty();
}

void HardwareContract::publish_sensors(double now) {
  const SensorFrame& frame = port_.read(now);
  const auto stamp = stamp_from(frame.stamp);
  joint_state_.header.stamp = stamp;
  joint_state_.name.clear();
  joint_state_.position.clear();
  joint_state_.velocity.clear();
  joint_state_.effort.clear();
  for (std::size_t j = 0; j < frame.joints.size(); ++j) {
    const SensorFrame::Joint& joint = frame.joints[j];
    if (!joint.fresh) continue;
    joint_state_.name.push_back(names_[j]);
    joint_state_.position.push_back(joint.position);
    joint_state_.velocity.push_back(joint.velocity);
    joint_state_.effort.push_back(joint.effort);
  }
  if (!joint_state_.name.empty()) joint_publisher_->publish(joint_state_);
  if (frame.imu) {
    imu_.header.stamp = stamp;
    imu_.orientation.w = frame.imu->orientation.w();
    imu_.orientation.x = frame.imu->orientation.x();
    imu_.orientation.y = frame.imu->orientation.y();
    imu_.orientation.z = frame.imu->orientation.z();
    set_vector(imu_.angular_velocity, frame.imu->angular_velocity);
    set_vector(imu_.linear_acceleration, frame.imu->linear_acceleration);
    imu_publisher_->publish(imu_);
  }
  for (std::size_t side = 0; side < 2; ++side) {
    if (!frame.feet[side]) continue;
    const auto& cells = *frame.feet[side];
    feet_[side].header.stamp = stamp;
    feet_[side].front_left = static_cast<float>(cells[0]);
    feet_[side].front_right = static_cast<float>(cells[1]);
    feet_[side].back_left = static_cast<float>(cells[2]);
    feet_[side].back_right = static_cast<float>(cells[3]);
    foot_publishers_[side]->publish(feet_[side]);
  }
  publish_buttons(frame);
}

void HardwareContract::publish_buttons(const SensorFrame& frame) {
  if (!frame.buttons) return;
  if (buttons_ && buttons_->mode == frame.buttons->mode && buttons_->start == frame.buttons->start) return;
  buttons_ = frame.buttons;
  msg::Buttons message;
  message.header.stamp = stamp_from(frame.stamp);
  message.mode = buttons_->mode;
  message.start = buttons_->start;
  button_publisher_->publish(message);
}

void HardwareContract::watch_battery(double voltage, double now, const HealthLimits& limits) {
  const Battery::State before = battery_.state();
  const Battery::State state = battery_.update(voltage, now, limits);
  if (state == Battery::State::Empty && before != state) {
    RCLCPP_ERROR(node_.get_logger(), "%.1f V: the battery is empty, the robot sits down and lets go", voltage);
    if (shutdown_client_->service_is_ready())
      shutdown_client_->async_send_request(std::make_shared<srv::ShutdownRobot::Request>());
  }
  if (state == Battery::State::LetGo) port_.let_go();
}

void HardwareContract::publish_state(double now) {
  HealthLimits limits;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    limits = limits_;
  }
  const BodyReport& report = port_.report();
  if (report.answers) watch_battery(report.voltage, now, limits);
  Health health = judge(report, battery_.state(), limits, names_);
  const bool changed = !state_published_ || health.differs_from(health_);
  if (!due(now, next_state_, kStatePeriod) && !changed) return;
  next_state_ = now + kStatePeriod;
  state_published_ = true;
  health_ = std::move(health);
  const auto list = [this](const std::vector<std::size_t>& joints, std::vector<std::string>& to) {
    to.clear();
    for (const std::size_t joint : joints) to.push_back(names_[joint]);
  };
  state_.header.stamp = stamp_from(now);
  state_.level = static_cast<std::uint8_t>(health_.level);
  state_.text = health_.text;
  state_.voltage = static_cast<float>(health_.voltage);
  state_.power_on = health_.power_on;
  state_.torque_on = health_.torque_on;
  state_.imu_ok = health_.imu_ok;
  state_.bus_rate = static_cast<float>(health_.rate);
  list(health_.missing, state_.joints_missing);
  list(health_.limp, state_.joints_limp);
  list(health_.overloaded, state_.joints_overloaded);
  list(health_.hot, state_.joints_hot);
  state_publisher_->publish(state_);
}

void HardwareContract::publish_reports(double now, const std::function<void(Values&)>& more) {
  if (due(now, next_servo_data_, kServoDataPeriod)) publish_servo_data(now);
  if (due(now, next_diagnostics_, kDiagnosticsPeriod)) publish_diagnostics(now, more);
}

void HardwareContract::publish_servo_data(double now) {
  const BodyReport& report = port_.report();
  if (!report.answers) return;
  msg::AdditionalServoData data;
  data.header.stamp = stamp_from(now);
  for (std::size_t j = 0; j < report.joints.size(); ++j) {
    const BodyReport::Joint& joint = report.joints[j];
    if (joint.missing) continue;
    data.joint_names.push_back(names_[j]);
    data.voltage.push_back(static_cast<float>(joint.voltage));
    sensor_msgs::msg::Temperature temperature;
    temperature.header.stamp = data.header.stamp;
    temperature.temperature = joint.temperature;
    data.temperature.push_back(temperature);
    data.error.push_back(joint.error);
  }
  servo_publisher_->publish(data);
}

void HardwareContract::publish_diagnostics(double now, const std::function<void(Values&)>& more) {
  if (const std::unique_lock<std::mutex> lock(refusal_mutex_, std::try_to_lock); lock)
    refusals_ = {{"goals refused", std::to_string(refused_)}, {"last refusal", last_refusal_}};
  Values values = refusals_;
  if (more) more(values);
  diagnostics_.report(static_cast<hl_node::Level>(health_.level), health_.text.empty() ? "runs" : health_.text, values,
                      stamp_from(now));
}

}  // namespace hl_robot_interface

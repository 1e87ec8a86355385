// SPDX-License-Identifier: Apache-2.0
#include "cm730_node.hpp"

#include <pthread.h>

#include <cmath>
#include <cstring>
#include <rclcpp_components/register_node_macro.hpp>

#include "hl_description/robot_model.hpp"

namespace hl_hardware_cm730 {
namespace {

namespace msg = humanoid_league_msgs::msg;
namespace srv = humanoid_league_msgs::srv;

constexpr double kStatePeriod = 0.1;        // s
constexpr double kServoDataPeriod = 0.5;    // s
constexpr double kDiagnosticsPeriod = 1.0;  // s
constexpr double kLowVoltageTime = 1.0;     // s below the shutdown voltage before it counts
constexpr auto kJobPatience = std::chrono::seconds(3);

rcl_interfaces::msg::ParameterDescriptor described(const std::string& text, bool read_only = false) {
  rcl_interfaces::msg::ParameterDescriptor descriptor;
  descriptor.description = text;
  descriptor.read_only = read_only;
  return descriptor;
}

rcl_interfaces::msg::ParameterDescriptor ranged(const std::string& text, double from, double to,
                                                bool read_only = false) {
  auto descriptor = described(text, read_only);
  descriptor.floating_point_range.resize(1);
  descriptor.floating_point_range[0].from_value = from;
  descriptor.floating_point_range[0].to_value = to;
  return descriptor;
}

double seconds(const builtin_interfaces::msg::Time& stamp) {
  return stamp.sec + stamp.nanosec * 1e-9;
}

void require(const std::optional<std::string>& problem, const char* where) {
  if (problem) throw std::invalid_argument(std::string(where) + ": " + *problem);
}

}  // namespace

Cm730Node::Cm730Node(const rclcpp::NodeOptions& options) : rclcpp::Node("hardware", options) {
  declare_parameters();
  create_interfaces();
  parameter_callback_ = add_on_set_parameters_callback(
      [this](const std::vector<rclcpp::Parameter>& parameters) { return on_parameters(parameters); });
  thread_ = std::thread([this] { run(); });
}

Cm730Node::~Cm730Node() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

void Cm730Node::declare_parameters() {
  port_name_ = declare_parameter("port", "/dev/ttyUSB0", described("serial device of the CM-730", true));
  const std::string urdf_file = declare_parameter("urdf_file", "", described("URDF of the robot: joint limits", true));
  const std::string config_file =
      declare_parameter("robot_config_file", "", described("robot.yaml: ids, models, offsets, gains", true));
  rate_ = declare_parameter("rate", 0.0, ranged("cycles per second, 0 = as fast as the wire allows", 0.0, 1000.0));
  priority_ = static_cast<int>(declare_parameter(
      "realtime_priority", 0, described("SCHED_FIFO priority 1..99 of the bus thread, 0 = none", true)));
  const bool torque = declare_parameter("torque_on_start", true, described("hold the joints where they stand", true));

  auto& d = driver_params_;
  d.gyro_range =
      declare_parameter("gyro_range", 1600.0, ranged("deg/s at full scale; some boards have 500", 10.0, 4000.0, true)) *
      kPi / 180.0;
  d.reply_gap = declare_parameter("reply_gap", d.reply_gap,
                                  ranged("s of silence after which a device counts as silent", 0.0002, 0.1, true));
  d.torque_ramp =
      declare_parameter("torque_ramp", d.torque_ramp, ranged("s from limp to full torque", 0.0, 60.0, true));
  d.read_speed =
      declare_parameter("read_speed", true, described("read speeds; otherwise they are computed from positions", true));

  auto& p = player_params_;
  p.hold_after = declare_parameter("hold_after", p.hold_after, ranged("s without goals: hold the pose", 0.01, 60.0));
  p.soften_after =
      declare_parameter("soften_after", p.soften_after, ranged("s without goals: hold it softly", 0.01, 3600.0));
  p.soft_stiffness =
      declare_parameter("soft_stiffness", p.soft_stiffness, ranged("share of the P gain then", 0.05, 1.0));
  p.max_age = declare_parameter("max_goal_age", p.max_age, ranged("s, older goals are refused", 0.01, 10.0));

  limits_.warn_voltage = declare_parameter("warn_voltage", limits_.warn_voltage, ranged("V", 6.0, 20.0));
  limits_.shutdown_voltage = declare_parameter("shutdown_voltage", limits_.shutdown_voltage,
                                               ranged("V below which the robot sits down and lets go", 5.0, 20.0));
  limits_.shutdown_grace = declare_parameter("shutdown_grace", limits_.shutdown_grace,
                                             ranged("s for sitting down before torque goes off", 0.0, 120.0));
  limits_.warn_temperature =
      declare_parameter("warn_temperature", limits_.warn_temperature, ranged("degrees Celsius", 30.0, 90.0));
  foot_cells_[0] = declare_parameter(
      "foot_cells_left", std::vector<int64_t>{1, 2, 3, 4},
      described("cells of the left board that are front left, front right, back left, back right", true));
  foot_cells_[1] = declare_parameter("foot_cells_right", std::vector<int64_t>{1, 2, 3, 4},
                                     described("the same for the right board", true));
  for (const auto& cells : foot_cells_) {
    auto sorted = cells;
    std::sort(sorted.begin(), sorted.end());
    if (sorted != std::vector<int64_t>{1, 2, 3, 4})
      throw std::invalid_argument("foot_cells must be the numbers 1 to 4 in some order");
  }
  require(d.validate(), "hardware");
  require(p.validate(), "hardware");
  load_robot(urdf_file, config_file);
  for (size_t i = 0; i < driver_->size(); ++i) driver_->command(i).torque = torque;
}

void Cm730Node::load_robot(const std::string& urdf_file, const std::string& config_file) {
  if (urdf_file.empty() || config_file.empty()) {
    throw std::invalid_argument(
        "hardware: urdf_file and robot_config_file must be given; hardware.launch.xml robot:=minibot does");
  }
  const auto model = hl_description::RobotModel::from_file(urdf_file);
  config_ = hl_description::RobotConfig::from_file(config_file);
  config_.check(model);

  std::vector<ServoSpec> specs;
  std::vector<GoalPlayer::Joint> joints;
  for (const auto& servo : config_.servos) {
    const auto& limits = model.limits(model.joint(servo.joint));
    const auto known = servo_model(servo.model);
    if (!known)
      throw std::invalid_argument(config_file + ": '" + servo.model + "' of " + servo.joint +
                                  " is none of MX-28, MX-64, MX-106");
    ServoSpec spec;
    spec.joint = servo.joint;
    spec.id = static_cast<uint8_t>(servo.id);
    spec.model = *known;
    spec.offset = servo.offset;
    spec.lower = limits.lower;
    spec.upper = limits.upper;
    spec.p = servo.p;
    spec.i = servo.i;
    spec.d = servo.d;
    specs.push_back(spec);
    joints.push_back({servo.joint, limits.lower, limits.upper, limits.velocity, data(*known).stall_torque});
    joint_names_.push_back(servo.joint);
  }
  driver_params_.board_id = static_cast<uint8_t>(config_.controller_id);
  for (size_t side = 0; side < 2; ++side) {
    driver_params_.foot_ids[side] =
        config_.foot_sensors[side] ? static_cast<uint8_t>(config_.foot_sensors[side]->id) : 0;
  }
  port_ = std::make_unique<SerialPort>(port_name_);
  driver_ = std::make_unique<BusDriver>(*port_, std::move(specs), driver_params_);
  player_ = std::make_unique<GoalPlayer>(std::move(joints), player_params_);
}

void Cm730Node::create_interfaces() {
  const rclcpp::QoS stream(5);
  joint_publisher_ = create_publisher<sensor_msgs::msg::JointState>("joint_states", stream);
  imu_publisher_ = create_publisher<sensor_msgs::msg::Imu>("imu/data", stream);
  state_publisher_ = create_publisher<msg::HardwareState>("hardware_state", 10);
  servo_publisher_ = create_publisher<msg::AdditionalServoData>("servo_data", 10);
  button_publisher_ = create_publisher<msg::Buttons>("buttons", 10);
  foot_publishers_[0] = create_publisher<msg::FootPressure>("foot_pressure_left", stream);
  foot_publishers_[1] = create_publisher<msg::FootPressure>("foot_pressure_right", stream);
  diagnostics_publisher_ = create_publisher<diagnostic_msgs::msg::DiagnosticArray>("diagnostics", 10);
  shutdown_client_ = create_client<srv::ShutdownRobot>("shutdown_robot");

  goals_subscription_ = create_subscription<trajectory_msgs::msg::JointTrajectory>(
      "motor_goals", rclcpp::QoS(1),
      [this](trajectory_msgs::msg::JointTrajectory::ConstSharedPtr goals) { on_motor_goals(*goals); });

  services_.push_back(create_service<srv::SetTorque>(
      "set_torque", [this](srv::SetTorque::Request::SharedPtr request, srv::SetTorque::Response::SharedPtr response) {
        set_torque(request->groups, request->on, *response);
      }));
  services_.push_back(create_service<srv::SetLeds>(
      "set_leds", [this](srv::SetLeds::Request::SharedPtr request, srv::SetLeds::Response::SharedPtr response) {
        response->message = set_leds(*request);
        response->success = response->message.empty();
      }));
  services_.push_back(create_service<srv::ChangeServoId>(
      "change_servo_id",
      [this](srv::ChangeServoId::Request::SharedPtr request, srv::ChangeServoId::Response::SharedPtr response) {
        response->message = "the bus does not run";
        on_bus([&] { response->message = driver_->change_id(request->old_id, request->new_id); });
        response->success = response->message.empty();
        if (response->success) response->message = "done; change robot.yaml, then restart";
      }));
  services_.push_back(create_service<srv::RecoverServo>(
      "recover_servo",
      [this](srv::RecoverServo::Request::SharedPtr request, srv::RecoverServo::Response::SharedPtr response) {
        const auto joint = std::find(joint_names_.begin(), joint_names_.end(), request->joint);
        if (joint == joint_names_.end()) {
          response->message = "there is no joint '" + request->joint + "'";
          return;
        }
        response->message = "the bus does not run";
        on_bus([&] { response->message = driver_->recover(static_cast<size_t>(joint - joint_names_.begin())); });
        response->success = response->message.empty();
      }));
  services_.push_back(create_service<srv::ReadRegister>(
      "read_register",
      [this](srv::ReadRegister::Request::SharedPtr request, srv::ReadRegister::Response::SharedPtr response) {
        if (request->length == 0 || request->length > 200 || request->address + request->length > 256) {
          response->message = "address and length must lie within a table of 256 bytes";
          return;
        }
        BusDriver::Answer answer;
        if (!on_bus([&] {
              answer = driver_->read(request->id, static_cast<uint8_t>(request->address),
                                     static_cast<uint8_t>(request->length));
            })) {
          response->message = "the bus does not run";
          return;
        }
        response->success = answer.ok();
        response->data = answer.data;
        response->error = answer.error;
        if (!answer.ok()) response->message = "device " + std::to_string(request->id) + " did not answer";
      }));
  services_.push_back(create_service<srv::WriteRegister>(
      "write_register",
      [this](srv::WriteRegister::Request::SharedPtr request, srv::WriteRegister::Response::SharedPtr response) {
        if (request->data.empty() || request->address + request->data.size() > 256 || request->data.size() > 200) {
          response->message = "address and data must lie within a table of 256 bytes";
          return;
        }
        BusDriver::Answer answer;
        if (!on_bus(
                [&] { answer = driver_->write(request->id, static_cast<uint8_t>(request->address), request->data); })) {
          response->message = "the bus does not run";
          return;
        }
        response->success = answer.ok() && answer.error == 0;
        response->error = answer.error;
        if (!answer.ok()) response->message = "device " + std::to_string(request->id) + " did not answer";
      }));
}

rcl_interfaces::msg::SetParametersResult Cm730Node::on_parameters(const std::vector<rclcpp::Parameter>& parameters) {
  rcl_interfaces::msg::SetParametersResult result;
  std::lock_guard<std::mutex> lock(goals_mutex_);
  GoalPlayer::Params player = player_params_;
  Limits limits = limits_;
  double rate = rate_;
  for (const auto& parameter : parameters) {
    const std::string& name = parameter.get_name();
    if (name == "rate") rate = parameter.as_double();
    if (name == "hold_after") player.hold_after = parameter.as_double();
    if (name == "soften_after") player.soften_after = parameter.as_double();
    if (name == "soft_stiffness") player.soft_stiffness = parameter.as_double();
    if (name == "max_goal_age") player.max_age = parameter.as_double();
    if (name == "warn_voltage") limits.warn_voltage = parameter.as_double();
    if (name == "shutdown_voltage") limits.shutdown_voltage = parameter.as_double();
    if (name == "shutdown_grace") limits.shutdown_grace = parameter.as_double();
    if (name == "warn_temperature") limits.warn_temperature = parameter.as_double();
  }
  if (const auto problem = player.validate()) {
    result.successful = false;
    result.reason = *problem;
    return result;
  }
  player_params_ = player;
  player_->set_params(player);
  limits_ = limits;
  rate_ = rate;
  result.successful = true;
  return result;
}

// ---- callbacks ----------------------------------------------------------------------------------------------------

void Cm730Node::on_motor_goals(const trajectory_msgs::msg::JointTrajectory& goals) {
  const double time = now().seconds();
  std::lock_guard<std::mutex> lock(goals_mutex_);
  incoming_.stamp = goals.header.stamp.sec == 0 && goals.header.stamp.nanosec == 0 ? time : seconds(goals.header.stamp);
  incoming_.joints = goals.joint_names;
  incoming_.points.resize(goals.points.size());
  for (size_t i = 0; i < goals.points.size(); ++i) {
    auto& point = incoming_.points[i];
    point.time = goals.points[i].time_from_start.sec + goals.points[i].time_from_start.nanosec * 1e-9;
    point.positions = goals.points[i].positions;
    point.velocities = goals.points[i].velocities;
    point.efforts = goals.points[i].effort;
  }
  if (auto refusal = player_->accept(incoming_, time)) {
    ++goals_refused_;
    last_refusal_ = *refusal;
    RCLCPP_WARN_THROTTLE(get_logger(), *get_clock(), 2000, "motor_goals refused: %s", refusal->c_str());
  }
}

bool Cm730Node::on_bus(const std::function<void()>& job) {
  std::packaged_task<void()> task(job);
  auto done = task.get_future();
  {
    std::lock_guard<std::mutex> lock(jobs_mutex_);
    jobs_.push_back(std::move(task));
  }
  if (done.wait_for(kJobPatience) != std::future_status::ready) {
    std::lock_guard<std::mutex> lock(jobs_mutex_);
    jobs_.clear();  // nobody may touch what our caller owns once we have returned
    if (done.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
  }
  try {
    done.get();
  } catch (const std::future_error&) {  // dropped
    return false;
  }
  return true;
}

void Cm730Node::run_jobs() {
  // Run under the lock: a caller that gives up waits for the job that has begun.
  std::lock_guard<std::mutex> lock(jobs_mutex_);
  if (driver_->state() == BusState::Running) {
    for (auto& job : jobs_) job();
  }
  jobs_.clear();
}

void Cm730Node::set_torque(const std::vector<std::string>& groups, bool on, srv::SetTorque::Response& response) {
  std::vector<std::string> joints;
  for (const auto& group : groups.empty() ? std::vector<std::string>{"all"} : groups) {
    const auto members = config_.group(group);
    if (members.empty()) {
      response.message =
          "'" + group + "' is no joint and no group; groups are head, left_arm, right_arm, left_leg, right_leg, all";
      return;
    }
    joints.insert(joints.end(), members.begin(), members.end());
  }
  const bool done = on_bus([&] {
    std::lock_guard<std::mutex> lock(goals_mutex_);
    for (const auto& name : joints) {
      const auto index =
          static_cast<size_t>(std::find(joint_names_.begin(), joint_names_.end(), name) - joint_names_.begin());
      JointCommand& command = driver_->command(index);
      if (on && !command.torque) {  // hold where it is now, not where it was told to be before
        command.position = driver_->joint(index).position;
        player_->set(index, command.position);
      }
      command.torque = on;
    }
  });
  response.success = done;
  response.joints = joints;
  response.message = done ? "" : "the bus does not run";
}

std::string Cm730Node::set_leds(const srv::SetLeds::Request& request) {
  if (request.names.size() != request.colors.size()) return "names and colors must be as many";
  std::string problem = "the bus does not run";
  on_bus([&] {
    problem.clear();
    for (size_t i = 0; i < request.names.size() && problem.empty(); ++i) {
      const auto& colour = request.colors[i];
      const bool on = colour.a > 0.0f;
      BusDriver::Answer answer;
      if (request.names[i] == "head" || request.names[i] == "eye") {
        const int value = on ? lamp_colour(colour.r, colour.g, colour.b) : 0;
        answer = driver_->write(driver_params_.board_id, request.names[i] == "head" ? kBoardLedHead : kBoardLedEye,
                                {static_cast<uint8_t>(value), static_cast<uint8_t>(value >> 8)});
      } else if (request.names[i] == "panel2" || request.names[i] == "panel3" || request.names[i] == "panel4") {
        const int bit = 1 << (request.names[i].back() - '2');
        led_panel_ = on ? led_panel_ | bit : led_panel_ & ~bit;
        answer = driver_->write(driver_params_.board_id, kBoardLedPanel, {static_cast<uint8_t>(led_panel_)});
      } else {
        problem = "there is no light '" + request.names[i] + "'; there are head, eye, panel2, panel3, panel4";
        return;
      }
      if (!answer.ok()) problem = "the board did not take it";
    }
  });
  return problem;
}

// ---- the bus thread -----------------------------------------------------------------------------------------------

void Cm730Node::set_real_time_priority(int priority) {
  if (priority <= 0) return;
  sched_param param{};
  param.sched_priority = priority;
  if (const int error = pthread_setschedparam(pthread_self(), SCHED_FIFO, &param)) {
    RCLCPP_WARN(get_logger(), "No real-time priority %d: %s. Add '@dialout - rtprio 99' to /etc/security/limits.conf.",
                priority, std::strerror(error));
  }
}

void Cm730Node::run() {
  set_real_time_priority(priority_);
  std::vector<std::string> told;
  while (!stop_ && rclcpp::ok()) {
    run_jobs();
    apply_goals();
    const bool exchanged = driver_->cycle();
    log_events();
    if (driver_->problems() != told) {
      told = driver_->problems();
      for (const auto& problem : told) RCLCPP_ERROR(get_logger(), "%s", problem.c_str());
      if (port_->latency_timer() > 1) {
        RCLCPP_WARN(
            get_logger(),
            "The adapter holds bytes back for %d ms: echo 1 | sudo tee /sys/bus/usb-serial/devices/%s/latency_timer",
            port_->latency_timer(), port_name_.substr(port_name_.rfind('/') + 1).c_str());
      }
    }
    const double time = port_->now();
    if (exchanged) {
      if (last_cycle_ > 0.0 && time > last_cycle_) cycle_rate_ += 0.02 * (1.0 / (time - last_cycle_) - cycle_rate_);
      last_cycle_ = time;
      publish_cycle();
      watch_voltage();
    } else {
      cycle_rate_ = 0.0;
      last_cycle_ = 0.0;
    }
    if (time >= next_state_) publish_state();
    if (time >= next_servo_data_) publish_servo_data();
    if (time >= next_diagnostics_) publish_diagnostics();
    if (exchanged) pace();
  }
}

void Cm730Node::log_events() {
  for (const auto& event : driver_->take_events()) RCLCPP_WARN(get_logger(), "%s", event.c_str());
}

void Cm730Node::pace() {
  if (active_rate_ <= 0.0) return;
  const double period = 1.0 / active_rate_;
  const double time = port_->now();
  deadline_ += period;
  if (deadline_ < time) {  // late: the missed ones are counted, not made up for
    const double missed = std::floor((time - deadline_) / period) + 1.0;
    if (deadline_ > period * 2.0 && missed < 1e6) missed_cycles_ += static_cast<uint64_t>(missed);
    deadline_ += missed * period;
  }
  port_->sleep_until(deadline_);
}

void Cm730Node::apply_goals() {
  std::lock_guard<std::mutex> lock(goals_mutex_);
  active_limits_ = limits_;
  active_rate_ = rate_;
  const auto& goals = player_->update(now().seconds());
  const double stiffness = player_->stiffness();
  for (size_t i = 0; i < driver_->size(); ++i) {
    JointCommand& command = driver_->command(i);
    command.stiffness = stiffness;
    if (!goals[i].set) continue;
    command.position = goals[i].position;
    command.speed_limit = goals[i].speed_limit;
    command.torque_limit = goals[i].torque_limit;
  }
}

void Cm730Node::publish_cycle() {
  const auto stamp = now();
  joint_states_.header.stamp = stamp;
  joint_states_.name.clear();
  joint_states_.position.clear();
  joint_states_.velocity.clear();
  joint_states_.effort.clear();
  for (size_t i = 0; i < driver_->size(); ++i) {
    const JointReading& reading = driver_->joint(i);
    if (!reading.fresh) continue;  // what is not fresh is left out
    joint_states_.name.push_back(joint_names_[i]);
    joint_states_.position.push_back(reading.position);
    joint_states_.velocity.push_back(reading.velocity);
    joint_states_.effort.push_back(reading.load * data(driver_->spec(i).model).stall_torque);
  }
  if (!joint_states_.name.empty()) joint_publisher_->publish(joint_states_);

  const BoardReading& board = driver_->board();
  if (board.fresh) {
    const Eigen::Vector3d gyro(board.gyro[0], board.gyro[1], board.gyro[2]);
    const Eigen::Vector3d accel(board.accel[0], board.accel[1], board.accel[2]);
    attitude_.update(gyro, accel, board.stamp);
    const auto& q = attitude_.orientation();
    imu_.header.stamp = stamp;
    imu_.header.frame_id = "imu_frame";
    imu_.orientation.x = q.x();
    imu_.orientation.y = q.y();
    imu_.orientation.z = q.z();
    imu_.orientation.w = q.w();
    imu_.angular_velocity.x = attitude_.rate().x();
    imu_.angular_velocity.y = attitude_.rate().y();
    imu_.angular_velocity.z = attitude_.rate().z();
    imu_.linear_acceleration.x = accel.x();
    imu_.linear_acceleration.y = accel.y();
    imu_.linear_acceleration.z = accel.z();
    imu_publisher_->publish(imu_);
    if (!buttons_known_ || board.mode_button != last_mode_ || board.start_button != last_start_) {
      msg::Buttons buttons;
      buttons.header.stamp = stamp;
      buttons.mode = last_mode_ = board.mode_button;
      buttons.start = last_start_ = board.start_button;
      buttons_known_ = true;
      button_publisher_->publish(buttons);
    }
  }
  for (size_t side = 0; side < 2; ++side) {
    const FootReading& foot = driver_->foot(side);
    if (!foot.fresh) continue;
    const auto cell = [&](size_t place) {
      return static_cast<float>(foot.cells[static_cast<size_t>(foot_cells_[side][place] - 1)]);
    };
    msg::FootPressure pressure;
    pressure.header.stamp = stamp;
    pressure.header.frame_id = side == 0 ? "l_sole" : "r_sole";
    pressure.front_left = cell(0);
    pressure.front_right = cell(1);
    pressure.back_left = cell(2);
    pressure.back_right = cell(3);
    foot_publishers_[side]->publish(pressure);
  }
}

void Cm730Node::watch_voltage() {
  const double voltage = driver_->board().voltage;
  const double time = port_->now();
  if (voltage < 0.0 || voltage >= active_limits_.shutdown_voltage) {
    low_since_ = -1.0;
    if (voltage >= active_limits_.warn_voltage) shutdown_since_ = -1.0;  // another battery
    return;
  }
  if (low_since_ < 0.0) low_since_ = time;
  if (time - low_since_ < kLowVoltageTime) return;
  if (shutdown_since_ < 0.0) {
    shutdown_since_ = time;
    RCLCPP_ERROR(get_logger(), "%.1f V: the battery is empty, the robot sits down and lets go", voltage);
    auto request = std::make_shared<srv::ShutdownRobot::Request>();
    if (shutdown_client_->service_is_ready()) shutdown_client_->async_send_request(request);
  }
  if (time - shutdown_since_ > active_limits_.shutdown_grace) {
    for (size_t i = 0; i < driver_->size(); ++i) driver_->command(i).torque = false;
  }
}

void Cm730Node::publish_state() {
  next_state_ = port_->now() + kStatePeriod;
  state_.header.stamp = now();
  state_.joints_missing.clear();
  state_.joints_limp.clear();
  state_.joints_overloaded.clear();
  state_.joints_hot.clear();
  state_.torque_on = false;
  const bool running = driver_->state() == BusState::Running;
  for (size_t i = 0; i < driver_->size(); ++i) {
    const JointReading& reading = driver_->joint(i);
    if (reading.missing || !running)
      state_.joints_missing.push_back(joint_names_[i]);
    else if (!driver_->command(i).torque || reading.overloaded)
      state_.joints_limp.push_back(joint_names_[i]);
    if (reading.overloaded) state_.joints_overloaded.push_back(joint_names_[i]);
    if (reading.temperature >= active_limits_.warn_temperature) state_.joints_hot.push_back(joint_names_[i]);
    state_.torque_on |= running && reading.torque;
  }
  const BoardReading& board = driver_->board();
  state_.imu_ok = running && !board.missing && board.stamp >= 0.0;
  state_.power_on = running;
  state_.voltage = running ? static_cast<float>(board.voltage) : -1.0f;
  state_.bus_rate = static_cast<float>(cycle_rate_);
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : "; ") + what; };
  if (!running) add(port_->error().empty() ? "the bus does not answer" : port_->error());
  if (running && !state_.joints_missing.empty())
    add(std::to_string(state_.joints_missing.size()) + " joints do not answer");
  if (running && board.missing) add("the IMU does not answer");
  if (!state_.joints_overloaded.empty()) add("overload: " + state_.joints_overloaded.front());
  if (!state_.joints_hot.empty()) add("hot: " + state_.joints_hot.front());
  if (running && board.voltage >= 0.0 && board.voltage < active_limits_.warn_voltage) add("the battery is low");
  state_.text = text;
  const bool error =
      !running || board.missing || state_.joints_missing.size() == driver_->size() || shutdown_since_ >= 0.0;
  state_.level = error ? msg::HardwareState::ERROR : text.empty() ? msg::HardwareState::OK : msg::HardwareState::WARN;
  state_publisher_->publish(state_);
}

void Cm730Node::publish_servo_data() {
  next_servo_data_ = port_->now() + kServoDataPeriod;
  msg::AdditionalServoData servo;
  const auto stamp = now();
  servo.header.stamp = stamp;
  servo.joint_names = joint_names_;
  for (size_t i = 0; i < driver_->size(); ++i) {
    const JointReading& reading = driver_->joint(i);
    servo.voltage.push_back(static_cast<float>(reading.voltage));
    sensor_msgs::msg::Temperature temperature;
    temperature.header.stamp = stamp;
    temperature.temperature = reading.temperature;
    servo.temperature.push_back(temperature);
    servo.error.push_back(reading.error);
  }
  servo_publisher_->publish(servo);
}

void Cm730Node::publish_diagnostics() {
  next_diagnostics_ = port_->now() + kDiagnosticsPeriod;
  diagnostic_msgs::msg::DiagnosticArray array;
  array.header.stamp = now();
  diagnostic_msgs::msg::DiagnosticStatus status;
  status.name = std::string(get_fully_qualified_name()) + ": bus";
  status.hardware_id = port_name_;
  status.level = state_.level;
  status.message = state_.text.empty() ? "runs" : state_.text;
  const auto value = [&](const std::string& key, const std::string& text) {
    diagnostic_msgs::msg::KeyValue pair;
    pair.key = key;
    pair.value = text;
    status.values.push_back(pair);
  };
  const BusCounters& c = driver_->counters();
  for (const auto& [key, count] :
       {std::pair("cycles", c.cycles), std::pair("incomplete cycles", c.incomplete_cycles),
        std::pair("missed cycles", missed_cycles_), std::pair("bad check sums", c.bad_checksums),
        std::pair("stray bytes", c.skipped_bytes), std::pair("silences", c.silences),
        std::pair("second requests", c.follow_ups), std::pair("devices dropped", c.drops),
        std::pair("devices taken back", c.readmissions), std::pair("rests of the bus", c.rests),
        std::pair("port losses", c.port_losses), std::pair("supply losses", c.power_losses)}) {
    value(key, std::to_string(count));
  }
  value("cycle rate, Hz", std::to_string(cycle_rate_));
  value("gyro bias known", attitude_.calibrated() ? "yes" : "not yet: keep the robot still");
  {
    std::lock_guard<std::mutex> lock(goals_mutex_);
    value("goals refused", std::to_string(goals_refused_));
    value("last refusal", last_refusal_);
    value("goals clipped", std::to_string(player_->clipped()));
  }
  for (const auto& problem : driver_->problems()) value("problem", problem);
  array.status.push_back(status);
  diagnostics_publisher_->publish(array);
}

}  // namespace hl_hardware_cm730

RCLCPP_COMPONENTS_REGISTER_NODE(hl_hardware_cm730::Cm730Node)

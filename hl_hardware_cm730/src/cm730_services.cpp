// SPDX-License-Identifier: Apache-2.0
// Topics and services of the driver, and the callbacks behind them.
#include <algorithm>

#include "cm730_node.hpp"

namespace hl_hardware_cm730 {
namespace {

namespace msg = humanoid_league_msgs::msg;
namespace srv = humanoid_league_msgs::srv;

constexpr auto kJobPatience = std::chrono::seconds(3);

double seconds(const builtin_interfaces::msg::Time& stamp) {
  return stamp.sec + stamp.nanosec * 1e-9;
}

}  // namespace

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

}  // namespace hl_hardware_cm730

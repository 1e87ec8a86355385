// SPDX-License-Identifier: Apache-2.0
// The check before a game: is everything alive, fast enough, cool enough, and is the referee there?
#include <cmath>
#include <cstdio>
#include <deque>
#include <humanoid_league_msgs/msg/additional_servo_data.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <string>
#include <vector>

namespace {

namespace msg = humanoid_league_msgs::msg;

constexpr const char* kUsage =
    "usage: check [--seconds N] [--no-camera] [--no-referee]\n"
    "\n"
    "Listens to a robot (or simulation) for N s (default 5) and prints a table of what is well and what is not.\n"
    "Exit code 0 only if all is well.\n";

struct Row {
  std::string what;
  bool well = false;
  std::string text;
};

/// Counts messages of a topic to tell their rate.
struct Counter {
  int count = 0;
  void hit() { ++count; }
};

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

class Check : public rclcpp::Node {
 public:
  Check() : Node("check") {
    const auto sensor = rclcpp::SensorDataQoS();
    const auto latched = rclcpp::QoS(1).transient_local();
    joints_sub_ = create_subscription<sensor_msgs::msg::JointState>(
        "joint_states", sensor, [this](const sensor_msgs::msg::JointState& message) {
          joints_.hit();
          joint_count_ = std::max(joint_count_, message.name.size());
        });
    imu_sub_ =
        create_subscription<sensor_msgs::msg::Imu>("imu/data", sensor, [this](const sensor_msgs::msg::Imu& message) {
          imu_.hit();
          const auto& a = message.linear_acceleration;
          gravity_ = std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
        });
    camera_sub_ = create_subscription<sensor_msgs::msg::Image>(
        "camera/image_raw", sensor, [this](const sensor_msgs::msg::Image&) { camera_.hit(); });
    hardware_sub_ = create_subscription<msg::HardwareState>(
        "hardware_state", 10, [this](const msg::HardwareState& message) { hardware_ = message; });
    servo_sub_ = create_subscription<msg::AdditionalServoData>(
        "servo_data", 10, [this](const msg::AdditionalServoData& message) { servos_ = message; });
    state_sub_ = create_subscription<msg::RobotControlState>(
        "robot_state", latched, [this](const msg::RobotControlState& message) { state_ = message; });
    game_sub_ = create_subscription<msg::GameState>("gamestate", latched,
                                                    [this](const msg::GameState& message) { game_ = message; });
  }

  std::vector<Row> rows(double seconds, bool with_camera, bool with_referee) const {
    std::vector<Row> table;
    const auto rate = [&](const char* what, const Counter& counter, double least) {
      const double hertz = counter.count / seconds;
      table.push_back(
          {what, hertz >= least, number("%.0f Hz", hertz) + (hertz >= least ? "" : number(", needs %.0f Hz", least))});
    };
    rate("joint states", joints_, 50.0);
    table.push_back({"joints", joint_count_ >= 20, std::to_string(joint_count_) + " of 20"});
    rate("IMU", imu_, 50.0);
    const bool upright = gravity_ > 8.0 && gravity_ < 12.0;
    table.push_back({"gravity", upright, number("%.1f m/s^2", gravity_)});
    if (hardware_) {
      table.push_back({"bus voltage", hardware_->voltage > 10.5F, number("%.1f V", hardware_->voltage)});
      table.push_back({"torque", hardware_->torque_on, hardware_->torque_on ? "on" : "off"});
      const auto bad =
          hardware_->joints_missing.size() + hardware_->joints_overloaded.size() + hardware_->joints_hot.size();
      table.push_back(
          {"servos", bad == 0, bad == 0 ? "all well" : std::to_string(bad) + " missing, overloaded or hot"});
    } else {
      table.push_back({"hardware state", false, "not heard: is the hardware node running?"});
    }
    if (servos_) {
      double hottest = 0.0;
      for (const auto& temperature : servos_->temperature) hottest = std::max(hottest, temperature.temperature);
      table.push_back({"hottest servo", hottest < 60.0, number("%.0f C", hottest)});
    }
    table.push_back({"HCM", state_ && state_->state != msg::RobotControlState::HARDWARE_PROBLEM,
                     state_ ? "state " + std::to_string(state_->state) + ": " + state_->reason : "not heard"});
    if (with_camera) rate("camera", camera_, 5.0);
    if (with_referee) {
      const bool heard = game_ && game_->referee_connected;
      table.push_back({"referee", heard,
                       heard
                           ? "team " + std::to_string(game_->own_team) + " against " + std::to_string(game_->rival_team)
                           : "not heard: check network and team number"});
    }
    return table;
  }

 private:
  Counter joints_, imu_, camera_;
  std::size_t joint_count_ = 0;
  double gravity_ = 0.0;  // m/s^2
  std::optional<msg::HardwareState> hardware_;
  std::optional<msg::AdditionalServoData> servos_;
  std::optional<msg::RobotControlState> state_;
  std::optional<msg::GameState> game_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr joints_sub_;
  rclcpp::Subscription<sensor_msgs::msg::Imu>::SharedPtr imu_sub_;
  rclcpp::Subscription<sensor_msgs::msg::Image>::SharedPtr camera_sub_;
  rclcpp::Subscription<msg::HardwareState>::SharedPtr hardware_sub_;
  rclcpp::Subscription<msg::AdditionalServoData>::SharedPtr servo_sub_;
  rclcpp::Subscription<msg::RobotControlState>::SharedPtr state_sub_;
  rclcpp::Subscription<msg::GameState>::SharedPtr game_sub_;
};

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = rclcpp::init_and_remove_ros_arguments(argc, argv);
  double seconds = 5.0;
  bool with_camera = true;
  bool with_referee = true;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "--seconds" && i + 1 < arguments.size()) {
      seconds = std::max(1.0, std::atof(arguments[++i].c_str()));
    } else if (arguments[i] == "--no-camera") {
      with_camera = false;
    } else if (arguments[i] == "--no-referee") {
      with_referee = false;
    } else {
      std::fputs(kUsage, stderr);
      return arguments[i] == "--help" ? 0 : 2;
    }
  }
  const auto node = std::make_shared<Check>();
  std::printf("listening for %.0f s\n", seconds);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  while (rclcpp::ok() && std::chrono::steady_clock::now() < end) executor.spin_once(std::chrono::milliseconds(50));
  bool all_well = true;
  for (const auto& row : node->rows(seconds, with_camera, with_referee)) {
    const char* colour = row.well ? "\033[32m" : "\033[31m";
    std::printf("%s%-5s\033[0m %-16s %s\n", colour, row.well ? "ok" : "BAD", row.what.c_str(), row.text.c_str());
    all_well = all_well && row.well;
  }
  rclcpp::shutdown();
  return all_well ? 0 : 1;
}

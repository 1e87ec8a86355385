// SPDX-License-Identifier: Apache-2.0
// The check before a game: is everything alive, fast enough, cool enough, and is the referee there?
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <unistd.h>
#include <urdf/model.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <hl_description/formatted.hpp>
#include <hl_node/command_line.hpp>
#include <humanoid_league_msgs/msg/additional_servo_data.hpp>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/msg/line_information_in_image.hpp>
#include <humanoid_league_msgs/msg/model.hpp>
#include <humanoid_league_msgs/msg/position2_d.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/strategy.hpp>
#include <humanoid_league_msgs/msg/support_state.hpp>
#include <humanoid_league_msgs/msg/team_link.hpp>
#include <map>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <sensor_msgs/msg/image.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/bool.hpp>
#include <std_msgs/msg/string.hpp>
#include <string>
#include <tf2_msgs/msg/tf_message.hpp>
#include <trajectory_msgs/msg/joint_trajectory.hpp>
#include <vector>

#include "state_name.hpp"

namespace {

namespace msg = humanoid_league_msgs::msg;
using diagnostic_msgs::msg::DiagnosticArray;
using diagnostic_msgs::msg::DiagnosticStatus;

constexpr double kLowVoltage = 10.5;  // V
constexpr double kHot = 60.0;         // degrees Celsius

struct Options {
  std::string robot_namespace;
  double seconds = 5.0;
  bool camera = true, mind = true, referee = true, network = true;
};

struct Row {
  std::string what;
  bool well = false;
  std::string text;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Addresses by which others reach this machine.
std::vector<std::string> addresses() {
  std::vector<std::string> found;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return found;
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    const bool up = (entry->ifa_flags & IFF_UP) != 0 && (entry->ifa_flags & IFF_LOOPBACK) == 0;
    if (!up || entry->ifa_addr == nullptr || entry->ifa_addr->sa_family != AF_INET) continue;
    char text[INET_ADDRSTRLEN] = {};
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(entry->ifa_addr)->sin_addr, text, sizeof text);
    found.push_back(std::string(entry->ifa_name) + " " + text);
  }
  freeifaddrs(list);
  return found;
}

/// How many joints of this robot move; 0 if the description cannot be read.
std::size_t moving_joints(const std::string& description) {
  urdf::Model model;
  if (!model.initString(description)) return 0;
  return static_cast<std::size_t>(std::count_if(model.joints_.begin(), model.joints_.end(), [](const auto& joint) {
    return joint.second->type != urdf::Joint::FIXED && !joint.second->mimic;
  }));
}

Row network_row() {
  const char* localhost = std::getenv("ROS_LOCALHOST_ONLY");
  if (localhost != nullptr && std::string(localhost) == "1")
    return {"network", true, "this machine only, as asked for"};
  const auto found = addresses();
  return {"network", !found.empty(), found.empty() ? "no address: is the Wi-Fi connected?" : joined(found)};
}

class Check : public rclcpp::Node {
 public:
  explicit Check(const Options& options) : Node("check", options.robot_namespace), options_(options) {
    // Deep, so that a busy machine loses no sample between the sensor and this count.
    const auto sensor = rclcpp::SensorDataQoS().keep_last(200);
    const auto latched = rclcpp::QoS(1).transient_local();
    listen<sensor_msgs::msg::JointState>("joint_states", sensor, [this](const auto& message) {
      joint_count_ = std::max(joint_count_, message.name.size());
    });
    listen<sensor_msgs::msg::Imu>("imu/data", sensor, [this](const auto& message) {
      const auto& a = message.linear_acceleration;
      gravity_ = std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
    });
    listen<msg::HardwareState>("hardware_state", 10, [this](const auto& message) { hardware_ = message; });
    listen<msg::AdditionalServoData>("servo_data", 10, [this](const auto& message) { servos_ = message; });
    listen<msg::RobotControlState>("robot_state", latched, [this](const auto& message) { state_ = message; });
    listen<msg::SupportState>("support_state", 10, [](const auto&) {});
    listen<std_msgs::msg::Bool>("paused", latched, [this](const auto& message) { paused_ = message.data; });
    listen<tf2_msgs::msg::TFMessage>("tf", 100, [](const auto&) {});
    listen<std_msgs::msg::String>("robot_description", latched,
                                  [this](const auto& message) { joints_wanted_ = moving_joints(message.data); });
    listen<msg::GameState>("gamestate", latched, [this](const auto& message) { game_ = message; });
    listen<DiagnosticArray>("diagnostics", 50, [this](const auto& message) {
      for (const auto& status : message.status) diagnostics_[status.name] = status;
    });
    listen<rosgraph_msgs::msg::Clock>("/clock", sensor, [this](const auto& message) {
      const double time = rclcpp::Time(message.clock).seconds();
      if (!clock_start_) clock_start_ = time;
      simulated_ = time - *clock_start_;
    });
    if (options.camera) {
      listen<sensor_msgs::msg::Image>("camera/image_raw", sensor, [](const auto&) {});
      listen<msg::LineInformationInImage>("lines_in_image", sensor, [](const auto&) {});
    }
    if (options.mind) {
      listen<msg::BallRelative>("ball_relative", sensor, [](const auto&) {});
      listen<msg::Position2D>("position", sensor, [this](const auto& message) { position_ = message; });
      listen<msg::Model>("personal_model", sensor, [](const auto&) {});
      listen<trajectory_msgs::msg::JointTrajectory>("head_motor_goals", sensor, [](const auto&) {});
      listen<msg::Strategy>("strategy", latched, [](const auto&) {});
      listen<msg::TeamLink>("team_link", 10, [this](const auto& message) { team_ = message; });
    }
  }

  std::vector<Row> rows() const {
    std::vector<Row> table;
    hardware_rows(table);
    motion_rows(table);
    if (options_.camera) camera_rows(table);
    if (options_.mind) mind_rows(table);
    if (options_.network) table.push_back(network_row());
    if (options_.referee) table.push_back(referee_row());
    table.push_back(diagnostics_row());
    return table;
  }

 private:
  template <class Message, class Callback>
  void listen(const char* topic, const rclcpp::QoS& qos, Callback callback) {
    subscriptions_.push_back(create_subscription<Message>(topic, qos, [this, topic, callback](const Message& message) {
      ++counts_[topic];
      callback(message);
    }));
  }

  Row rate(const char* what, const char* topic, double least) const {
    const auto found = counts_.find(topic);
    const double seconds = simulated_ > 0.0 ? simulated_ : options_.seconds;  // a simulation may be slow or fast
    const double hertz = found == counts_.end() ? 0.0 : found->second / seconds;
    return {what, hertz >= least,
            hl_description::formatted("%.0f Hz", hertz) +
                (hertz >= least ? "" : hl_description::formatted(", needs %.0f Hz", least))};
  }

  void hardware_rows(std::vector<Row>& table) const {
    table.push_back(rate("joint states", "joint_states", 50.0));
    table.push_back({"joints", joints_wanted_ > 0 && joint_count_ >= joints_wanted_,
                     joints_wanted_ > 0 ? std::to_string(joint_count_) + " of " + std::to_string(joints_wanted_)
                                        : std::to_string(joint_count_) + ", robot_description is not heard"});
    table.push_back(rate("IMU", "imu/data", 50.0));
    table.push_back({"gravity", gravity_ > 8.0 && gravity_ < 12.0, hl_description::formatted("%.1f m/s^2", gravity_)});
    if (!hardware_) {
      table.push_back({"hardware state", false, "not heard: is the hardware node running?"});
    } else {
      const auto& h = *hardware_;
      table.push_back({"bus voltage", h.voltage > kLowVoltage, hl_description::formatted("%.1f V", h.voltage)});
      table.push_back({"torque", h.torque_on, h.torque_on ? "on" : "off"});
      std::string bad;
      const auto add = [&bad](const std::vector<std::string>& joints, const char* what) {
        if (!joints.empty()) bad += (bad.empty() ? "" : "; ") + joined(joints) + " " + what;
      };
      add(h.joints_missing, "missing");
      add(h.joints_limp, "limp");
      add(h.joints_overloaded, "overloaded");
      add(h.joints_hot, "hot");
      table.push_back({"servos", bad.empty(), bad.empty() ? "all well" : bad});
    }
    if (!servos_) {
      table.push_back({"hottest servo", false, "servo_data is not heard"});
      return;
    }
    double hottest = 0.0;
    for (const auto& temperature : servos_->temperature) hottest = std::max(hottest, temperature.temperature);
    table.push_back({"hottest servo", hottest < kHot, hl_description::formatted("%.0f C", hottest)});
  }

  void motion_rows(std::vector<Row>& table) const {
    const bool hcm = state_ && state_->state != msg::RobotControlState::HARDWARE_PROBLEM &&
                     state_->state != msg::RobotControlState::HCM_OFF;
    table.push_back({"HCM", hcm, state_ ? hl_bringup::state_name(state_->state) + ": " + state_->reason : "not heard"});
    table.push_back(rate("walking", "support_state", 20.0));
    const bool animation = count_publishers("play_animation/_action/status") > 0;
    table.push_back({"animation", animation, animation ? "play_animation is there" : "no action play_animation"});
    table.push_back({"pause", paused_.has_value(), !paused_ ? "not heard" : *paused_ ? "paused" : "free to play"});
    table.push_back(rate("transforms", "tf", 20.0));
  }

  void camera_rows(std::vector<Row>& table) const {
    table.push_back(rate("camera", "camera/image_raw", 5.0));
    table.push_back(rate("detection", "lines_in_image", 5.0));
  }

  /// A node that speaks only now and then is there if its topic or action is.
  Row there(const char* what, const char* topic, const std::string& name) const {
    const bool found = count_publishers(topic) > 0;
    return {what, found, found ? name + " is there" : "no " + name};
  }

  void mind_rows(std::vector<Row>& table) const {
    table.push_back(rate("percepts", "ball_relative", 5.0));
    const bool located = position_ && position_->confidence > 0.0f;
    Row localization = rate("localisation", "position", 5.0);
    if (localization.well) {
      localization.text += located ? hl_description::formatted(", at %.1f, ", position_->pose.x) +
                                         hl_description::formatted("%.1f m", position_->pose.y)
                                   : ", does not know yet where it is";
    }
    table.push_back(localization);
    table.push_back(rate("world model", "personal_model", 5.0));
    table.push_back(there("planning", "navigate/_action/status", "action navigate"));
    table.push_back(there("behaviour", "strategy", "strategy"));
    table.push_back(rate("head", "head_motor_goals", 5.0));
    const std::size_t mates =
        !team_ ? 0
               : static_cast<std::size_t>(std::count_if(team_->mates.begin(), team_->mates.end(), [](const auto& mate) {
                   return mate.state == msg::TeamLinkMate::CONNECTED;
                 }));
    table.push_back({"team", team_.has_value(),
                     team_ ? std::to_string(mates) + " team mates are heard" : "no team_link: is team_comm running?"});
    const bool voice = count_subscribers("speak") > 0;
    table.push_back({"voice", voice, voice ? "speak is heard" : "nobody listens to speak"});
  }

  Row referee_row() const {
    const bool heard = game_ && game_->referee_connected;
    return {"referee", heard,
            heard ? "team " + std::to_string(game_->own_team) + " against " + std::to_string(game_->rival_team)
                  : "not heard: check network and team number"};
  }

  Row diagnostics_row() const {
    std::string errors;
    for (const auto& [name, status] : diagnostics_) {
      if (status.level != DiagnosticStatus::ERROR) continue;
      errors += (errors.empty() ? "" : "; ") + name + ": " + status.message;
    }
    return {"diagnostics", errors.empty() && !diagnostics_.empty(),
            diagnostics_.empty() ? "not heard"
            : errors.empty()     ? std::to_string(diagnostics_.size()) + " reports, no errors"
                                 : errors};
  }

  Options options_;
  std::map<std::string, int> counts_;  // messages by topic
  std::size_t joint_count_ = 0, joints_wanted_ = 0;
  double gravity_ = 0.0;               // m/s^2
  std::optional<double> clock_start_;  // s
  double simulated_ = 0.0;             // s that passed in the simulation, if it is one
  std::optional<msg::HardwareState> hardware_;
  std::optional<msg::AdditionalServoData> servos_;
  std::optional<msg::RobotControlState> state_;
  std::optional<bool> paused_;
  std::optional<msg::GameState> game_;
  std::optional<msg::Position2D> position_;
  std::optional<msg::TeamLink> team_;
  std::map<std::string, DiagnosticStatus> diagnostics_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
};

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App cli(
      "Listens to a robot (or simulation) and prints a table of what is well and what is not. Exit code 0 only if all "
      "is\n"
      "well.\n",
      "check");
  cli.add_option("--namespace", options.robot_namespace, "of the robot");
  cli.add_option("--seconds", options.seconds, "to listen")->capture_default_str()->check(CLI::Range(1.0, 3600.0));
  const auto leave_out = [&cli](const char* flag, std::vector<bool*> parts, const char* why) {
    cli.add_flag_callback(
        flag,
        [parts] {
          for (bool* part : parts) *part = false;
        },
        why);
  };
  leave_out("--motion-only", {&options.camera, &options.mind}, "leave out what sees, knows and decides");
  leave_out("--no-camera", {&options.camera}, "leave out camera and detection: a simulation may tell percepts itself");
  leave_out("--no-referee", {&options.referee}, "leave out the referee");
  leave_out("--no-network", {&options.network}, "leave out the network");
  if (const auto code = hl_node::read_command_line(cli, argc, argv)) return *code;
  const auto node = std::make_shared<Check>(options);
  std::printf("listening for %.0f s\n", options.seconds);
  std::fflush(stdout);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(options.seconds);
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(node);
  while (rclcpp::ok() && std::chrono::steady_clock::now() < end) executor.spin_once(std::chrono::milliseconds(50));
  bool all_well = true;
  const bool colours = isatty(STDOUT_FILENO) != 0;
  for (const auto& row : node->rows()) {
    const char* colour = !colours ? "" : row.well ? "\033[32m" : "\033[31m";
    std::printf("%s%-5s%s %-16s %s\n", colour, row.well ? "ok" : "BAD", colours ? "\033[0m" : "", row.what.c_str(),
                row.text.c_str());
    all_well = all_well && row.well;
  }
  std::printf(all_well ? "all is well\n" : "not ready to play\n");
  rclcpp::shutdown();
  return all_well ? 0 : 1;
}

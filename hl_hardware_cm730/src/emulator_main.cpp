// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_hardware_cm730 emulator: the robot's bus without the robot.
#include <cstdio>
#include <humanoid_league_msgs/srv/inject_fault.hpp>
#include <humanoid_league_msgs/srv/press_button.hpp>
#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/string.hpp>

#include "hl_description/robot_config.hpp"
#include "hl_hardware_cm730/pty_server.hpp"

namespace {

using namespace hl_hardware_cm730;
using humanoid_league_msgs::srv::InjectFault;
using humanoid_league_msgs::srv::PressButton;

constexpr double kTurn = 0.005;  // s between two looks at the middleware

class EmulatorNode : public rclcpp::Node {
 public:
  EmulatorNode() : rclcpp::Node("emulator") {
    const auto text = [this](const char* name, const char* value, const char* description) {
      rcl_interfaces::msg::ParameterDescriptor descriptor;
      descriptor.description = description;
      descriptor.read_only = true;
      return declare_parameter(name, value, descriptor);
    };
    PtyServer::Params params;
    params.link = text("port", "/tmp/cm730", "path of the link to the pseudo-terminal");
    const std::string robot = text("robot_config_file", "", "robot.yaml: ids and models; empty = twenty MX-28");
    const std::string firmware = text("firmware", "stock", "stock or nimbro");
    const std::string pose = text("pose", "", "a pose of robot.yaml to start in");
    rcl_interfaces::msg::ParameterDescriptor patience;
    patience.description = "s of silence of the driver after which the emulated world waits for it, 0 = never";
    params.patience = declare_parameter("patience", params.patience, patience);
    rcl_interfaces::msg::ParameterDescriptor fault_lines;
    fault_lines.description = "faults from the start, in the words of the topic ~/fault";
    const auto faults = declare_parameter("faults", std::vector<std::string>(), fault_lines);

    EmulatorConfig config = EmulatorConfig::darwin();
    std::map<std::string, double> start;
    if (!robot.empty()) {
      const auto description = hl_description::RobotConfig::from_file(robot);
      config.servos.clear();
      config.board_id = static_cast<uint8_t>(description.controller_id);
      for (const auto& servo : description.servos) {
        const auto model = servo_model(servo.model);
        if (!model) throw std::invalid_argument(robot + ": unknown servo model '" + servo.model + "'");
        config.servos.push_back({static_cast<uint8_t>(servo.id), *model, Protocol::V1, 250});
        ids_[servo.joint] = servo.id;
      }
      for (size_t side = 0; side < 2; ++side) {
        config.foot_ids[side] =
            description.foot_sensors[side] ? static_cast<uint8_t>(description.foot_sensors[side]->id) : 0;
      }
      if (!pose.empty()) {
        const auto found = description.poses.find(pose);
        if (found == description.poses.end()) throw std::invalid_argument(robot + ": there is no pose '" + pose + "'");
        start = found->second;
      }
    }
    if (firmware != "stock" && firmware != "nimbro")
      throw std::invalid_argument("firmware is stock or nimbro, not '" + firmware + "'");
    config.firmware = firmware == "stock" ? BoardFirmware::Stock : BoardFirmware::NimbRo;
    std::vector<ServoModel> models;
    for (const auto& servo : config.servos) models.push_back(servo.model);
    auto physics = std::make_shared<SecondOrderServos>(models);
    for (size_t i = 0; i < config.servos.size(); ++i) {
      for (const auto& [joint, angle] : start) {
        if (ids_[joint] == config.servos[i].id) physics->place(i, angle);
      }
    }
    board_id_ = config.board_id;
    emulator_ = std::make_unique<Emulator>(config, physics);
    for (const auto& line : faults) require(emulator_->faults().apply(line));
    server_ = std::make_unique<PtyServer>(*emulator_, params);

    fault_subscription_ =
        create_subscription<std_msgs::msg::String>("~/fault", 10, [this](std_msgs::msg::String::ConstSharedPtr line) {
          const std::string problem = emulator_->faults().apply(line->data);
          RCLCPP_INFO(get_logger(), "%s", problem.empty() ? line->data.c_str() : problem.c_str());
        });
    fault_service_ = create_service<InjectFault>(
        "~/inject_fault", [this](InjectFault::Request::SharedPtr request, InjectFault::Response::SharedPtr response) {
          response->message = inject(*request);
          response->success = response->message.empty();
        });
    button_service_ = create_service<PressButton>(
        "~/press_button", [this](PressButton::Request::SharedPtr request, PressButton::Response::SharedPtr response) {
          response->success = request->button == "mode" || request->button == "start";
          if (!response->success) {
            response->message = "the buttons are mode and start";
            return;
          }
          emulator_->press(request->button == "mode", request->button == "start");
          release_ = emulator_->now() + request->duration;
        });
    RCLCPP_INFO(get_logger(), "%zu servos on %s", config.servos.size(), params.link.c_str());
  }

  void serve() {
    server_->spin(kTurn);
    if (release_ > 0.0 && emulator_->now() >= release_) {
      emulator_->press(false, false);
      release_ = 0.0;
    }
  }

 private:
  static void require(const std::string& problem) {
    if (!problem.empty()) throw std::invalid_argument(problem);
  }

  std::string inject(const InjectFault::Request& request) {
    std::string id;
    if (!request.joint.empty()) {
      const auto found = ids_.find(request.joint);
      if (found == ids_.end()) return "there is no joint '" + request.joint + "'";
      id = std::to_string(found->second);
    }
    auto& faults = emulator_->faults();
    switch (request.fault) {
      case InjectFault::Request::NONE:
        return faults.apply("heal " + id);
      case InjectFault::Request::SERVO_SILENT:
        return faults.apply("mute " + id);
      case InjectFault::Request::SERVO_LIMP:
        return faults.apply("overload " + id);
      case InjectFault::Request::SERVO_HOT:
        return faults.apply("overheat " + id + " " + std::to_string(request.value));
      case InjectFault::Request::IMU_SILENT:
        return faults.apply("mute " + std::to_string(board_id_));
      case InjectFault::Request::LOW_VOLTAGE:
        return faults.apply("voltage " + std::to_string(request.value));
      case InjectFault::Request::BUS_SILENT:
        return faults.apply("stuck");
      default:
        return "unknown fault " + std::to_string(request.fault);
    }
  }

  std::map<std::string, int> ids_;  // of the servos by joint
  int board_id_ = 200;
  std::unique_ptr<Emulator> emulator_;
  std::unique_ptr<PtyServer> server_;
  double release_ = 0.0;
  rclcpp::Subscription<std_msgs::msg::String>::SharedPtr fault_subscription_;
  rclcpp::Service<InjectFault>::SharedPtr fault_service_;
  rclcpp::Service<PressButton>::SharedPtr button_service_;
};

}  // namespace

int main(int argc, char** argv) {
  rclcpp::init(argc, argv);
  try {
    auto node = std::make_shared<EmulatorNode>();
    rclcpp::executors::SingleThreadedExecutor executor;
    executor.add_node(node);
    while (rclcpp::ok()) {
      executor.spin_some();
      node->serve();
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "emulator: %s\n", e.what());
    rclcpp::shutdown();
    return 1;
  }
  rclcpp::shutdown();
  return 0;
}

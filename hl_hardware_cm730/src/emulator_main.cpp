// SPDX-License-Identifier: Apache-2.0
// ros2 run hl_hardware_cm730 emulator: the robot's bus without the robot.
#include <cstdio>
#include <humanoid_league_msgs/srv/inject_fault.hpp>
#include <humanoid_league_msgs/srv/press_button.hpp>
#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/string.hpp>

#include "hl_description/robot_config.hpp"
#include "hl_hardware_cm730/bus_time.hpp"
#include "hl_hardware_cm730/fault_request.hpp"

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
    const std::string port = text("port", "/tmp/cm730", "path of the link to the pseudo-terminal");
    const std::string robot = text("robot_config_file", "", "robot.yaml: ids and models; empty = twenty MX-28");
    const std::string firmware = text("firmware", "stock", "stock or nimbro");
    const std::string pose = text("pose", "", "a pose of robot.yaml to start in");
    rcl_interfaces::msg::ParameterDescriptor patience;
    patience.description = "s of silence of the driver after which the emulated world goes on without it";
    BusTime::Params time;
    time.patience = declare_parameter("patience", time.patience, patience);
    require(time.validate().value_or(""));
    rcl_interfaces::msg::ParameterDescriptor fault_lines;
    fault_lines.description = "faults from the start, in the words of the topic ~/fault";
    const auto faults = declare_parameter("faults", std::vector<std::string>(), fault_lines);

    EmulatorConfig config = EmulatorConfig::darwin();
    std::map<std::string, double> start;
    if (!robot.empty()) {
      description_ = hl_description::RobotConfig::from_file(robot);
      config.servos.clear();
      config.board_id = static_cast<uint8_t>(description_.controller_id);
      for (const auto& servo : description_.servos) {
        const auto model = servo_model(servo.model);
        if (!model) throw std::invalid_argument(robot + ": unknown servo model '" + servo.model + "'");
        config.servos.push_back({static_cast<uint8_t>(servo.id), *model, Protocol::V1, 250});
      }
      for (size_t side = 0; side < 2; ++side) {
        config.foot_ids[side] =
            description_.foot_sensors[side] ? static_cast<uint8_t>(description_.foot_sensors[side]->id) : 0;
      }
      if (!pose.empty()) {
        const auto found = description_.poses.find(pose);
        if (found == description_.poses.end()) throw std::invalid_argument(robot + ": there is no pose '" + pose + "'");
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
      if (i >= description_.servos.size()) break;
      const auto angle = start.find(description_.servos[i].joint);
      if (angle != start.end()) physics->place(i, angle->second);
    }
    emulator_ = std::make_unique<Emulator>(config, physics);
    for (const auto& line : faults) require(emulator_->faults().apply(line));
    server_ = std::make_unique<PtyServer>(*emulator_, port);
    time_ = std::make_unique<BusTime>(std::vector<PtyServer*>{server_.get()}, time);

    fault_subscription_ =
        create_subscription<std_msgs::msg::String>("~/fault", 10, [this](std_msgs::msg::String::ConstSharedPtr line) {
          const std::string problem = emulator_->faults().apply(line->data);
          RCLCPP_INFO(get_logger(), "%s", problem.empty() ? line->data.c_str() : problem.c_str());
        });
    fault_service_ = create_service<InjectFault>(
        "~/inject_fault", [this](InjectFault::Request::SharedPtr request, InjectFault::Response::SharedPtr response) {
          response->message = apply(emulator_->faults(), *request, description_);
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
    RCLCPP_INFO(get_logger(), "%zu servos on %s", config.servos.size(), port.c_str());
  }

  void serve() {
    time_->run(time_->now() + kTurn, kTurn);
    if (release_ > 0.0 && emulator_->now() >= release_) {
      emulator_->press(false, false);
      release_ = 0.0;
    }
  }

 private:
  static void require(const std::string& problem) {
    if (!problem.empty()) throw std::invalid_argument(problem);
  }

  hl_description::RobotConfig description_;
  std::unique_ptr<Emulator> emulator_;
  std::unique_ptr<PtyServer> server_;
  std::unique_ptr<BusTime> time_;
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

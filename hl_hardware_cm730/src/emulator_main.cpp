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
#include "hl_hardware_cm730/pty_server.hpp"
#include "hl_node/node_parameters.hpp"
#include "parameters.hpp"

namespace {

using namespace hl_hardware_cm730;
using humanoid_league_msgs::srv::InjectFault;
using humanoid_league_msgs::srv::PressButton;

constexpr double kTurn = 0.005;  // s between two looks at the middleware

EmulatorConfig config_of(const EmulatorParams& params, const hl_description::RobotConfig& robot) {
  EmulatorConfig config = EmulatorConfig::darwin();
  config.firmware = params.firmware == "stock" ? BoardFirmware::Stock : BoardFirmware::NimbRo;
  if (params.robot_config_file.empty()) return config;
  config.servos.clear();
  config.board_id = static_cast<uint8_t>(robot.controller_id);
  for (const auto& servo : robot.servos) {
    const auto model = servo_model(servo.model);
    if (!model) throw std::invalid_argument(params.robot_config_file + ": unknown servo model '" + servo.model + "'");
    config.servos.push_back({static_cast<uint8_t>(servo.id), *model, Protocol::V1, 250});
  }
  for (size_t side = 0; side < 2; ++side)
    config.foot_ids[side] = robot.foot_sensors[side] ? static_cast<uint8_t>(robot.foot_sensors[side]->id) : 0;
  return config;
}

/// The servos, standing as `pose` of the robot says, or at zero.
std::shared_ptr<SecondOrderServos> physics_of(const EmulatorConfig& config, const EmulatorParams& params,
                                              const hl_description::RobotConfig& robot) {
  std::vector<ServoModel> models;
  for (const auto& servo : config.servos) models.push_back(servo.model);
  auto physics = std::make_shared<SecondOrderServos>(models);
  if (params.pose.empty() || params.robot_config_file.empty()) return physics;
  const auto pose = robot.poses.find(params.pose);
  if (pose == robot.poses.end())
    throw std::invalid_argument(params.robot_config_file + ": there is no pose '" + params.pose + "'");
  for (size_t i = 0; i < robot.servos.size(); ++i) {
    const auto angle = pose->second.find(robot.servos[i].joint);
    if (angle != pose->second.end()) physics->place(i, angle->second);
  }
  return physics;
}

class EmulatorNode : public rclcpp::Node {
 public:
  EmulatorNode() : rclcpp::Node("emulator"), parameters_(*this, emulator_parameters()) {
    const EmulatorParams& params = parameters_.values();
    if (!params.robot_config_file.empty())
      description_ = hl_description::RobotConfig::from_file(params.robot_config_file);
    const EmulatorConfig config = config_of(params, description_);
    emulator_ = std::make_unique<Emulator>(config, physics_of(config, params, description_));
    for (const auto& line : params.faults) {
      if (const std::string problem = emulator_->faults().apply(line); !problem.empty())
        throw std::invalid_argument(problem);
    }
    server_ = std::make_unique<PtyServer>(*emulator_, params.port);
    time_ = std::make_unique<BusTime>(std::vector<PtyServer*>{server_.get()}, params.time);
    offer_services();
    RCLCPP_INFO(get_logger(), "%zu servos on %s", config.servos.size(), params.port.c_str());
  }

  void serve() {
    time_->run(time_->now() + kTurn, kTurn);
    if (release_ > 0.0 && emulator_->now() >= release_) {
      emulator_->press(false, false);
      release_ = 0.0;
    }
  }

 private:
  void offer_services() {
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
  }

  hl_node::NodeParameters<EmulatorParams> parameters_;
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

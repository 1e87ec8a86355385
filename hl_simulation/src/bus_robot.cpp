// SPDX-License-Identifier: Apache-2.0
#include "bus_robot.hpp"

#include <algorithm>
#include <hl_hardware_cm730/fault_request.hpp>

#include "hl_node/interfaces.hpp"

namespace hl_simulation {
namespace {

/// s; the HCM answers every 10 ms, and driver, HCM and walking may each be one tick of /clock behind.
constexpr double kAnswerLag = 0.024;

hl_hardware_cm730::EmulatorConfig with_step(hl_hardware_cm730::EmulatorConfig config, double step) {
  config.step = step;
  return config;
}

}  // namespace

BusRobot::BusRobot(rclcpp::Node& node, const Config& config, Simulation& simulation, std::size_t index,
                   WithWorld with_world, std::function<void()> on_goals)
    : SimulatedRobot(node, config, simulation.robot(index)),
      physics_(std::make_shared<BusPhysics>(simulation, index, config.robot, BusPhysics::Stepping::ByOthers)),
      emulator_(with_step(emulator_config(config.robot), simulation.timestep()), physics_),
      server_(emulator_, config.bus_port),
      with_world_(std::move(with_world)) {
  rclcpp::SubscriptionOptions goals_options;
  goals_options.callback_group = goals_group();
  goals_subscription_ = hl_node::create_subscription<trajectory_msgs::msg::JointTrajectory>(
      node, hl_node::topics::kMotorGoals,
      [this, on_goals](const trajectory_msgs::msg::JointTrajectory& message) {
        note_goals(to_seconds(message.header.stamp));
        on_goals();
      },
      goals_options, topic(""));
  support_group_ = node.create_callback_group(rclcpp::CallbackGroupType::MutuallyExclusive);
  rclcpp::SubscriptionOptions options;
  options.callback_group = support_group_;
  support_subscription_ = hl_node::create_subscription<humanoid_league_msgs::msg::SupportState>(
      node, hl_node::topics::kSupportState,
      [this, on_goals](const humanoid_league_msgs::msg::SupportState& message) {
        walking_stamp_ = to_seconds(message.header.stamp);
        on_goals();
      },
      options, topic(""));
  fault_subscription_ = node.create_subscription<std_msgs::msg::String>(
      topic("bus_fault"), rclcpp::QoS(10), [this](const std_msgs::msg::String& message) { on_fault(message.data); });
  RCLCPP_INFO(node.get_logger(), "'%s' is behind a bus with %zu servos on %s", robot_.name().c_str(),
              config.robot.servos.size(), config.bus_port.c_str());
}

void BusRobot::on_fault(const std::string& line) {
  std::string problem;
  with_world_([&] { problem = emulator_.faults().apply(line); });
  RCLCPP_INFO(node_.get_logger(), "%s: %s", topic("bus_fault").c_str(),
              problem.empty() ? line.c_str() : problem.c_str());
}

void BusRobot::apply_goals(double now) {
  emulator_.press(now < mode_until_, now < start_until_);
}

void BusRobot::press(const std::string& button, double until) {
  (button == "mode" ? mode_until_ : start_until_) = until;
}

std::optional<std::string> BusRobot::inject(const humanoid_league_msgs::srv::InjectFault::Request& request) {
  const std::string problem = hl_hardware_cm730::apply(emulator_.faults(), request, config_.robot);
  if (problem.empty()) return std::nullopt;
  return problem;
}

double BusRobot::last_goal_stamp() const {
  const double goals = SimulatedRobot::last_goal_stamp(), walking = walking_stamp_;
  return walking < 0.0 ? goals : std::min(goals, walking);
}

double BusRobot::answer_lag() const {
  return kAnswerLag;
}

}  // namespace hl_simulation

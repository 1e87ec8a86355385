// SPDX-License-Identifier: Apache-2.0
#include "robot_under_test.hpp"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "hl_testing/spinning.hpp"
#include "node_process.hpp"

namespace hl_bringup {
namespace {

using humanoid_league_msgs::msg::SimulationState;
using humanoid_league_msgs::srv::ResetSimulation;
using rcl_interfaces::srv::SetParameters;
using Clock = std::chrono::steady_clock;

constexpr auto kPatience = std::chrono::seconds(120);  // real time without which nothing goes on, on a loaded machine

std::vector<std::string> launch_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"ros2", "launch", "hl_bringup", "simulation.launch.xml", "lockstep:=['*']"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

/// Parts that may touch the ground without a fall: the robot lands on its hands.
bool is_limb_end(const std::string& link) {
  for (const char* part : {"foot", "sole", "toe", "hand", "lower_arm"}) {
    if (link.find(part) != std::string::npos) return true;
  }
  return false;
}

rcl_interfaces::msg::Parameter parameter(const std::string& name, double value) {
  return rclcpp::Parameter(name, value).to_parameter_msg();
}

}  // namespace

RobotUnderTest::RobotUnderTest(const std::vector<std::string>& arguments)
    : world_(launch_command(arguments)),
      node_(std::make_shared<rclcpp::Node>("robustness",
                                           rclcpp::NodeOptions().append_parameter_override("use_sim_time", true))) {
  robot_ = std::make_unique<ShowRobot>(node_);
  reset_ = node_->create_client<ResetSimulation>("/simulator/reset");
  truth_subscription_ = node_->create_subscription<SimulationState>(
      "ground_truth", rclcpp::QoS(10), [this](const SimulationState& state) {
        if (hit_ground_at_ >= 0.0 || state.robots.empty()) return;
        const auto& contacts = state.robots.front().ground_contacts;
        if (std::all_of(contacts.begin(), contacts.end(), is_limb_end)) return;
        hit_ground_at_ = rclcpp::Time(state.header.stamp).seconds();
      });
  state_subscription_ = node_->create_subscription<RobotControlState>(
      "robot_state", rclcpp::QoS(5).transient_local(), [this](const RobotControlState& state) {
        if (state.state == RobotControlState::FALLING && falling_since_ < 0.0) {
          falling_since_ = rclcpp::Time(state.header.stamp).seconds();
        }
      });
  paused_subscription_ = node_->create_subscription<std_msgs::msg::Bool>(
      "paused", rclcpp::QoS(1).transient_local(), [this](const std_msgs::msg::Bool& paused) {
        if (!paused.data) {
          paused_since_ = -1.0;
        } else if (paused_since_ < 0.0 && robot_->truth()) {
          paused_since_ = time();
        }
      });
  joints_subscription_ = node_->create_subscription<sensor_msgs::msg::JointState>(
      "joint_states", rclcpp::SensorDataQoS(), [this](const sensor_msgs::msg::JointState& joints) {
        for (const double speed : joints.velocity) fastest_joint_ = std::max(fastest_joint_, std::abs(speed));
      });
  executor_.add_node(node_);
  const auto end = Clock::now() + kPatience;
  while (!robot_->ready() || !reset_->service_is_ready()) {
    spin();
    if (Clock::now() > end) throw std::runtime_error(robot_->missing() + " does not come up\n" + log());
  }
  robot_->referee("start");
  robot_->referee("play");
  robot_->place_ball(-4.0, 2.5);
}

RobotUnderTest::~RobotUnderTest() {
  world_.stop(std::chrono::seconds(30));
}

void RobotUnderTest::spin() {
  if (!world_.running()) throw std::runtime_error("the launch file has ended\n" + log());
  executor_.spin_once(std::chrono::milliseconds(20));
}

void RobotUnderTest::set(Pace pace) {
  SetParameters::Request request;
  const bool real = pace == Pace::RealTime;
  // s of real time that the world waits for a silent robot: in real time no longer than a busy machine needs.
  request.parameters = {parameter("real_time_factor", real ? 1.0 : 0.0),
                        parameter("lockstep_timeout", real ? 0.2 : 2.0), parameter("bus_patience", real ? 0.02 : 2.0)};
  const auto response =
      hl_testing::call<SetParameters>(executor_, *node_, "/simulator/set_parameters", request, kPatience);
  for (const auto& result : response.results) {
    if (!result.successful) throw std::runtime_error("/simulator/set_parameters: " + result.reason);
  }
}

bool RobotUnderTest::reset(std::uint64_t seed) {
  robot_->walk(0.0, 0.0, 0.0);
  auto request = std::make_shared<ResetSimulation::Request>();
  request->seed = seed;
  reset_->async_send_request(request);
  robot_->place_ball(-4.0, 2.5);
  double standing_since = -1.0;
  const bool ready = run(40.0, [&] {
    if (!stands()) standing_since = -1.0;
    if (stands() && standing_since < 0.0) standing_since = time();
    return standing_since >= 0.0 && time() - standing_since > 1.0;
  });
  falling_since_ = hit_ground_at_ = -1.0;  // the past of another run
  fastest_joint_ = 0.0;
  return ready;
}

bool RobotUnderTest::run(double seconds, const std::function<bool()>& done) {
  const double end = time() + seconds;
  double looked_at = -1.0;
  auto news_at = Clock::now();
  while (time() < end) {
    spin();
    if (time() == looked_at) {
      if (Clock::now() - news_at > kPatience) throw std::runtime_error("the simulator went silent\n" + log());
      continue;
    }
    looked_at = time();
    news_at = Clock::now();
    if (done()) return true;
  }
  return false;
}

void RobotUnderTest::inject(std::uint8_t fault) {
  using humanoid_league_msgs::srv::InjectFault;
  InjectFault::Request request;
  request.fault = fault;
  const auto response = hl_testing::call<InjectFault>(executor_, *node_, "/simulator/inject_fault", request, kPatience);
  if (!response.success) throw std::runtime_error("/simulator/inject_fault: " + response.message);
}

pid_t RobotUnderTest::process_of(const std::string& node) const {
  return hl_bringup::process_of(node, world_.pid());
}

bool RobotUnderTest::kill(const std::string& node) {
  fastest_joint_ = 0.0;
  const pid_t pid = process_of(node);
  return pid > 0 && ::kill(pid, SIGKILL) == 0;
}

std::string RobotUnderTest::log() {
  const std::string text = world_.output();
  constexpr std::size_t kLength = 4000;
  return text.size() > kLength ? text.substr(text.size() - kLength) : text;
}

}  // namespace hl_bringup

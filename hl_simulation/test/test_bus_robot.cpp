// SPDX-License-Identifier: Apache-2.0
// The simulator node with a robot behind an emulated bus, and the core of the real driver at the other end of the wire.
#include <gtest/gtest.h>
#include <unistd.h>

#include <hl_hardware_cm730/bus_driver.hpp>
#include <hl_hardware_cm730/serial_port.hpp>
#include <hl_testing/process.hpp>
#include <hl_testing/ros_main.hpp>
#include <hl_testing/spinning.hpp>

#include "simulator_node.hpp"

using namespace std::chrono_literals;
namespace hw = hl_hardware_cm730;
namespace msg = humanoid_league_msgs::msg;
namespace srv = humanoid_league_msgs::srv;

namespace {

class BusRobot : public testing::Test {
 protected:
  BusRobot() : port(testing::TempDir() + "bus_robot_" + std::to_string(getpid())) {
    rclcpp::NodeOptions options;
    options.parameter_overrides({{"real_time_factor", 0.0},
                                 {"rate", 250.0},
                                 {"bus", std::vector<std::string>{"*"}},
                                 {"bus_port", port},
                                 {"cameras", std::vector<std::string>{""}}});
    simulator = std::make_shared<hl_simulation::SimulatorNode>(options);
    node = std::make_shared<rclcpp::Node>("test");
    truth_subscription = node->create_subscription<msg::SimulationState>(
        "/ground_truth", 10, [this](const msg::SimulationState& message) {
          const std::lock_guard<std::mutex> lock(mutex);
          state = message;
        });
    clock_subscription = node->create_subscription<rosgraph_msgs::msg::Clock>(
        "/clock", 10, [this](const rosgraph_msgs::msg::Clock& message) {
          const std::lock_guard<std::mutex> lock(mutex);
          clock = hl_simulation::to_seconds(message.clock);
        });
    executor.add_node(simulator);
    executor.add_node(node);
    std::atomic<bool> spinning{false};
    const auto timer = node->create_wall_timer(1ms, [&] { spinning = true; });
    thread = std::thread([this] { executor.spin(); });
    hl_testing::wait_until([&] { return spinning.load(); });
    timer->cancel();
  }
  ~BusRobot() override {
    executor.cancel();
    thread.join();
  }

  /// The driver of a Minibot whose joints have no names here.
  std::unique_ptr<hw::BusDriver> make_driver(hw::BusPort& line) {
    std::vector<hw::ServoSpec> specs;
    for (std::uint8_t id = 1; id <= 20; ++id) {
      hw::ServoSpec spec;
      spec.joint = std::to_string(id);
      spec.id = id;
      specs.push_back(spec);
    }
    hw::BusDriver::Params params;
    params.reply_gap = 1.0;
    return std::make_unique<hw::BusDriver>(line, specs, params);
  }
  template <class Service>
  typename Service::Response call(const std::string& name, const typename Service::Request& request) {
    return hl_testing::call<Service>(hl_testing::SpunElsewhere{}, *node, name, request);
  }
  msg::SimulationState truth() {
    const std::lock_guard<std::mutex> lock(mutex);
    return state;
  }
  double time() {
    const std::lock_guard<std::mutex> lock(mutex);
    return clock;
  }

  std::string port;
  std::shared_ptr<hl_simulation::SimulatorNode> simulator;
  rclcpp::Node::SharedPtr node;
  rclcpp::executors::MultiThreadedExecutor executor{rclcpp::ExecutorOptions(), 3};
  std::thread thread;
  std::mutex mutex;
  msg::SimulationState state;
  double clock = 0.0;
  rclcpp::Subscription<msg::SimulationState>::SharedPtr truth_subscription;
  rclcpp::Subscription<rosgraph_msgs::msg::Clock>::SharedPtr clock_subscription;
};

TEST_F(BusRobot, IsDrivenThroughTheWireWithClockTruthAndServices) {
  // Nobody drives it: the world's time passes all the same, and somebody holds the robot.
  ASSERT_TRUE(hl_testing::wait_until([&] { return time() > 0.1 && !truth().robots.empty(); }));
  EXPECT_TRUE(truth().robots[0].held);

  hw::SerialPort line(port);
  const auto driver = make_driver(line);
  const auto until = [&](const auto& condition) {
    return hl_testing::wait_until([&] {
      driver->cycle();
      return condition();
    });
  };
  ASSERT_TRUE(until([&] { return driver->state() == hw::BusState::Running; })) << line.error();
  for (std::size_t n = 0; n < driver->size(); ++n) driver->command(n).torque = true;
  EXPECT_TRUE(until([&] { return !truth().robots[0].held && truth().robots[0].upright; }));

  // Time is bus time: the clock goes on as the cycles do.
  const double start = time();
  for (int n = 0; n < 250; ++n) driver->cycle();
  EXPECT_GT(time(), start + 0.8);

  driver->command(18).position = 0.6;  // HeadPan
  EXPECT_TRUE(until([&] { return std::abs(driver->joint(18).position - 0.6) < 0.03; }));

  srv::PressButton::Request press;
  press.button = "start";
  press.duration = 60.0;
  EXPECT_TRUE(call<srv::PressButton>("/simulator/press_button", press).success);
  EXPECT_TRUE(until([&] { return driver->board().start_button; }));

  srv::InjectFault::Request fault;
  fault.fault = srv::InjectFault::Request::SERVO_SILENT;
  fault.joint = "RKnee";
  EXPECT_TRUE(call<srv::InjectFault>("/simulator/inject_fault", fault).success);
  EXPECT_TRUE(until([&] { return driver->joint(12).missing; }));
  fault.fault = srv::InjectFault::Request::NONE;
  EXPECT_TRUE(call<srv::InjectFault>("/simulator/inject_fault", fault).success);
  EXPECT_TRUE(until([&] { return !driver->joint(12).missing; }));
  fault.joint = "Tail";
  EXPECT_FALSE(call<srv::InjectFault>("/simulator/inject_fault", fault).success);

  srv::PlaceRobot::Request place;
  place.pose.position.x = -1.0;
  place.posture = "lying_front";
  EXPECT_TRUE(call<srv::PlaceRobot>("/simulator/place_robot", place).success);
  EXPECT_TRUE(until([&] { return !truth().robots[0].upright && driver->board().accel[0] < -5.0; }));
  EXPECT_NEAR(truth().robots[0].pose.position.x, -1.0, 0.5);
  EXPECT_TRUE(call<srv::ResetSimulation>("/simulator/reset", srv::ResetSimulation::Request()).success);
  EXPECT_TRUE(until([&] { return truth().robots[0].upright; }));

  // While the world is paused the wire goes on, or the driver would think that the robot is dead.
  srv::PauseSimulation::Request pause;
  pause.pause = true;
  EXPECT_TRUE(call<srv::PauseSimulation>("/simulator/pause", pause).success);
  EXPECT_TRUE(until([&] { return truth().paused; }));
  const double paused_at = time();
  const auto before = driver->counters();
  for (int n = 0; n < 100; ++n) driver->cycle();
  EXPECT_EQ(driver->counters().incomplete_cycles, before.incomplete_cycles);
  EXPECT_DOUBLE_EQ(time(), paused_at);
}

}  // namespace

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

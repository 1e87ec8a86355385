// SPDX-License-Identifier: Apache-2.0
// The simulator and a controller in processes of their own: in lock-step the outcome does not depend on their speed.
#include <gtest/gtest.h>

#include <cmath>
#include <hl_testing/process.hpp>
#include <hl_testing/ros_main.hpp>
#include <humanoid_league_msgs/srv/pause_simulation.hpp>
#include <map>
#include <rclcpp/rclcpp.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <thread>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

using namespace std::chrono_literals;
using hl_testing::Process;
using hl_testing::wait_until;

namespace {

constexpr std::int64_t kTick = 8'000'000;  // ns of simulated time

std::int64_t nanoseconds(const builtin_interfaces::msg::Time& stamp) {
  return stamp.sec * std::int64_t{1'000'000'000} + stamp.nanosec;
}

std::vector<std::string> simulator(const std::string& timeout) {
  return {SIMULATOR, "--ros-args",
          "-p",      "lockstep:=['*']",
          "-p",      "lockstep_timeout:=" + timeout,
          "-p",      "real_time_factor:=0.0",
          "-p",      "cameras:=['']",
          "-p",      "paused:=true"};
}

/// Answers every sensor message with goals that depend on what it measured, as long as it lives.
class Controller {
 public:
  Controller() : node_(std::make_shared<rclcpp::Node>("controller")) {
    goals_ = node_->create_publisher<trajectory_msgs::msg::JointTrajectory>("motor_goals", 10);
    states_ = node_->create_subscription<sensor_msgs::msg::JointState>(
        "joint_states", 10, [this](const sensor_msgs::msg::JointState& state) { on_state(state); });
    clock_ = node_->create_subscription<rosgraph_msgs::msg::Clock>(
        "/clock", 10, [this](const rosgraph_msgs::msg::Clock& clock) { now_ = nanoseconds(clock.clock); });
    pause_ = node_->create_client<humanoid_league_msgs::srv::PauseSimulation>("/simulator/pause");
    executor_.add_node(node_);
  }

  void start_world() {
    ASSERT_TRUE(run_until([&] { return goals_->get_subscription_count() > 0 && states_->get_publisher_count() > 0; }));
    ASSERT_TRUE(pause_->wait_for_service(30s));
    pause_->async_send_request(std::make_shared<humanoid_league_msgs::srv::PauseSimulation::Request>());
  }

  template <class Condition>
  bool run_until(Condition condition) {
    return wait_until(
        [&] {
          executor_.spin_some();
          return condition();
        },
        60s);
  }

  std::int64_t now() const { return now_; }
  const std::map<std::int64_t, std::vector<double>>& seen() const { return seen_; }

  std::int64_t dies_at = -1;   // ns of simulated time after which it answers nothing
  std::int64_t rises_at = -1;  // ns from which it answers again
  std::int64_t dawdles = 0;    // every so many ticks it takes its time; 0: never

 private:
  void on_state(const sensor_msgs::msg::JointState& state) {
    const std::int64_t stamp = nanoseconds(state.header.stamp);
    seen_[stamp] = state.position;
    if (dies_at >= 0 && stamp > dies_at && (rises_at < 0 || stamp < rises_at)) return;
    if (dawdles > 0 && stamp / kTick % dawdles == 0) std::this_thread::sleep_for(15ms);
    trajectory_msgs::msg::JointTrajectory message;
    message.header.stamp = state.header.stamp;
    message.joint_names = state.name;
    message.points.resize(1);
    for (std::size_t j = 0; j < state.name.size(); ++j) {
      message.points[0].positions.push_back(
          0.8 * state.position[j] + 0.003 * std::sin(9e-9 * static_cast<double>(stamp) + static_cast<double>(j)));
    }
    goals_->publish(message);
  }

  std::shared_ptr<rclcpp::Node> node_;
  rclcpp::Publisher<trajectory_msgs::msg::JointTrajectory>::SharedPtr goals_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr states_;
  rclcpp::Subscription<rosgraph_msgs::msg::Clock>::SharedPtr clock_;
  rclcpp::Client<humanoid_league_msgs::srv::PauseSimulation>::SharedPtr pause_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::map<std::int64_t, std::vector<double>> seen_;
  std::int64_t now_ = 0;
};

}  // namespace

TEST(LockStep, SameOutcomeWhateverTheControllersSpeed) {
  const std::int64_t end = 150 * kTick;
  const auto run = [end](std::int64_t dawdles) {
    Process world(simulator("20.0"));
    Controller controller;
    controller.dawdles = dawdles;
    controller.start_world();
    EXPECT_TRUE(controller.run_until([&] { return controller.seen().count(end) > 0; })) << world.output();
    EXPECT_EQ(world.stop(), 0) << world.output();
    return controller.seen();
  };
  const auto quick = run(0), slow = run(5);
  for (std::int64_t stamp = 2 * kTick; stamp <= end; stamp += kTick) {
    ASSERT_TRUE(quick.count(stamp) && slow.count(stamp)) << stamp;
    ASSERT_EQ(quick.at(stamp), slow.at(stamp)) << "after " << stamp / kTick << " ticks";
  }
}

TEST(LockStep, WorldGoesOnWithoutADeadControllerAndWaitsAgainWhenItIsBack) {
  Process world(simulator("0.2"));
  Controller controller;
  controller.dies_at = 20 * kTick;
  controller.rises_at = 200 * kTick;
  controller.start_world();
  EXPECT_TRUE(controller.run_until([&] { return controller.now() > 100 * kTick; })) << world.output();
  EXPECT_TRUE(world.wait_for_output("no motor_goals from 'robot'")) << world.output();
  EXPECT_TRUE(controller.run_until([&] { return controller.now() > 220 * kTick; })) << world.output();
  EXPECT_TRUE(world.wait_for_output("sends motor_goals again")) << world.output();
  EXPECT_EQ(world.stop(), 0) << world.output();
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

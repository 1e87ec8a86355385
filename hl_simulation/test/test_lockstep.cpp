// SPDX-License-Identifier: Apache-2.0
// The simulator and a controller in processes of their own: in lock-step the outcome does not depend on their speed.
#include <gtest/gtest.h>

#include <cmath>
#include <hl_testing/process.hpp>
#include <hl_testing/ros_main.hpp>
#include <humanoid_league_msgs/msg/ball_relative.hpp>
#include <humanoid_league_msgs/srv/pause_simulation.hpp>
#include <map>
#include <rclcpp/rclcpp.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <sensor_msgs/msg/image.hpp>
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

std::vector<std::string> simulator(const std::string& timeout, const std::string& cameras = "['']") {
  return {SIMULATOR, "--ros-args",
          "-p",      "lockstep:=['*']",
          "-p",      "lockstep_timeout:=" + timeout,
          "-p",      "real_time_factor:=0.0",
          "-p",      "cameras:=" + cameras,
          "-p",      "camera_rate:=15.0",
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
  bool run_until(Condition condition, std::chrono::milliseconds timeout = 60s) {
    return wait_until(
        [&] {
          executor_.spin_some();
          return condition();
        },
        timeout);
  }

  std::shared_ptr<rclcpp::Node> node() { return node_; }
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

/// Takes pictures and answers when it is told to.
class Eyes {
 public:
  explicit Eyes(rclcpp::Node& node) {
    balls_ = node.create_publisher<humanoid_league_msgs::msg::BallRelative>("ball_relative", 10);
    images_ = node.create_subscription<sensor_msgs::msg::Image>(
        "camera/image_raw", rclcpp::SensorDataQoS(), [this](const sensor_msgs::msg::Image& image) {
          if (!exposed.empty() && exposed.back() == nanoseconds(image.header.stamp)) return;  // sent again
          exposed.push_back(nanoseconds(image.header.stamp));
          if (answers_at_once) answer(exposed.back());
        });
  }
  bool connected() const { return balls_->get_subscription_count() > 0 && images_->get_publisher_count() > 0; }
  void answer(std::int64_t stamp) {
    humanoid_league_msgs::msg::BallRelative nothing;
    nothing.header.stamp.sec = static_cast<std::int32_t>(stamp / 1'000'000'000);
    nothing.header.stamp.nanosec = static_cast<std::uint32_t>(stamp % 1'000'000'000);
    balls_->publish(nothing);
  }
  bool answers_at_once = true;
  std::vector<std::int64_t> exposed;  // ns

 private:
  rclcpp::Publisher<humanoid_league_msgs::msg::BallRelative>::SharedPtr balls_;
  rclcpp::Subscription<sensor_msgs::msg::Image>::SharedPtr images_;
};

constexpr std::int64_t kVisionDelay = 80'000'000;  // ns

}  // namespace

TEST(LockStepWithCameras, PhysicsGoesOnUntilAPictureMustBeAnsweredAndNoFurther) {
  Process world(simulator("20.0", "['*']"));
  Controller controller;
  Eyes eyes(*controller.node());
  ASSERT_TRUE(controller.run_until([&] { return eyes.connected(); })) << world.output();
  controller.start_world();
  ASSERT_TRUE(controller.run_until([&] { return eyes.exposed.size() >= 3; })) << world.output();
  eyes.answers_at_once = false;
  int reached = 0;
  for (int round = 0; round < 5; ++round) {
    const std::size_t known = eyes.exposed.size();
    ASSERT_TRUE(controller.run_until([&] { return eyes.exposed.size() > known; })) << world.output();
    const std::int64_t open = eyes.exposed[known], last = (open + kVisionDelay) / kTick * kTick;
    // Pictures are sent best effort: where one before this got lost, the world already stands for that one.
    if (controller.run_until([&] { return controller.seen().count(last) > 0; }, 2s)) ++reached;
    controller.run_until([] { return false; }, 300ms);
    EXPECT_LE(controller.seen().rbegin()->first, last) << "picture of " << open << " ns\n" << world.output();
    eyes.answer(eyes.exposed.back());
  }
  EXPECT_GE(reached, 3) << world.output();
  EXPECT_EQ(world.output().find("goes on without"), std::string::npos) << world.output();
  EXPECT_EQ(world.stop(), 0) << world.output();
}

TEST(LockStepWithCameras, WorldGoesOnWithoutBlindEyesAndWaitsAgainWhenTheyAreBack) {
  Process world(simulator("0.5", "['*']"));
  Controller controller;
  Eyes eyes(*controller.node());
  ASSERT_TRUE(controller.run_until([&] { return eyes.connected(); })) << world.output();
  controller.start_world();
  ASSERT_TRUE(controller.run_until([&] { return eyes.exposed.size() >= 3; })) << world.output();
  eyes.answers_at_once = false;
  const std::int64_t silent_since = controller.now();
  EXPECT_TRUE(controller.run_until([&] { return controller.now() > silent_since + 50 * kTick; })) << world.output();
  EXPECT_TRUE(world.wait_for_output("no ball_relative of 'robot'")) << world.output();
  eyes.answers_at_once = true;
  const std::size_t before = eyes.exposed.size();
  EXPECT_TRUE(controller.run_until([&] { return eyes.exposed.size() > before + 2; })) << world.output();
  EXPECT_TRUE(world.wait_for_output("answers its pictures again")) << world.output();
  EXPECT_EQ(world.stop(), 0) << world.output();
}

TEST(LockStepWithCameras, NobodyIsWaitedForWhoOnlyLooks) {
  Process world(simulator("20.0", "['*']"));
  Controller controller;
  std::size_t seen = 0;
  const auto viewer = controller.node()->create_subscription<sensor_msgs::msg::Image>(
      "camera/image_raw", rclcpp::SensorDataQoS(), [&](const sensor_msgs::msg::Image&) { ++seen; });
  ASSERT_TRUE(controller.run_until([&] { return viewer->get_publisher_count() > 0; })) << world.output();
  controller.start_world();
  EXPECT_TRUE(controller.run_until([&] { return seen >= 4; })) << world.output();
  EXPECT_EQ(world.stop(), 0) << world.output();
}

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

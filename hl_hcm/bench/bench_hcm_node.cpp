// SPDX-License-Identifier: Apache-2.0
// Costs of the node itself: from a walking goal's callback until publish() is entered, a tick, and the whole way
// walking -> HCM -> hardware in one process.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>

#include "hcm_node.hpp"
#include "hl_testing/allocations.hpp"
#include "hl_testing/bench_report.hpp"
#include "hl_testing/isolation.hpp"

using hl_hcm::HcmNode;
using humanoid_league_msgs::msg::SupportState;
using trajectory_msgs::msg::JointTrajectory;
using Clock = std::chrono::steady_clock;

namespace {

/// Processor time of this thread, us: what other programs take away from it does not count.
double processor_time() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e6 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_nsec);
}

double microseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::micro>(to - from).count();
}

double percentile(std::vector<double>& values, double p) {
  if (values.empty()) return -1.0;
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(p * static_cast<double>(values.size() - 1))];
}

/// Everything around the HCM: sensors, a walk, and a servo bus that only looks at the clock.
class Surroundings : public rclcpp::Node {
 public:
  Surroundings() : Node("surroundings", rclcpp::NodeOptions().use_intra_process_comms(true)) {
    joint_pub_ = create_publisher<sensor_msgs::msg::JointState>("joint_states", 5);
    imu_pub_ = create_publisher<sensor_msgs::msg::Imu>("imu/data", 5);
    walking_pub_ = create_publisher<JointTrajectory>("walking_motor_goals", 10);
    support_pub_ = create_publisher<SupportState>("support_state", 10);
    goals_sub_ = create_subscription<JointTrajectory>("motor_goals", 1, [this](const JointTrajectory& goals) {
      arrived_ = Clock::now();
      ++goals_heard_;
      joints_.name = goals.joint_names;
      joints_.position = goals.points[0].positions;
    });
    for (const char* side : {"L", "R"})
      for (const char* joint : {"ShoulderPitch", "ShoulderRoll", "Elbow", "HipYaw", "HipRoll", "HipPitch", "Knee",
                                "AnklePitch", "AnkleRoll"})
        joints_.name.push_back(std::string(side) + joint);
    joints_.name.insert(joints_.name.end(), {"HeadPan", "HeadTilt"});
    joints_.position.assign(joints_.name.size(), 0.0);
    imu_.orientation.w = 1.0;
    support_.walking = true;
  }

  void sense() {
    joints_.header.stamp = imu_.header.stamp = now();
    joint_pub_->publish(joints_);
    imu_pub_->publish(imu_);
  }
  void walk() {
    goal_.header.stamp = now();
    if (goal_.joint_names.empty()) {
      goal_.joint_names = joints_.name;
      goal_.points.resize(1);
      goal_.points[0].positions = standing_ = joints_.position;
    }
    phase_ += 0.1;
    for (std::size_t j = 0; j < standing_.size(); ++j)
      goal_.points[0].positions[j] = standing_[j] + 0.02 * std::sin(phase_ + static_cast<double>(j));
    support_pub_->publish(support_);
    sent_ = Clock::now();
    walking_pub_->publish(goal_);
  }

  std::size_t goals_heard_ = 0;
  Clock::time_point sent_, arrived_;

 private:
  sensor_msgs::msg::JointState joints_;
  sensor_msgs::msg::Imu imu_;
  SupportState support_;
  JointTrajectory goal_;
  std::vector<double> standing_;
  double phase_ = 0.0;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr joint_pub_;
  rclcpp::Publisher<sensor_msgs::msg::Imu>::SharedPtr imu_pub_;
  rclcpp::Publisher<JointTrajectory>::SharedPtr walking_pub_;
  rclcpp::Publisher<SupportState>::SharedPtr support_pub_;
  rclcpp::Subscription<JointTrajectory>::SharedPtr goals_sub_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::size_t runs = hl_testing::quick(argc, argv) ? 300 : 3000;
  hl_testing::isolate();
  rclcpp::init(argc, argv);
  const std::string share = DESCRIPTION_SHARE;
  rclcpp::NodeOptions options;
  options.use_intra_process_comms(true);
  options.append_parameter_override("urdf_file", share + "/urdf/minibot.urdf");
  options.append_parameter_override("robot_config_file", share + "/config/minibot/robot.yaml");
  options.append_parameter_override("soft_start_speed", 3.0);
  // A busy machine must not look like a broken robot.
  for (const char* name : {"joint_timeout", "imu_timeout", "walk_imu_timeout", "walk_gap", "walk_timeout", "stale"})
    options.append_parameter_override(name, 5.0);
  auto hcm = std::make_shared<HcmNode>(options);
  auto surroundings = std::make_shared<Surroundings>();
  rclcpp::executors::SingleThreadedExecutor executor;
  executor.add_node(hcm);
  executor.add_node(surroundings);
  using std::chrono::milliseconds;
  const auto spin_for = [&](milliseconds time) {
    for (const auto end = Clock::now() + time; Clock::now() < end;) executor.spin_some(milliseconds(1));
  };
  // Into walk-ready.
  for (int i = 0; i < 400; ++i) {
    surroundings->sense();
    spin_for(milliseconds(10));
  }

  std::vector<double> goal_times, tick_times, hop_times;
  std::size_t goal_allocations = 0, tick_allocations = 0, before = 0;
  double entered = 0.0;  // us
  bool in_goal = false, in_tick = false;
  goal_times.reserve(2 * runs);
  tick_times.reserve(10 * runs);
  hop_times.reserve(runs);
  hcm->on_mark = [&](HcmNode::Mark mark) {
    const double now = processor_time();
    switch (mark) {
      case HcmNode::Mark::GoalIn:
        in_goal = true;
        before = hl_testing::allocations::count;
        entered = processor_time();
        break;
      case HcmNode::Mark::Publishing:
        if (in_goal) {
          goal_times.push_back(now - entered);
          goal_allocations += hl_testing::allocations::count - before;
        }
        if (in_tick)
          tick_allocations += hl_testing::allocations::count - before;  // what publish() itself does is not counted
        in_goal = in_tick = false;
        break;
      case HcmNode::Mark::TickBegin:
        in_goal = false;
        in_tick = true;
        before = hl_testing::allocations::count;
        entered = processor_time();
        break;
      case HcmNode::Mark::TickEnd:
        tick_times.push_back(now - entered);
        if (in_tick) tick_allocations += hl_testing::allocations::count - before;
        in_tick = false;
        break;
    }
  };
  for (std::size_t run = 0; run < runs + 100; ++run) {
    if (run == 100) {  // the first ones may allocate, log and change states
      goal_times.clear();
      tick_times.clear();
      hop_times.clear();
      goal_allocations = tick_allocations = 0;
    }
    surroundings->sense();
    spin_for(milliseconds(2));
    const std::size_t heard = surroundings->goals_heard_;
    surroundings->walk();
    for (const auto end = Clock::now() + milliseconds(100); surroundings->goals_heard_ == heard && Clock::now() < end;)
      executor.spin_some(milliseconds(1));
    if (surroundings->goals_heard_ > heard)
      hop_times.push_back(microseconds(surroundings->sent_, surroundings->arrived_));
    spin_for(milliseconds(4));
  }
  hcm->on_mark = nullptr;
  std::fprintf(stderr, "%zu goals passed the node, %zu arrived, %zu ticks; worst goal %.1f us, worst tick %.1f us\n",
               goal_times.size(), hop_times.size(), tick_times.size(), percentile(goal_times, 1.0),
               percentile(tick_times, 1.0));
  using hl_testing::Better;
  hl_testing::report(
      {"hl_hcm", "node: goal in -> publish() entered, p99", percentile(goal_times, 0.99), "us", 50.0, Better::Lower});
  hl_testing::report({"hl_hcm", "node: goal in -> publish() entered, allocations per 1000",
                      1000.0 * static_cast<double>(goal_allocations) /
                          static_cast<double>(std::max<std::size_t>(1, goal_times.size())),
                      "", 0.0, Better::Lower});
  hl_testing::report({"hl_hcm", "node: tick, p99", percentile(tick_times, 0.99), "us", 50.0, Better::Lower});
  hl_testing::report({"hl_hcm", "node: tick, allocations per 1000",
                      1000.0 * static_cast<double>(tick_allocations) /
                          static_cast<double>(std::max<std::size_t>(1, tick_times.size())),
                      "", 0.0, Better::Lower});
  hl_testing::report({"hl_hcm",
                      "walking -> HCM -> hardware in one process, median",
                      percentile(hop_times, 0.5),
                      "us",
                      {},
                      Better::Lower});
  hl_testing::report({"hl_hcm", "walking -> HCM -> hardware in one process, p99", percentile(hop_times, 0.99), "us",
                      200.0, Better::Lower});
  const bool enough = goal_times.size() >= runs * 9 / 10;
  executor.remove_node(hcm);
  executor.remove_node(surroundings);
  rclcpp::shutdown();
  return enough ? 0 : 1;
}

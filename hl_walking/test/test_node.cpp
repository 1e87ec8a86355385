// SPDX-License-Identifier: Apache-2.0
// The walking node over the middleware, in simulated time that this test turns on tick by tick, with a robot made of
// messages around it.
#include <gtest/gtest.h>

#include <cmath>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <geometry_msgs/msg/twist.hpp>
#include <humanoid_league_msgs/action/kick.hpp>
#include <humanoid_league_msgs/msg/foot_pressure.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/support_state.hpp>
#include <humanoid_league_msgs/msg/walking_debug.hpp>
#include <limits>
#include <memory>
#include <nav_msgs/msg/odometry.hpp>
#include <random>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <rosgraph_msgs/msg/clock.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <set>
#include <tf2_msgs/msg/tf_message.hpp>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"
#include "hl_testing/spinning.hpp"
#include "robots.hpp"

namespace hl_walking {
namespace {

using geometry_msgs::msg::Twist;
using humanoid_league_msgs::msg::FootPressure;
using humanoid_league_msgs::msg::RobotControlState;
using humanoid_league_msgs::msg::SupportState;
using humanoid_league_msgs::msg::WalkingDebug;
using trajectory_msgs::msg::JointTrajectory;
using KickAction = humanoid_league_msgs::action::Kick;
using KickHandle = rclcpp_action::ClientGoalHandle<KickAction>;

constexpr double kPeriod = 0.01;  // s, of the node's ticks and of the clock
constexpr auto kPatience = std::chrono::seconds(60);

Twist twist(double x, double y = 0.0, double yaw = 0.0) {
  Twist message;
  message.linear.x = x;
  message.linear.y = y;
  message.angular.z = yaw;
  return message;
}

class NodeTest : public testing::Test {
 protected:
  NodeTest() : body_(load_body("minibot")) {
    static int number = 0;
    name_space_ = "/walk" + std::to_string(number++);
    node_ = std::make_shared<rclcpp::Node>("world", name_space_);
    executor_.add_node(node_);
    clock_ = node_->create_publisher<rosgraph_msgs::msg::Clock>("/clock", rclcpp::QoS(10));
    command_ = node_->create_publisher<Twist>("cmd_vel", 5);
    teleop_ = node_->create_publisher<Twist>("teleop_cmd_vel", 5);
    joints_pub_ = node_->create_publisher<sensor_msgs::msg::JointState>("joint_states", 5);
    imu_pub_ = node_->create_publisher<sensor_msgs::msg::Imu>("imu/data", 5);
    for (const char* side : {"left", "right"}) {
      feet_.push_back(node_->create_publisher<FootPressure>(std::string("foot_pressure_") + side, 5));
    }
    state_ = node_->create_publisher<RobotControlState>("robot_state", rclcpp::QoS(1).transient_local());
    tf_ = node_->create_publisher<tf2_msgs::msg::TFMessage>("tf", 10);
    listen<JointTrajectory>("walking_motor_goals", [this](const JointTrajectory& m) { on_goals(m, walking_goals_); });
    listen<JointTrajectory>("kick_motor_goals", [this](const JointTrajectory& m) { on_goals(m, kick_goals_); });
    listen<nav_msgs::msg::Odometry>("odom", [this](const nav_msgs::msg::Odometry& m) { odom_.push_back(m); });
    listen<SupportState>("support_state", [this](const SupportState& m) {
      support_ = m;
      supports_.insert(m.state);
      ticked_ = rclcpp::Time(m.header.stamp).seconds();
    });
    listen<WalkingDebug>("walking_debug", [this](const WalkingDebug& m) { debug_ = m; });
    listen<tf2_msgs::msg::TFMessage>("tf", [this](const tf2_msgs::msg::TFMessage& m) {
      for (const auto& t : m.transforms) transforms_[t.child_frame_id] = t;
    });
    listen<diagnostic_msgs::msg::DiagnosticArray>(
        "diagnostics", [this](const diagnostic_msgs::msg::DiagnosticArray& m) { diagnosis_ = m.status.at(0).message; });
    kick_ = rclcpp_action::create_client<KickAction>(node_, "kick");
    parameters_ = std::make_shared<rclcpp::AsyncParametersClient>(node_, "walking");
    joints_.name = body_.model().joint_names();
    joints_.position.assign(body_.ready().data(), body_.ready().data() + body_.ready().size());
  }

  void SetUp() override {
    process_ = std::make_unique<hl_testing::Process>(std::vector<std::string>{
        WALKING_PROGRAM, "--ros-args", "--params-file", std::string(CONFIG) + "/minibot.yaml", "-p",
        "use_sim_time:=true", "-r", "__ns:=" + name_space_, "-r", "/tf:=tf", "-r", "/tf_static:=tf_static"});
    ASSERT_TRUE(spin_until([this] {
      return state_->get_subscription_count() > 0 && joints_pub_->get_subscription_count() > 0 &&
             command_->get_subscription_count() > 0 && clock_->get_subscription_count() > 0 &&
             kick_->action_server_is_ready() && parameters_->service_is_ready();
    })) << process_->output();
    start_time();
    shake_hands();
  }

  /// Goes on when every message has been seen to come through: a publisher knows of a subscription before the
  /// subscription knows of the publisher. Ends with a robot that may not move.
  void shake_hands() {
    const auto hears = [this](bool complains) { return (diagnosis_.find("HCM") != std::string::npos) == complains; };
    for (const auto& publisher : {teleop_, command_}) {
      ASSERT_TRUE(run_until([&] { return hears(false); }, 20.0)) << diagnosis_;
      const auto told = [&] {
        publisher->publish(Twist());
        return hears(true);
      };
      ASSERT_TRUE(run_until(told, 20.0)) << diagnosis_;
    }
    for (const std::uint8_t state : {RobotControlState::CONTROLLABLE, RobotControlState::STARTUP}) {
      RobotControlState message;
      message.state = state;
      state_->publish(message);
      const auto told = [&] {
        command_->publish(Twist());
        return hears(state == RobotControlState::STARTUP);
      };
      ASSERT_TRUE(run_until(told, 20.0)) << diagnosis_;
    }
    ASSERT_TRUE(run_until(
        [this] { return !odom_.empty() && std::isfinite(debug_.roll) && !std::isnan(debug_.zmp_measured.x); }, 20.0));
    run(1.0);  // the last velocity is forgotten
    walking_goals_.clear();
  }

  void TearDown() override { EXPECT_TRUE(process_->running()) << process_->output(); }

  // --- time ---

  template <class Condition>
  bool spin_until(Condition condition) {
    return hl_testing::spin_closely_until(executor_, condition, kPatience);
  }

  /// Turns the clock on from `time_` until ticks come: after a jump a timer waits for a whole period first.
  void start_time() {
    ticked_ = -1.0;
    ASSERT_TRUE(spin_until([this] {
      publish_clock();
      time_ += kPeriod;
      return ticked_ > 0.0 && ticked_ < time_ && node_->count_publishers(name_space_ + "/walking_debug") > 0;
    })) << process_->output();
  }

  /// One tick of the world: sensors, clock, and the node's answer.
  void step() {
    time_ += kPeriod;
    publish_sensors();
    publish_clock();
    ASSERT_TRUE(spin_until([this] { return std::abs(ticked_ - time_) < kPeriod / 2.0; })) << process_->output();
    executor_.spin_some();
    process_->output();  // or its pipe fills and it waits
  }
  void run(double seconds) {
    const auto ticks = std::lround(seconds / kPeriod);
    for (long i = 0; i < ticks && !HasFatalFailure(); ++i) step();
  }
  /// The same, with velocities at 20 Hz.
  void drive(const Twist& velocity, double seconds) {
    const auto messages = std::lround(seconds / 0.05);
    for (long i = 0; i < messages && !HasFatalFailure(); ++i) {
      command_->publish(velocity);
      run(0.05);
    }
  }
  /// Turns time on until the condition holds.
  template <class Condition>
  bool run_until(Condition condition, double seconds) {
    const auto ticks = std::lround(seconds / kPeriod);
    for (long i = 0; i < ticks && !HasFatalFailure(); ++i) {
      if (condition()) return true;
      step();
    }
    return condition();
  }

  // --- the robot ---

  void permit(std::uint8_t state, bool stop_requested = false) {
    RobotControlState message;
    message.state = state;
    message.stop_requested = stop_requested;
    state_->publish(message);
    run(0.05);
  }

  /// In whole milliseconds, or a rounding error of a nanosecond would make a timer miss its tick.
  builtin_interfaces::msg::Time stamp(double age = 0.0) const {
    return rclcpp::Time(static_cast<std::int64_t>(std::llround((time_ - age) * 1e3)) * 1'000'000);
  }

  void publish_clock() {
    rosgraph_msgs::msg::Clock message;
    message.clock = stamp();
    clock_->publish(message);
  }

  void publish_sensors() {
    if (joints_on_) {
      joints_.header.stamp = stamp(joints_late_ ? kLate : 0.0);
      auto sent = joints_;
      if (jumping_) {
        std::uniform_real_distribution<double> anywhere(-1.5, 1.5);
        for (double& q : sent.position) q = anywhere(random_);
      }
      joints_pub_->publish(sent);
    }
    if (imu_on_) {
      sensor_msgs::msg::Imu imu;
      imu.header.stamp = stamp(imu_late_ ? kLate : 0.0);
      imu.orientation.y = std::sin(0.067);  // leaning ahead as the posture asks for
      imu.orientation.w = std::cos(0.067);
      imu_pub_->publish(imu);
    }
    for (std::size_t side = 0; side < feet_.size(); ++side) {
      const bool carries = support_.state == (side == 0 ? SupportState::LEFT : SupportState::RIGHT);
      FootPressure message;
      message.header.stamp = stamp();
      message.front_left = message.front_right = message.back_left = message.back_right =
          carries                                  ? 12.0F
          : support_.state == SupportState::DOUBLE ? 6.0F
                                                   : 0.0F;
      feet_[side]->publish(message);
    }
  }

  void on_goals(const JointTrajectory& goals, std::vector<JointTrajectory>& list) {
    list.push_back(goals);
    if (frozen_) return;
    for (std::size_t i = 0; i < goals.joint_names.size(); ++i) {
      const auto joint = std::find(joints_.name.begin(), joints_.name.end(), goals.joint_names[i]);
      ASSERT_NE(joint, joints_.name.end());
      joints_.position[static_cast<std::size_t>(joint - joints_.name.begin())] = goals.points.at(0).positions.at(i);
    }
  }

  std::size_t goals_within(double seconds) {
    const std::size_t before = walking_goals_.size() + kick_goals_.size();
    run(seconds);
    return walking_goals_.size() + kick_goals_.size() - before;
  }
  bool all_finite() const {
    for (const auto& goals : walking_goals_) {
      for (const double q : goals.points.at(0).positions) {
        if (!std::isfinite(q)) return false;
      }
    }
    return true;
  }

  template <class Future>
  auto answer_of(Future& future) {
    return hl_testing::answer_of([this](const auto& arrived) { return run_until(arrived, 20.0); }, future);
  }

  /// The reason for which a parameter is refused; empty if it is set.
  std::string set_parameter(const rclcpp::Parameter& parameter) {
    auto future = parameters_->set_parameters({parameter});
    const auto result = answer_of(future).at(0);
    return result.successful ? "" : result.reason.empty() ? "no reason" : result.reason;
  }

  // --- kick ---

  struct KickEnd {
    rclcpp_action::ResultCode code = rclcpp_action::ResultCode::UNKNOWN;
    KickAction::Result result;
  };

  KickAction::Goal ball_at(double x, double y) const {
    KickAction::Goal goal;
    goal.header.frame_id = "base_footprint";
    goal.ball_pos.x = x;
    goal.ball_pos.y = y;
    goal.target.x = x + 3.0;
    goal.target.y = y;
    return goal;
  }

  KickEnd kick(const KickAction::Goal& goal, double cancel_after = -1.0) {
    auto accepted = kick_->async_send_goal(goal);
    const KickHandle::SharedPtr handle = answer_of(accepted);
    if (!handle) return KickEnd();
    auto end = kick_->async_get_result(handle);
    if (cancel_after >= 0.0) {
      run(cancel_after);
      kick_->async_cancel_goal(handle);
    }
    const auto wrapped = answer_of(end);
    return {wrapped.code, *wrapped.result};
  }

  template <class Message, class Callback>
  void listen(const std::string& topic, Callback callback) {
    subscriptions_.push_back(node_->create_subscription<Message>(topic, rclcpp::QoS(50), callback));
  }

  WalkingBody body_;
  std::string name_space_;
  rclcpp::Node::SharedPtr node_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  std::unique_ptr<hl_testing::Process> process_;
  rclcpp::Publisher<rosgraph_msgs::msg::Clock>::SharedPtr clock_;
  rclcpp::Publisher<Twist>::SharedPtr command_, teleop_;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr joints_pub_;
  rclcpp::Publisher<sensor_msgs::msg::Imu>::SharedPtr imu_pub_;
  std::vector<rclcpp::Publisher<FootPressure>::SharedPtr> feet_;
  rclcpp::Publisher<RobotControlState>::SharedPtr state_;
  rclcpp::Publisher<tf2_msgs::msg::TFMessage>::SharedPtr tf_;
  std::vector<rclcpp::SubscriptionBase::SharedPtr> subscriptions_;
  rclcpp_action::Client<KickAction>::SharedPtr kick_;
  rclcpp::AsyncParametersClient::SharedPtr parameters_;

  double time_ = 10.0;  // s, simulated
  double ticked_ = -1.0;
  static constexpr double kLate = 0.2;  // s, more than the walk believes
  bool joints_on_ = true, imu_on_ = true, jumping_ = false, frozen_ = false;
  bool joints_late_ = false, imu_late_ = false;  // they come in time, but say what was
  std::mt19937 random_{8};
  sensor_msgs::msg::JointState joints_;
  std::vector<JointTrajectory> walking_goals_, kick_goals_;
  std::vector<nav_msgs::msg::Odometry> odom_;
  SupportState support_;
  std::set<std::uint8_t> supports_;
  WalkingDebug debug_;
  std::map<std::string, geometry_msgs::msg::TransformStamped> transforms_;
  std::string diagnosis_;
};

TEST_F(NodeTest, VelocityStartsTheWalkGoalsComeEveryTickAndSilenceStopsIt) {
  permit(RobotControlState::CONTROLLABLE);
  EXPECT_EQ(goals_within(0.5), 0U);  // nobody asked
  drive(twist(0.2), 1.5);
  const std::size_t before = walking_goals_.size();
  drive(twist(0.2), 0.5);
  EXPECT_NEAR(static_cast<double>(walking_goals_.size() - before), 50.0, 2.0);
  EXPECT_TRUE(support_.walking);
  EXPECT_TRUE(all_finite());
  for (const std::string& name : walking_goals_.back().joint_names) EXPECT_NE(name.rfind("Head", 0), 0U);
  EXPECT_NEAR(rclcpp::Time(walking_goals_.back().header.stamp).seconds(), time_, 1.5 * kPeriod);
  EXPECT_TRUE(supports_.count(SupportState::LEFT) && supports_.count(SupportState::RIGHT) &&
              supports_.count(SupportState::DOUBLE));

  run(3.0);
  EXPECT_FALSE(support_.walking);
  EXPECT_EQ(support_.state, SupportState::DOUBLE);
  EXPECT_EQ(goals_within(0.3), 0U);
}

TEST_F(NodeTest, ThePersonWinsWhileFresh) {
  permit(RobotControlState::CONTROLLABLE);
  for (int i = 0; i < 40; ++i) {
    teleop_->publish(twist(-0.1));
    drive(twist(0.3), 0.05);
  }
  EXPECT_LT(debug_.commanded.linear.x, 0.0);
  drive(twist(0.3), 2.5);
  EXPECT_GT(debug_.commanded.linear.x, 0.0);
}

TEST_F(NodeTest, ObeysRobotState) {
  drive(twist(0.2), 0.5);  // the HCM still starts
  EXPECT_TRUE(walking_goals_.empty());
  permit(RobotControlState::FALLEN);
  drive(twist(0.2), 1.5);
  EXPECT_TRUE(walking_goals_.empty());
  EXPECT_NE(diagnosis_.find("HCM"), std::string::npos) << diagnosis_;
  permit(RobotControlState::CONTROLLABLE);
  drive(twist(0.2), 1.5);
  EXPECT_FALSE(walking_goals_.empty());
  permit(RobotControlState::WALKING, true);  // stop, please: safe steps, then silence
  const std::size_t before = walking_goals_.size();
  drive(twist(0.2), 2.5);
  EXPECT_GT(walking_goals_.size(), before + 10);
  EXPECT_FALSE(support_.walking);
  permit(RobotControlState::WALKING);
  drive(twist(0.2), 1.0);
  EXPECT_TRUE(support_.walking);
  permit(RobotControlState::FALLING);
  EXPECT_EQ(goals_within(0.5), 0U);  // at once
}

TEST_F(NodeTest, AbsurdVelocitiesAreRefused) {
  permit(RobotControlState::CONTROLLABLE);
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  for (const Twist& absurd :
       {twist(nan), twist(0.1, nan), twist(0.1, 0.0, infinity), twist(1e9), twist(0.0, 0.0, -1e6)}) {
    drive(absurd, 0.3);
    EXPECT_TRUE(walking_goals_.empty());
  }
  drive(twist(3.0), 1.5);  // too fast, but no nonsense: as fast as it may
  EXPECT_NEAR(debug_.commanded.linear.x, 0.4, 0.01);
  drive(twist(nan), 3.0);  // a broken planner is a silent one
  EXPECT_FALSE(support_.walking);
}

TEST_F(NodeTest, WalksOnWithoutImuAndFootPressure) {
  permit(RobotControlState::CONTROLLABLE);
  drive(twist(0.2), 0.5);
  imu_on_ = false;
  feet_.clear();
  drive(twist(0.2), 2.0);
  EXPECT_TRUE(support_.walking);
  EXPECT_TRUE(all_finite());
  EXPECT_TRUE(std::isnan(debug_.roll));
  EXPECT_TRUE(std::isnan(debug_.zmp_measured.x));
}

TEST_F(NodeTest, AnAttitudeThatComesLateIsNone) {
  EXPECT_TRUE(std::isfinite(debug_.roll));
  imu_late_ = true;
  EXPECT_TRUE(run_until([this] { return std::isnan(debug_.roll); }, 5.0));
  imu_late_ = false;
  EXPECT_TRUE(run_until([this] { return std::isfinite(debug_.roll); }, 5.0));
}

TEST_F(NodeTest, BadJointStatesStopTheWalk) {
  permit(RobotControlState::CONTROLLABLE);
  const struct {
    const char* what;
    bool& flag;
    bool value;
  } faults[] = {{"missing", joints_on_, false},
                {"jumping", jumping_, true},
                {"late", joints_late_, true},
                {"frozen", frozen_, true}};
  for (const auto& fault : faults) {
    drive(twist(0.2), 2.0);
    EXPECT_TRUE(support_.walking) << fault.what;
    fault.flag = fault.value;
    drive(twist(0.2), 3.0);
    EXPECT_FALSE(support_.walking) << fault.what;
    EXPECT_NE(diagnosis_.find("joint_states"), std::string::npos) << fault.what << ": " << diagnosis_;
    fault.flag = !fault.value;
    run(0.5);
  }
  EXPECT_TRUE(all_finite());
}

TEST_F(NodeTest, ATimeJumpBackStopsSafelyAndTheWalkCanGoOn) {
  permit(RobotControlState::CONTROLLABLE);
  drive(twist(0.2), 1.0);
  time_ = 1.0;
  start_time();
  run(3.0);
  EXPECT_FALSE(support_.walking);
  EXPECT_EQ(goals_within(0.3), 0U);
  drive(twist(0.2), 1.0);
  EXPECT_TRUE(support_.walking);
  EXPECT_TRUE(all_finite());
}

TEST_F(NodeTest, ParametersAreCheckedAndTakeEffectAtOnce) {
  permit(RobotControlState::CONTROLLABLE);
  EXPECT_NE(set_parameter({"foot_lift", 5.0}), "");  // outside its range
  EXPECT_NE(set_parameter({"foot_lift", std::numeric_limits<double>::quiet_NaN()}), "");
  EXPECT_NE(set_parameter({"min_foot_distance", 0.2}).find("stand wider"), std::string::npos);
  EXPECT_NE(set_parameter({"kick.near", 0.29}).find("kick.far"), std::string::npos);
  EXPECT_NE(set_parameter({"contact_source", "nose"}).find("joint_load"), std::string::npos);
  EXPECT_NE(set_parameter({"robot", "darwin_op"}), "");  // only at the start
  EXPECT_EQ(set_parameter({"contact_source", "joint_load"}), "");
  drive(twist(0.4), 1.5);
  EXPECT_GT(debug_.commanded.linear.x, 0.35);
  EXPECT_EQ(set_parameter({"max_forward", 0.1}), "");
  drive(twist(0.4), 1.5);
  EXPECT_NEAR(debug_.commanded.linear.x, 0.1, 1e-6);
}

TEST_F(NodeTest, OdometryTransformsAndDebugArePublished) {
  permit(RobotControlState::CONTROLLABLE);
  odom_.clear();
  drive(twist(0.2), 3.0);
  EXPECT_NEAR(static_cast<double>(odom_.size()), 300.0, 5.0);
  EXPECT_EQ(odom_.back().header.frame_id, "odom");
  EXPECT_EQ(odom_.back().child_frame_id, "base_footprint");
  EXPECT_NEAR(odom_.back().pose.pose.position.x, 0.5, 0.15);  // its joints follow at once
  ASSERT_TRUE(transforms_.count("base_footprint") && transforms_.count("base_link"));
  EXPECT_EQ(transforms_["base_footprint"].header.frame_id, "odom");
  EXPECT_NEAR(transforms_["base_footprint"].transform.translation.x, odom_.back().pose.pose.position.x, 0.01);
  EXPECT_EQ(transforms_["base_link"].header.frame_id, "base_footprint");
  EXPECT_NEAR(transforms_["base_link"].transform.translation.z, 0.345, 0.02);
  EXPECT_EQ(debug_.engine_state, "walking");
  EXPECT_NEAR(debug_.com_measured.x, debug_.com_planned.x, 0.03);
  EXPECT_NEAR(debug_.com_measured.y, debug_.com_planned.y, 0.03);
  EXPECT_TRUE(std::isfinite(debug_.zmp_measured.x) && std::isfinite(debug_.zmp_measured.y));
}

TEST_F(NodeTest, AKickIsDoneRefusedOrCancelled) {
  const auto not_allowed = kick(ball_at(0.17, 0.06));
  EXPECT_EQ(not_allowed.code, rclcpp_action::ResultCode::ABORTED);
  EXPECT_NE(not_allowed.result.message.find("not free"), std::string::npos) << not_allowed.result.message;

  permit(RobotControlState::CONTROLLABLE);
  const auto far = kick(ball_at(0.8, 0.06));
  EXPECT_EQ(far.code, rclcpp_action::ResultCode::ABORTED);
  EXPECT_NE(far.result.message.find("80 cm ahead"), std::string::npos) << far.result.message;
  EXPECT_TRUE(kick_goals_.empty());

  const auto cancelled = kick(ball_at(0.17, 0.06), 0.2);
  EXPECT_EQ(cancelled.code, rclcpp_action::ResultCode::CANCELED);
  EXPECT_FALSE(cancelled.result.successful);

  kick_goals_.clear();
  const auto done = kick(ball_at(0.17, -0.06));
  EXPECT_EQ(done.code, rclcpp_action::ResultCode::SUCCEEDED);
  EXPECT_TRUE(done.result.successful);
  EXPECT_EQ(done.result.foot, KickAction::Result::RIGHT);
  EXPECT_GT(kick_goals_.size(), 100U);
  EXPECT_TRUE(walking_goals_.empty());
  EXPECT_EQ(goals_within(0.3), 0U);
}

TEST_F(NodeTest, AKickMayBeGivenInAnyFrame) {
  permit(RobotControlState::CONTROLLABLE);
  auto nowhere = ball_at(0.17, 0.06);
  nowhere.header.frame_id = "moon";
  const auto refused = kick(nowhere);
  EXPECT_EQ(refused.code, rclcpp_action::ResultCode::ABORTED);
  EXPECT_NE(refused.result.message.find("moon"), std::string::npos) << refused.result.message;

  // The robot stands at the origin of odom; odom is 2 m ahead and 1 m left of the field's centre, turned by 90 degrees.
  tf2_msgs::msg::TFMessage message;
  message.transforms.resize(1);
  auto& t = message.transforms[0];
  t.header.frame_id = "map";
  t.child_frame_id = "odom";
  t.transform.translation.x = 2.0;
  t.transform.translation.y = 1.0;
  t.transform.rotation.z = t.transform.rotation.w = std::sqrt(0.5);
  for (int i = 0; i < 30; ++i) {
    t.header.stamp = stamp();
    tf_->publish(message);
    step();
  }
  auto on_field = ball_at(0.0, 0.0);
  on_field.header.frame_id = "map";
  on_field.header.stamp = stamp();
  on_field.ball_pos.x = 2.0 + 0.06;  // 6 cm to the right of a robot that looks along y, 17 cm ahead
  on_field.ball_pos.y = 1.0 + 0.17;
  on_field.target.x = 2.0 + 0.06;
  on_field.target.y = 4.0;
  const auto done = kick(on_field);
  EXPECT_EQ(done.code, rclcpp_action::ResultCode::SUCCEEDED) << done.result.message;
  EXPECT_EQ(done.result.foot, KickAction::Result::RIGHT);

  on_field.header.stamp = rclcpp::Time(static_cast<std::int64_t>(1e9));  // long before anything was known
  EXPECT_EQ(kick(on_field).code, rclcpp_action::ResultCode::ABORTED);
}

TEST_F(NodeTest, AKickInWalkIsOneStepOfTheWalk) {
  permit(RobotControlState::CONTROLLABLE);
  auto goal = ball_at(0.2, 0.06);
  goal.in_walk = true;
  EXPECT_EQ(kick(goal).code, rclcpp_action::ResultCode::ABORTED);  // it does not walk
  ASSERT_EQ(set_parameter({"command_timeout", 5.0}), "");
  drive(twist(0.1), 1.5);
  const auto done = kick(goal);
  EXPECT_EQ(done.code, rclcpp_action::ResultCode::SUCCEEDED) << done.result.message;
  EXPECT_EQ(done.result.foot, KickAction::Result::LEFT);
  EXPECT_TRUE(kick_goals_.empty());
  EXPECT_TRUE(support_.walking);
}

}  // namespace
}  // namespace hl_walking

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

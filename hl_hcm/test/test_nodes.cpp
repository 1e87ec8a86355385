// SPDX-License-Identifier: Apache-2.0
// The two nodes over the middleware, with a robot made of messages around them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <diagnostic_msgs/msg/diagnostic_array.hpp>
#include <humanoid_league_msgs/action/play_animation.hpp>
#include <humanoid_league_msgs/msg/game_state.hpp>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/msg/hcm_debug.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <humanoid_league_msgs/msg/speak.hpp>
#include <humanoid_league_msgs/srv/emergency_stop.hpp>
#include <humanoid_league_msgs/srv/manual_penalize.hpp>
#include <humanoid_league_msgs/srv/set_torque.hpp>
#include <mutex>
#include <rclcpp/rclcpp.hpp>
#include <rclcpp_action/rclcpp_action.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/bool.hpp>
#include <thread>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"

using namespace std::chrono_literals;
using hl_testing::Process;
using hl_testing::wait_until;
using humanoid_league_msgs::msg::GameState;
using humanoid_league_msgs::msg::HcmDebug;
using humanoid_league_msgs::msg::RobotControlState;
using humanoid_league_msgs::srv::ManualPenalize;
using trajectory_msgs::msg::JointTrajectory;

namespace {

/// Joint states, IMU and hardware state at 100 Hz; servos that follow motor_goals at once.
class Robot : public rclcpp::Node {
 public:
  Robot() : Node("robot_of_messages") {
    joint_pub_ = create_publisher<sensor_msgs::msg::JointState>("joint_states", rclcpp::QoS(5));
    imu_pub_ = create_publisher<sensor_msgs::msg::Imu>("imu/data", rclcpp::QoS(5));
    hardware_pub_ = create_publisher<humanoid_league_msgs::msg::HardwareState>("hardware_state", rclcpp::QoS(10));
    walking_pub_ = create_publisher<JointTrajectory>("walking_motor_goals", rclcpp::QoS(10));
    game_pub_ = create_publisher<GameState>("gamestate", rclcpp::QoS(1).transient_local());
    goals_sub_ = create_subscription<JointTrajectory>(
        "motor_goals", rclcpp::QoS(10), [this](const JointTrajectory::ConstSharedPtr& m) {
          const std::lock_guard<std::mutex> lock(mutex_);
          ++goals_count_;
          const auto& positions = m->points.at(0).positions;
          joint_count_ = m->joint_names.size();
          for (std::size_t i = 0; i < positions.size(); ++i) {
            double& position = joints_.position[index_of(m->joint_names[i])];
            largest_step_ = std::max(largest_step_, std::abs(positions[i] - position));
            finite_ = finite_ && std::isfinite(positions[i]);
            position = positions[i];
          }
        });
    state_sub_ = create_subscription<RobotControlState>("robot_state", rclcpp::QoS(1).transient_local(),
                                                        [this](const RobotControlState::ConstSharedPtr& m) {
                                                          state_ = m->state;
                                                          stop_requested_ = m->stop_requested;
                                                        });
    speak_sub_ = create_subscription<humanoid_league_msgs::msg::Speak>(
        "speak", rclcpp::QoS(10), [this](const humanoid_league_msgs::msg::Speak::ConstSharedPtr& m) {
          const std::lock_guard<std::mutex> lock(mutex_);
          spoken_ = m->text;
        });
    paused_sub_ = create_subscription<std_msgs::msg::Bool>(
        "paused", rclcpp::QoS(1).transient_local(),
        [this](const std_msgs::msg::Bool::ConstSharedPtr& m) { paused_ = m->data; });
    debug_sub_ = create_subscription<HcmDebug>("hcm_debug", rclcpp::QoS(10), [this](const HcmDebug::ConstSharedPtr& m) {
      const std::lock_guard<std::mutex> lock(mutex_);
      debug_ = *m;
    });
    diagnostics_sub_ = create_subscription<diagnostic_msgs::msg::DiagnosticArray>(
        "diagnostics", rclcpp::QoS(10), [this](const diagnostic_msgs::msg::DiagnosticArray::ConstSharedPtr& m) {
          const std::lock_guard<std::mutex> lock(mutex_);
          for (const auto& status : m->status)
            if (status.level != diagnostic_msgs::msg::DiagnosticStatus::OK) complaints_ += status.message + "\n";
        });
    torque_ = create_service<humanoid_league_msgs::srv::SetTorque>(
        "set_torque", [this](const humanoid_league_msgs::srv::SetTorque::Request::SharedPtr request,
                             humanoid_league_msgs::srv::SetTorque::Response::SharedPtr response) {
          torque_on_ = request->on;
          response->success = true;
        });
    penalize_ = create_client<ManualPenalize>("manual_penalize");
    stop_ = create_client<humanoid_league_msgs::srv::EmergencyStop>("emergency_stop");
    for (const char* side : {"L", "R"})
      for (const char* joint : {"ShoulderPitch", "ShoulderRoll", "Elbow", "HipYaw", "HipRoll", "HipPitch", "Knee",
                                "AnklePitch", "AnkleRoll"})
        joints_.name.push_back(std::string(side) + joint);
    joints_.name.insert(joints_.name.end(), {"HeadPan", "HeadTilt"});
    joints_.position.assign(20, 0.0);
    timer_ = create_wall_timer(10ms, [this] { sense(); });
  }

  std::atomic<int> state_{-1};
  std::atomic<bool> animation_server_{true}, old_stamps_{false}, hardware_error_{false}, stop_requested_{false};
  std::atomic<bool> paused_{false}, torque_on_{false}, joints_on_{true}, imu_on_{true}, walking_{false}, lying_{false};
  std::atomic<std::size_t> goals_count_{0}, frames_{0};
  std::vector<std::string> played() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return played_;
  }
  std::string spoken() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return spoken_;
  }
  std::string complaints() {  // of the diagnostics, all of them
    const std::lock_guard<std::mutex> lock(mutex_);
    return complaints_;
  }
  void set_missing(const std::vector<std::string>& joints) {
    const std::lock_guard<std::mutex> lock(mutex_);
    missing_ = joints;
  }
  void set_hot(const std::vector<std::string>& joints) {
    const std::lock_guard<std::mutex> lock(mutex_);
    hot_ = joints;
  }
  double largest_step() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return largest_step_;
  }
  bool finite() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return finite_;
  }
  HcmDebug debug() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return debug_;
  }
  std::size_t joint_count() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return joint_count_;
  }
  double knee() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return joints_.position[index_of("LKnee")];
  }

  JointTrajectory walk_goal() {
    JointTrajectory goal;
    goal.header.stamp = now();
    goal.joint_names = {"LKnee", "RKnee"};
    goal.points.resize(1);
    const double bend = 1.0 + 0.1 * std::sin(10 * now().seconds());
    goal.points[0].positions = {-bend, bend};
    return goal;
  }
  void send(const JointTrajectory& goal) { walking_pub_->publish(goal); }

  void referee(bool penalized) {
    GameState game;
    game.protocol_version = 12;
    game.penalized = penalized;
    game_pub_->publish(game);
  }
  bool handler(std::uint8_t word) {
    auto request = std::make_shared<ManualPenalize::Request>();
    request->word = word;
    auto future = penalize_->async_send_request(request).future.share();
    return future.wait_for(20s) == std::future_status::ready && future.get()->success;
  }
  bool emergency_stop(bool stop) {
    auto request = std::make_shared<humanoid_league_msgs::srv::EmergencyStop::Request>();
    request->stop = stop;
    auto future = stop_->async_send_request(request).future.share();
    return future.wait_for(20s) == std::future_status::ready && future.get()->success;
  }

 private:
  using PlayAnimation = humanoid_league_msgs::action::PlayAnimation;
  using Handle = rclcpp_action::ServerGoalHandle<PlayAnimation>;

  std::size_t index_of(const std::string& name) const {
    return static_cast<std::size_t>(std::find(joints_.name.begin(), joints_.name.end(), name) - joints_.name.begin());
  }

  void serve_animations() {
    animations_ = rclcpp_action::create_server<PlayAnimation>(
        this, "play_animation",
        [this](const rclcpp_action::GoalUUID&, std::shared_ptr<const PlayAnimation::Goal> goal) {
          const std::lock_guard<std::mutex> lock(mutex_);
          played_.push_back(goal->animation + (goal->hcm ? " for the HCM" : ""));
          return rclcpp_action::GoalResponse::ACCEPT_AND_EXECUTE;
        },
        [](const std::shared_ptr<Handle>&) { return rclcpp_action::CancelResponse::ACCEPT; },
        [this](const std::shared_ptr<Handle>& handle) {
          lying_ = false;  // the best get-up there is
          auto result = std::make_shared<PlayAnimation::Result>();
          result->successful = true;
          handle->succeed(result);
        });
  }

  /// The joints that answer; the contract leaves the others out.
  sensor_msgs::msg::JointState answering() const {
    sensor_msgs::msg::JointState state;
    state.header = joints_.header;
    for (std::size_t i = 0; i < joints_.name.size(); ++i) {
      if (std::find(missing_.begin(), missing_.end(), joints_.name[i]) != missing_.end()) continue;
      state.name.push_back(joints_.name[i]);
      state.position.push_back(joints_.position[i]);
    }
    return state;
  }

  void sense() {
    ++frames_;
    if (animation_server_ && !animations_) serve_animations();
    if (!animation_server_) animations_.reset();
    const rclcpp::Time stamp = old_stamps_ ? now() - rclcpp::Duration::from_seconds(10.0) : now();
    if (joints_on_) {
      const std::lock_guard<std::mutex> lock(mutex_);
      joints_.header.stamp = stamp;
      joint_pub_->publish(answering());
    }
    if (imu_on_) {
      sensor_msgs::msg::Imu imu;
      imu.header.stamp = stamp;
      imu.orientation.w = lying_ ? std::sqrt(0.5) : 1.0;  // on its face
      imu.orientation.y = lying_ ? std::sqrt(0.5) : 0.0;
      imu.linear_acceleration.z = 9.81;
      imu_pub_->publish(imu);
    }
    if (++cycle_ % 10 == 0) {
      humanoid_league_msgs::msg::HardwareState hardware;
      hardware.header.stamp = now();
      hardware.torque_on = torque_on_;
      hardware.imu_ok = true;
      hardware.level = hardware_error_ ? hardware.ERROR : hardware.OK;
      const std::lock_guard<std::mutex> lock(mutex_);
      hardware.joints_missing = missing_;
      hardware.joints_hot = hot_;
      hardware_pub_->publish(hardware);
    }
    if (walking_) send(walk_goal());
  }

  std::mutex mutex_;
  sensor_msgs::msg::JointState joints_;
  HcmDebug debug_;
  std::vector<std::string> played_, missing_, hot_;
  std::string spoken_, complaints_;
  double largest_step_ = 0.0;
  std::size_t joint_count_ = 0;
  bool finite_ = true;
  unsigned cycle_ = 0;
  rclcpp::Publisher<sensor_msgs::msg::JointState>::SharedPtr joint_pub_;
  rclcpp::Publisher<sensor_msgs::msg::Imu>::SharedPtr imu_pub_;
  rclcpp::Publisher<humanoid_league_msgs::msg::HardwareState>::SharedPtr hardware_pub_;
  rclcpp::Publisher<JointTrajectory>::SharedPtr walking_pub_;
  rclcpp::Publisher<GameState>::SharedPtr game_pub_;
  rclcpp::Subscription<JointTrajectory>::SharedPtr goals_sub_;
  rclcpp::Subscription<RobotControlState>::SharedPtr state_sub_;
  rclcpp::Subscription<std_msgs::msg::Bool>::SharedPtr paused_sub_;
  rclcpp::Subscription<HcmDebug>::SharedPtr debug_sub_;
  rclcpp::Subscription<diagnostic_msgs::msg::DiagnosticArray>::SharedPtr diagnostics_sub_;
  rclcpp::Service<humanoid_league_msgs::srv::SetTorque>::SharedPtr torque_;
  rclcpp::Client<ManualPenalize>::SharedPtr penalize_;
  rclcpp::Client<humanoid_league_msgs::srv::EmergencyStop>::SharedPtr stop_;
  rclcpp_action::Server<PlayAnimation>::SharedPtr animations_;
  rclcpp::Subscription<humanoid_league_msgs::msg::Speak>::SharedPtr speak_sub_;
  rclcpp::TimerBase::SharedPtr timer_;
};

std::vector<std::string> hcm_command() {
  // The time-outs are wide: a loaded machine must not look like a broken robot.
  return {HCM_PROGRAM, "--ros-args",         "-p", "urdf_file:=" URDF_FILE, "-p", "robot_config_file:=" CONFIG_FILE,
          "-p",        "joint_timeout:=1.0", "-p", "imu_timeout:=1.0",      "-p", "walk_timeout:=0.6",
          "-p",        "stale:=1.0",         "-p", "help_pause:=1.0",       "-p", "walk_imu_timeout:=1.0",
          "-p",        "walk_gap:=0.5"};
}

class Nodes : public testing::Test {
 protected:
  std::shared_ptr<Robot> robot = std::make_shared<Robot>();
  rclcpp::executors::SingleThreadedExecutor executor;
  std::thread thread;
  std::unique_ptr<Process> hcm, pause;

  void SetUp() override {
    executor.add_node(robot);
    thread = std::thread([this] { executor.spin(); });
    start_hcm();
  }
  void TearDown() override {
    hcm.reset();
    pause.reset();
    executor.cancel();
    thread.join();
  }
  void start_hcm() { hcm = std::make_unique<Process>(hcm_command()); }
  void start_pause() {
    pause = std::make_unique<Process>(std::vector<std::string>{PAUSE_PROGRAM});
    ASSERT_TRUE(wait_until([&] { return robot->count_publishers("paused") > 0; }));
  }
  bool reaches(int state) {
    return wait_until([&] { return robot->state_ == state; });
  }
  /// Lets the robot's own time go by, so that what should not happen had its chance.
  void pass(std::size_t frames) {
    const std::size_t end = robot->frames_ + frames;
    ASSERT_TRUE(wait_until([&] { return robot->frames_ >= end; }));
  }
};

}  // namespace

TEST_F(Nodes, StartsSoftlyAndSendsTheCompleteSetOfJoints) {
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  EXPECT_TRUE(robot->torque_on_);
  EXPECT_EQ(robot->joint_count(), 20u);
  EXPECT_TRUE(wait_until([&] { return std::abs(robot->knee() + 56.4 * M_PI / 180) < 1e-3; }));
  EXPECT_LT(robot->largest_step(), 0.31);
}

TEST_F(Nodes, ASourceDiesSendsGarbageAndComesBack) {
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  robot->walking_ = true;
  ASSERT_TRUE(reaches(RobotControlState::WALKING));
  EXPECT_TRUE(wait_until([&] { return robot->debug().state == "WALKING"; }));
  robot->walking_ = false;  // dies
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE));
  EXPECT_TRUE(wait_until([&] { return robot->complaints().find("walking went silent") != std::string::npos; }));

  auto garbage = robot->walk_goal();
  garbage.points[0].positions[0] = std::nan("");
  robot->send(garbage);
  garbage = robot->walk_goal();
  garbage.joint_names[0] = "Tail";
  robot->send(garbage);
  garbage = robot->walk_goal();
  garbage.points[0].positions = {-5.0, 5.0};
  robot->send(garbage);
  garbage = robot->walk_goal();
  garbage.header.stamp = rclcpp::Time(1, 0);
  robot->send(garbage);
  garbage = robot->walk_goal();
  garbage.points.clear();
  robot->send(garbage);
  ASSERT_TRUE(wait_until([&] { return robot->debug().goals_refused >= 5; }));
  EXPECT_EQ(robot->state_, RobotControlState::CONTROLLABLE);
  EXPECT_THAT(robot->debug().refusals, testing::Contains(testing::HasSubstr("unknown joint 'Tail'")));
  EXPECT_TRUE(robot->finite());

  robot->walking_ = true;  // comes back
  EXPECT_TRUE(reaches(RobotControlState::WALKING));
  EXPECT_LT(robot->largest_step(), 0.31);
}

TEST_F(Nodes, SensorsAreLostAndComeBack) {
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  robot->imu_on_ = false;
  ASSERT_TRUE(reaches(RobotControlState::HARDWARE_PROBLEM));
  EXPECT_TRUE(wait_until([&] { return robot->complaints().find("imu/data and hardware_state") != std::string::npos; }));
  robot->imu_on_ = true;
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE));
  robot->joints_on_ = false;
  ASSERT_TRUE(reaches(RobotControlState::HARDWARE_PROBLEM));
  robot->joints_on_ = true;
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE));
}

TEST_F(Nodes, SensorDataWithOldStampsCountAsLost) {
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  robot->old_stamps_ = true;
  ASSERT_TRUE(reaches(RobotControlState::HARDWARE_PROBLEM));
  robot->old_stamps_ = false;
  EXPECT_TRUE(reaches(RobotControlState::CONTROLLABLE));
}

TEST_F(Nodes, ALostLegServoIsAProblemUntilItIsBackALostArmIsNot) {
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  robot->set_missing({"LElbow"});
  pass(50);
  EXPECT_EQ(robot->state_, RobotControlState::CONTROLLABLE);
  robot->set_missing({"LElbow", "LKnee"});
  ASSERT_TRUE(reaches(RobotControlState::HARDWARE_PROBLEM));
  robot->set_missing({});
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE));
  robot->hardware_error_ = true;
  ASSERT_TRUE(reaches(RobotControlState::HARDWARE_PROBLEM));
  robot->hardware_error_ = false;
  EXPECT_TRUE(reaches(RobotControlState::CONTROLLABLE));
  EXPECT_LT(robot->largest_step(), 0.31);
}

TEST_F(Nodes, HotLegsEndTheWalkUntilTheyAreCool) {
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  robot->walking_ = true;
  ASSERT_TRUE(reaches(RobotControlState::WALKING));
  robot->set_hot({"RHipPitch"});
  ASSERT_TRUE(wait_until([&] { return robot->stop_requested_.load(); }));
  robot->walking_ = false;
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE));
  const auto refused = robot->debug().goals_refused;
  robot->walking_ = true;
  ASSERT_TRUE(wait_until([&] { return robot->debug().goals_refused > refused + 20; }));
  EXPECT_EQ(robot->state_, RobotControlState::CONTROLLABLE);
  robot->set_hot({});
  EXPECT_TRUE(reaches(RobotControlState::WALKING));
}

TEST_F(Nodes, WithoutAnAnimationServerItCallsForHelpAndGetsUpWhenItIsBack) {
  robot->animation_server_ = false;
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  robot->lying_ = true;
  ASSERT_TRUE(reaches(RobotControlState::FALLEN));
  ASSERT_TRUE(wait_until([&] { return !robot->spoken().empty(); })) << hcm->output();
  EXPECT_THAT(robot->spoken(), testing::HasSubstr("help"));
  EXPECT_TRUE(robot->played().empty());
  robot->animation_server_ = true;
  EXPECT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  EXPECT_EQ(robot->played().size(), 1u);
}

TEST_F(Nodes, KilledAndRestartedItTakesOverWithoutAJump) {
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  robot->walking_ = true;
  ASSERT_TRUE(reaches(RobotControlState::WALKING));
  hcm->signal(SIGKILL);
  ASSERT_EQ(hcm->wait(), 128 + SIGKILL);
  robot->walking_ = false;
  robot->state_ = -1;
  const std::size_t before = robot->goals_count_;
  start_hcm();
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  EXPECT_GT(robot->goals_count_, before);
  EXPECT_LT(robot->largest_step(), 0.31);
}

TEST_F(Nodes, ManualAndRefereePenaltyInEveryOrder) {
  start_pause();
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  // referee, then handler
  robot->referee(true);
  ASSERT_TRUE(reaches(RobotControlState::PENALTY)) << pause->output();
  ASSERT_TRUE(robot->handler(ManualPenalize::Request::UNPENALIZE));
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE));
  robot->referee(false);
  pass(50);              // latched topics keep only the last word
  robot->referee(true);  // two changes: the manual word is over
  ASSERT_TRUE(reaches(RobotControlState::PENALTY));
  robot->referee(false);
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE));
  // handler, then referee
  ASSERT_TRUE(robot->handler(ManualPenalize::Request::PENALIZE));
  ASSERT_TRUE(reaches(RobotControlState::PENALTY));
  robot->referee(false);  // says nothing new
  robot->walking_ = true;
  pass(30);
  EXPECT_EQ(robot->state_, RobotControlState::PENALTY);
  EXPECT_NEAR(robot->knee(), -56.4 * M_PI / 180, 1e-3);  // the walking goals did not get through
  robot->walking_ = false;
  ASSERT_TRUE(robot->handler(ManualPenalize::Request::FOLLOW_REFEREE));
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE));
  EXPECT_FALSE(robot->handler(7));
}

TEST_F(Nodes, APenaltyOutlivesTheHcmAndThePauseNode) {
  start_pause();
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  robot->referee(true);
  ASSERT_TRUE(reaches(RobotControlState::PENALTY));
  hcm->signal(SIGKILL);
  hcm->wait();
  robot->state_ = -1;
  start_hcm();
  ASSERT_TRUE(reaches(RobotControlState::PENALTY)) << hcm->output();
  pause->signal(SIGKILL);
  pause->wait();
  robot->paused_ = false;
  start_pause();  // hears the latched word of the referee
  ASSERT_TRUE(wait_until([&] { return robot->paused_.load(); }));
  EXPECT_TRUE(reaches(RobotControlState::PENALTY));
}

TEST_F(Nodes, AFallenRobotGetsUpWithTheAnimationServer) {
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  robot->lying_ = true;
  ASSERT_TRUE(wait_until([&] { return !robot->played().empty(); })) << hcm->output();
  EXPECT_EQ(robot->played().front(), "get_up_front for the HCM");
  EXPECT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  EXPECT_THAT(hcm->output(), testing::HasSubstr("FALLING -> FALLEN"));
  EXPECT_LT(robot->largest_step(), 0.31);
}

TEST_F(Nodes, EmergencyStopSwitchesTheTorqueOff) {
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE)) << hcm->output();
  ASSERT_TRUE(robot->emergency_stop(true));
  ASSERT_TRUE(reaches(RobotControlState::MOTOR_OFF));
  ASSERT_TRUE(wait_until([&] { return !robot->torque_on_; }));
  ASSERT_TRUE(robot->emergency_stop(false));
  ASSERT_TRUE(reaches(RobotControlState::CONTROLLABLE));
}

TEST(HcmProgram, RefusesToStartWithBadParametersAndSaysWhy) {
  Process missing({HCM_PROGRAM, "--ros-args", "-p", "urdf_file:=/nowhere.urdf"});
  EXPECT_NE(missing.wait(), 0);
  EXPECT_THAT(missing.output(), testing::HasSubstr("/nowhere.urdf: cannot be read"));
  auto command = hcm_command();
  command.insert(command.end(), {"-p", "fall.height:=-1.0"});
  Process bad(command);
  EXPECT_NE(bad.wait(), 0);
  EXPECT_THAT(bad.output(), testing::HasSubstr("fall.height"));
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

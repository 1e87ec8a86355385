// SPDX-License-Identifier: Apache-2.0
// A person records an animation: simulator, HCM and recorder run, and the test types into the terminal.
#include <gtest/gtest.h>

#include <ament_index_cpp/get_package_prefix.hpp>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <filesystem>
#include <hl_animation/animation_file.hpp>
#include <humanoid_league_msgs/msg/robot_control_state.hpp>
#include <map>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/joint_state.hpp>

#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"
#include "hl_testing/spinning.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "terminal.hpp"

using hl_testing::Process;
using humanoid_league_msgs::msg::RobotControlState;
using Arguments = std::vector<std::string>;

namespace {

std::string share(const std::string& package) {
  return ament_index_cpp::get_package_share_directory(package);
}

std::string program(const std::string& package, const std::string& name) {
  return ament_index_cpp::get_package_prefix(package) + "/lib/" + package + "/" + name;
}

std::string animation_program(const std::string& name) {
  return program("hl_animation", name);
}

class RecorderTerminal : public testing::Test {
 protected:
  void SetUp() override {
    node_ = std::make_shared<rclcpp::Node>("person");
    joints_ = node_->create_subscription<sensor_msgs::msg::JointState>(
        "joint_states", rclcpp::SensorDataQoS(), [this](const sensor_msgs::msg::JointState& joints) {
          for (std::size_t i = 0; i < joints.name.size(); ++i) position_[joints.name[i]] = joints.position[i];
        });
    state_ = node_->create_subscription<RobotControlState>(
        "robot_state", rclcpp::QoS(1).transient_local(),
        [this](const RobotControlState& state) { robot_state_ = state.state; });
    simulator_ =
        start({program("hl_simulation", "simulator"), "--ros-args", "-p", "cameras:=['']", "-p", "ball:=false"});
    hcm_ = start({program("hl_hcm", "hcm"), "--ros-args", "-p", "use_sim_time:=true", "--params-file",
                  share("hl_hcm") + "/config/minibot.yaml", "-p",
                  "urdf_file:=" + share("hl_description") + "/urdf/minibot.urdf", "-p",
                  "robot_config_file:=" + share("hl_description") + "/config/minibot/robot.yaml"});
    recorder_ = start(
        {animation_program("recorder"), "--ros-args", "-p", "use_sim_time:=true", "-p", "folder:=" + folder_.string()});
    ASSERT_TRUE(wait([&] { return robot_state_ == RobotControlState::CONTROLLABLE; }))
        << simulator_->output() << hcm_->output();
  }

  static std::unique_ptr<Process> start(const Arguments& arguments) { return std::make_unique<Process>(arguments); }

  template <class Condition>
  bool wait(Condition condition) {
    return hl_testing::spin_until(node_, condition, std::chrono::seconds(90));
  }

  hl_testing::TemporaryFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
  std::shared_ptr<rclcpp::Node> node_;
  rclcpp::Subscription<sensor_msgs::msg::JointState>::SharedPtr joints_;
  rclcpp::Subscription<RobotControlState>::SharedPtr state_;
  std::unique_ptr<Process> simulator_, hcm_, recorder_;
  std::map<std::string, double> position_;  // rad
  int robot_state_ = -1;
};

void expect_on_screen(const std::string& screen, const std::string& text) {
  EXPECT_NE(screen.find(text), std::string::npos) << "expected '" << text << "' on the screen:\n" << screen;
}

}  // namespace

TEST_F(RecorderTerminal, RecordsUndoesMirrorsPlaysAndSaves) {
  Terminal terminal({animation_program("record")});
  expect_on_screen(terminal.until("record> "), "nothing is being recorded");
  expect_on_screen(terminal.type("key"), "no animation is being recorded");
  expect_on_screen(terminal.type("new ../wave"), "not a usable name");
  expect_on_screen(terminal.type("new wave"), "wave: 0 keyframes");
  ASSERT_TRUE(wait([&] { return robot_state_ == RobotControlState::RECORD; })) << recorder_->output();
  expect_on_screen(terminal.type("key 0.8"), "keyframe 1: 20 joints, reached in 0.80 s");

  // The limp arm sinks under its own weight; a person would lift it.
  wait([&] { return position_.count("RElbow") != 0; });
  const auto before = position_;
  const auto moved = [&] {
    return std::abs(position_["RElbow"] - before.at("RElbow")) +
               std::abs(position_["RShoulderPitch"] - before.at("RShoulderPitch")) >
           0.2;
  };
  expect_on_screen(terminal.type("off right_arm"), "torque off: 3 joints");
  ASSERT_TRUE(wait(moved)) << "the arm is not limp";
  expect_on_screen(terminal.type("key 0.8 0.1"), "keyframe 2");
  expect_on_screen(terminal.type("on right_arm"), "torque on: 3 joints");
  expect_on_screen(terminal.type("off wing"), "not done");

  expect_on_screen(terminal.type("key"), "keyframe 3");
  expect_on_screen(terminal.type("undo"), "wave: 2 keyframes, not saved");
  expect_on_screen(terminal.type("mirror 2"), "wave: 2 keyframes, not saved");
  expect_on_screen(terminal.type("time 2 1.0"), "2 keyframes");
  expect_on_screen(terminal.type("list"), "  2  reached in 1.00 s, pause 0.00 s, 20 joints");
  expect_on_screen(terminal.type("play 7"), "there is no such keyframe; there are 2");
  expect_on_screen(terminal.type("play x"), "'x' is not a number");

  expect_on_screen(terminal.type("quit"), "is not saved");
  expect_on_screen(terminal.type("save"), "written: ");
  const auto saved = hl_animation::load_animations(folder_.string() + "/wave.yaml").front();
  ASSERT_EQ(saved.keyframes.size(), 2U);

  // Until the first keyframe: the right arm is back. Then all: the mirrored keyframe moves the left arm instead.
  const auto reached = [&](std::size_t keyframe) {
    for (const auto* joint : {"LElbow", "RElbow", "LShoulderPitch", "RShoulderPitch"}) {
      if (std::abs(position_[joint] - saved.keyframes[keyframe].goals.at(joint)) > 0.1) return false;
    }
    return true;
  };
  expect_on_screen(terminal.type("play 1"), "plays for 0.8 s");
  EXPECT_TRUE(wait([&] { return reached(0); })) << recorder_->output() << hcm_->output();
  expect_on_screen(terminal.type("play"), "plays for 1.8 s");
  EXPECT_TRUE(wait([&] { return reached(1); })) << recorder_->output() << hcm_->output();

  terminal.type("quit", "\x01 never");
  EXPECT_EQ(terminal.exit_code(), 0);
  EXPECT_TRUE(wait([&] { return robot_state_ != RobotControlState::RECORD; })) << "the robot was not given back";
  Process verify({animation_program("verify"), folder_.string() + "/wave.yaml"});
  EXPECT_EQ(verify.wait(std::chrono::seconds(60)), 0) << verify.output();
}

TEST(Record, SaysWhatToStartWhenThereIsNoRecorder) {
  Terminal terminal({animation_program("record")});
  expect_on_screen(terminal.until("first"), "ros2 run hl_animation recorder");
  EXPECT_EQ(terminal.exit_code(), 1);
}

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
// The unmodified driver node in front of the emulator on a pseudo-terminal.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <humanoid_league_msgs/msg/buttons.hpp>
#include <humanoid_league_msgs/msg/foot_pressure.hpp>
#include <humanoid_league_msgs/msg/hardware_state.hpp>
#include <humanoid_league_msgs/srv/inject_fault.hpp>
#include <humanoid_league_msgs/srv/press_button.hpp>
#include <humanoid_league_msgs/srv/read_register.hpp>
#include <humanoid_league_msgs/srv/recover_servo.hpp>
#include <humanoid_league_msgs/srv/set_leds.hpp>
#include <humanoid_league_msgs/srv/set_torque.hpp>
#include <rclcpp/rclcpp.hpp>
#include <sensor_msgs/msg/imu.hpp>
#include <sensor_msgs/msg/joint_state.hpp>
#include <std_msgs/msg/string.hpp>
#include <trajectory_msgs/msg/joint_trajectory.hpp>

#include "hl_robot_interface/fault_script.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"
#include "hl_testing/spinning.hpp"

namespace {

using testing::Contains;
using testing::HasSubstr;
namespace msg = humanoid_league_msgs::msg;
namespace srv = humanoid_league_msgs::srv;

const std::string kShare = HL_DESCRIPTION_SHARE;
const std::string kConfig = kShare + "/config/minibot/robot.yaml";

class Robot : public testing::Test {
 protected:
  Robot()
      : port(testing::TempDir() + "cm730_test_" + std::to_string(getpid())),
        emulator({EMULATOR, "--ros-args", "-p", "port:=" + port, "-p", "robot_config_file:=" + kConfig, "-p",
                  "pose:=walkready"}),
        node(rclcpp::Node::make_shared("test")) {
    executor.add_node(node);
    keep(node->create_subscription<sensor_msgs::msg::JointState>("joint_states", 10,
                                                                 [this](const sensor_msgs::msg::JointState& m) {
                                                                   ++joint_messages;
                                                                   for (size_t i = 0; i < m.name.size(); ++i)
                                                                     positions[m.name[i]] = m.position[i];
                                                                   joints = m;
                                                                 }));
    keep(node->create_subscription<sensor_msgs::msg::Imu>("imu/data", 10,
                                                          [this](const sensor_msgs::msg::Imu& m) { imu = m; }));
    keep(node->create_subscription<msg::HardwareState>("hardware_state", 10, [this](const msg::HardwareState& m) {
      state = m;
      worst_level = std::max(worst_level, m.level);
    }));
    keep(node->create_subscription<msg::FootPressure>("foot_pressure_left", 10,
                                                      [this](const msg::FootPressure& m) { foot = m; }));
    goals = node->create_publisher<trajectory_msgs::msg::JointTrajectory>("motor_goals", 1);
    fault_line = node->create_publisher<std_msgs::msg::String>("/emulator/fault", 10);
    driver = std::make_unique<hl_testing::Process>(std::vector<std::string>{
        CM730_NODE, "--ros-args", "-p", "port:=" + port, "-p", "urdf_file:=" + kShare + "/urdf/minibot.urdf", "-p",
        "robot_config_file:=" + kConfig, "-p", "reply_gap:=0.1", "-p", "rate:=50.0", "-p", "torque_ramp:=0.1", "-p",
        "shutdown_grace:=0.2"});
  }

  template <class Condition>
  bool until(Condition condition) {
    return hl_testing::spin_until(executor, condition);
  }
  bool running() {
    return until([&] {
      return state.voltage > 1.0f && state.level != msg::HardwareState::ERROR && joints.name.size() == 20 &&
             imu.orientation.w != 0.0;
    });
  }
  std::string logs() { return emulator.output() + driver->output(); }

  void send(const std::string& joint, double position) {
    trajectory_msgs::msg::JointTrajectory trajectory;
    trajectory.header.stamp = node->now();
    trajectory.joint_names = {joint};
    trajectory.points.resize(1);
    trajectory.points[0].positions = {position};
    goals->publish(trajectory);
  }
  void fault(const std::string& line) {
    std_msgs::msg::String text;
    text.data = line;
    ASSERT_TRUE(until([&] { return fault_line->get_subscription_count() > 0; }));
    fault_line->publish(text);
  }
  template <class Service>
  typename Service::Response call(const std::string& name, const typename Service::Request& request) {
    return hl_testing::call<Service>(executor, *node, name, request);
  }
  template <class Entity>
  void keep(Entity entity) {
    entities.push_back(entity);
  }

  std::string port;
  hl_testing::Process emulator;
  rclcpp::Node::SharedPtr node;
  rclcpp::executors::SingleThreadedExecutor executor;
  std::unique_ptr<hl_testing::Process> driver;
  std::vector<std::shared_ptr<void>> entities;
  rclcpp::Publisher<trajectory_msgs::msg::JointTrajectory>::SharedPtr goals;
  rclcpp::Publisher<std_msgs::msg::String>::SharedPtr fault_line;
  sensor_msgs::msg::JointState joints;
  std::map<std::string, double> positions;
  int joint_messages = 0;
  sensor_msgs::msg::Imu imu;
  msg::HardwareState state;
  uint8_t worst_level = 0;
  msg::Buttons buttons;
  msg::FootPressure foot;
};

TEST_F(Robot, StandsFollowsGoalsAndAnswersServices) {
  ASSERT_TRUE(running()) << logs();
  EXPECT_NEAR(positions["LKnee"], -56.4 * M_PI / 180.0, 0.02) << "it starts where it stands";
  EXPECT_NEAR(imu.linear_acceleration.z, 9.81, 0.2);
  EXPECT_NEAR(state.voltage, 12.0, 0.2);
  EXPECT_TRUE(until([&] { return foot.front_left > 1.0f; }));

  EXPECT_TRUE(until([&] {
    send("HeadPan", 0.5);
    return std::abs(positions["HeadPan"] - 0.5) < 0.02;
  })) << logs();
  send("HeadPan", NAN);
  send("NoSuchJoint", 0.1);
  EXPECT_TRUE(driver->wait_for_output("unknown joint 'NoSuchJoint'") || driver->wait_for_output("not a finite number"))
      << logs();

  srv::SetTorque::Request torque;
  torque.groups = {"head"};
  auto switched = call<srv::SetTorque>("set_torque", torque);
  EXPECT_TRUE(switched.success) << switched.message;
  EXPECT_EQ(switched.joints.size(), 2u);
  EXPECT_TRUE(until([&] { return state.joints_limp.size() == 2; })) << logs();
  torque.groups = {"tail"};
  EXPECT_THAT(call<srv::SetTorque>("set_torque", torque).message, HasSubstr("tail"));

  srv::SetLeds::Request leds;
  leds.names = {"head"};
  leds.colors.resize(1);
  leds.colors[0].g = leds.colors[0].a = 1.0f;
  EXPECT_TRUE(call<srv::SetLeds>("set_leds", leds).success);
  srv::ReadRegister::Request reg;
  reg.id = 200;
  reg.address = 26;
  reg.length = 2;
  const auto lamp = call<srv::ReadRegister>("read_register", reg);
  EXPECT_THAT(lamp.data, testing::ElementsAre(0xE0, 0x03)) << "green, 15 bit";
  reg.id = 99;
  EXPECT_FALSE(call<srv::ReadRegister>("read_register", reg).success);

  srv::PressButton::Request press;
  press.button = "start";
  press.duration = 3600.0;
  EXPECT_TRUE(call<srv::PressButton>("/emulator/press_button", press).success);
  // Whoever comes later hears of it, too.
  keep(node->create_subscription<msg::Buttons>("buttons", rclcpp::QoS(1).transient_local(),
                                               [this](const msg::Buttons& m) { buttons = m; }));
  EXPECT_TRUE(until([&] { return buttons.start; }));
}

TEST_F(Robot, SaysOfItsFaultsWhatEveryBodySays) {
  ASSERT_TRUE(running()) << logs();
  for (const auto& step : hl_robot_interface::fault_script()) {
    EXPECT_TRUE(call<srv::InjectFault>("/emulator/inject_fault", step.request()).success);
    EXPECT_TRUE(until([&] { return step.holds(state); }))
        << "fault " << int(step.fault) << " " << step.joint << ": " << int(state.level) << " '" << state.text << "'\n"
        << logs();
    EXPECT_LE(worst_level, step.fault == srv::InjectFault::Request::NONE ? worst_level : step.level)
        << "on the way, fault " << int(step.fault);
    worst_level = state.level;
  }
}

TEST_F(Robot, SurvivesTheFaultScript) {
  ASSERT_TRUE(running()) << logs();
  fault("mute 13");
  EXPECT_TRUE(until([&] {
    return state.joints_missing == std::vector<std::string>{"RKnee"} && joints.name.size() == 19;
  })) << logs();
  fault("heal");
  EXPECT_TRUE(until([&] { return state.joints_missing.empty() && joints.name.size() == 20; })) << logs();

  fault("overload 14");
  EXPECT_TRUE(until([&] { return state.joints_overloaded == std::vector<std::string>{"LKnee"}; })) << logs();
  fault("heal");
  srv::RecoverServo::Request recover;
  recover.joint = "LKnee";
  EXPECT_TRUE(until([&] { return call<srv::RecoverServo>("recover_servo", recover).success; })) << logs();
  EXPECT_TRUE(until([&] { return state.joints_overloaded.empty(); }));

  fault("overheat 14 75");
  EXPECT_TRUE(until([&] { return state.joints_hot == std::vector<std::string>{"LKnee"}; })) << logs();
  fault("heal");

  fault("unplug");
  EXPECT_TRUE(until([&] { return state.level == msg::HardwareState::ERROR; })) << logs();
  const int before = joint_messages;
  fault("heal");
  EXPECT_TRUE(until([&] { return state.level == msg::HardwareState::OK && joint_messages > before + 20; })) << logs();

  fault("corrupt_reply 0.002");
  const int start = joint_messages;
  EXPECT_TRUE(until([&] { return joint_messages > start + 30; })) << logs();
  fault("heal");
  EXPECT_TRUE(until([&] { return state.level == msg::HardwareState::OK; })) << logs();

  fault("voltage 9.5");
  EXPECT_TRUE(until([&] { return state.level == msg::HardwareState::ERROR && state.joints_limp.size() == 20; }))
      << "an empty battery lets the robot go\n"
      << logs();
  EXPECT_TRUE(driver->running());
  EXPECT_EQ(driver->stop(), 0);
}

TEST(Errors, AreWordsThatAStudentUnderstands) {
  hl_testing::Process no_port({CM730_NODE, "--ros-args", "-p", "port:=/dev/no_such_port", "-p",
                               "urdf_file:=" + kShare + "/urdf/minibot.urdf", "-p", "robot_config_file:=" + kConfig});
  EXPECT_TRUE(no_port.wait_for_output("there is no port /dev/no_such_port")) << no_port.output();
  hl_testing::Process no_robot({CM730_NODE});
  EXPECT_NE(no_robot.wait(), 0);
  EXPECT_THAT(no_robot.output(), HasSubstr("urdf_file and robot_config_file must be given"));
  hl_testing::Process no_serial({CM730_NODE, "--ros-args", "-p", "port:=/dev/null", "-p",
                                 "urdf_file:=" + kShare + "/urdf/minibot.urdf", "-p", "robot_config_file:=" + kConfig});
  EXPECT_TRUE(no_serial.wait_for_output("/dev/null is no serial port")) << no_serial.output();
}

}  // namespace

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

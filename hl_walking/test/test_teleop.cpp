// SPDX-License-Identifier: Apache-2.0
// The joystick program, its device played by a named pipe that carries the kernel's records; and the keyboard program.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <geometry_msgs/msg/twist.hpp>
#include <memory>
#include <optional>
#include <rclcpp/rclcpp.hpp>
#include <vector>

#include "hl_testing/process.hpp"
#include "hl_testing/ros_main.hpp"
#include "hl_testing/temporary_folder.hpp"

namespace hl_walking {
namespace {

using geometry_msgs::msg::Twist;
using hl_testing::Process;

constexpr std::uint8_t kButton = 1, kAxis = 2;
constexpr std::int16_t kFull = 32767;

class JoystickProgram : public testing::Test {
 protected:
  JoystickProgram() {
    node_ = std::make_shared<rclcpp::Node>("listener");
    executor_.add_node(node_);
    subscription_ = node_->create_subscription<Twist>("teleop_cmd_vel", 5, [this](const Twist& twist) {
      last_ = twist;
      ++received_;
    });
    device_ = (folder_.path() / "js").string();
  }
  ~JoystickProgram() override { unplug(); }

  void plug_in() {
    ASSERT_EQ(mkfifo(device_.c_str(), 0600), 0);
    pipe_ = open(device_.c_str(), O_RDWR | O_CLOEXEC);  // both ways: does not wait for the reader
    ASSERT_GE(pipe_, 0);
  }
  void unplug() {
    if (pipe_ >= 0) close(pipe_);
    pipe_ = -1;
    unlink(device_.c_str());
  }
  void start(const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {JOYSTICK_PROGRAM, "--ros-args", "-p", "device:=" + device_};
    for (const std::string& argument : more) arguments.insert(arguments.end(), {"-p", argument});
    program_.emplace(arguments);
  }
  void send(std::uint8_t type, std::uint8_t number, std::int16_t value) const {
    const auto bits = static_cast<std::uint16_t>(value);
    const std::uint8_t record[8] = {
        0, 0, 0, 0, static_cast<std::uint8_t>(bits & 0xff), static_cast<std::uint8_t>(bits >> 8), type, number};
    ASSERT_EQ(write(pipe_, record, sizeof record), static_cast<ssize_t>(sizeof record));
  }
  template <class Condition>
  bool eventually(Condition condition) {
    return hl_testing::wait_until([&] {
      executor_.spin_some();
      return condition();
    });
  }

  hl_testing::TemporaryFolder folder_;
  std::string device_;
  int pipe_ = -1;
  std::optional<Process> program_;
  rclcpp::executors::SingleThreadedExecutor executor_;
  rclcpp::Node::SharedPtr node_;
  rclcpp::Subscription<Twist>::SharedPtr subscription_;
  std::optional<Twist> last_;
  int received_ = 0;
};

TEST_F(JoystickProgram, WalksTheRobotWhileTheButtonIsHeld) {
  plug_in();
  start();
  ASSERT_TRUE(program_->wait_for_output("reading " + device_)) << program_->output();
  ASSERT_TRUE(eventually([&] { return subscription_->get_publisher_count() > 0; }));
  send(kAxis, 1, -kFull);  // the kernel counts up as negative
  send(kAxis, 3, kFull);
  send(kButton, 4, 1);
  ASSERT_TRUE(eventually([&] { return last_ && last_->linear.x > 0.0; }));
  EXPECT_DOUBLE_EQ(last_->linear.x, 0.3);
  EXPECT_DOUBLE_EQ(last_->angular.z, -0.8);
  const int held = received_;
  EXPECT_TRUE(eventually([&] { return received_ > held + 3; }));  // said again and again: silence would mean stop
  send(kButton, 4, 0);
  EXPECT_TRUE(eventually([&] { return last_->linear.x == 0.0 && last_->angular.z == 0.0; }));
  EXPECT_EQ(program_->stop(), 0) << program_->output();
}

TEST_F(JoystickProgram, StopsTheRobotWhenTheJoystickIsUnpluggedAndTakesItBack) {
  start();
  ASSERT_TRUE(program_->wait_for_output("No such file")) << program_->output();
  EXPECT_NE(program_->output().find(device_), std::string::npos);
  plug_in();
  ASSERT_TRUE(program_->wait_for_output("reading " + device_)) << program_->output();
  ASSERT_TRUE(eventually([&] { return subscription_->get_publisher_count() > 0; }));
  send(kAxis, 1, -kFull);
  send(kButton, 4, 1);
  ASSERT_TRUE(eventually([&] { return last_ && last_->linear.x > 0.0; }));
  unplug();
  EXPECT_TRUE(eventually([&] { return last_->linear.x == 0.0; }));
  EXPECT_TRUE(program_->wait_for_output("lost " + device_)) << program_->output();
}

TEST_F(JoystickProgram, SaysWhatIsWrongWithItsDevice) {
  device_ = folder_.path().string();  // a folder
  start();
  EXPECT_TRUE(program_->wait_for_output("is not a joystick device")) << program_->output();
  EXPECT_TRUE(program_->running());
}

TEST_F(JoystickProgram, RefusesBadParameters) {
  start({"dead_zone:=1.5"});
  EXPECT_EQ(program_->wait(), 1);
  EXPECT_NE(program_->output().find("dead_zone must lie in 0..0.99"), std::string::npos) << program_->output();
}

TEST(KeyboardProgram, SaysThatItNeedsATerminal) {
  Process program(std::vector<std::string>{KEYBOARD_PROGRAM});
  EXPECT_EQ(program.wait(), 1);
  EXPECT_NE(program.output().find("no terminal"), std::string::npos) << program.output();
}

}  // namespace
}  // namespace hl_walking

int main(int argc, char** argv) {
  return hl_testing::run_ros_tests(argc, argv);
}

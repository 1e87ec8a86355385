// SPDX-License-Identifier: Apache-2.0
// The whole robot in simulation, started as a person starts it. The world waits for the robot (lock-step), so that the
// outcome does not depend on the machine's speed.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"

using hl_testing::Process;

namespace {

using std::chrono::minutes;
using std::chrono::seconds;

std::vector<std::string> simulation(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"ros2",       "launch",         "hl_bringup", "simulation.launch.xml",
                                   "speed:=0.0", "lockstep:=['*']"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

std::vector<std::string> show(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"ros2", "run", "hl_bringup", "show"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  command.insert(command.end(), {"--ros-args", "-p", "use_sim_time:=true"});
  return command;
}

/// The end of a text: what went wrong stands there.
std::string tail(const std::string& text) {
  constexpr std::size_t kLength = 4000;
  return text.size() > kLength ? text.substr(text.size() - kLength) : text;
}

}  // namespace

TEST(Robot, StandsUpFromTheBellyKeepsTheContractAndIsReadyToPlay) {
  hl_testing::isolate();
  Process world(simulation({}));
  Process director(show({"--parts", "1"}));
  EXPECT_EQ(director.wait(minutes(5)), 0) << tail(director.output()) << tail(world.output());
  Process contract({"ros2", "run", "hl_bringup", "check_contract", "--patience", "120"});
  EXPECT_EQ(contract.wait(seconds(240)), 0) << tail(contract.output());
  Process check({"ros2", "run", "hl_bringup", "check", "--motion-only", "--seconds", "6"});
  EXPECT_EQ(check.wait(seconds(60)), 0) << tail(check.output());
  EXPECT_TRUE(world.stop(seconds(30)).has_value());
}

TEST(Robot, ThatIsNotThereFailsTheChecks) {
  hl_testing::isolate();
  Process check({"ros2", "run", "hl_bringup", "check", "--seconds", "1"});
  EXPECT_EQ(check.wait(seconds(60)), 1) << tail(check.output());  // before the next begins, which would see its node
  Process contract({"ros2", "run", "hl_bringup", "check_contract", "--wait", "1"});
  EXPECT_EQ(contract.wait(seconds(60)), 1) << tail(contract.output());
}

TEST(Robot, PlaysTheWholeShow) {
  if (!hl_testing::full_run()) GTEST_SKIP() << "in ./test --full";
  hl_testing::isolate();
  Process world(simulation({}));
  Process director(show({}));
  EXPECT_EQ(director.wait(minutes(25)), 0) << tail(director.output()) << tail(world.output());
  world.stop(seconds(30));
}

/// Starts the simulation with the foreign node and waits until the HCM lets it walk.
void expect_foreign_walk(std::vector<std::string> arguments) {
  hl_testing::isolate();
  arguments.emplace_back("walking_node:=hl_bringup/foreign_walking");
  Process world(simulation(arguments));
  ASSERT_TRUE(world.wait_for_output("CONTROLLABLE", minutes(3))) << tail(world.output());
  Process command({"ros2", "topic", "pub", "-r", "10", "/cmd_vel", "geometry_msgs/msg/Twist", "{linear: {x: 0.1}}"});
  EXPECT_TRUE(world.wait_for_output("CONTROLLABLE -> WALKING", minutes(3))) << tail(world.output()) << command.output();
  EXPECT_NE(world.output().find("[foreign_walking-"), std::string::npos) << tail(world.output());
  for (const char* ours : {"[walking-", "hl_walking::WalkingNode"}) {
    EXPECT_EQ(world.output().find(ours), std::string::npos) << tail(world.output());
  }
}

TEST(Swap, ForeignWalkingNodeTakesOverByOneArgument) {
  expect_foreign_walk({});
}

TEST(Swap, AlsoBesideComposedNodes) {
  expect_foreign_walk({"composed:=true"});
}

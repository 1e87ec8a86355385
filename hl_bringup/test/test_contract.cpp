// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "contract_check.hpp"

using namespace hl_bringup;  // NOLINT(google-build-using-namespace): the whole file is about it

namespace {

const Contract& contract() {
  static const Contract loaded = Contract::from_file(CONTRACT);
  return loaded;
}

Endpoint endpoint(const std::string& node, const std::string& topic) {
  const auto* agreed = contract().find(topic);
  return {node, agreed->type, true, agreed->qos == ContractQos::Latched};
}

/// HCM, hardware and walking as they should be.
GraphView sound_robot() {
  GraphView graph;
  graph.nodes = {"hcm", "hardware", "walking"};
  for (const auto* topic : {"joint_states", "imu/data", "hardware_state"}) {
    graph.topics[topic].publishers = {endpoint("hardware", topic)};
    graph.topics[topic].subscribers = {endpoint("hcm", topic)};
  }
  for (const auto* topic : {"motor_goals", "robot_state"}) graph.topics[topic].publishers = {endpoint("hcm", topic)};
  graph.services["set_torque"] = {{{"hardware", "humanoid_league_msgs/srv/SetTorque"}},
                                  {{"hcm", "humanoid_league_msgs/srv/SetTorque"}}};
  graph.actions["play_animation"] = {{{"animation", "humanoid_league_msgs/action/PlayAnimation"}},
                                     {{"hcm", "humanoid_league_msgs/action/PlayAnimation"}}};
  return graph;
}

bool mentions(const std::vector<std::string>& lines, const std::string& text) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

}  // namespace

TEST(Contract, SoundRobotPasses) {
  const auto report = check(contract(), sound_robot());
  EXPECT_TRUE(report.failures.empty()) << report.failures.front();
  EXPECT_EQ(report.checked, 5U);
  EXPECT_EQ(report.served, 2U);
  EXPECT_TRUE(mentions(report.absent, "odom"));
}

TEST(Contract, WrongTypeIsAFailure) {
  auto graph = sound_robot();
  graph.topics["imu/data"].publishers[0].type = "std_msgs/msg/String";
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "imu/data: hardware uses type std_msgs/msg/String"));
}

TEST(Contract, SecondWriterOnMotorGoalsIsAFailure) {
  auto graph = sound_robot();
  graph.topics["motor_goals"].publishers.push_back(endpoint("walking", "motor_goals"));
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "motor_goals: 2 writers (hcm, walking)"));
}

TEST(Contract, IncompatibleQosIsAFailure) {
  auto graph = sound_robot();
  graph.topics["robot_state"].publishers[0].transient_local = false;
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "robot_state: hcm does not latch"));
  graph = sound_robot();
  graph.topics["joint_states"].publishers[0].reliable = false;
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "joint_states: hardware offers best effort"));
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "joint_states: hcm asks for more"));
}

TEST(Contract, TopicThatARunningNodeNeedsIsMissed) {
  auto graph = sound_robot();
  graph.topics.erase("imu/data");
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "imu/data: hcm needs it"));
  graph.nodes = {"hardware"};
  EXPECT_FALSE(mentions(check(contract(), graph).failures, "imu/data")) << "nobody who needs it runs";
}

TEST(Contract, ExtraTopicsAreListedNotFailed) {
  auto graph = sound_robot();
  graph.topics["our_own_debug"].publishers = {{"walking", "std_msgs/msg/Float32", true, false}};
  const auto report = check(contract(), graph);
  EXPECT_TRUE(report.failures.empty());
  EXPECT_TRUE(mentions(report.extras, "our_own_debug"));
}

TEST(Contract, WhoPublishesMustBeNamed) {
  auto graph = sound_robot();
  graph.topics["imu/data"].publishers[0].node = "walking";
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "imu/data: walking publishes it, in the contract only"));
  graph = sound_robot();
  graph.topics["imu/data"].publishers[0].node = "our_imu";
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "imu/data: our_imu publishes it")) << "unknown nodes too";
}

TEST(Contract, NodesOfTheContractSubscribeOnlyToWhatItSaysOthersToAnything) {
  auto graph = sound_robot();
  graph.topics["motor_goals"].subscribers = {endpoint("speaker", "motor_goals")};
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "motor_goals: speaker subscribes to it"));
  graph.topics["motor_goals"].subscribers = {endpoint("rosbag2_recorder", "motor_goals")};
  EXPECT_TRUE(check(contract(), graph).failures.empty());
}

TEST(Contract, ServersAndClientsAreComparedLikePublishersAndSubscribers) {
  auto graph = sound_robot();
  graph.services["set_torque"].servers[0].node = "walking";
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "set_torque: walking serves it"));
  graph = sound_robot();
  graph.services["set_torque"].servers.clear();
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "set_torque: hcm needs it, and nobody serves it"));
  graph = sound_robot();
  graph.services["set_torque"].clients[0].node = "speaker";
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "set_torque: speaker calls it"));
  graph.services["set_torque"].clients[0].node = "rqt_gui";
  EXPECT_TRUE(check(contract(), graph).failures.empty());
  graph.actions["play_animation"].servers[0].type = "other_msgs/action/Play";
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "play_animation: animation uses type other_msgs"));
  graph = sound_robot();
  graph.actions["play_animation"].servers.push_back(graph.actions["play_animation"].servers[0]);
  EXPECT_TRUE(mentions(check(contract(), graph).failures, "play_animation: 2 servers"));
}

TEST(Contract, BrokenFilesAreToldWithTheirLine) {
  EXPECT_THROW(Contract::from_text("topics: [", "c.yaml"), std::runtime_error);
  EXPECT_THROW(Contract::from_text("a: 1", "c.yaml"), std::runtime_error);
  try {
    Contract::from_text("topics:\n  x: {qos: reliable}\n", "c.yaml");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("c.yaml:2: topics.x: 'type' is missing"), std::string::npos);
  }
}

// SPDX-License-Identifier: Apache-2.0
// Robots whose nodes share processes: every component starts there, and one that does not start is noticed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"

using hl_testing::Process;
using std::chrono::minutes;

namespace {

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The launch files of this package, changed so that every component is loaded with intra-process communication.
void write_with_intra_process(const std::filesystem::path& folder) {
  const std::string extra = "<extra_arg name=\"use_intra_process_comms\" value=\"true\"/>";
  for (const auto& entry : std::filesystem::directory_iterator(LAUNCH_FOLDER)) {
    auto text = read(entry.path());
    text = std::regex_replace(text, std::regex(R"(<extra_arg name="use_intra_process_comms"[^>]*>)"), "");
    text = std::regex_replace(text, std::regex("</composable_node>"), extra + "</composable_node>");
    text = std::regex_replace(text, std::regex(R"(\$\(find-pkg-share hl_bringup\)/launch)"), folder.string());
    std::ofstream(folder / entry.path().filename()) << text;
  }
}

/// Everything that moves a robot, composed, with parameters of a folder of ours.
Process motion(const std::filesystem::path& config) {
  return Process({"ros2", "launch", "hl_bringup", "motion.launch.xml", "composed:=true", "config:=" + config.string()});
}

void write_parameters(const std::filesystem::path& file, const std::string& parameters) {
  std::ofstream(file) << "/**:\n  ros__parameters:\n    " << parameters << "\n";
}

std::string said(const std::vector<std::string>& command) {
  Process process(command);
  process.wait(minutes(2));
  return process.output();
}

std::string checked() {
  return said({"ros2", "run", "hl_bringup", "check", "--motion-only", "--no-network", "--seconds", "3"});
}

}  // namespace

// Humble refuses intra-process communication on latched topics, also on /tf_static of a transform listener.
TEST(Composition, EveryComponentStartsWithIntraProcessCommunication) {
  const hl_testing::TemporaryFolder folder;
  write_with_intra_process(folder.path());
  Process robot({"ros2", "launch", folder.path() / "robot.launch.xml", "robot_state:=false", "hardware:=false",
                 "referee_port:=23838", "answer_port:=23939", "team_port:=22321", "loopback:=true", "mute:=true"});
  for (const char* node :
       {"/hcm' in container '/motion", "/pause' in container '/motion", "/walking' in container '/motion",
        "/animation' in container '/motion", "/camera' in container '/mind", "/detection' in container '/mind",
        "/transform' in container '/mind", "/localization' in container '/mind", "/world_model' in container '/mind",
        "/planning' in container '/mind", "/behavior' in container '/mind", "/head' in container '/mind",
        "/game_controller' in container '/mind", "/team_comm' in container '/mind", "/speaker' in container '/mind"}) {
    EXPECT_TRUE(robot.wait_for_output("Loaded node '" + std::string(node) + "'", minutes(2))) << node << "\n"
                                                                                              << robot.output();
  }
}

// A transform listener that is not of its node takes neither namespace nor remappings: in a process of several nodes it
// would hear /tf, where no robot with a name sends.
TEST(Composition, ANamedRobotHearsItsOwnTransformsOnly) {
  Process robot({"ros2", "launch", "hl_bringup", "simulated_robot.launch.xml", "namespace:=robot1", "composed:=true",
                 "autonomous:=true", "vision:=true", "referee_port:=23838", "answer_port:=23939", "team_port:=22321"});
  const std::vector<std::string> nodes = {"walking",        "detection",   "transform",
                                          "visual_compass", "world_model", "planning"};
  for (const auto& node : nodes) {
    ASSERT_TRUE(robot.wait_for_output("Loaded node '/robot1/" + node + "'", minutes(2))) << node << "\n"
                                                                                         << robot.output();
  }
  std::string listeners;
  const auto listens = [&](const std::string& node) {
    return listeners.find("Node name: " + node + "\n") != std::string::npos;
  };
  EXPECT_TRUE(hl_testing::wait_until(
      [&] {
        listeners = said({"ros2", "topic", "info", "--verbose", "/robot1/tf"});
        return std::all_of(nodes.begin(), nodes.end(), listens);
      },
      minutes(1)))
      << listeners;
  const auto topics = "\n" + said({"ros2", "topic", "list"});
  EXPECT_NE(topics.find("\n/robot1/tf\n"), std::string::npos) << topics;
  EXPECT_EQ(topics.find("\n/tf\n"), std::string::npos) << topics;
  EXPECT_EQ(topics.find("\n/tf_static\n"), std::string::npos) << topics;
}

TEST(Composition, CheckIsRedForAComponentThatCouldNotBeLoaded) {
  const hl_testing::TemporaryFolder config;
  write_parameters(config.path() / "hcm.yaml", "{}");
  write_parameters(config.path() / "walking.yaml", "{}");
  write_parameters(config.path() / "animation.yaml", "{}");
  {
    auto sound = motion(config.path());
    ASSERT_TRUE(sound.wait_for_output("Loaded node '/animation'", minutes(2))) << sound.output();
    const auto table = checked();
    EXPECT_NE(table.find("ok    animation "), std::string::npos) << table;
  }
  write_parameters(config.path() / "animation.yaml", "rate: not a number");
  auto broken = motion(config.path());
  ASSERT_TRUE(broken.wait_for_output("components could not be loaded into '/motion'", minutes(2))) << broken.output();
  const auto table = checked();
  EXPECT_NE(table.find("BAD   animation "), std::string::npos) << table;
  EXPECT_NE(table.find("not ready to play"), std::string::npos) << table;
}

int main(int argc, char** argv) {
  hl_testing::isolate();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

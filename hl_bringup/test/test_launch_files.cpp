// SPDX-License-Identifier: Apache-2.0
// What real ROS 2 demands of our launch files, without starting anything.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"

using hl_testing::Process;
using std::chrono::seconds;

namespace {

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

struct Printed {
  explicit Printed(std::vector<std::string> words) {
    words.insert(words.begin(), {"ros2", "launch", "hl_bringup"});
    words.push_back("--print");
    Process process(words);
    code = process.wait(seconds(60)).value_or(-1);
    text = process.output();
  }
  bool has(const std::string& part) const { return text.find(part) != std::string::npos; }
  int code = -1;
  std::string text;
};

}  // namespace

// Humble: $(dirname) is about the file that was included last; it knows no sigterm_timeout.
TEST(LaunchFiles, UseOnlyWhatHumbleReadsInTheSameWay) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(LAUNCH_FOLDER)) {
    const auto text = read(entry.path());
    for (const char* word : {"$(dirname)", "$(filename)", "sigterm_timeout", "sigkill_timeout", "on_exit"}) {
      EXPECT_EQ(text.find(word), std::string::npos) << entry.path() << " uses " << word;
    }
    ++files;
  }
  EXPECT_GE(files, 10);
}

TEST(LaunchFiles, SeveralRobotsAreComposedByDefault) {
  const Printed one({"simulation.launch.xml"});
  EXPECT_EQ(one.code, 0) << one.text;
  EXPECT_FALSE(one.has("component_container")) << one.text;
  EXPECT_FALSE(one.has("WARNING")) << one.text;
  const Printed four({"simulation.launch.xml", "robots:=4"});
  EXPECT_EQ(four.code, 0) << four.text;
  for (const char* robot : {"robot1", "robot2", "robot3", "robot4"}) {
    EXPECT_TRUE(four.has("/" + std::string(robot) + "/robot loads hl_walking::WalkingNode")) << robot << four.text;
  }
  EXPECT_FALSE(four.has("WARNING")) << four.text;
}

TEST(LaunchFiles, GazeboIsAnotherWorldBelowTheSameRobot) {
  const Printed gazebo({"simulation.launch.xml", "simulator:=gazebo"});
  EXPECT_EQ(gazebo.code, 0) << gazebo.text;
  for (const char* part : {"gazebo_server", "gazebo_world", "cm730_node", "/walking"})
    EXPECT_TRUE(gazebo.has(part)) << part << gazebo.text;
  EXPECT_FALSE(gazebo.has("hl_simulation")) << gazebo.text;
  EXPECT_FALSE(gazebo.has("WARNING")) << gazebo.text;
}

// Everything a player needs is in its one process, so that the world waits for all of it.
TEST(LaunchFiles, EveryPlayerOfAMatchIsComplete) {
  const Printed match({"match.launch.xml", "players:=2", "vision:=blue"});
  EXPECT_EQ(match.code, 0) << match.text;
  for (const char* robot : {"blue1", "blue2", "red1", "red2"}) {
    for (const char* node :
         {"hl_hcm::HcmNode", "hl_hcm::PauseNode", "hl_walking::WalkingNode", "hl_animation::AnimationNode",
          "hl_localization::LocalizationNode", "hl_world_model::WorldModelNode", "hl_path_planning::PlanningNode",
          "hl_behavior::BehaviorNode", "hl_behavior::HeadNode", "hl_game_controller::ClientNode",
          "hl_team_comm::TeamCommNode"}) {
      EXPECT_TRUE(match.has("/" + std::string(robot) + "/robot loads " + node)) << robot << " " << node << match.text;
    }
    const bool sees = std::string(robot).rfind("blue", 0) == 0;
    EXPECT_EQ(match.has("/" + std::string(robot) + "/robot loads hl_vision::DetectionNode"), sees) << match.text;
  }
  EXPECT_FALSE(match.has("WARNING")) << match.text;
  const Printed nonsense({"match.launch.xml", "vision:=green"});
  EXPECT_NE(nonsense.code, 0) << nonsense.text;
}

TEST(LaunchFiles, ACompleteRobotStartsAndEachNodeCanBeSwitchedOffAndSwapped) {
  const Printed whole({"robot.launch.xml"});
  EXPECT_EQ(whole.code, 0) << whole.text;
  EXPECT_FALSE(whole.has("WARNING")) << whole.text;
  for (const char* node : {"hl_vision::CameraNode", "hl_vision::DetectionNode", "hl_vision::TransformNode",
                           "hl_localization::LocalizationNode", "hl_world_model::WorldModelNode",
                           "hl_path_planning::PlanningNode", "hl_behavior::BehaviorNode", "hl_behavior::HeadNode",
                           "hl_game_controller::ClientNode", "hl_team_comm::TeamCommNode", "hl_speaker::SpeakerNode"}) {
    EXPECT_TRUE(whole.has("/mind loads " + std::string(node))) << node << whole.text;
  }
  EXPECT_TRUE(whole.has("/motion loads hl_walking::WalkingNode")) << whole.text;
  for (const char* name : {"camera", "detection", "transform", "localization", "world_model", "planning", "behavior",
                           "head", "game_controller", "team_comm", "speaker"}) {
    const Printed without({"robot.launch.xml", std::string(name) + ":=false"});
    EXPECT_EQ(without.code, 0) << without.text;
    EXPECT_FALSE(without.has(" as /" + std::string(name))) << name << without.text;
    // Any program will do: nothing is started.
    const Printed swapped({"robot.launch.xml", std::string(name) + "_node:=hl_bringup/foreign_walking"});
    EXPECT_EQ(swapped.code, 0) << swapped.text;
    EXPECT_TRUE(swapped.has("foreign_walking")) << name << swapped.text;
  }
  EXPECT_TRUE(Printed({"robot.launch.xml", "record:=true"}).has("ros2 bag record -a -s sqlite3 "));
}

// Only the entry points: what they include inherits the environment.
TEST(LaunchFiles, BringTheConfigurationOfTheMiddlewareUnlessTheUserHasOne) {
  const std::string setting =
      "<set_env name=\"CYCLONEDDS_URI\" value=\"$(env CYCLONEDDS_URI 'file://$(find-pkg-share "
      "hl_bringup)/config/cyclonedds.xml')\"/>";
  for (const char* name : {"match", "robot", "simulation", "teleop"}) {
    const auto text = read(std::filesystem::path(LAUNCH_FOLDER) / (std::string(name) + ".launch.xml"));
    EXPECT_NE(text.find(setting), std::string::npos) << name;
  }
}

// Cyclone DDS refuses to start with a setting it does not know.
TEST(LaunchFiles, ConfigurationOfTheMiddlewareIsAccepted) {
  Process list({"ros2", "node", "list"}, {{"CYCLONEDDS_URI", std::string("file://") + CONFIGURATION}});
  EXPECT_EQ(list.wait(seconds(60)), 0) << list.output();
  EXPECT_EQ(list.output().find("rror"), std::string::npos) << list.output();
  Process wrong({"ros2", "node", "list"}, {{"CYCLONEDDS_URI", "<CycloneDDS><Nonsense/></CycloneDDS>"}});
  EXPECT_NE(wrong.wait(seconds(60)), 0) << wrong.output();
}

int main(int argc, char** argv) {
  hl_testing::isolate();
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

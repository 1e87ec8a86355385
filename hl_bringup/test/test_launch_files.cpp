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
  EXPECT_GE(files, 7);
}

TEST(LaunchFiles, SeveralRobotsAreComposedByDefault) {
  const Printed one({"simulation.launch.xml"});
  EXPECT_EQ(one.code, 0) << one.text;
  EXPECT_FALSE(one.has("component_container")) << one.text;
  EXPECT_FALSE(one.has("WARNING")) << one.text;
  const Printed four({"simulation.launch.xml", "robots:=4"});
  EXPECT_EQ(four.code, 0) << four.text;
  for (const char* robot : {"robot1", "robot2", "robot3", "robot4"}) {
    EXPECT_TRUE(four.has("/" + std::string(robot) + "/motion loads hl_walking::WalkingNode")) << robot << four.text;
  }
  EXPECT_FALSE(four.has("WARNING")) << four.text;
}

// Only the entry points: what they include inherits the environment.
TEST(LaunchFiles, BringTheConfigurationOfTheMiddlewareUnlessTheUserHasOne) {
  const std::string setting =
      "<set_env name=\"CYCLONEDDS_URI\" value=\"$(env CYCLONEDDS_URI 'file://$(find-pkg-share "
      "hl_bringup)/config/cyclonedds.xml')\"/>";
  for (const char* name : {"robot", "simulation", "teleop"}) {
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

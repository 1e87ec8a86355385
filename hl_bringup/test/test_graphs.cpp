// SPDX-License-Identifier: Apache-2.0
// The running nodes of the launch files that no other test starts, against the contract.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <sstream>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"

using hl_testing::Process;
using Words = std::vector<std::string>;

namespace {

Words launch(const std::string& package, const std::string& file, const Words& arguments = {}) {
  Words command{"ros2", "launch", package, file + ".launch.xml"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

/// The first of three UDP ports that only this test uses, as simulation.launch.xml chooses them.
int own_port() {
  return 20000 + 3 * hl_testing::isolate();
}

/// The contract holds once all these nodes run.
void expect_contract(const Words& nodes) {
  Words command{"ros2", "run", "hl_bringup", "check_contract", "--patience", "180"};
  for (const auto& node : nodes) command.insert(command.end(), {"--with", node});
  Process contract(command);
  EXPECT_EQ(contract.wait(std::chrono::seconds(300)), 0) << contract.output();
}

/// Files of a robot without a camera.
struct Bench {
  hl_testing::TemporaryFolder folder;
  std::string port = folder.path() / "cm730", calibration = folder.path() / "camera.yaml";
  std::string camera = folder.path() / "none";
  Bench() {
    std::ofstream(calibration) << "image_width: 640\nimage_height: 480\n"
                                  "camera_matrix: {rows: 3, cols: 3, data: [570, 0, 320, 0, 570, 240, 0, 0, 1]}\n"
                                  "distortion_coefficients: {rows: 1, cols: 5, data: [0, 0, 0, 0, 0]}\n";
  }
};

std::string read(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// "package/file" of each match, of whose two groups the first names the package.
std::set<std::string> named_in(const std::string& text, const char* pattern) {
  std::set<std::string> names;
  const std::regex expression(pattern);
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    names.insert((*match)[1].str() + "/" + (*match)[2].str());
  return names;
}

}  // namespace

// A launch file counts if a test below, or the game in test_match, starts it or one that includes it. What includes
// gazebo.launch.xml is started without Gazebo here; with it, test_faults of hl_gazebo looks.
TEST(Graph, NoLaunchFileIsForgotten) {
  namespace fs = std::filesystem;
  const fs::path workspace = fs::path(TEST_FOLDER) / "../..";
  if (!fs::exists(workspace / "hl_walking/launch")) GTEST_SKIP() << "this package stands alone, without the others";
  auto started = named_in(read(fs::path(TEST_FOLDER) / "test_graphs.cpp"), "\"(hl_\\w+)\", \"(\\w+)\"");
  ASSERT_NE(read(fs::path(TEST_FOLDER) / "test_match.cpp").find("\"match.launch.xml\""), std::string::npos);
  started.insert("hl_bringup/match");
  std::set<std::string> all;
  for (std::size_t before = 0; before != started.size();) {
    before = started.size();
    for (const auto& package : fs::directory_iterator(workspace)) {
      if (!fs::exists(package.path() / "launch")) continue;
      for (const auto& file : fs::directory_iterator(package.path() / "launch")) {
        const std::string name = package.path().filename().string() + "/" + file.path().stem().stem().string();
        all.insert(name);
        if (started.count(name) > 0)
          started.merge(named_in(read(file.path()), "find-pkg-share (hl_\\w+)\\)/launch/(\\w+)\\.launch\\.xml"));
      }
    }
  }
  EXPECT_GT(all.size(), 30U);
  for (const auto& name : all) EXPECT_TRUE(started.count(name) > 0) << name << " is started by no test";
}

TEST(Graph, ARobotThatPlaysByItselfWithAllWhoLookAndSteer) {
  hl_testing::isolate();
  Process world(launch("hl_bringup", "simulation", {"autonomous:=true", "composed:=true", "speed:=0.2"}));
  Process teleoperation(launch("hl_bringup", "teleop"));
  Process viewers(launch("hl_visualization", "visualization"));
  Process sender(launch("hl_remote", "udp_sender", {"address:=127.0.0.1"}));
  Process recorder({"ros2", "run", "hl_animation", "recorder"});
  expect_contract({"simulator",       "hcm",          "walking",      "animation",  "pause",
                   "localization",    "world_model",  "planning",     "behavior",   "head",
                   "game_controller", "team_comm",    "speaker",      "referee",    "robot_state_publisher",
                   "teleop_joystick", "rviz_markers", "image_marker", "udp_sender", "recorder"});
}

TEST(Graph, ACompleteRobotOnItsBus) {
  const int port = own_port();
  const Bench bench;
  Process emulator({"ros2", "run", "hl_hardware_cm730", "emulator", "--ros-args", "-p", "port:=" + bench.port, "-p",
                    std::string("robot_config_file:=") + ROBOT_CONFIG, "-p", "pose:=walkready"});
  Process robot(launch("hl_bringup", "robot",
                       {"port:=" + bench.port, "rate:=50.0", "reply_gap:=0.03", "source:=" + bench.camera,
                        "calibration_file:=" + bench.calibration, "loopback:=true", "laptop:=127.0.0.1", "mute:=true",
                        "referee_port:=" + std::to_string(port), "team_port:=" + std::to_string(port + 2)}));
  expect_contract({"hardware", "hcm", "walking", "animation", "pause", "robot_state_publisher", "camera", "detection",
                   "transform", "localization", "world_model", "planning", "behavior", "head", "game_controller",
                   "team_comm", "speaker"});
}

TEST(Graph, ARobotOfThePackagesOwnLaunchFiles) {
  const int port = own_port();
  const Bench bench;
  struct File {
    const char *package, *name;
    Words arguments;
  };
  const std::vector<File> files{
      {"hl_hardware_cm730", "emulated_hardware", {"port:=" + bench.port, "rate:=50.0"}},
      {"hl_hcm", "hcm", {}},
      {"hl_walking", "walking", {}},
      {"hl_animation", "animation", {"recorder:=true"}},
      {"hl_vision", "vision", {"source:=" + bench.camera, "calibration_file:=" + bench.calibration}},
      {"hl_localization", "localization", {}},
      {"hl_world_model", "world_model", {}},
      {"hl_path_planning", "planning", {}},
      {"hl_behavior", "behavior", {}},
      {"hl_behavior", "head", {}},
      {"hl_game_controller", "game_controller", {"referee_port:=" + std::to_string(port)}},
      {"hl_team_comm", "team_comm", {"loopback:=true", "port:=" + std::to_string(port + 2)}},
      {"hl_speaker", "speaker", {"mute:=true"}},
      {"hl_remote", "udp_receiver", {"prefix:=laptop"}},
  };
  std::vector<std::unique_ptr<Process>> running;
  for (const auto& file : files)
    running.push_back(std::make_unique<Process>(launch(file.package, file.name, file.arguments)));
  expect_contract({"hardware", "hcm", "pause", "walking", "animation", "recorder", "camera", "detection", "transform",
                   "localization", "world_model", "planning", "behavior", "head", "game_controller", "team_comm",
                   "speaker"});
}

TEST(Graph, ASimulatedRobotThatIsLookedAtAndSteeredFromOutside) {
  const std::string port = std::to_string(own_port());
  Process world(launch("hl_bringup", "simulation", {"composed:=true", "speed:=0.2", "referee:=false"}));
  Process bridge(launch("hl_remote", "bridge", {"port:=0"}));
  Process gateway(
      launch("hl_remote", "fumanoid_gateway", {"port:=" + port, "address:=127.0.0.1", "broadcast:=127.0.0.1"}));
  expect_contract({"simulator", "hcm", "walking", "animation", "robot_state_publisher", "fumanoid_gateway"});
}

// The driver needs the HCM, and the HCM somebody who plays animations.
TEST(Graph, ASimulatedRobotBehindItsBusThatCanGetUp) {
  hl_testing::isolate();
  const Bench bench;
  Process world(
      launch("hl_simulation", "bus_simulator", {"port:=" + bench.port, "bus_rate:=50.0", "real_time_factor:=0.3"}));
  Process hcm(launch("hl_hcm", "hcm")), animation(launch("hl_animation", "animation"));
  expect_contract({"simulator", "hardware", "hcm", "pause", "animation"});
}

TEST(Graph, AModelThatIsShown) {
  hl_testing::isolate();
  Process view(launch("hl_description", "view"));
  expect_contract({"robot_state_publisher"});
}

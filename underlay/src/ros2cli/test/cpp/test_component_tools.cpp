// SPDX-License-Identifier: Apache-2.0
// `ros2 component` and the loader of `ros2 launch` against a real container with sample components.

#include <ament_index_cpp/get_package_prefix.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "hl_testing/isolation.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "tools.hpp"

namespace {

using hl_testing::Process;
using tools::contains;
using tools::run;

const std::string samples = "underlay_component_tests";

std::vector<std::string> container_command() {
  return {ament_index_cpp::get_package_prefix("rclcpp_components") + "/lib/rclcpp_components/component_container",
          "--ros-args",
          "-r",
          "__node:=motion",
          "-r",
          "__ns:=/robot1"};
}

class Components : public testing::Test {
 protected:
  static void SetUpTestSuite() { hl_testing::isolate(); }
  Process container_{container_command()};
};

TEST_F(Components, LoadListUnload) {
  const auto loaded = run("component", {"load", "/robot1/motion", samples, samples + "::Talker", "-n", "speaker",
                                        "--node-namespace", "/voice", "-p", "text:=good day", "-r", "chatter:=/said"});
  EXPECT_EQ(loaded.output, "Loaded component 1 into '/robot1/motion' container node as '/voice/speaker'\n");
  EXPECT_EQ(run("component", {"list"}).output, "/robot1/motion\n  1  /voice/speaker\n");
  EXPECT_EQ(run("topic", {"echo", "--once", "--field", "data", "/said"}).output, "good day\n---\n");
  EXPECT_EQ(run("component", {"unload", "/robot1/motion", "1"}).output,
            "Unloaded component 1 from '/robot1/motion' container node\n");
  EXPECT_EQ(run("component", {"list", "/robot1/motion"}).output, "");
}

TEST_F(Components, ErrorsHelp) {
  const auto thrown = run("component", {"load", "/robot1/motion", samples, samples + "::Thrower"});
  EXPECT_EQ(thrown.code, 1);
  EXPECT_TRUE(contains(thrown.output, "no camera is connected"));
  EXPECT_TRUE(
      contains(run("component", {"load", "/robot1/moton", samples, "x"}).output, "did you mean '/robot1/motion'?"));
  EXPECT_TRUE(
      contains(run("component", {"load", "/robot1/motion", samples, "x", "-p", "text"}).output, "write name:=value"));
  EXPECT_EQ(run("component", {"unload", "/robot1/motion", "77"}).code, 1);
  EXPECT_TRUE(contains(run("component", {"unload", "/robot1/motion", "one"}).output, "is not a component id"));
}

TEST_F(Components, Types) {
  EXPECT_TRUE(contains(run("component", {"types"}).output, samples + "\n  " + samples + "::Talker\n"));
  EXPECT_TRUE(contains(run("component", {"types", "underlay_component_test"}).output,
                       "did you mean 'underlay_component_tests'?"));
}

TEST_F(Components, LoaderOfLaunchFiles) {
  const hl_testing::TemporaryFolder folder;
  const auto path = folder.path() / "requests.yaml";
  std::ofstream(path) << R"(container: /robot1/motion
requests:
- {package_name: underlay_component_tests, plugin_name: "underlay_component_tests::Thrower"}
- {package_name: underlay_component_tests, plugin_name: "underlay_component_tests::Talker", node_namespace: /a,
   parameters: [{name: text, value: {type: 4, string_value: "hi"}}]}
)";
  Process loader({std::string(TOOLS) + "/component_loader", path});
  EXPECT_EQ(loader.wait(tools::patience).value_or(-1), 1);
  EXPECT_TRUE(contains(loader.output(), "no camera is connected"));
  EXPECT_TRUE(contains(loader.output(), "Loaded node '/a/talker' in container '/robot1/motion'"));
  EXPECT_EQ(run("topic", {"echo", "--once", "--field", "data", "/a/chatter"}).output, "hi\n---\n");
}

}  // namespace

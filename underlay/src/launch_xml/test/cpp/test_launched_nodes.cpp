// SPDX-License-Identifier: Apache-2.0
// `ros2 launch` with real nodes and component containers: namespaces, parameters, remapping, respawn.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"

namespace {

using hl_testing::Process;
constexpr auto patience = std::chrono::seconds(90);

/// A launch file in a folder of its own, being run.
class Launched {
 public:
  explicit Launched(const std::string& body, const std::vector<std::string>& arguments = {}) {
    std::ofstream(folder_.path() / "main.launch.xml") << "<launch>" << body << "</launch>";
    std::vector<std::string> words{"/usr/bin/python3", LAUNCH_SCRIPT, folder_.path() / "main.launch.xml"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const char* python_path = std::getenv("PYTHONPATH");
    process_ = std::make_unique<Process>(
        words, Process::Environment{
                   {"PYTHONPATH", std::string(LAUNCH_MODULES) + ":" + (python_path != nullptr ? python_path : "")},
                   {"ROS_LOG_DIR", folder_.path() / "log"}});
  }
  ~Launched() { process_->stop(); }
  Process& operator*() { return *process_; }
  Process* operator->() { return process_.get(); }

 private:
  hl_testing::TemporaryFolder folder_;
  std::unique_ptr<Process> process_;
};

/// Whether a topic carries this text; `ros2 topic echo` waits for it to appear.
bool hears(const std::string& topic, const std::string& text) {
  return hl_testing::wait_until(
      [&] {
        Process echo({"ros2", "topic", "echo", "--once", "--field", "data", "--timeout", "20", topic});
        echo.wait(patience);
        return echo.output() == text + "\n---\n";
      },
      patience);
}

/// Process ids in "[name-1]: process started with pid [123]", oldest first.
std::vector<pid_t> started(const std::string& output, const std::string& name) {
  std::vector<pid_t> found;
  const std::string mark = "[" + name + "]: process started with pid [";
  for (auto at = output.find(mark); at != std::string::npos; at = output.find(mark, at + 1)) {
    found.push_back(std::stoi(output.substr(at + mark.size())));
  }
  return found;
}

class LaunchedNodes : public testing::Test {
 protected:
  static void SetUpTestSuite() { hl_testing::isolate(); }
};

TEST_F(LaunchedNodes, NamespaceParameterAndRemapReachTheNode) {
  Launched launch(R"xml(
    <arg name="robot"/>
    <group>
      <push_ros_namespace namespace="$(var robot)"/>
      <set_remap from="address" to="place"/>
      <node pkg="underlay_component_tests" exec="sample_talker" name="speaker" namespace="head">
        <param name="text" value="hello from $(var robot)"/>
        <remap from="chatter" to="said"/>
      </node>
    </group>)xml",
                  {"robot:=red1"});
  EXPECT_TRUE(hears("/red1/head/said", "hello from red1")) << launch->output();
  Process nodes({"ros2", "node", "list"});
  nodes.wait(patience);
  EXPECT_NE(nodes.output().find("/red1/head/speaker\n"), std::string::npos) << nodes.output();
  EXPECT_EQ(launch->stop().value_or(-1), 0) << launch->output();
  EXPECT_NE(launch->output().find("[sample_talker-1]: process has finished cleanly"), std::string::npos)
      << launch->output();
}

TEST_F(LaunchedNodes, ComponentsAreLoadedAndComeBackWithTheirContainer) {
  Launched launch(R"xml(
    <group>
      <push_ros_namespace namespace="blue1"/>
      <node_container pkg="rclcpp_components" exec="component_container" name="motion" namespace="" respawn="true">
        <composable_node pkg="underlay_component_tests" plugin="underlay_component_tests::Talker" name="talker">
          <param name="text" value="first"/>
          <extra_arg name="use_intra_process_comms" value="true"/>
        </composable_node>
      </node_container>
      <load_composable_node target="motion">
        <composable_node pkg="underlay_component_tests" plugin="underlay_component_tests::Talker" name="other" namespace="b">
          <param name="text" value="2nd"/>
        </composable_node>
      </load_composable_node>
    </group>)xml");
  EXPECT_TRUE(launch->wait_for_output("Loaded node '/blue1/talker' in container '/blue1/motion'", patience))
      << launch->output();
  EXPECT_TRUE(hears("/blue1/chatter", "first")) << launch->output();
  EXPECT_TRUE(hears("/blue1/b/chatter", "2nd")) << launch->output();
  const auto first = started(launch->output(), "component_container-1");
  ASSERT_EQ(first.size(), 1u);
  kill(first[0], SIGKILL);
  ASSERT_TRUE(
      hl_testing::wait_until([&] { return started(launch->output(), "component_container-1").size() == 2; }, patience));
  EXPECT_TRUE(hears("/blue1/chatter", "first")) << launch->output();
  EXPECT_TRUE(hears("/blue1/b/chatter", "2nd")) << launch->output();
  EXPECT_EQ(launch->stop().value_or(-1), 0) << launch->output();
}

TEST_F(LaunchedNodes, AComponentThatCannotBeLoadedIsReported) {
  Launched launch(R"xml(
    <node_container pkg="rclcpp_components" exec="component_container" name="c" namespace="">
      <composable_node pkg="underlay_component_tests" plugin="underlay_component_tests::Thrower" name="t"/>
    </node_container>)xml");
  EXPECT_TRUE(launch->wait_for_output("components could not be loaded into '/c'", patience)) << launch->output();
  EXPECT_NE(launch->output().find("no camera is connected"), std::string::npos) << launch->output();
  EXPECT_EQ(launch->stop().value_or(-1), 1);
}

TEST_F(LaunchedNodes, ANodeThatItsMiddlewareRefusesDoesNotComeBackSilently) {
  Launched launch(R"xml(
    <set_env name="CYCLONEDDS_URI" value="&lt;General&gt;&lt;AllowMulticast&gt;false&lt;/AllowMulticast&gt;&lt;/General&gt;&lt;Discovery&gt;&lt;ParticipantIndex&gt;auto&lt;/ParticipantIndex&gt;&lt;MaxAutoParticipantIndex&gt;0&lt;/MaxAutoParticipantIndex&gt;&lt;/Discovery&gt;"/>
    <node pkg="underlay_component_tests" exec="sample_talker" exec_name="first" respawn="true"/>
    <node pkg="underlay_component_tests" exec="sample_talker" exec_name="second" respawn="true"/>)xml");
  ASSERT_TRUE(launch->wait_for_output("has died 3 times in a row right after its start", patience)) << launch->output();
  const auto output = launch->output();
  const auto words = output.find("Its last words: ", output.find("has died 3 times"));
  ASSERT_NE(words, std::string::npos) << output;
  const auto line = output.substr(words, output.find('\n', words) - words);
  EXPECT_NE(line.find("participant index"), std::string::npos) << line;
  EXPECT_NE(line.find("MaxAutoParticipantIndex"), std::string::npos) << line;
}

}  // namespace

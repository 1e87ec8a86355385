// SPDX-License-Identifier: Apache-2.0
// Containers as processes of their own, driven through their services.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "ament_index_cpp/get_package_prefix.hpp"
#include "composition_interfaces/srv/list_nodes.hpp"
#include "composition_interfaces/srv/load_node.hpp"
#include "composition_interfaces/srv/unload_node.hpp"
#include "hl_testing/isolation.hpp"
#include "hl_testing/process.hpp"
#include "hl_testing/temporary_folder.hpp"
#include "rclcpp/rclcpp.hpp"
#include "std_msgs/msg/string.hpp"

namespace fs = std::filesystem;
using composition_interfaces::srv::ListNodes;
using composition_interfaces::srv::LoadNode;
using composition_interfaces::srv::UnloadNode;
using hl_testing::Process;
using std::chrono::seconds;

namespace {

class Container {
  /// Calls a service of the container and waits for the answer.
  template <class Client, class Request>
  auto call(const Client& client, const Request& request) {
    auto future = client->async_send_request(request);
    const auto code = executor_.spin_until_future_complete(future, seconds(30));
    if (code != rclcpp::FutureReturnCode::SUCCESS) throw std::runtime_error("no answer: " + process_.output());
    return future.get();
  }

 public:
  explicit Container(const std::string& program, const std::vector<std::string>& arguments = {})
      : node_(std::make_shared<rclcpp::Node>("test_client")), process_(words(program, arguments)) {
    executor_.add_node(node_);
    const std::string services = "/" + name_ + "/_container/";
    load_ = node_->create_client<LoadNode>(services + "load_node");
    unload_ = node_->create_client<UnloadNode>(services + "unload_node");
    list_ = node_->create_client<ListNodes>(services + "list_nodes");
    const bool ready = load_->wait_for_service(seconds(30)) && unload_->wait_for_service(seconds(30)) &&
                       list_->wait_for_service(seconds(30));
    EXPECT_TRUE(ready) << process_.output();
  }

  LoadNode::Response::SharedPtr load(const std::shared_ptr<LoadNode::Request>& request) { return call(load_, request); }
  LoadNode::Response::SharedPtr load(const std::string& class_name, const std::string& name = "") {
    return load(request(class_name, name));
  }
  UnloadNode::Response::SharedPtr unload(std::uint64_t id) {
    const auto request = std::make_shared<UnloadNode::Request>();
    request->unique_id = id;
    return call(unload_, request);
  }
  std::vector<std::string> list() {
    auto names = call(list_, std::make_shared<ListNodes::Request>())->full_node_names;
    std::sort(names.begin(), names.end());
    return names;
  }

  static std::shared_ptr<LoadNode::Request> request(const std::string& class_name, const std::string& name = "") {
    auto request = std::make_shared<LoadNode::Request>();
    request->package_name = "underlay_component_tests";
    request->plugin_name = "underlay_component_tests::" + class_name;
    request->node_name = name;
    return request;
  }

  /// The next text on a topic.
  std::string hear(const std::string& topic) {
    std::string heard;
    const auto subscription = node_->create_subscription<std_msgs::msg::String>(
        topic, 10, [&heard](const std_msgs::msg::String& message) { heard = message.data; });
    hl_testing::wait_until([&] {
      executor_.spin_some();
      return !heard.empty();
    });
    return heard;
  }

  Process& process() { return process_; }

 private:
  /// Every container has a name of its own: one that was just ended is still in the graph for a while.
  static std::string unique_name() {
    static int number = 0;
    return "container_" + std::to_string(++number);
  }

  std::vector<std::string> words(const std::string& program, const std::vector<std::string>& arguments) const {
    std::vector<std::string> all{
        ament_index_cpp::get_package_prefix("rclcpp_components") + "/lib/rclcpp_components/" + program, "--ros-args",
        "-r", "__node:=" + name_};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
  }

  const std::string name_ = unique_name();
  rclcpp::executors::SingleThreadedExecutor executor_;
  rclcpp::Node::SharedPtr node_;
  Process process_;
  rclcpp::Client<LoadNode>::SharedPtr load_;
  rclcpp::Client<UnloadNode>::SharedPtr unload_;
  rclcpp::Client<ListNodes>::SharedPtr list_;
};

rcl_interfaces::msg::Parameter parameter(const std::string& name, const rclcpp::ParameterValue& value) {
  return rclcpp::Parameter(name, value).to_parameter_msg();
}

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

std::size_t resident_kb(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) return std::stoul(line.substr(6));
  }
  return 0;
}

// Sanitizers keep freed memory for a while; whether there is a leak they say themselves.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

class Components : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    hl_testing::isolate();
    const char* path = std::getenv("AMENT_PREFIX_PATH");
    setenv("AMENT_PREFIX_PATH", (std::string(INSTALL_PREFIX) + ":" + (path == nullptr ? "" : path)).c_str(), 1);
    rclcpp::init(0, nullptr);
  }
  static void TearDownTestSuite() { rclcpp::shutdown(); }
};

class EveryContainer : public Components, public testing::WithParamInterface<const char*> {};
INSTANTIATE_TEST_SUITE_P(Programs, EveryContainer,
                         testing::Values("component_container", "component_container_mt",
                                         "component_container_isolated"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace

TEST_P(EveryContainer, LoadsListsAndUnloads) {
  Container container(GetParam());
  EXPECT_TRUE(container.list().empty());
  const auto talker = container.load("Talker");
  ASSERT_TRUE(talker->success) << talker->error_message;
  EXPECT_EQ(talker->full_node_name, "/talker");
  const auto second = container.load("Talker", "second");
  ASSERT_TRUE(second->success) << second->error_message;
  EXPECT_NE(second->unique_id, talker->unique_id);
  EXPECT_EQ(container.list(), (std::vector<std::string>{"/second", "/talker"}));
  EXPECT_EQ(container.hear("chatter"), "hello");
  EXPECT_TRUE(container.unload(talker->unique_id)->success);
  EXPECT_EQ(container.list(), std::vector<std::string>{"/second"});
  const auto again = container.unload(talker->unique_id);
  EXPECT_FALSE(again->success);
  EXPECT_NE(again->error_message.find("No node found with unique_id: " + std::to_string(talker->unique_id)),
            std::string::npos);
  EXPECT_EQ(container.process().stop(), 0) << container.process().output();
}

TEST_F(Components, NameNamespaceRemappingAndParametersApply) {
  Container container("component_container");
  const auto request = Container::request("Talker", "speaker");
  request->node_namespace = "/robot";
  request->remap_rules = {"chatter:=/loud"};
  request->parameters = {parameter("text", rclcpp::ParameterValue("goal"))};
  const auto loaded = container.load(request);
  ASSERT_TRUE(loaded->success) << loaded->error_message;
  EXPECT_EQ(loaded->full_node_name, "/robot/speaker");
  EXPECT_EQ(container.hear("/loud"), "goal");
}

TEST_F(Components, ArgumentsOfTheContainerAreNotThoseOfItsComponents) {
  Container container("component_container", {"-p", "text:=global"});
  ASSERT_TRUE(container.load("Talker")->success);
  EXPECT_EQ(container.hear("chatter"), "hello");
}

TEST_F(Components, IntraProcessHandsOverTheObjectItself) {
  Container container("component_container");
  for (const char* class_name : {"Talker", "Listener"}) {
    const auto request = Container::request(class_name);
    request->extra_arguments = {parameter("use_intra_process_comms", rclcpp::ParameterValue(true))};
    const auto loaded = container.load(request);
    ASSERT_TRUE(loaded->success) << loaded->error_message;
  }
  EXPECT_EQ(container.hear("verdict"), "same");
}

TEST_F(Components, MistakesAreExplainedAndHarmless) {
  Container container("component_container");
  const auto error_of = [&container](const std::shared_ptr<LoadNode::Request>& request) {
    const auto response = container.load(request);
    EXPECT_FALSE(response->success);
    return response->error_message;
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' in: " << text;
  };
  auto request = Container::request("Talker");
  request->package_name = "no_such_package";
  has(error_of(request), "Package 'no_such_package' has no components");
  has(error_of(Container::request("Talkr")), "did you mean 'underlay_component_tests::Talker'?");
  request = Container::request("Talker");
  request->plugin_name = "";
  has(error_of(request), "there are: underlay_component_tests::Talker");
  has(error_of(Container::request("Thrower")), "threw an exception: no camera is connected");
  const auto forgotten = error_of(Container::request("Forgotten"));
  has(forgotten, "libsample_components.so' does not register class 'underlay_component_tests::Forgotten'");
  has(forgotten, "RCLCPP_COMPONENTS_REGISTER_NODE(underlay_component_tests::Forgotten)");
  request = Container::request("Talker");
  request->extra_arguments = {parameter("use_intra_process_comms", rclcpp::ParameterValue("yes"))};
  has(error_of(request), "'use_intra_process_comms' must be a boolean, not string");
  request = Container::request("Talker");
  request->remap_rules = {"not a rule"};
  has(error_of(request), "not a rule");
  request = Container::request("Talker", "not a name");
  has(error_of(request), "not a name");
  EXPECT_TRUE(container.list().empty());
  EXPECT_TRUE(container.load("Talker")->success);
}

TEST_F(Components, ABadIndexEntryNamesTheFile) {
  const hl_testing::TemporaryFolder folder;
  const fs::path& prefix = folder.path();
  const fs::path index = prefix / "share/ament_index/resource_index/rclcpp_components";
  fs::create_directories(index);
  std::ofstream(index / "gone") << "gone::Node;lib/libgone.so\n";
  std::ofstream(index / "garbled") << "garbled::Node\n";
  const std::string old = std::getenv("AMENT_PREFIX_PATH");
  setenv("AMENT_PREFIX_PATH", (prefix.string() + ":" + old).c_str(), 1);
  {
    Container container("component_container");
    setenv("AMENT_PREFIX_PATH", old.c_str(), 1);
    auto request = std::make_shared<LoadNode::Request>();
    request->package_name = "gone";
    request->plugin_name = "gone::Node";
    auto message = container.load(request)->error_message;
    EXPECT_NE(message.find("Failed to load library '" + prefix.string() + "/lib/libgone.so' for class 'gone::Node'"),
              std::string::npos)
        << message;
    request->package_name = "garbled";
    message = container.load(request)->error_message;
    EXPECT_NE(message.find("rclcpp_components/garbled is not of the form class;library"), std::string::npos) << message;
  }
}

TEST_F(Components, LoadingAndUnloadingAHundredTimesLeavesNothingBehind) {
  Container container("component_container_mt");
  const fs::path process = "/proc/" + std::to_string(container.process().pid());
  const auto round = [&container] {
    const auto talker = container.load("Talker");
    const auto listener = container.load("Listener");
    ASSERT_TRUE(talker->success && listener->success) << talker->error_message << listener->error_message;
    ASSERT_TRUE(container.unload(talker->unique_id)->success);
    ASSERT_TRUE(container.unload(listener->unique_id)->success);
  };
  for (int i = 0; i < 20; ++i) round();  // pools and caches fill
  const std::size_t files = entries(process / "fd");
  const std::size_t threads = entries(process / "task");
  const std::size_t memory = resident_kb(container.process().pid());
  for (int i = 0; i < 100; ++i) round();
  EXPECT_TRUE(container.list().empty());
  EXPECT_LE(entries(process / "fd"), files);
  EXPECT_LE(entries(process / "task"), threads);
  if (!sanitized) {
    EXPECT_LE(resident_kb(container.process().pid()), memory + 5000) << "kB";  // a leaked node takes 100 and more
  }
  EXPECT_EQ(container.process().stop(), 0) << container.process().output();
}

TEST_F(Components, ANodeIsNotDestroyedUnderItsRunningCallback) {
  Container container("component_container_mt");
  const auto sleeper = container.load("Sleeper");
  ASSERT_TRUE(sleeper->success) << sleeper->error_message;
  ASSERT_TRUE(container.process().wait_for_output("falls asleep"));
  ASSERT_TRUE(container.unload(sleeper->unique_id)->success);
  ASSERT_TRUE(container.process().wait_for_output("is gone"));
  const auto output = container.process().output();
  EXPECT_GT(output.rfind("wakes up"), output.rfind("falls asleep")) << output;
  EXPECT_GT(output.rfind("is gone"), output.rfind("wakes up")) << output;
  EXPECT_EQ(container.process().stop(), 0) << output;
}

TEST_F(Components, TheExecutableOfAComponentRunsItAlone) {
  const auto node = std::make_shared<rclcpp::Node>("test_client");
  std::string heard;
  const auto subscription = node->create_subscription<std_msgs::msg::String>(
      "/ns/chatter", 10, [&heard](const std_msgs::msg::String& message) { heard = message.data; });
  Process talker({SAMPLE_TALKER, "--ros-args", "-r", "__ns:=/ns", "-r", "__node:=solo", "-p", "text:=alone"});
  EXPECT_TRUE(hl_testing::wait_until([&] {
    rclcpp::spin_some(node);
    return !heard.empty();
  })) << talker.output();
  EXPECT_EQ(heard, "alone");
  const auto listed = [&node] {
    const auto names = node->get_node_names();
    return std::find(names.begin(), names.end(), "/ns/solo") != names.end();
  };
  EXPECT_TRUE(hl_testing::wait_until(listed));
  EXPECT_EQ(talker.stop(), 0) << talker.output();
  Process mistake({SAMPLE_TALKER, "--ros-args", "-p", "text:=5"});
  EXPECT_EQ(mistake.wait(), 1);
  EXPECT_NE(mistake.output().find("underlay_component_tests::Talker: "), std::string::npos) << mistake.output();
}

// SPDX-License-Identifier: Apache-2.0
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <cstdio>
#include <fstream>
#include <rclcpp/rclcpp.hpp>
#include <thread>

#include "contract_check.hpp"
#include "graph_view.hpp"

namespace {

constexpr const char* kUsage =
    "usage: check_contract [--namespace /robot1] [--wait SECONDS] [--dot FILE]\n"
    "\n"
    "Compares the running nodes with contract.yaml: who publishes, subscribes, serves and calls what, types, quality\n"
    "of service, single writers, and what a running node needs. Nodes that the contract does not know may subscribe\n"
    "and call. Extra topics and absent optional ones are listed, not failed. All robots that are found are\n"
    "checked, or the one in --namespace. --dot writes a picture of the graph for graphviz.\n"
    "Exit code 0 if the contract holds, 1 if not.\n";

void print(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  std::printf("%s\n", title);
  for (const auto& line : lines) std::printf("  %s\n", line.c_str());
}

/// Prints what is wrong with the robot in this namespace; true if nothing is.
bool check_robot(const hl_bringup::Contract& contract, const hl_bringup::GraphView& graph,
                 const std::string& robot_namespace) {
  const auto report = hl_bringup::check(contract, graph);
  print("optional topics that nobody publishes:", report.absent);
  print("topics that are not in the contract:", report.extras);
  print("FAILURES:", report.failures);
  std::printf("%s: %zu nodes, %zu topics and %zu services and actions as agreed, %zu failures\n",
              robot_namespace.c_str(), graph.nodes.size(), report.checked, report.served, report.failures.size());
  if (graph.nodes.empty())
    std::printf("no nodes in namespace %s: is the robot running, and ROS_DOMAIN_ID the same?\n",
                robot_namespace.c_str());
  return report.failures.empty() && !graph.nodes.empty();
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = rclcpp::init_and_remove_ros_arguments(argc, argv);
  std::vector<std::string> robots;  // their namespaces
  std::string dot_file;
  double wait = 3.0;  // s, for discovery
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const bool has_value = i + 1 < arguments.size();
    if (arguments[i] == "--namespace" && has_value) {
      const std::string& name = arguments[++i];
      robots.push_back(name.rfind('/', 0) == 0 ? name : "/" + name);
    } else if (arguments[i] == "--wait" && has_value) {
      wait = std::atof(arguments[++i].c_str());
    } else if (arguments[i] == "--dot" && has_value) {
      dot_file = arguments[++i];
    } else {
      std::fputs(kUsage, stderr);
      return arguments[i] == "--help" ? 0 : 2;
    }
  }
  try {
    const auto contract = hl_bringup::Contract::from_file(
        ament_index_cpp::get_package_share_directory("humanoid_league_msgs") + "/contract.yaml");
    rclcpp::Node node("check_contract");
    std::this_thread::sleep_for(std::chrono::duration<double>(wait));
    if (robots.empty()) robots = hl_bringup::robots_in(node);
    if (robots.empty()) robots = {"/"};
    bool holds = true;
    for (const auto& robot_namespace : robots) {
      const auto graph = hl_bringup::view_of(node, robot_namespace);
      holds = check_robot(contract, graph, robot_namespace) && holds;
      if (!dot_file.empty()) std::ofstream(dot_file) << hl_bringup::to_dot(graph);
    }
    rclcpp::shutdown();
    return holds ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "check_contract: %s\n", error.what());
    return 2;
  }
}

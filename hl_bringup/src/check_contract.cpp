// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ament_index_cpp/get_package_share_directory.hpp>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <hl_node/command_line.hpp>
#include <rclcpp/rclcpp.hpp>
#include <thread>

#include "contract_check.hpp"
#include "graph_view.hpp"

namespace {

struct Options {
  std::vector<std::string> robots;  // their namespaces
  std::vector<std::string> nodes;   // that must run
  std::string dot_file;
  double wait = 3.0, patience = 0.0;  // s
};

std::string with_slash(const std::string& name) {
  return name.rfind('/', 0) == 0 ? name : "/" + name;
}

void print(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  std::printf("%s\n", title);
  for (const auto& line : lines) std::printf("  %s\n", line.c_str());
}

/// One robot and what was found.
struct Finding {
  std::string robot_namespace;
  hl_bringup::GraphView graph;
  hl_bringup::ContractReport report;
};

std::vector<Finding> look(const hl_bringup::Contract& contract, rclcpp::Node& node, const Options& options) {
  auto robots = options.robots.empty() ? hl_bringup::robots_in(node) : options.robots;
  if (robots.empty()) robots = {"/"};
  std::vector<Finding> findings;
  for (const auto& robot : robots) {
    auto graph = hl_bringup::view_of(node, robot);
    auto report = hl_bringup::check(contract, graph);
    for (const auto& wanted : options.nodes) {
      if (std::find(graph.nodes.begin(), graph.nodes.end(), wanted) == graph.nodes.end())
        report.failures.push_back("the node " + wanted + " does not run");
    }
    findings.push_back({robot, std::move(graph), std::move(report)});
  }
  return findings;
}

bool holds(const std::vector<Finding>& findings) {
  return std::all_of(findings.begin(), findings.end(),
                     [](const Finding& f) { return f.report.failures.empty() && !f.graph.nodes.empty(); });
}

void print(const Finding& finding) {
  print("optional topics that nobody publishes:", finding.report.absent);
  print("topics that are not in the contract:", finding.report.extras);
  print("FAILURES:", finding.report.failures);
  const char* const name = finding.robot_namespace.c_str();
  std::printf("%s: %zu nodes, %zu topics and %zu services and actions as agreed, %zu failures\n", name,
              finding.graph.nodes.size(), finding.report.checked, finding.report.served,
              finding.report.failures.size());
  if (finding.graph.nodes.empty())
    std::printf("no nodes in namespace %s: is the robot running, and ROS_DOMAIN_ID the same?\n", name);
}

int compare(const Options& options) {
  using Clock = std::chrono::steady_clock;
  const auto contract = hl_bringup::Contract::from_file(
      ament_index_cpp::get_package_share_directory("humanoid_league_msgs") + "/contract.yaml");
  rclcpp::Node node("check_contract");
  const auto start = Clock::now();
  std::this_thread::sleep_for(std::chrono::duration<double>(options.wait));
  auto findings = look(contract, node, options);
  while (!holds(findings) && std::chrono::duration<double>(Clock::now() - start).count() < options.patience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    findings = look(contract, node, options);
  }
  for (const auto& finding : findings) {
    print(finding);
    if (!options.dot_file.empty()) std::ofstream(options.dot_file) << hl_bringup::to_dot(finding.graph);
  }
  return holds(findings) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App cli(
      "Compares the running nodes with contract.yaml: who publishes, subscribes, serves and calls what, types, "
      "quality\n"
      "of service, single writers, and what a running node needs. Nodes that the contract does not know may subscribe\n"
      "and call. Extra topics and absent optional ones are listed, not failed.\n"
      "Exit code 0 if the contract holds, 1 if not.\n",
      "check_contract");
  cli.add_option("--namespace", options.robots, "of the robot; without it, all robots that are found")
      ->transform(with_slash)
      ->allow_extra_args(false);
  cli.add_option("--with", options.nodes, "a node that must run; may be given several times")->allow_extra_args(false);
  cli.add_option("--wait", options.wait, "s for discovery before the first look")->capture_default_str();
  cli.add_option("--patience", options.patience, "s in which it looks again while something is missing or wrong")
      ->capture_default_str();
  cli.add_option("--dot", options.dot_file, "writes a picture of the graph for graphviz");
  if (const auto code = hl_node::read_command_line(cli, argc, argv)) return *code;
  try {
    const int result = compare(options);
    rclcpp::shutdown();
    return result;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "check_contract: %s\n", error.what());
    return 2;
  }
}

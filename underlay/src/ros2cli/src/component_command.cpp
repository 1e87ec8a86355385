// SPDX-License-Identifier: Apache-2.0
// ros2 component list | load | unload | types
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "component_client.hpp"
#include "graph_view.hpp"
#include "hints.hpp"
#include "parameter_value.hpp"
#include "verb.hpp"
#include "yaml_reader.hpp"

namespace ros2cli {
namespace {

constexpr const char* list_service = "/_container/list_nodes";

std::vector<std::string> containers(const GraphView& view) {
  std::vector<std::string> found;
  for (const auto& [name, types] : view.services()) {
    const auto at = name.rfind(list_service);
    if (at != std::string::npos && at + std::string(list_service).size() == name.size())
      found.push_back(name.substr(0, at));
  }
  return found;
}

/// Waits for the container that the user named.
std::string container_argument(Session& session, const std::string& name) {
  const auto full = absolute_name(name);
  std::vector<std::string> known;
  const bool found = session.wait_for_graph(
      [&] {
        known = containers(GraphView(session));
        return std::find(known.begin(), known.end(), full) != known.end();
      },
      3.0);
  if (!found) {
    throw CommandError(
        "container '" + full + "' not found" + did_you_mean(full, known) +
        (known.empty() ? " (there is none; start one: ros2 run rclcpp_components component_container)" : ""));
  }
  return full;
}

int list(const Arguments& arguments) {
  Session session;
  std::vector<std::string> names;
  if (arguments.positional.empty()) {
    session.discover(arguments.number("spin-time", 0.5));
    names = containers(GraphView(session));
  } else {
    names = {container_argument(session, arguments.positional[0])};
  }
  for (const auto& name : names) {
    if (arguments.positional.empty()) std::printf("%s\n", name.c_str());
    if (arguments.flag("containers-only")) continue;
    const auto response = ComponentClient(session, name).list();
    const auto nodes = texts(response, "full_node_names");
    const auto& ids = std::get<Numbers>(member(response, "unique_ids").content);
    for (std::size_t i = 0; i < nodes.size() && i < ids.size(); ++i) {
      std::printf("  %llu  %s\n", static_cast<unsigned long long>(std::get<std::uint64_t>(ids.at(i).value)),
                  nodes[i].c_str());
    }
  }
  return 0;
}

/// name:=value pairs as rcl_interfaces/msg/Parameter.
std::vector<Value> parameter_list(Session& session, const std::vector<std::string>& pairs) {
  std::vector<Value> result;
  for (const auto& pair : pairs) {
    const auto at = pair.find(":=");
    if (at == std::string::npos || at == 0) throw CommandError("'" + pair + "' is not a parameter; write name:=value");
    result.push_back({parameter(session.types(), pair.substr(0, at), parse_yaml(pair.substr(at + 2)))});
  }
  return result;
}

int load(const Arguments& arguments) {
  Session session;
  const auto container = container_argument(session, arguments.positional[0]);
  ComponentClient client(session, container);
  auto request = client.load_request();
  member(request, "package_name").content = arguments.positional[1];
  member(request, "plugin_name").content = arguments.positional[2];
  member(request, "node_name").content = arguments.value("node-name").value_or("");
  member(request, "node_namespace").content = arguments.value("node-namespace").value_or("");
  std::vector<Value> rules;
  for (const auto& rule : arguments.values("remap-rule")) rules.push_back({rule});
  member(request, "remap_rules").content = std::move(rules);
  member(request, "parameters").content = parameter_list(session, arguments.values("parameter"));
  member(request, "extra_arguments").content = parameter_list(session, arguments.values("extra-argument"));
  const auto loaded = client.load(request);
  std::printf("Loaded component %lld into '%s' container node as '%s'\n", static_cast<long long>(loaded.id),
              container.c_str(), loaded.node.c_str());
  return 0;
}

int unload(const Arguments& arguments) {
  Session session;
  const auto container = container_argument(session, arguments.positional[0]);
  ComponentClient client(session, container);
  for (std::size_t i = 1; i < arguments.positional.size(); ++i) {
    const auto& id = arguments.positional[i];
    if (id.empty() || id.find_first_not_of("0123456789") != std::string::npos || id.size() > 18) {
      throw CommandError("'" + id + "' is not a component id; `ros2 component list` shows them");
    }
    client.unload(std::stoull(id));
    std::printf("Unloaded component %s from '%s' container node\n", id.c_str(), container.c_str());
  }
  return 0;
}

int types(const Arguments& arguments) {
  namespace fs = std::filesystem;
  std::map<std::string, fs::path> packages;
  for (const auto& prefix : prefixes_from_environment()) {
    std::error_code error;
    for (const auto& entry :
         fs::directory_iterator(fs::path(prefix) / "share/ament_index/resource_index/rclcpp_components", error)) {
      packages.emplace(entry.path().filename().string(), entry.path());
    }
  }
  if (!arguments.positional.empty() && packages.count(arguments.positional[0]) == 0) {
    std::vector<std::string> known;
    for (const auto& [name, path] : packages) known.push_back(name);
    throw CommandError("package '" + arguments.positional[0] + "' has no components" +
                       did_you_mean(arguments.positional[0], known));
  }
  for (const auto& [name, path] : packages) {
    if (!arguments.positional.empty() && name != arguments.positional[0]) continue;
    std::printf("%s\n", name.c_str());
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
      if (!line.empty()) std::printf("  %s\n", line.substr(0, line.find(';')).c_str());
    }
  }
  return 0;
}

}  // namespace

Command component_command() {
  return Command("component", "Looks at component containers, and loads components into them.",
                 {{"list",
                   "[CONTAINER]",
                   "containers and what they hold",
                   {{"containers-only", 0, "", "only names of containers"}, spin_time_option()},
                   list},
                  {"load",
                   "CONTAINER PACKAGE PLUGIN",
                   "load a component, e.g. /motion hl_walking hl_walking::WalkingNode",
                   {{"node-name", 'n', "NAME", "name of the node"},
                    {"node-namespace", 0, "NAMESPACE", "namespace of the node"},
                    {"remap-rule", 'r', "A:=B", "remap a name (may be repeated)"},
                    {"parameter", 'p', "NAME:=VALUE", "set a parameter (may be repeated)"},
                    {"extra-argument", 'e', "NAME:=VALUE", "e.g. use_intra_process_comms:=true (may be repeated)"}},
                   load},
                  {"unload", "CONTAINER ID [...]", "unload components", {}, unload},
                  {"types", "[PACKAGE]", "components of the installed packages", {}, types}});
}

}  // namespace ros2cli

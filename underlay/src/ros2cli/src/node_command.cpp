// SPDX-License-Identifier: Apache-2.0
// ros2 node list | info
#include <cstdio>
#include <set>

#include "graph_view.hpp"
#include "hints.hpp"
#include "verb.hpp"

namespace ros2cli {
namespace {

int list(const Arguments& arguments) {
  Session session;
  session.discover(arguments.number("spin-time", 0.5));
  std::multiset<std::string> names;
  for (const auto& node : session.graph().nodes()) {
    if (!is_hidden(node.full_name()) || arguments.flag("all")) names.insert(node.full_name());
  }
  if (arguments.flag("count-nodes")) {
    std::printf("%zu\n", names.size());
    return 0;
  }
  for (const auto& name : names) std::printf("%s\n", name.c_str());
  for (auto it = names.begin(); it != names.end(); it = names.upper_bound(*it)) {
    if (names.count(*it) > 1) {
      std::fprintf(stderr, "WARNING: %zu nodes share the name '%s'; rename one with -r __node:=...\n", names.count(*it),
                   it->c_str());
    }
  }
  return 0;
}

void print(const char* title, const Names& names, bool hidden) {
  std::printf("  %s:\n", title);
  for (const auto& [name, types] : names) {
    if (is_hidden(name) && !hidden) continue;
    std::printf("    %s: %s\n", name.c_str(), joined({types.begin(), types.end()}).c_str());
  }
}

int info(const Arguments& arguments) {
  Session session;
  const auto name = wait_for_node(session, arguments.positional[0], 3.0).full_name();
  session.discover(arguments.number("spin-time", 0.3));  // its endpoints become known after its name
  const GraphView view(session);
  const bool hidden = arguments.flag("include-hidden");
  std::printf("%s\n", name.c_str());
  GraphView::NodeInfo all;
  for (const auto& node : view.nodes) {
    if (node.full_name() == name) all = view.info(node);
  }
  print("Subscribers", all.subscribers, hidden);
  print("Publishers", all.publishers, hidden);
  print("Service Servers", all.servers, hidden);
  print("Service Clients", all.clients, hidden);
  print("Action Servers", all.action_servers, hidden);
  print("Action Clients", all.action_clients, hidden);
  return 0;
}

}  // namespace

Command node_command() {
  const Option spin_time = spin_time_option();
  return Command(
      "node", "Looks at nodes.",
      {{"list",
        "",
        "names of all nodes",
        {{"all", 'a', "", "also hidden ones"}, {"count-nodes", 'c', "", "only how many there are"}, spin_time},
        list},
       {"info",
        "NODE",
        "topics, services and actions of a node",
        {{"include-hidden", 0, "", "also hidden names"}, spin_time},
        info}});
}

}  // namespace ros2cli

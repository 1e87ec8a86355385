// SPDX-License-Identifier: Apache-2.0
// ros2 param list | get | set | describe | dump | load | delete
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>

#include "graph_view.hpp"
#include "hints.hpp"
#include "parameter_value.hpp"
#include "printer.hpp"
#include "verb.hpp"
#include "yaml_reader.hpp"

namespace ros2cli {
namespace {

constexpr double patience = 5.0;  // s for a node's answer

/// The parameter services of one node.
class ParameterClient {
 public:
  ParameterClient(Session& session, std::string node) : session_(session), node_(std::move(node)) {}
  const std::string& node() const { return node_; }

  Message call(const std::string& service, const std::string& type, const std::function<void(Message&)>& fill) {
    DynamicClient client(session_, node_ + "/" + service, "rcl_interfaces/srv/" + type);
    auto request = make_message(client.request_type());
    fill(request);
    if (!client.wait_for_server(patience)) throw CommandError("node '" + node_ + "' has no parameter services");
    auto response = client.call(request, patience);
    if (!response)
      throw CommandError("node '" + node_ + "' does not answer within " + std::to_string(static_cast<int>(patience)) +
                         " s");
    return *response;
  }

  std::vector<std::string> names(const std::vector<std::string>& prefixes = {}) {
    auto names =
        texts(nested(call("list_parameters", "ListParameters",
                          [&](Message& request) { member(request, "prefixes").content = as_values(prefixes); }),
                     "result"),
              "names");
    std::sort(names.begin(), names.end());
    return names;
  }

  std::vector<Message> get(const std::vector<std::string>& names) {
    const auto response = call("get_parameters", "GetParameters",
                               [&](Message& request) { member(request, "names").content = as_values(names); });
    std::vector<Message> values;
    for (const auto& value : items(response, "values")) values.push_back(std::get<Message>(value.content));
    return values;
  }

  /// Why each parameter was refused; empty for success.
  std::vector<std::string> set(const std::vector<Message>& parameters) {
    const auto response = call("set_parameters", "SetParameters", [&](Message& request) {
      std::vector<Value> values;
      for (const auto& parameter : parameters) values.push_back({parameter});
      member(request, "parameters").content = std::move(values);
    });
    std::vector<std::string> reasons;
    for (const auto& value : items(response, "results")) {
      const auto& result = std::get<Message>(value.content);
      const auto& reason = text(result, "reason");
      reasons.push_back(integer(result, "successful") != 0 ? "" : reason.empty() ? "no reason given" : reason);
    }
    return reasons;
  }

  std::string unknown(const std::string& name) {
    return "Parameter not set: '" + name + "'" + did_you_mean(name, names());
  }

  static std::vector<Value> as_values(const std::vector<std::string>& names) {
    std::vector<Value> values;
    for (const auto& name : names) values.push_back({name});
    return values;
  }

 private:
  Session& session_;
  std::string node_;
};

std::string node_argument(Session& session, const Arguments& arguments) {
  return wait_for_node(session, arguments.positional[0], 3.0).full_name();
}

bool has_parameters(const GraphView& view, const underlay_dds::NodeEntry& node) {
  return view.services().count(node.full_name() + "/list_parameters") != 0;
}

int list_parameters(const Arguments& arguments) {
  Session session;
  const auto prefixes = arguments.values("param-prefixes");
  if (!arguments.positional.empty()) {
    for (const auto& name : ParameterClient(session, node_argument(session, arguments)).names(prefixes)) {
      std::printf("  %s\n", name.c_str());
    }
    return 0;
  }
  session.discover(arguments.number("spin-time", 0.5));
  const GraphView view(session);
  std::map<std::string, const underlay_dds::NodeEntry*> nodes;
  for (const auto& node : view.nodes) {
    if (!is_hidden(node.full_name()) && has_parameters(view, node)) nodes[node.full_name()] = &node;
  }
  for (const auto& [name, node] : nodes) {
    std::printf("%s:\n", name.c_str());
    for (const auto& parameter : ParameterClient(session, name).names(prefixes))
      std::printf("  %s\n", parameter.c_str());
  }
  return 0;
}

int get(const Arguments& arguments) {
  Session session;
  ParameterClient client(session, node_argument(session, arguments));
  const auto& name = arguments.positional[1];
  const auto values = client.get({name});
  if (values.empty() || kind_text(integer(values[0], "type")).empty()) throw CommandError(client.unknown(name));
  const auto text = value_text(values[0]);
  if (arguments.flag("hide-type")) {
    std::printf("%s\n", text.c_str());
    return 0;
  }
  const auto kind = kind_text(integer(values[0], "type"));
  const bool is_list = kind.find("list") != std::string::npos;
  std::printf("%s %s: %s\n", is_list ? (kind.substr(0, kind.find(' ')) + " values").c_str() : (kind + " value").c_str(),
              is_list ? "are" : "is", text.c_str());
  return 0;
}

int set(const Arguments& arguments) {
  Session session;
  ParameterClient client(session, node_argument(session, arguments));
  const auto& name = arguments.positional[1];
  const auto reasons = client.set({parameter(session.types(), name, parse_yaml(arguments.positional[2]))});
  if (reasons.size() == 1 && reasons[0].empty()) {
    std::printf("Set parameter successful\n");
    return 0;
  }
  throw CommandError("Setting parameter failed: " + (reasons.empty() ? "no answer" : reasons[0]) +
                     did_you_mean(name, client.names()));
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

void print_range(const Message& descriptor, const std::string& field) {
  for (const auto& value : items(descriptor, field)) {
    const auto& range = std::get<Message>(value.content);
    std::printf("    Min value: %s\n    Max value: %s\n    Step: %s\n",
                number_text(std::get<Number>(member(range, "from_value").content)).c_str(),
                number_text(std::get<Number>(member(range, "to_value").content)).c_str(),
                number_text(std::get<Number>(member(range, "step").content)).c_str());
  }
}

int describe_parameters(const Arguments& arguments) {
  Session session;
  ParameterClient client(session, node_argument(session, arguments));
  const std::vector<std::string> names(arguments.positional.begin() + 1, arguments.positional.end());
  const auto response = client.call("describe_parameters", "DescribeParameters", [&](Message& request) {
    member(request, "names").content = ParameterClient::as_values(names);
  });
  const auto& descriptors = items(response, "descriptors");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i >= descriptors.size() || integer(std::get<Message>(descriptors[i].content), "type") == 0) {
      throw CommandError(client.unknown(names[i]));
    }
    const auto& descriptor = std::get<Message>(descriptors[i].content);
    std::printf("Parameter name: %s\n  Type: %s\n", names[i].c_str(),
                lower(kind_text(integer(descriptor, "type"))).c_str());
    if (!text(descriptor, "description").empty())
      std::printf("  Description: %s\n", text(descriptor, "description").c_str());
    std::printf("  Constraints:\n");
    print_range(descriptor, "integer_range");
    print_range(descriptor, "floating_point_range");
    if (integer(descriptor, "read_only") != 0) std::printf("    Read only: true\n");
    if (!text(descriptor, "additional_constraints").empty()) {
      std::printf("    Additional constraints: %s\n", text(descriptor, "additional_constraints").c_str());
    }
  }
  return 0;
}

/// A tree of names cut at their dots, printed as nested YAML.
struct Tree {
  std::map<std::string, Tree> branches;
  std::string value;

  void print(std::string& text, const std::string& margin) const {
    for (const auto& [name, branch] : branches) {
      text += margin + yaml_scalar(name) + ":" + (branch.value.empty() ? "" : " " + branch.value) + "\n";
      branch.print(text, margin + "  ");
    }
  }
};

int dump(const Arguments& arguments) {
  Session session;
  ParameterClient client(session, node_argument(session, arguments));
  const auto names = client.names();
  const auto values = client.get(names);
  Tree tree;
  for (std::size_t i = 0; i < names.size() && i < values.size(); ++i) {
    Tree* branch = &tree;
    for (std::size_t start = 0; start <= names[i].size();) {
      const auto end = std::min(names[i].find('.', start), names[i].size());
      branch = &branch->branches[names[i].substr(start, end - start)];
      start = end + 1;
    }
    branch->value = value_text(values[i]);
  }
  std::string text = client.node() + ":\n  ros__parameters:\n";
  tree.print(text, "    ");
  std::printf("%s", text.c_str());
  return 0;
}

/// The ros__parameters of a file that are meant for a node.
YAML::Node parameters_for(const YAML::Node& file, const std::string& node, const std::string& path) {
  std::vector<std::string> known;
  for (const std::string& key : {node, node.substr(1), std::string("/**")}) {
    if (file.IsMap() && file[key] && file[key].IsMap() && file[key]["ros__parameters"])
      return file[key]["ros__parameters"];
  }
  if (file.IsMap()) {
    for (const auto& entry : file) known.push_back(entry.first.as<std::string>());
  }
  throw CommandError(path + " has no ros__parameters for '" + node + "' or '/**' (it has: " + joined(known) + ")");
}

int load(const Arguments& arguments) {
  Session session;
  const auto& path = arguments.positional[1];
  const auto file = parse_yaml_file(path);
  ParameterClient client(session, node_argument(session, arguments));
  const auto all = parameters(session.types(), parameters_for(file, client.node(), path));
  const auto reasons = client.set(all);
  bool failed = false;
  for (std::size_t i = 0; i < reasons.size() && i < all.size(); ++i) {
    const auto& name = text(all[i], "name");
    if (reasons[i].empty()) {
      std::printf("Set parameter %s successful\n", name.c_str());
    } else {
      failed = true;
      std::printf("Set parameter %s failed: %s\n", name.c_str(), reasons[i].c_str());
    }
  }
  return failed ? 1 : 0;
}

int remove(const Arguments& arguments) {
  Session session;
  ParameterClient client(session, node_argument(session, arguments));
  auto unset = make_message(session.types().find("rcl_interfaces/msg/Parameter"));
  member(unset, "name").content = arguments.positional[1];
  const auto reasons = client.set({unset});
  if (reasons.size() == 1 && reasons[0].empty()) {
    std::printf("Deleted parameter successfully\n");
    return 0;
  }
  throw CommandError("Deleting parameter failed: " + (reasons.empty() ? "no answer" : reasons[0]));
}

}  // namespace

Command param_command() {
  const Option spin_time = spin_time_option();
  return Command("param", "Looks at parameters of nodes, and changes them.",
                 {{"list",
                   "[NODE]",
                   "names of a node's parameters, or of all nodes'",
                   {{"param-prefixes", 0, "PREFIX", "only names that start so (may be repeated)"}, spin_time},
                   list_parameters},
                  {"get", "NODE NAME", "value of a parameter", {{"hide-type", 0, "", "only the value"}}, get},
                  {"set", "NODE NAME VALUE", "change a parameter", {}, set},
                  {"describe", "NODE NAME [...]", "type, range and description of parameters", {}, describe_parameters},
                  {"dump", "NODE", "all values of a node as a parameter file", {}, dump},
                  {"load", "NODE FILE", "set the values of a parameter file", {}, load},
                  {"delete", "NODE NAME", "remove a parameter", {}, remove}});
}

}  // namespace ros2cli

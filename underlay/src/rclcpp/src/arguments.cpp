// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/detail/arguments.hpp"

#include <algorithm>
#include <stdexcept>

#include "rclcpp/detail/log_output.hpp"
#include "rclcpp/exceptions.hpp"

namespace rclcpp {
namespace detail {
namespace {

/// `left:=right`
std::pair<std::string, std::string> split_rule(const std::string& rule) {
  const size_t assign = rule.find(":=");
  if (assign == std::string::npos) {
    throw std::invalid_argument("there is no ':=' in it");
  }
  if (assign == 0) {
    throw std::invalid_argument("there is no name before ':='");
  }
  return {rule.substr(0, assign), rule.substr(assign + 2)};
}

/// Takes the `node:` off the left side of a rule, but not the `rostopic:` of `rostopic://x`.
std::optional<std::string> take_node_prefix(std::string& left) {
  const size_t colon = left.find(':');
  if (colon == std::string::npos || left.compare(colon, 3, "://") == 0) {
    return std::nullopt;
  }
  const std::string node = left.substr(0, colon);
  left.erase(0, colon + 1);
  return node;
}

void require(const std::string& name, const std::optional<NameProblem>& problem) {
  if (problem) {
    throw std::invalid_argument("'" + name + "' " + problem->what + " (character " +
                                std::to_string(problem->index + 1) + ")");
  }
}

bool take_scheme(std::string& left, const std::string& scheme) {
  if (left.compare(0, scheme.size(), scheme) != 0) {
    return false;
  }
  left.erase(0, scheme.size());
  return true;
}

RemapRule parse_remap(const std::string& text) {
  auto [left, right] = split_rule(text);
  RemapRule rule{RemapRule::Kind::TopicOrService, "", "", right};
  if (const auto node = take_node_prefix(left)) {
    require(*node, check_node_name(*node));
    rule.node = *node;
  }
  if (left == "__ns") {
    rule.kind = RemapRule::Kind::Namespace;
    require(right, check_namespace(right));
    return rule;
  }
  if (left == "__node" || left == "__name") {
    rule.kind = RemapRule::Kind::NodeName;
    require(right, check_node_name(right));
    return rule;
  }
  if (take_scheme(left, "rostopic://")) {
    rule.kind = RemapRule::Kind::Topic;
  } else if (take_scheme(left, "rosservice://")) {
    rule.kind = RemapRule::Kind::Service;
  }
  require(left, check_topic_name(left));
  require(right, check_topic_name(right));
  rule.match = left;
  return rule;
}

ParameterOverride parse_parameter(const std::string& text) {
  auto [left, right] = split_rule(text);
  std::string node = take_node_prefix(left).value_or("/**");
  if (left.empty() || node.empty()) {
    throw std::invalid_argument("write name:=value or node:name:=value");
  }
  if (node[0] != '/') {
    node = "/" + node;
  }
  return {node, left, parse_parameter_value(right)};
}

void parse_log_level(const std::string& text, Arguments& result) {
  if (text.find(":=") == std::string::npos) {
    result.log_level = log_level_from_string(text);
    return;
  }
  const auto [name, level] = split_rule(text);
  result.logger_levels.emplace_back(name, log_level_from_string(level));
}

void add_file(const std::string& path, Arguments& result) {
  auto overrides = read_parameter_file(path);
  std::move(overrides.begin(), overrides.end(), std::back_inserter(result.parameters));
}

/// A flag without a value; false if there is none of this name.
bool parse_switch(const std::string& flag, Arguments& result) {
  const bool enable = flag.compare(0, 9, "--enable-") == 0;
  if (!enable && flag.compare(0, 10, "--disable-") != 0) {
    return false;
  }
  const std::string what = flag.substr(enable ? 9 : 10);
  if (what == "rosout-logs") {
    result.rosout_logs = enable;
  } else if (what == "stdout-logs") {
    result.console_logs = enable;
  } else {
    return what == "external-lib-logs";  // there is no such library here; launch files may still mention it
  }
  return true;
}

using ParseValue = void (*)(const std::string& value, Arguments& result);

/// What to do with the value after a flag; null if there is no such flag.
ParseValue value_parser(const std::string& flag) {
  if (flag == "-r" || flag == "--remap") {
    return [](const std::string& value, Arguments& result) { result.remaps.push_back(parse_remap(value)); };
  }
  if (flag == "-p" || flag == "--param") {
    return [](const std::string& value, Arguments& result) { result.parameters.push_back(parse_parameter(value)); };
  }
  if (flag == "--params-file") {
    return add_file;
  }
  if (flag == "--log-level") {
    return parse_log_level;
  }
  if (flag == "-e" || flag == "--enclave") {
    return [](const std::string& value, Arguments& result) { result.enclave = value; };
  }
  return nullptr;
}

/// Calls `ros` for each argument inside of `--ros-args ... --` (with the possibility to take the next one) and `other`
/// for each outside.
template <class Ros, class Other>
void walk(const std::vector<std::string>& arguments, Ros ros, Other other) {
  bool inside = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--ros-args") {
      inside = true;
    } else if (inside && arguments[i] == "--") {
      inside = false;
    } else if (inside) {
      ros(i);
    } else {
      other(arguments[i]);
    }
  }
}

}  // namespace

Arguments parse_arguments(const std::vector<std::string>& arguments) {
  Arguments result;
  std::vector<std::string> unknown;
  const auto ros = [&](size_t& i) {
    const std::string& flag = arguments[i];
    const ParseValue parse = value_parser(flag);
    if (!parse) {
      if (!parse_switch(flag, result)) {
        unknown.push_back(flag);
      }
      return;
    }
    if (i + 1 == arguments.size() || arguments[i + 1] == "--") {
      throw exceptions::RCLInvalidROSArgsError("ROS argument '" + flag + "' needs a value behind it");
    }
    const std::string& value = arguments[++i];
    try {
      parse(value, result);
    } catch (const std::exception& error) {
      throw exceptions::RCLInvalidROSArgsError("ROS argument '" + flag + " " + value + "': " + error.what());
    }
  };
  walk(arguments, ros, [&](const std::string& argument) { result.others.push_back(argument); });
  if (!unknown.empty()) {
    throw exceptions::UnknownROSArgsError(unknown);
  }
  return result;
}

std::vector<std::string> without_ros_arguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> others;
  walk(
      arguments, [](size_t&) {}, [&](const std::string& argument) { others.push_back(argument); });
  return others;
}

void apply_log_arguments(const Arguments& arguments) {
  if (arguments.log_level) {
    set_default_log_level(*arguments.log_level);
  }
  for (const auto& [name, level] : arguments.logger_levels) {
    set_log_level(name, level);
  }
  set_console_output(arguments.console_logs);
}

}  // namespace detail
}  // namespace rclcpp

// SPDX-License-Identifier: Apache-2.0
#include "parameter_relay.hpp"

#include <utility>

namespace hl_remote {
namespace {

constexpr auto kDeadline = std::chrono::seconds(3);

/// `/robot1/walking.gait.period` -> node, parameter; an empty node if there is no dot.
std::pair<std::string, std::string> split(const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return {{}, name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

foxglove::Value value_of(const rclcpp::Parameter& parameter) {
  switch (parameter.get_type()) {
    case rclcpp::ParameterType::PARAMETER_BOOL:
      return parameter.as_bool();
    case rclcpp::ParameterType::PARAMETER_INTEGER:
      return parameter.as_int();
    case rclcpp::ParameterType::PARAMETER_DOUBLE:
      return parameter.as_double();
    case rclcpp::ParameterType::PARAMETER_STRING:
      return parameter.as_string();
    case rclcpp::ParameterType::PARAMETER_BYTE_ARRAY:
      return parameter.as_byte_array();
    case rclcpp::ParameterType::PARAMETER_BOOL_ARRAY:
      return parameter.as_bool_array();
    case rclcpp::ParameterType::PARAMETER_INTEGER_ARRAY:
      return parameter.as_integer_array();
    case rclcpp::ParameterType::PARAMETER_DOUBLE_ARRAY:
      return parameter.as_double_array();
    case rclcpp::ParameterType::PARAMETER_STRING_ARRAY:
      return parameter.as_string_array();
    default:
      return {};
  }
}

rclcpp::Parameter parameter_of(const std::string& name, const foxglove::Value& value) {
  return std::visit(
      [&](const auto& content) {
        if constexpr (std::is_same_v<std::decay_t<decltype(content)>, std::monostate>)
          return rclcpp::Parameter(name);
        else
          return rclcpp::Parameter(name, content);
      },
      value);
}

}  // namespace

std::set<std::string> ParameterRelay::nodes() const {
  std::set<std::string> result;
  for (const std::string& name : node_.get_node_names())
    if (name.find("/_") == std::string::npos && name != node_.get_fully_qualified_name()) result.insert(name);
  return result;
}

rclcpp::AsyncParametersClient& ParameterRelay::client(const std::string& node) {
  auto& client = clients_[node];
  if (!client) client = std::make_shared<rclcpp::AsyncParametersClient>(&node_, node);
  return *client;
}

void ParameterRelay::get(const std::vector<std::string>& names, Robots::Values answer) {
  auto question = std::make_shared<Question>();
  question->answer = std::move(answer);
  question->since = std::chrono::steady_clock::now();
  const auto there = nodes();
  std::map<std::string, std::vector<std::string>> wanted;
  for (const std::string& name : names) {
    const auto [node, parameter] = split(name);
    if (there.count(node) != 0) wanted[node].push_back(parameter);
  }
  if (names.empty())
    for (const std::string& node : there) wanted[node];
  for (const auto& [node, parameters] : wanted) question->waiting_for.insert(node);
  questions_.insert(question);
  for (const auto& [node, parameters] : wanted) ask_node(question, node, parameters);
}

void ParameterRelay::ask_node(const QuestionPtr& question, const std::string& node,
                              const std::vector<std::string>& names) {
  if (!names.empty()) return ask_values(question, node, names);
  client(node).list_parameters({}, 0, [this, question, node](auto future) {
    const auto listed = future.get().names;
    if (listed.empty()) return done(question, node);
    ask_values(question, node, listed);
  });
}

void ParameterRelay::ask_values(const QuestionPtr& question, const std::string& node,
                                const std::vector<std::string>& names) {
  client(node).get_parameters(names, [this, question, node](auto future) {
    for (const rclcpp::Parameter& parameter : future.get())
      question->values.push_back({node + "." + parameter.get_name(), value_of(parameter)});
    done(question, node);
  });
}

void ParameterRelay::set(const std::vector<foxglove::Parameter>& parameters, const Robots::Changed& answer) {
  /// What is asked of all nodes concerned.
  struct Change {
    std::vector<std::string> names, refusals;
    std::size_t waiting = 0;  // nodes that have not answered yet
  };
  std::map<std::string, std::vector<rclcpp::Parameter>> by_node;
  const auto change = std::make_shared<Change>();
  const auto there = nodes();
  for (const foxglove::Parameter& parameter : parameters) {
    const auto [node, name] = split(parameter.name);
    if (there.count(node) == 0) {
      change->refusals.push_back(parameter.name + ": there is no such node");
      continue;
    }
    by_node[node].push_back(parameter_of(name, parameter.value));
    change->names.push_back(parameter.name);
  }
  // Whatever the nodes made of it, the clients are told what is in force then.
  change->waiting = by_node.size();
  if (by_node.empty()) return answer({}, change->refusals);
  for (const auto& [node, values] : by_node) {
    client(node).set_parameters(values, [this, change, answer, node = node, values = values](auto future) {
      const auto results = future.get();
      for (std::size_t i = 0; i < results.size() && i < values.size(); ++i)
        if (!results[i].successful)
          change->refusals.push_back(node + "." + values[i].get_name() + ": " + results[i].reason);
      if (--change->waiting > 0) return;
      get(change->names,
          [change, answer](const std::vector<foxglove::Parameter>& now) { answer(now, change->refusals); });
    });
  }
}

void ParameterRelay::done(const QuestionPtr& question, const std::string& node) {
  question->waiting_for.erase(node);
  if (!question->waiting_for.empty() || questions_.erase(question) == 0) return;
  question->answer(question->values);
}

void ParameterRelay::poll() {
  const auto now = std::chrono::steady_clock::now();
  for (auto question = questions_.begin(); question != questions_.end();) {
    if (now - (*question)->since < kDeadline && !(*question)->waiting_for.empty()) {
      ++question;
      continue;
    }
    const QuestionPtr over = *question;
    question = questions_.erase(question);
    over->answer(over->values);
  }
}

}  // namespace hl_remote

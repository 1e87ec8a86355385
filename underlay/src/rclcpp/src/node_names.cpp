// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/detail/node_names.hpp"

#include <algorithm>
#include <utility>

#include "rclcpp/exceptions.hpp"

namespace rclcpp {
namespace detail {
namespace {

constexpr size_t kLongestName = 247;  // a DDS topic name has 255 characters, of which ROS takes some
constexpr size_t kLongestNodeName = 255;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

/// The rules for `/a/b_1`; `name` is not empty and starts with a slash.
std::optional<NameProblem> check_absolute(const std::string& name) {
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '/' && !is_word(name[i])) {
      return NameProblem{"only letters, digits, '_' and '/' are allowed", i};
    }
    if (i > 0 && name[i - 1] == '/') {
      if (name[i] == '/') {
        return NameProblem{"there must not be two slashes in a row", i};
      }
      if (is_digit(name[i])) {
        return NameProblem{"no part of the name may start with a digit", i};
      }
    }
  }
  if (name.size() > 1 && name.back() == '/') {
    return NameProblem{"must not end with a slash", name.size() - 1};
  }
  if (name.size() > kLongestName) {
    return NameProblem{"must not be longer than 247 characters", kLongestName};
  }
  return std::nullopt;
}

/// A `{word}` that starts at `open`; `close` becomes the index of its end.
std::optional<NameProblem> check_substitution(const std::string& name, size_t open, size_t& close) {
  close = open + 1;
  while (close < name.size() && is_word(name[close])) {
    ++close;
  }
  if (close == name.size() || name[close] != '}') {
    return NameProblem{"'{' must be followed by a word and '}'", open};
  }
  if (close == open + 1 || is_digit(name[open + 1])) {
    return NameProblem{"there must be a word between '{' and '}' that does not start with a digit", open + 1};
  }
  return std::nullopt;
}

}  // namespace

std::optional<NameProblem> check_node_name(const std::string& name) {
  if (name.empty()) {
    return NameProblem{"must not be empty", 0};
  }
  const auto bad = std::find_if_not(name.begin(), name.end(), is_word);
  if (bad != name.end()) {
    return NameProblem{"only letters, digits and '_' are allowed", static_cast<size_t>(bad - name.begin())};
  }
  if (is_digit(name[0])) {
    return NameProblem{"must not start with a digit", 0};
  }
  if (name.size() > kLongestNodeName) {
    return NameProblem{"must not be longer than 255 characters", kLongestNodeName};
  }
  return std::nullopt;
}

std::optional<NameProblem> check_namespace(const std::string& name) {
  if (name.empty() || name[0] != '/') {
    return NameProblem{"must start with a slash", 0};
  }
  return check_absolute(name);
}

std::optional<NameProblem> check_topic_name(const std::string& name) {
  if (name.empty()) {
    return NameProblem{"must not be empty", 0};
  }
  if (name.back() == '/') {
    return NameProblem{"must not end with a slash", name.size() - 1};
  }
  for (size_t i = 0; i < name.size(); ++i) {
    const char before = i == 0 ? '/' : name[i - 1];
    if (name[i] == '{') {
      if (const auto problem = check_substitution(name, i, i)) {
        return problem;
      }
    } else if (name[i] == '~') {
      if (i != 0) {
        return NameProblem{"'~' is allowed only as the first character", i};
      }
      if (name.size() > 1 && name[1] != '/') {
        return NameProblem{"'~' must be followed by a slash", 1};
      }
    } else if (name[i] != '/' && !is_word(name[i])) {
      return NameProblem{"only letters, digits, '_', '/', '~' and '{}' are allowed", i};
    } else if (before == '/' && is_digit(name[i])) {
      return NameProblem{"no part of the name may start with a digit", i};
    } else if (i > 0 && before == '/' && name[i] == '/') {
      return NameProblem{"there must not be two slashes in a row", i};
    }
  }
  return std::nullopt;
}

NodeNames::NodeNames(const std::string& name, const std::string& namespace_, std::vector<RemapRule> rules)
    : rules_(std::move(rules)), name_(name), namespace__(namespace_) {
  if (const auto* rule = find(RemapRule::Kind::NodeName)) {
    name_ = rule->replacement;
  }
  if (const auto* rule = find(RemapRule::Kind::Namespace)) {
    namespace__ = rule->replacement;
  }
  if (namespace__.empty() || namespace__[0] != '/') {
    namespace__ = "/" + namespace__;
  }
  if (const auto problem = check_node_name(name_)) {
    throw exceptions::InvalidNodeNameError(name_.c_str(), problem->what, problem->index);
  }
  if (const auto problem = check_namespace(namespace__)) {
    throw exceptions::InvalidNamespaceError(namespace__.c_str(), problem->what, problem->index);
  }
}

std::string NodeNames::fully_qualified_name() const {
  return (namespace__ == "/" ? "" : namespace__) + "/" + name_;
}

std::string NodeNames::logger_name() const {
  std::string name = fully_qualified_name().substr(1);
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

const RemapRule* NodeNames::find(RemapRule::Kind kind) const {
  for (const auto& rule : rules_) {
    if (rule.kind == kind && (rule.node.empty() || rule.node == name_)) {
      return &rule;
    }
  }
  return nullptr;
}

std::string NodeNames::topic(const std::string& name, bool only_expand) const {
  const std::string expanded = expand_topic_or_service_name(name, name_, namespace__, false);
  return only_expand ? expanded : remap(expanded, false);
}

std::string NodeNames::service(const std::string& name, bool only_expand) const {
  const std::string expanded = expand_topic_or_service_name(name, name_, namespace__, true);
  return only_expand ? expanded : remap(expanded, true);
}

std::string NodeNames::remap(const std::string& expanded, bool is_service) const {
  for (const auto& rule : rules_) {
    const bool right_kind = rule.kind == RemapRule::Kind::TopicOrService ||
                            rule.kind == (is_service ? RemapRule::Kind::Service : RemapRule::Kind::Topic);
    if (right_kind && (rule.node.empty() || rule.node == name_) &&
        expand_topic_or_service_name(rule.match, name_, namespace__, is_service) == expanded) {
      return expand_topic_or_service_name(rule.replacement, name_, namespace__, is_service);
    }
  }
  return expanded;
}

}  // namespace detail

std::string expand_topic_or_service_name(const std::string& name, const std::string& node_name,
                                         const std::string& namespace_, bool is_service) {
  const auto refuse_if = [&](const std::string& bad, const std::optional<detail::NameProblem>& problem) {
    if (problem && is_service) {
      throw exceptions::InvalidServiceNameError(bad.c_str(), problem->what, problem->index);
    }
    if (problem) {
      throw exceptions::InvalidTopicNameError(bad.c_str(), problem->what, problem->index);
    }
  };
  refuse_if(name, detail::check_topic_name(name));
  if (const auto problem = detail::check_node_name(node_name)) {
    throw exceptions::InvalidNodeNameError(node_name.c_str(), problem->what, problem->index);
  }
  if (const auto problem = detail::check_namespace(namespace_)) {
    throw exceptions::InvalidNamespaceError(namespace_.c_str(), problem->what, problem->index);
  }

  const std::string root = namespace_ == "/" ? "" : namespace_;
  std::string expanded;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '~') {
      expanded += root + "/" + node_name;
    } else if (name[i] == '{') {
      const size_t close = name.find('}', i);
      const std::string word = name.substr(i + 1, close - i - 1);
      if (word == "node") {
        expanded += node_name;
      } else if (word == "ns" || word == "namespace") {
        expanded += namespace_;
      } else {
        refuse_if(name, detail::NameProblem{"the substitutions are {node}, {ns} and {namespace}", i});
      }
      i = close;
    } else {
      expanded += name[i];
    }
  }
  if (expanded[0] != '/') {
    expanded = root + "/" + expanded;
  }
  refuse_if(expanded, detail::check_namespace(expanded));
  return expanded;
}

}  // namespace rclcpp

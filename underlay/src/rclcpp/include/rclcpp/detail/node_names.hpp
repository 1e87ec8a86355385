// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rclcpp/expand_topic_or_service_name.hpp"

namespace rclcpp {
namespace detail {

/// One `-r [node:]match:=replacement`.
struct RemapRule {
  enum class Kind { TopicOrService, Topic, Service, NodeName, Namespace };
  Kind kind;
  std::string node;  // applies only to nodes of this name; empty = to all
  std::string match;
  std::string replacement;
};

/// What is wrong with a name, and at which character.
struct NameProblem {
  const char* what;
  size_t index;
};

std::optional<NameProblem> check_node_name(const std::string& name);
std::optional<NameProblem> check_namespace(const std::string& name);  // absolute
/// A topic or service name as written in code: relative, absolute or private, with substitutions.
std::optional<NameProblem> check_topic_name(const std::string& name);

/// Who a node is after remapping, and what names mean to it.
class NodeNames {
 public:
  /// Of several rules that fit the first wins, so the node's own rules stand before those of the process.
  NodeNames(const std::string& name, const std::string& namespace_, std::vector<RemapRule> rules);

  const std::string& name() const { return name_; }
  const std::string& namespace_() const { return namespace__; }
  std::string fully_qualified_name() const;
  std::string logger_name() const;  // /robot/walking -> robot.walking

  std::string topic(const std::string& name, bool only_expand = false) const;
  std::string service(const std::string& name, bool only_expand = false) const;

 private:
  const RemapRule* find(RemapRule::Kind kind) const;
  std::string remap(const std::string& expanded, bool is_service) const;

  std::vector<RemapRule> rules_;
  std::string name_;
  std::string namespace__;
};

}  // namespace detail
}  // namespace rclcpp

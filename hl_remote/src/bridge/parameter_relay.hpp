// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <rclcpp/rclcpp.hpp>
#include <set>
#include <string>
#include <vector>

#include "hl_remote/bridge.hpp"

namespace hl_remote {

/// Parameters of all nodes as `/robot1/walking.period`. Each question has its own deadline, so a node that does not
/// answer holds up nobody. Only nodes that are there are asked, whatever names clients make up. In the node's thread.
class ParameterRelay {
 public:
  explicit ParameterRelay(rclcpp::Node& node) : node_(node) {}

  /// All nodes' parameters if `names` is empty.
  void get(const std::vector<std::string>& names, Robots::Values answer);
  /// Answers with what is in force afterwards.
  void set(const std::vector<foxglove::Parameter>& parameters, const Robots::Changed& answer);
  /// Ends questions whose time is over; often.
  void poll();

 private:
  /// One question to several nodes; answered when all have spoken or the time is over.
  struct Question {
    Robots::Values answer;
    std::set<std::string> waiting_for;  // nodes
    std::vector<foxglove::Parameter> values;
    std::chrono::steady_clock::time_point since;
  };
  using QuestionPtr = std::shared_ptr<Question>;

  rclcpp::AsyncParametersClient& client(const std::string& node);
  void ask_node(const QuestionPtr& question, const std::string& node, const std::vector<std::string>& names);
  void ask_values(const QuestionPtr& question, const std::string& node, const std::vector<std::string>& names);
  void done(const QuestionPtr& question, const std::string& node);
  std::set<std::string> nodes() const;

  rclcpp::Node& node_;
  std::map<std::string, std::shared_ptr<rclcpp::AsyncParametersClient>> clients_;
  std::set<QuestionPtr> questions_;
};

}  // namespace hl_remote

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rclcpp/rclcpp.hpp>
#include <string>
#include <vector>

#include "contract_check.hpp"

namespace hl_bringup {

/// The namespaces in which somebody sends or takes `motor_goals`: "/", or one for each of several robots.
std::vector<std::string> robots_in(rclcpp::Node& node);

/// Looks at the running graph from a robot's namespace ("/" or "/robot1"). The node that looks is left out.
GraphView view_of(rclcpp::Node& node, const std::string& robot_namespace);

/// The graph as a DOT picture: a box for each node, one arrow for all topics between two, and in small print the topics
/// that nobody else takes or gives.
std::string to_dot(const GraphView& graph);

}  // namespace hl_bringup

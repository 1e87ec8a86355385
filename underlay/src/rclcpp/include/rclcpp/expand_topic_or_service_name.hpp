// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace rclcpp {

/// The absolute name that `name` means inside the node: relative names go into its namespace, `~` is the node itself,
/// `{node}` and `{ns}` are replaced. Throws the exceptions:: type of whatever name is bad.
std::string expand_topic_or_service_name(const std::string& name, const std::string& node_name,
                                         const std::string& namespace_, bool is_service = false);

}  // namespace rclcpp

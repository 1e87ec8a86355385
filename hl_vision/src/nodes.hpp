// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <rclcpp/rclcpp.hpp>

namespace hl_vision {

/// The components, for programs that compose them without a container.
std::shared_ptr<rclcpp::Node> make_detection_node(const rclcpp::NodeOptions& options);
std::shared_ptr<rclcpp::Node> make_transform_node(const rclcpp::NodeOptions& options);

}  // namespace hl_vision

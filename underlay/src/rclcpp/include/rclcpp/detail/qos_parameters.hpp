// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "rclcpp/qos_overriding_options.hpp"

namespace rclcpp {

namespace node_interfaces {
class NodeParametersInterface;
}

namespace detail {

enum class EndpointKind { Publisher, Subscription };

/// `qos` with what the node's parameters say; declares them. `topic` is resolved. Throws std::invalid_argument for an
/// unknown value, InvalidQosOverridesException if the validation refuses the result. Without parameters nothing can be
/// overridden, which is said in the log.
QoS override_qos(const QosOverridingOptions& options, node_interfaces::NodeParametersInterface* parameters,
                 const std::string& topic, const QoS& qos, EndpointKind kind);

}  // namespace detail
}  // namespace rclcpp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <vector>

#include "rcl_interfaces/msg/set_parameters_result.hpp"
#include "rclcpp/qos.hpp"

namespace rclcpp {

enum class QosPolicyKind {
  AvoidRosNamespaceConventions = RMW_QOS_POLICY_AVOID_ROS_NAMESPACE_CONVENTIONS,
  Deadline = RMW_QOS_POLICY_DEADLINE,
  Depth = RMW_QOS_POLICY_DEPTH,
  Durability = RMW_QOS_POLICY_DURABILITY,
  History = RMW_QOS_POLICY_HISTORY,
  Lifespan = RMW_QOS_POLICY_LIFESPAN,
  Liveliness = RMW_QOS_POLICY_LIVELINESS,
  LivelinessLeaseDuration = RMW_QOS_POLICY_LIVELINESS_LEASE_DURATION,
  Reliability = RMW_QOS_POLICY_RELIABILITY,
  Invalid = RMW_QOS_POLICY_INVALID,
};

/// As it stands in a parameter's name, e.g. "reliability".
const char* qos_policy_kind_to_cstr(const QosPolicyKind& kind);
std::ostream& operator<<(std::ostream& os, const QosPolicyKind& kind);

using QosCallbackResult = rcl_interfaces::msg::SetParametersResult;
using QosCallback = std::function<QosCallbackResult(const QoS&)>;

/// Which policies of an endpoint read-only parameters of its node may replace when it is made:
/// `qos_overrides./the/topic.publisher.depth`, or `.publisher_ID.` and `.subscription.`. Durations are nanoseconds.
class QosOverridingOptions {
 public:
  QosOverridingOptions() = default;
  /// `validation_callback` judges the result; `id` tells two endpoints of one topic apart.
  QosOverridingOptions(std::initializer_list<QosPolicyKind> policy_kinds, QosCallback validation_callback = nullptr,
                       std::string id = {});
  /// History, depth and reliability.
  static QosOverridingOptions with_default_policies(QosCallback validation_callback = nullptr, std::string id = {});

  const std::string& get_id() const { return id_; }
  const std::vector<QosPolicyKind>& get_policy_kinds() const { return policy_kinds_; }
  const QosCallback& get_validation_callback() const { return validation_callback_; }

 private:
  std::string id_;
  std::vector<QosPolicyKind> policy_kinds_;
  QosCallback validation_callback_;
};

}  // namespace rclcpp

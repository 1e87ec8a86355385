// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/detail/qos_parameters.hpp"

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "rclcpp/exceptions.hpp"
#include "rclcpp/logging.hpp"
#include "rclcpp/node_interfaces/node_parameters_interface.hpp"

namespace rclcpp {
namespace {

/// The words of a policy, as parameter files spell them.
template <class Policy>
struct Word {
  Policy value;
  const char* text;
};

constexpr Word<HistoryPolicy> history_words[] = {{HistoryPolicy::SystemDefault, "system_default"},
                                                 {HistoryPolicy::KeepLast, "keep_last"},
                                                 {HistoryPolicy::KeepAll, "keep_all"}};
constexpr Word<ReliabilityPolicy> reliability_words[] = {{ReliabilityPolicy::SystemDefault, "system_default"},
                                                         {ReliabilityPolicy::Reliable, "reliable"},
                                                         {ReliabilityPolicy::BestEffort, "best_effort"}};
constexpr Word<DurabilityPolicy> durability_words[] = {{DurabilityPolicy::SystemDefault, "system_default"},
                                                       {DurabilityPolicy::TransientLocal, "transient_local"},
                                                       {DurabilityPolicy::Volatile, "volatile"}};
constexpr Word<LivelinessPolicy> liveliness_words[] = {{LivelinessPolicy::SystemDefault, "system_default"},
                                                       {LivelinessPolicy::Automatic, "automatic"},
                                                       {LivelinessPolicy::ManualByTopic, "manual_by_topic"}};

template <class Policy, std::size_t n>
ParameterValue word_of(const Word<Policy> (&words)[n], Policy value, QosPolicyKind kind) {
  for (const auto& word : words) {
    if (word.value == value) return ParameterValue(word.text);
  }
  throw std::invalid_argument(std::string("unknown value of the qos policy ") + qos_policy_kind_to_cstr(kind));
}

template <class Policy, std::size_t n>
Policy policy_of(const Word<Policy> (&words)[n], const ParameterValue& value, QosPolicyKind kind) {
  const auto text = value.get<std::string>();
  std::string known;
  for (const auto& word : words) {
    if (text == word.text) return word.value;
    known += known.empty() ? word.text : std::string(", ") + word.text;
  }
  throw std::invalid_argument("unknown value '" + text + "' of the qos policy " + qos_policy_kind_to_cstr(kind) +
                              "; there are: " + known);
}

ParameterValue default_of(QosPolicyKind kind, const QoS& qos) {
  switch (kind) {
    case QosPolicyKind::AvoidRosNamespaceConventions:
      return ParameterValue(qos.avoid_ros_namespace_conventions());
    case QosPolicyKind::Deadline:
      return ParameterValue(qos.deadline().nanoseconds());
    case QosPolicyKind::Depth:
      return ParameterValue(static_cast<int64_t>(qos.depth()));
    case QosPolicyKind::Durability:
      return word_of(durability_words, qos.durability(), kind);
    case QosPolicyKind::History:
      return word_of(history_words, qos.history(), kind);
    case QosPolicyKind::Lifespan:
      return ParameterValue(qos.lifespan().nanoseconds());
    case QosPolicyKind::Liveliness:
      return word_of(liveliness_words, qos.liveliness(), kind);
    case QosPolicyKind::LivelinessLeaseDuration:
      return ParameterValue(qos.liveliness_lease_duration().nanoseconds());
    case QosPolicyKind::Reliability:
      return word_of(reliability_words, qos.reliability(), kind);
    case QosPolicyKind::Invalid:
      break;
  }
  throw std::invalid_argument("unknown QosPolicyKind");
}

void apply(QosPolicyKind kind, const ParameterValue& value, QoS& qos) {
  switch (kind) {
    case QosPolicyKind::AvoidRosNamespaceConventions:
      qos.avoid_ros_namespace_conventions(value.get<bool>());
      return;
    case QosPolicyKind::Deadline:
      qos.deadline(Duration::from_nanoseconds(value.get<int64_t>()));
      return;
    case QosPolicyKind::Depth: {
      const auto depth = value.get<int64_t>();
      if (depth < 0) throw std::invalid_argument("the qos policy depth cannot be " + std::to_string(depth));
      qos.get_rmw_qos_profile().depth = static_cast<std::size_t>(depth);
      return;
    }
    case QosPolicyKind::Durability:
      qos.durability(policy_of(durability_words, value, kind));
      return;
    case QosPolicyKind::History:
      qos.history(policy_of(history_words, value, kind));
      return;
    case QosPolicyKind::Lifespan:
      qos.lifespan(Duration::from_nanoseconds(value.get<int64_t>()));
      return;
    case QosPolicyKind::Liveliness:
      qos.liveliness(policy_of(liveliness_words, value, kind));
      return;
    case QosPolicyKind::LivelinessLeaseDuration:
      qos.liveliness_lease_duration(Duration::from_nanoseconds(value.get<int64_t>()));
      return;
    case QosPolicyKind::Reliability:
      qos.reliability(policy_of(reliability_words, value, kind));
      return;
    case QosPolicyKind::Invalid:
      break;
  }
  throw std::invalid_argument("unknown QosPolicyKind");
}

}  // namespace

const char* qos_policy_kind_to_cstr(const QosPolicyKind& kind) {
  switch (kind) {
    case QosPolicyKind::AvoidRosNamespaceConventions:
      return "avoid_ros_namespace_conventions";
    case QosPolicyKind::Deadline:
      return "deadline";
    case QosPolicyKind::Depth:
      return "depth";
    case QosPolicyKind::Durability:
      return "durability";
    case QosPolicyKind::History:
      return "history";
    case QosPolicyKind::Lifespan:
      return "lifespan";
    case QosPolicyKind::Liveliness:
      return "liveliness";
    case QosPolicyKind::LivelinessLeaseDuration:
      return "liveliness_lease_duration";
    case QosPolicyKind::Reliability:
      return "reliability";
    case QosPolicyKind::Invalid:
      break;
  }
  throw std::invalid_argument("unknown QosPolicyKind");
}

std::ostream& operator<<(std::ostream& os, const QosPolicyKind& kind) {
  return os << qos_policy_kind_to_cstr(kind);
}

QosOverridingOptions::QosOverridingOptions(std::initializer_list<QosPolicyKind> policy_kinds,
                                           QosCallback validation_callback, std::string id)
    : id_(std::move(id)), policy_kinds_(policy_kinds), validation_callback_(std::move(validation_callback)) {}

QosOverridingOptions QosOverridingOptions::with_default_policies(QosCallback validation_callback, std::string id) {
  return {{QosPolicyKind::History, QosPolicyKind::Depth, QosPolicyKind::Reliability},
          std::move(validation_callback),
          std::move(id)};
}

namespace detail {

QoS override_qos(const QosOverridingOptions& options, node_interfaces::NodeParametersInterface* parameters,
                 const std::string& topic, const QoS& qos, EndpointKind kind) {
  const auto& policies = options.get_policy_kinds();
  if (parameters == nullptr) {
    if (!policies.empty()) {
      RCLCPP_WARN(get_logger("rclcpp"), "'%s': qos overrides are ignored, no parameter interface was given",
                  topic.c_str());
    }
    return qos;
  }
  QoS result = qos;
  const std::string entity = kind == EndpointKind::Publisher ? "publisher" : "subscription";
  const std::string id = options.get_id().empty() ? "" : "_" + options.get_id();
  for (const auto policy : policies) {
    if (kind == EndpointKind::Subscription && policy == QosPolicyKind::Lifespan) continue;  // the publisher's alone
    const std::string word = qos_policy_kind_to_cstr(policy);
    const std::string name = "qos_overrides." + topic + "." + entity + id + "." + word;
    if (!parameters->has_parameter(name)) {  // else another endpoint of the same topic and id has declared it
      rcl_interfaces::msg::ParameterDescriptor descriptor;
      descriptor.description = "qos policy {" + word + "} for " + entity + " {" + topic + "}" +
                               (id.empty() ? "" : " with id {" + options.get_id() + "}");
      descriptor.read_only = true;
      parameters->declare_parameter(name, default_of(policy, result), descriptor);
    }
    apply(policy, parameters->get_parameter(name).get_parameter_value(), result);
  }
  if (options.get_validation_callback()) {
    const auto verdict = options.get_validation_callback()(result);
    if (!verdict.successful) {
      throw exceptions::InvalidQosOverridesException("validation callback failed: " + verdict.reason);
    }
  }
  return result;
}

}  // namespace detail
}  // namespace rclcpp

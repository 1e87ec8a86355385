// SPDX-License-Identifier: Apache-2.0
#include "rclcpp/qos.hpp"

#include <algorithm>

#include "underlay_dds/types.hpp"

namespace rclcpp {
namespace {

constexpr std::uint64_t second = 1'000'000'000;

std::int64_t nanoseconds(const rmw_time_t& time) {
  constexpr auto limit = static_cast<std::uint64_t>(underlay_dds::infinite);
  if (time.sec > limit / second || time.sec * second + time.nsec > limit) return underlay_dds::infinite;
  return static_cast<std::int64_t>(time.sec * second + time.nsec);
}

/// Zero stands for "not said", which DDS takes as infinite.
std::int64_t or_infinite(const rmw_time_t& time) {
  const std::int64_t value = nanoseconds(time);
  return value == 0 ? underlay_dds::infinite : value;
}

rmw_time_t time_from(std::int64_t value) {
  if (value == underlay_dds::infinite) return RMW_DURATION_INFINITE;
  const auto unsigned_value = static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
  return {unsigned_value / second, unsigned_value % second};
}

bool equal(const rmw_time_t& left, const rmw_time_t& right) {
  return left.sec == right.sec && left.nsec == right.nsec;
}

}  // namespace

std::string qos_policy_name_from_kind(rmw_qos_policy_kind_t policy_kind) {
  switch (policy_kind) {
    case RMW_QOS_POLICY_DURABILITY:
      return "DURABILITY_QOS_POLICY";
    case RMW_QOS_POLICY_DEADLINE:
      return "DEADLINE_QOS_POLICY";
    case RMW_QOS_POLICY_LIVELINESS:
      return "LIVELINESS_QOS_POLICY";
    case RMW_QOS_POLICY_RELIABILITY:
      return "RELIABILITY_QOS_POLICY";
    case RMW_QOS_POLICY_HISTORY:
      return "HISTORY_QOS_POLICY";
    case RMW_QOS_POLICY_LIFESPAN:
      return "LIFESPAN_QOS_POLICY";
    default:
      return "INVALID_QOS_POLICY";
  }
}

rmw_time_t QoS::to_rmw(const Duration& duration) {
  return time_from(duration.nanoseconds());
}

Duration QoS::from_rmw(const rmw_time_t& time) {
  return Duration::from_nanoseconds(nanoseconds(time));
}

bool operator==(const QoS& left, const QoS& right) {
  const auto& l = left.get_rmw_qos_profile();
  const auto& r = right.get_rmw_qos_profile();
  return l.history == r.history && l.depth == r.depth && l.reliability == r.reliability &&
         l.durability == r.durability && equal(l.deadline, r.deadline) && equal(l.lifespan, r.lifespan) &&
         l.liveliness == r.liveliness && equal(l.liveliness_lease_duration, r.liveliness_lease_duration) &&
         l.avoid_ros_namespace_conventions == r.avoid_ros_namespace_conventions;
}

bool operator!=(const QoS& left, const QoS& right) {
  return !(left == right);
}

namespace detail {

underlay_dds::Qos to_dds(const QoS& qos) {
  const auto& profile = qos.get_rmw_qos_profile();
  underlay_dds::Qos result;
  result.history = profile.history == RMW_QOS_POLICY_HISTORY_KEEP_ALL ? underlay_dds::History::KeepAll
                                                                      : underlay_dds::History::KeepLast;
  result.depth = std::max<std::size_t>(profile.depth, 1);
  result.reliability = profile.reliability == RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT
                           ? underlay_dds::Reliability::BestEffort
                           : underlay_dds::Reliability::Reliable;
  result.durability = profile.durability == RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL
                          ? underlay_dds::Durability::TransientLocal
                          : underlay_dds::Durability::Volatile;
  result.liveliness = profile.liveliness == RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC
                          ? underlay_dds::Liveliness::ManualByTopic
                          : underlay_dds::Liveliness::Automatic;
  result.deadline = or_infinite(profile.deadline);
  result.lifespan = or_infinite(profile.lifespan);
  result.liveliness_lease = or_infinite(profile.liveliness_lease_duration);
  return result;
}

QoS from_dds(const underlay_dds::Qos& qos) {
  QoS result(qos.depth);
  if (qos.depth == 0) result.history(HistoryPolicy::Unknown);
  if (qos.history == underlay_dds::History::KeepAll) result.keep_all();
  if (qos.reliability == underlay_dds::Reliability::BestEffort) result.best_effort();
  if (qos.durability == underlay_dds::Durability::TransientLocal) result.transient_local();
  result.liveliness(qos.liveliness == underlay_dds::Liveliness::ManualByTopic ? LivelinessPolicy::ManualByTopic
                                                                              : LivelinessPolicy::Automatic);
  result.deadline(time_from(qos.deadline));
  result.lifespan(time_from(qos.lifespan));
  result.liveliness_lease_duration(time_from(qos.liveliness_lease));
  return result;
}

}  // namespace detail
}  // namespace rclcpp

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "rclcpp/duration.hpp"
#include "rmw/qos_profiles.h"
#include "rmw/types.h"

namespace underlay_dds {
struct Qos;
}

namespace rclcpp {

enum class HistoryPolicy {
  KeepLast = RMW_QOS_POLICY_HISTORY_KEEP_LAST,
  KeepAll = RMW_QOS_POLICY_HISTORY_KEEP_ALL,
  SystemDefault = RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT,
  Unknown = RMW_QOS_POLICY_HISTORY_UNKNOWN,
};

enum class ReliabilityPolicy {
  BestEffort = RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT,
  Reliable = RMW_QOS_POLICY_RELIABILITY_RELIABLE,
  SystemDefault = RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT,
  Unknown = RMW_QOS_POLICY_RELIABILITY_UNKNOWN,
};

enum class DurabilityPolicy {
  Volatile = RMW_QOS_POLICY_DURABILITY_VOLATILE,
  TransientLocal = RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL,
  SystemDefault = RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT,
  Unknown = RMW_QOS_POLICY_DURABILITY_UNKNOWN,
};

enum class LivelinessPolicy {
  Automatic = RMW_QOS_POLICY_LIVELINESS_AUTOMATIC,
  ManualByTopic = RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC,
  SystemDefault = RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT,
  Unknown = RMW_QOS_POLICY_LIVELINESS_UNKNOWN,
};

std::string qos_policy_name_from_kind(rmw_qos_policy_kind_t policy_kind);

/// History of a QoS that is being built.
struct QoSInitialization {
  QoSInitialization(rmw_qos_history_policy_e history_policy, std::size_t history_depth)
      : history_policy(history_policy), depth(history_depth) {}
  static QoSInitialization from_rmw(const rmw_qos_profile_t& profile) { return {profile.history, profile.depth}; }

  rmw_qos_history_policy_e history_policy;
  std::size_t depth;
};

struct KeepAll : public QoSInitialization {
  KeepAll() : QoSInitialization(RMW_QOS_POLICY_HISTORY_KEEP_ALL, 0) {}
};

struct KeepLast : public QoSInitialization {
  explicit KeepLast(std::size_t depth) : QoSInitialization(RMW_QOS_POLICY_HISTORY_KEEP_LAST, depth) {}
};

/// How an endpoint promises to send, or demands to receive.
class QoS {
 public:
  explicit QoS(const QoSInitialization& initialization,
               const rmw_qos_profile_t& initial_profile = rmw_qos_profile_default)
      : profile_(initial_profile) {
    profile_.history = initialization.history_policy;
    profile_.depth = initialization.depth;
  }
  QoS(std::size_t history_depth) : QoS(KeepLast(history_depth)) {}  // NOLINT(runtime/explicit)

  rmw_qos_profile_t& get_rmw_qos_profile() { return profile_; }
  const rmw_qos_profile_t& get_rmw_qos_profile() const { return profile_; }

  QoS& history(HistoryPolicy history) { return history_(static_cast<rmw_qos_history_policy_e>(history)); }
  QoS& history(rmw_qos_history_policy_e history) { return history_(history); }
  QoS& keep_last(std::size_t depth) {
    profile_.depth = depth;
    return history_(RMW_QOS_POLICY_HISTORY_KEEP_LAST);
  }
  QoS& keep_all() {
    profile_.depth = 0;
    return history_(RMW_QOS_POLICY_HISTORY_KEEP_ALL);
  }
  QoS& reliability(ReliabilityPolicy reliability) {
    return this->reliability(static_cast<rmw_qos_reliability_policy_e>(reliability));
  }
  QoS& reliability(rmw_qos_reliability_policy_e reliability) {
    profile_.reliability = reliability;
    return *this;
  }
  QoS& reliable() { return reliability(RMW_QOS_POLICY_RELIABILITY_RELIABLE); }
  QoS& best_effort() { return reliability(RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT); }
  QoS& durability(DurabilityPolicy durability) {
    return this->durability(static_cast<rmw_qos_durability_policy_e>(durability));
  }
  QoS& durability(rmw_qos_durability_policy_e durability) {
    profile_.durability = durability;
    return *this;
  }
  QoS& durability_volatile() { return durability(RMW_QOS_POLICY_DURABILITY_VOLATILE); }
  QoS& transient_local() { return durability(RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL); }
  QoS& deadline(rmw_time_t deadline) {
    profile_.deadline = deadline;
    return *this;
  }
  QoS& deadline(const Duration& deadline) { return this->deadline(to_rmw(deadline)); }
  QoS& lifespan(rmw_time_t lifespan) {
    profile_.lifespan = lifespan;
    return *this;
  }
  QoS& lifespan(const Duration& lifespan) { return this->lifespan(to_rmw(lifespan)); }
  QoS& liveliness(LivelinessPolicy liveliness) {
    return this->liveliness(static_cast<rmw_qos_liveliness_policy_e>(liveliness));
  }
  QoS& liveliness(rmw_qos_liveliness_policy_e liveliness) {
    profile_.liveliness = liveliness;
    return *this;
  }
  QoS& liveliness_lease_duration(rmw_time_t duration) {
    profile_.liveliness_lease_duration = duration;
    return *this;
  }
  QoS& liveliness_lease_duration(const Duration& duration) { return liveliness_lease_duration(to_rmw(duration)); }
  QoS& avoid_ros_namespace_conventions(bool avoid) {
    profile_.avoid_ros_namespace_conventions = avoid;
    return *this;
  }

  HistoryPolicy history() const { return static_cast<HistoryPolicy>(profile_.history); }
  std::size_t depth() const { return profile_.depth; }
  ReliabilityPolicy reliability() const { return static_cast<ReliabilityPolicy>(profile_.reliability); }
  DurabilityPolicy durability() const { return static_cast<DurabilityPolicy>(profile_.durability); }
  Duration deadline() const { return from_rmw(profile_.deadline); }
  Duration lifespan() const { return from_rmw(profile_.lifespan); }
  LivelinessPolicy liveliness() const { return static_cast<LivelinessPolicy>(profile_.liveliness); }
  Duration liveliness_lease_duration() const { return from_rmw(profile_.liveliness_lease_duration); }
  bool avoid_ros_namespace_conventions() const { return profile_.avoid_ros_namespace_conventions; }

 private:
  QoS& history_(rmw_qos_history_policy_e history) {
    profile_.history = history;
    return *this;
  }
  static rmw_time_t to_rmw(const Duration& duration);
  static Duration from_rmw(const rmw_time_t& time);

  rmw_qos_profile_t profile_;
};

bool operator==(const QoS& left, const QoS& right);
bool operator!=(const QoS& left, const QoS& right);

/// Sensor streams: best effort, small depth.
class SensorDataQoS : public QoS {
 public:
  explicit SensorDataQoS(
      const QoSInitialization& initialization = QoSInitialization::from_rmw(rmw_qos_profile_sensor_data))
      : QoS(initialization, rmw_qos_profile_sensor_data) {}
};

class ClockQoS : public QoS {
 public:
  explicit ClockQoS(const QoSInitialization& initialization = KeepLast(1))
      : QoS(initialization, rmw_qos_profile_sensor_data) {}
};

class ParametersQoS : public QoS {
 public:
  explicit ParametersQoS(
      const QoSInitialization& initialization = QoSInitialization::from_rmw(rmw_qos_profile_parameters))
      : QoS(initialization, rmw_qos_profile_parameters) {}
};

class ServicesQoS : public QoS {
 public:
  explicit ServicesQoS(
      const QoSInitialization& initialization = QoSInitialization::from_rmw(rmw_qos_profile_services_default))
      : QoS(initialization, rmw_qos_profile_services_default) {}
};

class ParameterEventsQoS : public QoS {
 public:
  explicit ParameterEventsQoS(
      const QoSInitialization& initialization = QoSInitialization::from_rmw(rmw_qos_profile_parameter_events))
      : QoS(initialization, rmw_qos_profile_parameter_events) {}
};

/// The log: latched, but nothing older than ten seconds.
class RosoutQoS : public QoS {
 public:
  explicit RosoutQoS(const QoSInitialization& initialization = KeepLast(1000)) : QoS(initialization) {
    transient_local().lifespan(rmw_time_t{10, 0});
  }
};

class SystemDefaultsQoS : public QoS {
 public:
  explicit SystemDefaultsQoS(
      const QoSInitialization& initialization = QoSInitialization::from_rmw(rmw_qos_profile_system_default))
      : QoS(initialization, rmw_qos_profile_system_default) {}
};

namespace detail {
underlay_dds::Qos to_dds(const QoS& qos);
QoS from_dds(const underlay_dds::Qos& qos);
}  // namespace detail

}  // namespace rclcpp

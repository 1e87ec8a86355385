// SPDX-License-Identifier: Apache-2.0
#include "ros2bag/qos_profiles.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdint>

#include "ros2bag/time.hpp"

namespace ros2bag {
namespace {

using underlay_dds::Durability;
using underlay_dds::History;
using underlay_dds::Liveliness;
using underlay_dds::Qos;
using underlay_dds::Reliability;

// rmw's numbers
constexpr int history_unknown = 3;  // DDS does not tell other processes the history of a publisher
constexpr int reliable = 1;
constexpr int best_effort = 2;
constexpr int transient_local = 1;
constexpr int volatile_durability = 2;
constexpr int automatic = 1;
constexpr int manual_by_topic = 3;

std::string duration(const char* name, std::int64_t ns) {
  return std::string("  ") + name + ":\n    sec: " + std::to_string(ns / ns_per_second) +
         "\n    nsec: " + std::to_string(ns % ns_per_second) + "\n";
}

bool is(const YAML::Node& value, int number, const char* word) {
  if (!value || !value.IsScalar()) return false;
  return value.Scalar() == word || value.Scalar() == std::to_string(number);
}

std::int64_t duration_from(const YAML::Node& value) {
  if (!value || !value.IsMap()) return underlay_dds::infinite;
  const auto seconds = value["sec"].as<std::int64_t>(0);
  const auto nanoseconds = value["nsec"].as<std::int64_t>(0);
  const bool unset = seconds == 0 && nanoseconds == 0;  // rmw: "default"
  if (unset || seconds < 0 || nanoseconds < 0 || seconds >= underlay_dds::infinite / ns_per_second) {
    return underlay_dds::infinite;
  }
  return seconds * ns_per_second + std::min(nanoseconds, ns_per_second);
}

template <class Condition>
bool all_of(const std::vector<Qos>& profiles, Condition condition) {
  return !profiles.empty() && std::all_of(profiles.begin(), profiles.end(), condition);
}

}  // namespace

std::string to_yaml(const std::vector<Qos>& offered) {
  std::string text;
  for (const auto& qos : offered) {
    text += "- history: " + std::to_string(history_unknown) + "\n  depth: 0\n  reliability: " +
            std::to_string(qos.reliability == Reliability::Reliable ? reliable : best_effort) + "\n  durability: " +
            std::to_string(qos.durability == Durability::TransientLocal ? transient_local : volatile_durability) +
            "\n" + duration("deadline", qos.deadline) + duration("lifespan", qos.lifespan) + "  liveliness: " +
            std::to_string(qos.liveliness == Liveliness::ManualByTopic ? manual_by_topic : automatic) + "\n" +
            duration("liveliness_lease_duration", qos.liveliness_lease) + "  avoid_ros_namespace_conventions: false\n";
  }
  if (!text.empty()) text.pop_back();
  return text;
}

std::vector<Qos> qos_from_yaml(const std::string& text) {
  std::vector<Qos> profiles;
  try {
    const YAML::Node list = YAML::Load(text);
    if (!list.IsSequence()) return {};
    for (const auto& entry : list) {
      if (!entry.IsMap()) continue;
      Qos qos;
      if (is(entry["reliability"], best_effort, "best_effort")) qos.reliability = Reliability::BestEffort;
      if (is(entry["durability"], transient_local, "transient_local")) qos.durability = Durability::TransientLocal;
      if (is(entry["liveliness"], manual_by_topic, "manual_by_topic")) qos.liveliness = Liveliness::ManualByTopic;
      qos.deadline = duration_from(entry["deadline"]);
      qos.lifespan = duration_from(entry["lifespan"]);
      qos.liveliness_lease = duration_from(entry["liveliness_lease_duration"]);
      profiles.push_back(qos);
    }
  } catch (const YAML::Exception&) {
    return {};
  }
  return profiles;
}

Qos request_for(const std::vector<Qos>& offered) {
  Qos qos;
  qos.depth = 100;  // what may wait while the disk is busy
  const bool all_reliable = all_of(offered, [](const Qos& o) { return o.reliability == Reliability::Reliable; });
  const bool all_latched = all_of(offered, [](const Qos& o) { return o.durability == Durability::TransientLocal; });
  qos.reliability = all_reliable ? Reliability::Reliable : Reliability::BestEffort;
  qos.durability = all_latched ? Durability::TransientLocal : Durability::Volatile;
  return qos;
}

Qos offer_for(const std::vector<Qos>& recorded) {
  Qos qos;
  const bool all_best_effort = all_of(recorded, [](const Qos& r) { return r.reliability == Reliability::BestEffort; });
  const bool any_latched = std::any_of(recorded.begin(), recorded.end(),
                                       [](const Qos& r) { return r.durability == Durability::TransientLocal; });
  qos.reliability = all_best_effort ? Reliability::BestEffort : Reliability::Reliable;
  qos.durability = any_latched ? Durability::TransientLocal : Durability::Volatile;
  return qos;
}

}  // namespace ros2bag

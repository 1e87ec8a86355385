// SPDX-License-Identifier: Apache-2.0
#include "qos_options.hpp"

#include <algorithm>

#include "hints.hpp"

namespace ros2cli {
namespace {

using underlay_dds::Durability;
using underlay_dds::History;
using underlay_dds::Qos;
using underlay_dds::Reliability;

template <class T>
T choice(const std::string& option, const std::string& given, const std::vector<std::pair<std::string, T>>& choices) {
  std::vector<std::string> known;
  for (const auto& [name, value] : choices) {
    if (name == given) return value;
    known.push_back(name);
  }
  throw CommandError("--" + option + " '" + given + "' is not known; write " + joined(known));
}

Qos profile(Reliability reliability, std::size_t depth) {
  Qos qos;
  qos.reliability = reliability;
  qos.depth = depth;
  return qos;
}

std::string duration(std::int64_t nanoseconds) {
  return nanoseconds == underlay_dds::infinite ? "Infinite" : std::to_string(nanoseconds) + " nanoseconds";
}

}  // namespace

std::vector<Option> qos_options() {
  return {{"qos-profile", 0, "NAME", "default, sensor_data, services_default, parameters, system_default"},
          {"qos-depth", 0, "N", "length of the queue"},
          {"qos-history", 0, "KIND", "keep_last or keep_all"},
          {"qos-reliability", 0, "KIND", "reliable or best_effort"},
          {"qos-durability", 0, "KIND", "volatile or transient_local"}};
}

Qos qos_from(const Arguments& arguments, Qos base) {
  if (const auto name = arguments.value("qos-profile")) {
    base = choice<Qos>("qos-profile", *name,
                       {{"default", profile(Reliability::Reliable, 10)},
                        {"sensor_data", profile(Reliability::BestEffort, 5)},
                        {"services_default", profile(Reliability::Reliable, 10)},
                        {"parameters", profile(Reliability::Reliable, 1000)},
                        {"system_default", profile(Reliability::Reliable, 10)}});
  }
  base.depth = std::max<std::size_t>(1, arguments.count("qos-depth", base.depth));
  if (const auto kind = arguments.value("qos-history")) {
    base.history =
        choice<History>("qos-history", *kind, {{"keep_last", History::KeepLast}, {"keep_all", History::KeepAll}});
  }
  if (const auto kind = arguments.value("qos-reliability")) {
    base.reliability = choice<Reliability>(
        "qos-reliability", *kind, {{"reliable", Reliability::Reliable}, {"best_effort", Reliability::BestEffort}});
  }
  if (const auto kind = arguments.value("qos-durability")) {
    base.durability = choice<Durability>(
        "qos-durability", *kind, {{"volatile", Durability::Volatile}, {"transient_local", Durability::TransientLocal}});
  }
  return base;
}

Qos matching(const std::vector<underlay_dds::Endpoint>& publishers) {
  Qos qos;
  if (publishers.empty()) return qos;
  const auto all = [&](auto condition) { return std::all_of(publishers.begin(), publishers.end(), condition); };
  qos.reliability = all([](const auto& p) { return p.qos.reliability == Reliability::Reliable; })
                        ? Reliability::Reliable
                        : Reliability::BestEffort;
  qos.durability = all([](const auto& p) { return p.qos.durability == Durability::TransientLocal; })
                       ? Durability::TransientLocal
                       : Durability::Volatile;
  return qos;
}

std::string describe(const Qos& qos) {
  return std::string("  Reliability: ") + (qos.reliability == Reliability::Reliable ? "RELIABLE" : "BEST_EFFORT") +
         "\n  History (Depth): " +
         (qos.history == History::KeepLast ? "KEEP_LAST (" + std::to_string(qos.depth) + ")" : "KEEP_ALL") +
         "\n  Durability: " + (qos.durability == Durability::TransientLocal ? "TRANSIENT_LOCAL" : "VOLATILE") +
         "\n  Lifespan: " + duration(qos.lifespan) + "\n  Deadline: " + duration(qos.deadline) + "\n  Liveliness: " +
         (qos.liveliness == underlay_dds::Liveliness::Automatic ? "AUTOMATIC" : "MANUAL_BY_TOPIC") +
         "\n  Liveliness lease duration: " + duration(qos.liveliness_lease) + "\n";
}

std::vector<Option> operator+(std::vector<Option> left, const std::vector<Option>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

}  // namespace ros2cli

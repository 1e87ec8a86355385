// SPDX-License-Identifier: Apache-2.0
#include "qos.hpp"

#include <algorithm>
#include <cstring>

#include "underlay_cdr/ops.hpp"

namespace underlay_dds {

const char* to_string(Policy policy) {
  switch (policy) {
    case Policy::Durability:
      return "DURABILITY";
    case Policy::Deadline:
      return "DEADLINE";
    case Policy::Liveliness:
      return "LIVELINESS";
    case Policy::Reliability:
      return "RELIABILITY";
    case Policy::Lifespan:
      return "LIFESPAN";
  }
  return "UNKNOWN";
}

std::string dds_type_name(const std::string& ros_name) {
  const auto first = ros_name.find('/');
  const auto last = ros_name.rfind('/');
  if (first == std::string::npos || first == last) return ros_name;
  return ros_name.substr(0, first) + "::" + ros_name.substr(first + 1, last - first - 1) +
         "::dds_::" + ros_name.substr(last + 1) + "_";
}

std::string ros_type_name(const std::string& dds_name) {
  const std::string mark = "::dds_::";
  const auto middle = dds_name.find(mark);
  const auto first = dds_name.find("::");
  if (middle == std::string::npos || first == middle || dds_name.back() != '_') return dds_name;
  const auto name = dds_name.substr(middle + mark.size());
  return dds_name.substr(0, first) + "/" + dds_name.substr(first + 2, middle - first - 2) + "/" +
         name.substr(0, name.size() - 1);
}

Type Type::of(const underlay_cdr::MessageOps& ops, bool service_header) {
  return {ops.dds_name, ops.type_hash, &ops, service_header};
}

Type Type::raw(const std::string& ros_name, const std::string& hash) {
  return {dds_type_name(ros_name), hash, nullptr, false};
}

namespace detail {
namespace {

dds_duration_t duration(std::int64_t nanoseconds) {
  return nanoseconds == infinite ? DDS_INFINITY : nanoseconds;
}
std::int64_t nanoseconds(dds_duration_t duration) {
  return duration == DDS_INFINITY ? infinite : duration;
}

}  // namespace

DdsQos make_qos(const Qos& qos, const std::string& user_data) {
  DdsQos made(dds_create_qos(), &dds_delete_qos);
  dds_qos_t* q = made.get();
  const bool all = qos.history == History::KeepAll;
  const auto history = all ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST;
  const auto depth =
      all ? DDS_LENGTH_UNLIMITED : static_cast<std::int32_t>(std::clamp<std::size_t>(qos.depth, 1, 1u << 30));
  dds_qset_history(q, history, depth);
  dds_qset_writer_data_lifecycle(q, false);
  if (qos.reliability == Reliability::BestEffort) {
    dds_qset_reliability(q, DDS_RELIABILITY_BEST_EFFORT, 0);
  } else {
    dds_qset_reliability(q, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
  }
  if (qos.durability == Durability::TransientLocal) {
    dds_qset_durability(q, DDS_DURABILITY_TRANSIENT_LOCAL);
    dds_qset_durability_service(q, 0, history, depth, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
  } else {
    dds_qset_durability(q, DDS_DURABILITY_VOLATILE);
  }
  dds_qset_deadline(q, duration(qos.deadline));
  if (qos.lifespan != infinite) dds_qset_lifespan(q, qos.lifespan);
  dds_qset_liveliness(
      q, qos.liveliness == Liveliness::ManualByTopic ? DDS_LIVELINESS_MANUAL_BY_TOPIC : DDS_LIVELINESS_AUTOMATIC,
      duration(qos.liveliness_lease));
  const dds_data_representation_id_t representation = DDS_DATA_REPRESENTATION_XCDR1;
  dds_qset_data_representation(q, 1, &representation);
  if (qos.ignore_own_process) dds_qset_ignorelocal(q, DDS_IGNORELOCAL_PARTICIPANT);
  if (!user_data.empty()) dds_qset_userdata(q, user_data.data(), user_data.size());
  return made;
}

Qos qos_from(const dds_qos_t* q) {
  Qos qos;
  dds_history_kind_t history = DDS_HISTORY_KEEP_LAST;
  std::int32_t depth = 1;
  if (dds_qget_history(q, &history, &depth)) {
    qos.history = history == DDS_HISTORY_KEEP_ALL ? History::KeepAll : History::KeepLast;
    qos.depth = depth > 0 ? static_cast<std::size_t>(depth) : 0;
  } else {
    qos.depth = 0;  // discovery does not carry it
  }
  dds_reliability_kind_t reliability = DDS_RELIABILITY_BEST_EFFORT;
  dds_duration_t time = 0;
  if (dds_qget_reliability(q, &reliability, &time)) {
    qos.reliability = reliability == DDS_RELIABILITY_RELIABLE ? Reliability::Reliable : Reliability::BestEffort;
  }
  dds_durability_kind_t durability = DDS_DURABILITY_VOLATILE;
  if (dds_qget_durability(q, &durability)) {
    qos.durability = durability == DDS_DURABILITY_VOLATILE ? Durability::Volatile : Durability::TransientLocal;
  }
  if (dds_qget_deadline(q, &time)) qos.deadline = nanoseconds(time);
  if (dds_qget_lifespan(q, &time)) qos.lifespan = nanoseconds(time);
  dds_liveliness_kind_t liveliness = DDS_LIVELINESS_AUTOMATIC;
  if (dds_qget_liveliness(q, &liveliness, &time)) {
    qos.liveliness = liveliness == DDS_LIVELINESS_MANUAL_BY_TOPIC ? Liveliness::ManualByTopic : Liveliness::Automatic;
    qos.liveliness_lease = nanoseconds(time);
  }
  return qos;
}

std::string user_data_of(const dds_qos_t* q) {
  void* data = nullptr;
  std::size_t size = 0;
  if (q == nullptr || !dds_qget_userdata(q, &data, &size) || data == nullptr) return {};
  std::string text(static_cast<const char*>(data), size);
  dds_free(data);
  return text;
}

std::string user_data_value(const std::string& user_data, const std::string& key) {
  std::size_t begin = 0;
  while (begin < user_data.size()) {
    auto end = user_data.find(';', begin);
    if (end == std::string::npos) end = user_data.size();
    if (user_data.compare(begin, key.size(), key) == 0 && user_data[begin + key.size()] == '=') {
      return user_data.substr(begin + key.size() + 1, end - begin - key.size() - 1);
    }
    begin = end + 1;
  }
  return {};
}

std::string endpoint_user_data(const std::string& user_data, const Type& type) {
  return type.hash.empty() ? user_data : user_data + "typehash=" + type.hash + ";";
}

Gid gid_from(const dds_guid_t& guid) {
  Gid gid;
  std::memcpy(gid.data(), guid.v, gid.size());
  return gid;
}

Gid gid_of(dds_entity_t entity) {
  dds_guid_t guid{};
  dds_get_guid(entity, &guid);
  return gid_from(guid);
}

}  // namespace detail
}  // namespace underlay_dds

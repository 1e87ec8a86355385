// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace underlay_cdr {
struct MessageOps;
}

namespace underlay_dds {

/// GUID of a participant or endpoint, as it stands on the wire.
using Gid = std::array<std::uint8_t, 16>;

/// A call into the middleware failed; the text names what was attempted and why it failed.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class History { KeepLast, KeepAll };
enum class Reliability { Reliable, BestEffort };
enum class Durability { Volatile, TransientLocal };
enum class Liveliness { Automatic, ManualByTopic };

inline constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max();

/// Quality of service of one endpoint; the part of DDS that ROS 2 uses.
struct Qos {
  History history = History::KeepLast;
  std::size_t depth = 10;
  Reliability reliability = Reliability::Reliable;
  Durability durability = Durability::Volatile;
  Liveliness liveliness = Liveliness::Automatic;
  std::int64_t deadline = infinite;          // ns
  std::int64_t lifespan = infinite;          // ns
  std::int64_t liveliness_lease = infinite;  // ns
  bool ignore_own_process = false;           // readers: nothing from writers of this process
};

/// Numbers of the DDS specification, as they arrive with an incompatible-QoS event.
enum class Policy : std::uint32_t { Durability = 2, Deadline = 4, Liveliness = 8, Reliability = 11, Lifespan = 21 };
const char* to_string(Policy policy);

/// What travels on a topic. Without `ops` the endpoint carries raw CDR bytes: a tool names the type and needs no
/// generated code for it.
struct Type {
  std::string dds_name;  // pkg::msg::dds_::Name_
  std::string hash;      // RIHS01_..., empty if unknown; announced to Jazzy peers
  const underlay_cdr::MessageOps* ops = nullptr;
  bool service_header = false;  // the payload starts with client id and sequence number

  static Type of(const underlay_cdr::MessageOps& ops, bool service_header = false);
  /// From a ROS name such as "std_msgs/msg/String".
  static Type raw(const std::string& ros_name, const std::string& hash = "");
};

/// "std_msgs/msg/String" <-> "std_msgs::msg::dds_::String_"; names that are not of ROS are returned unchanged.
std::string dds_type_name(const std::string& ros_name);
std::string ros_type_name(const std::string& dds_name);

/// First 16 bytes of a request and of its reply.
struct ServiceHeader {
  std::uint64_t client = 0;
  std::int64_t sequence = 0;
};

/// Status of an endpoint as its event callbacks receive it. Which fields are used depends on the event.
struct EventStatus {
  std::int32_t total = 0;
  std::int32_t change = 0;
  std::int32_t alive = 0;
  std::int32_t alive_change = 0;
  std::int32_t not_alive = 0;
  std::int32_t not_alive_change = 0;
  std::uint32_t policy = 0;  // incompatible QoS: Policy
};

}  // namespace underlay_dds

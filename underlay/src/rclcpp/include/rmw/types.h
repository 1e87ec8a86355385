/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the middleware interface that user code spells; there is no rmw below this client library. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RMW_GID_STORAGE_SIZE 16u
#define RMW_QOS_POLICY_DEPTH_SYSTEM_DEFAULT 0

typedef int64_t rmw_time_point_value_t; /* ns */

typedef struct rmw_time_s {
  uint64_t sec;
  uint64_t nsec;
} rmw_time_t;

#define RMW_DURATION_INFINITE \
  { 9223372036LL, 854775807LL }
#define RMW_DURATION_UNSPECIFIED \
  { 0LL, 0LL }

enum rmw_qos_reliability_policy_e {
  RMW_QOS_POLICY_RELIABILITY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_RELIABILITY_RELIABLE,
  RMW_QOS_POLICY_RELIABILITY_BEST_EFFORT,
  RMW_QOS_POLICY_RELIABILITY_UNKNOWN
};

enum rmw_qos_history_policy_e {
  RMW_QOS_POLICY_HISTORY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_HISTORY_KEEP_LAST,
  RMW_QOS_POLICY_HISTORY_KEEP_ALL,
  RMW_QOS_POLICY_HISTORY_UNKNOWN
};

enum rmw_qos_durability_policy_e {
  RMW_QOS_POLICY_DURABILITY_SYSTEM_DEFAULT,
  RMW_QOS_POLICY_DURABILITY_TRANSIENT_LOCAL,
  RMW_QOS_POLICY_DURABILITY_VOLATILE,
  RMW_QOS_POLICY_DURABILITY_UNKNOWN
};

enum rmw_qos_liveliness_policy_e {
  RMW_QOS_POLICY_LIVELINESS_SYSTEM_DEFAULT = 0,
  RMW_QOS_POLICY_LIVELINESS_AUTOMATIC = 1,
  RMW_QOS_POLICY_LIVELINESS_MANUAL_BY_TOPIC = 3,
  RMW_QOS_POLICY_LIVELINESS_UNKNOWN = 4
};

typedef enum rmw_qos_policy_kind_e {
  RMW_QOS_POLICY_INVALID = 1 << 0,
  RMW_QOS_POLICY_DURABILITY = 1 << 1,
  RMW_QOS_POLICY_DEADLINE = 1 << 2,
  RMW_QOS_POLICY_LIVELINESS = 1 << 3,
  RMW_QOS_POLICY_RELIABILITY = 1 << 4,
  RMW_QOS_POLICY_HISTORY = 1 << 5,
  RMW_QOS_POLICY_LIFESPAN = 1 << 6,
  RMW_QOS_POLICY_DEPTH = 1 << 7,
  RMW_QOS_POLICY_LIVELINESS_LEASE_DURATION = 1 << 8,
  RMW_QOS_POLICY_AVOID_ROS_NAMESPACE_CONVENTIONS = 1 << 9
} rmw_qos_policy_kind_t;

typedef struct rmw_qos_profile_s {
  enum rmw_qos_history_policy_e history;
  size_t depth;
  enum rmw_qos_reliability_policy_e reliability;
  enum rmw_qos_durability_policy_e durability;
  rmw_time_t deadline;
  rmw_time_t lifespan;
  enum rmw_qos_liveliness_policy_e liveliness;
  rmw_time_t liveliness_lease_duration;
  bool avoid_ros_namespace_conventions;
} rmw_qos_profile_t;

typedef struct rmw_gid_s {
  const char* implementation_identifier;
  uint8_t data[RMW_GID_STORAGE_SIZE];
} rmw_gid_t;

typedef struct rmw_message_info_s {
  rmw_time_point_value_t source_timestamp;
  rmw_time_point_value_t received_timestamp;
  rmw_gid_t publisher_gid;
  bool from_intra_process;
} rmw_message_info_t;

typedef struct rmw_request_id_s {
  int8_t writer_guid[16];
  int64_t sequence_number;
} rmw_request_id_t;

/* Events of endpoints; a count and how much of it is new. */
typedef struct rmw_offered_deadline_missed_status_s {
  int32_t total_count;
  int32_t total_count_change;
} rmw_offered_deadline_missed_status_t;
typedef rmw_offered_deadline_missed_status_t rmw_requested_deadline_missed_status_t;
typedef struct rmw_liveliness_lost_status_s {
  int32_t total_count;
  int32_t total_count_change;
} rmw_liveliness_lost_status_t;
typedef struct rmw_liveliness_changed_status_s {
  int32_t alive_count;
  int32_t not_alive_count;
  int32_t alive_count_change;
  int32_t not_alive_count_change;
} rmw_liveliness_changed_status_t;
typedef struct rmw_message_lost_status_s {
  size_t total_count;
  size_t total_count_change;
} rmw_message_lost_status_t;
typedef struct rmw_qos_incompatible_event_status_s {
  int32_t total_count;
  int32_t total_count_change;
  rmw_qos_policy_kind_t last_policy_kind;
} rmw_qos_incompatible_event_status_t;
typedef rmw_qos_incompatible_event_status_t rmw_offered_qos_incompatible_event_status_t;
typedef rmw_qos_incompatible_event_status_t rmw_requested_qos_incompatible_event_status_t;

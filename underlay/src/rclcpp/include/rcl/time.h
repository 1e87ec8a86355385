// SPDX-License-Identifier: Apache-2.0
// Names of rcl's clock types; the client library has no rcl below it, but code that uses clocks spells them this way.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define RCL_S_TO_NS(seconds) ((seconds) * (1000LL * 1000LL * 1000LL))
#define RCL_MS_TO_NS(milliseconds) ((milliseconds) * (1000LL * 1000LL))
#define RCL_US_TO_NS(microseconds) ((microseconds)*1000LL)
#define RCL_NS_TO_S(nanoseconds) ((nanoseconds) / (1000LL * 1000LL * 1000LL))
#define RCL_NS_TO_MS(nanoseconds) ((nanoseconds) / (1000LL * 1000LL))
#define RCL_NS_TO_US(nanoseconds) ((nanoseconds) / 1000LL)

typedef int64_t rcl_time_point_value_t;  // ns
typedef int64_t rcl_duration_value_t;    // ns

typedef enum rcl_clock_type_e {
  RCL_CLOCK_UNINITIALIZED = 0,
  RCL_ROS_TIME,
  RCL_SYSTEM_TIME,
  RCL_STEADY_TIME
} rcl_clock_type_t;

typedef struct rcl_duration_s {
  rcl_duration_value_t nanoseconds;
} rcl_duration_t;

typedef struct rcl_time_point_s {
  rcl_time_point_value_t nanoseconds;
  rcl_clock_type_t clock_type;
} rcl_time_point_t;

typedef enum rcl_clock_change_e {
  RCL_ROS_TIME_NO_CHANGE = 1,    // simulated before and after
  RCL_ROS_TIME_ACTIVATED = 2,    // now simulated
  RCL_ROS_TIME_DEACTIVATED = 3,  // no longer simulated
  RCL_SYSTEM_TIME_NO_CHANGE = 4
} rcl_clock_change_t;

typedef struct rcl_time_jump_s {
  rcl_clock_change_t clock_change;
  rcl_duration_t delta;  // new time minus old time
} rcl_time_jump_t;

typedef struct rcl_jump_threshold_s {
  bool on_clock_change;
  rcl_duration_t min_forward;   // smallest jump forward that is reported; 0 = none
  rcl_duration_t min_backward;  // negative; 0 = none
} rcl_jump_threshold_t;
